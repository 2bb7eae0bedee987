// The package has types, which its exports do not name.
declare module "cephes" {
  const cephes: {
    /** Until then its functions cannot be called. */
    readonly compiled: Promise<void>;
    /** The chance that a chi-square variate of so many degrees is at least x. Throws where it would underflow. */
    chdtrc(degrees: number, x: number): number;
  };
  export default cephes;
}
