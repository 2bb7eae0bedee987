// The distribution of a sum of many independent, equal numbers. The one file that knows the Fourier transform's library.
import { ifft } from "fourier-transform";
import { compensatedSum } from "../stats/sum.js";
import type { Distribution } from "./distribution.js";
import { modeOf, momentsOf } from "./distribution.js";

/** A sum is outside its window, on either side, with a chance of at most exp of minus this: 2e-16. */
const tailExponent = 36;

/** Sums with a window up to this wide are convolved, which keeps small probabilities accurate; it costs its square. */
export const widestConvolved = 1024;

/** Sums with a wider window are not tabulated; the tables of this one take some 60 MB. */
const widestTransformed = 1 << 20;

/** Probabilities below this, at both ends, are cut off. */
const negligible = 1e-30;

/** The same for sums that were transformed, as a part of the largest probability. */
const noise = 1e-17;

/** The logarithm of a part of the characteristic function that is too small to matter. */
const leastLogModulus = -60;

/** Probabilities of `first`, `first` + `step` and so on. */
export interface SumDistribution {
  readonly first: number;
  readonly step: number;
  readonly probabilities: Float64Array;
}

/** A sum of `count` independent numbers, before it is computed. */
export interface Sum {
  readonly count: number;
  /** Distance of neighboring values. */
  readonly step: number;
  /** What one number can be, in units of `step` from its most probable value, ascending; and the probabilities. */
  readonly offsets: Float64Array;
  readonly probabilities: Float64Array;
  /** The sum where each number has its most probable value. */
  readonly origin: number;
  /** The sum's mean, and how far it reaches, but for a chance of 2e-16 on each side; in units of `step` from `origin`. */
  readonly mean: number;
  readonly least: number;
  readonly most: number;
}

/** Says where the sum of `count` numbers lies. */
export function describeSum(one: Distribution, count: number): Sum {
  const mode = modeOf(one);
  const step =
    one.values.reduce((divisor, value) => greatestDivisor(divisor, Math.abs(value - mode)), 0) || 1;
  const isPossible = (_: number, i: number) => one.probabilities[i] > 0;
  const offsets = one.values.filter(isPossible).map((value) => (value - mode) / step);
  const probabilities = one.probabilities.filter(isPossible);
  const { mean, sd } = momentsOf({ values: offsets, probabilities });
  const [lowest, highest] = [offsets[0], offsets[offsets.length - 1]];
  const variance = count * sd * sd;
  return {
    count,
    step,
    offsets,
    probabilities,
    origin: count * mode,
    mean: count * mean,
    least: Math.max(count * lowest, Math.floor(count * mean - tailReach(variance, mean - lowest))),
    most: Math.min(count * highest, Math.ceil(count * mean + tailReach(variance, highest - mean))),
  };
}

/** Values between the ends of a sum, which is what its distribution costs. */
export function widthOf({ least, most }: Sum): number {
  return most - least + 1;
}

/**
 * The distribution of a sum of independent numbers: by convolution where it is narrow, so that even small
 * probabilities are right to about 13 digits, otherwise by its characteristic function, with an error of each
 * probability of at most about 1e-13 of the largest one; for 1e8 numbers, 1e-11 of it.
 *
 * @param widest - of the sums that are convolved
 * @returns undefined where the sum spreads over more than a million values
 */
export function sumDistribution(sum: Sum, widest = widestConvolved): SumDistribution | undefined {
  const { origin, step, offsets } = sum;
  const width = widthOf(sum);
  const range = offsets[offsets.length - 1] - offsets[0];
  if (width > widestTransformed) return undefined;
  const { first, probabilities } =
    Math.max(width, range) <= widest ? addByDoubling(sum) : transformBack(sum, width);
  return { first: origin + step * first, step, probabilities };
}

/** Adds the number to itself, and the sum to itself, again and again. */
function addByDoubling({ offsets, probabilities, count }: Sum): Span {
  const first = offsets[0];
  const single: Span = { first, probabilities: new Float64Array(offsets[offsets.length - 1] - first + 1) };
  for (const [i, offset] of offsets.entries()) single.probabilities[offset - first] = probabilities[i];
  let sum = single;
  for (const bit of count.toString(2).slice(1)) {
    sum = convolve(sum, sum);
    if (bit === "1") sum = convolve(sum, single);
  }
  return sum;
}

/** Probabilities of consecutive whole numbers from `first` on. */
interface Span {
  readonly first: number;
  readonly probabilities: Float64Array;
}

