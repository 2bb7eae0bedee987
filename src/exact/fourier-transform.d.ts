// The package has no types.
declare module "fourier-transform" {
  /** Inverse of the transform of a real signal: its spectrum from 0 to the Nyquist frequency, both included. */
  export function ifft(re: Float64Array, im: Float64Array, output?: Float64Array): Float64Array;
}