function convolve(a: Span, b: Span): Span {
  const product = new Float64Array(a.probabilities.length + b.probabilities.length - 1);
  for (let i = 0; i < a.probabilities.length; i++) {
    const weight = a.probabilities[i];
    if (weight === 0) continue;
    for (let j = 0; j < b.probabilities.length; j++) product[i + j] += weight * b.probabilities[j];
  }
  // Each doubling would double the rounding error of the total.
  const total = compensatedSum(product);
  const { first, probabilities } = trim({ first: a.first + b.first, probabilities: product }, negligible);
  return { first, probabilities: probabilities.map((probability) => probability / total) };
}

/**
 * Inverts the characteristic function of the sum, at a power of two of frequencies. Its logarithm, less the part that belongs to
 * the mean, is `count` times that of one number; about the most probable value, that one is small and accurate where
 * it matters.
 */
function transformBack({ offsets, probabilities, count, mean, least }: Sum, width: number): Span {
  const length = 2 ** Math.ceil(Math.log2(width));
  const half = length / 2;
  const sines = halfAngleSines(length);
  const circle = 2 * length;
  const mask = circle - 1;
  const re = new Float64Array(half + 1);
  const im = new Float64Array(half + 1);
  // The number with offset 0 contributes nothing to what follows.
  const others = [...offsets.keys()].filter((i) => offsets[i] !== 0);
  const advance = Int32Array.from(others, (i) => ((offsets[i] % circle) + circle) & mask);
  const weight = Float64Array.from(others, (i) => probabilities[i]);
  const place = new Int32Array(others.length);
  const center = Math.round(mean);
  for (let frequency = 0; frequency <= half; frequency++) {
    // The characteristic function less 1, by cos x - 1 = -2 sin(x/2)^2.
    let real = 0;
    let imaginary = 0;
    for (let i = 0; i < place.length; i++) {
      const sine = sines[place[i]];
      real -= 2 * weight[i] * sine * sine;
      imaginary += weight[i] * sines[(2 * place[i]) & mask];
      place[i] = (place[i] + advance[i]) & mask;
    }
    const logModulus = 0.5 * count * Math.log1p(2 * real + real * real + imaginary * imaginary);
    if (!(logModulus > leastLogModulus)) continue;
    const turned = (frequency * (center % length)) % length;
    const phase = count * Math.atan2(imaginary, 1 + real) - (2 * Math.PI * turned) / length;
    const modulus = Math.exp(logModulus);
    re[frequency] = modulus * Math.cos(phase);
    im[frequency] = -modulus * Math.sin(phase);
  }
  const around = ifft(re, im, new Float64Array(length));
  // Entry 0 is the center; the window begins before it, at the end of the ring.
  const peak = around.reduce((a, b) => Math.max(a, b));
  const inOrder = Float64Array.from({ length: width }, (_, i) =>
    Math.max(0, around[(least - center + i + length) & (length - 1)]),
  );
  return trim({ first: least, probabilities: inOrder }, noise * peak);
}

/** sin(pi i / length) for a whole turn, i from 0 to 2 `length` - 1; exactly antisymmetric. */
function halfAngleSines(length: number): Float64Array {
  if (lastSines.length === 2 * length) return lastSines;
  const sines = new Float64Array(2 * length);
  for (let i = 1; i <= length / 2; i++) {
    const sine = Math.sin((Math.PI * i) / length);
    sines[i] = sine;
    sines[length - i] = sine;
    sines[length + i] = -sine;
    sines[2 * length - i] = -sine;
  }
  lastSines = sines;
  return sines;
}

/** The table of the length that was asked for last, since sums come in groups of equal length. */
let lastSines = new Float64Array(0);

function trim({ first, probabilities }: Span, least: number): Span {
  let begin = 0;
  let end = probabilities.length;
  while (end - begin > 1 && probabilities[begin] < least) begin++;
  while (end - begin > 1 && probabilities[end - 1] < least) end--;
  return { first: first + begin, probabilities: probabilities.slice(begin, end) };
}

/**
 * A distance that the sum of independent numbers exceeds its mean by with a chance of at most exp(-`tailExponent`),
 * from its variance and how far one number can be above its mean. Bennett's inequality: S. Boucheron, G. Lugosi and
 * P. Massart, "Concentration Inequalities" (2013), theorem 2.9.
 */
function tailReach(variance: number, range: number): number {
  if (!(variance > 0) || !(range > 0)) return 0;
  const exponent = (distance: number) => {
    const u = (distance * range) / variance;
    // (1 + u) log(1 + u) - u, which for small u is nearly u^2 / 2.
    const bennett = u < 1e-4 ? (u * u) / 2 - u ** 3 / 6 : (1 + u) * Math.log1p(u) - u;
    return (variance / range ** 2) * bennett;
  };
  let low = 0;
  let high = Math.sqrt(variance) + range;
  while (exponent(high) < tailExponent) high *= 2;
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2;
    if (exponent(middle) < tailExponent) low = middle;
    else high = middle;
  }
  return high;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
