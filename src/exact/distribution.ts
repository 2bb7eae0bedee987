// Distributions of sums and maxima of independent, equal numbers.
import { compensatedSum } from "../stats/sum.js";

/** Sums whose distribution is wider than this, in values, are not tabulated. */
const widestSum = 4096;

/** Probabilities below this at both ends of a sum's distribution are cut off. */
const negligible = 1e-30;

/** Probabilities of consecutive whole numbers, the first of which is `first`. */
export interface Distribution {
  readonly first: number;
  readonly probabilities: Float64Array;
}

/** Mean and standard deviation. */
export interface Moments {
  readonly mean: number;
  readonly sd: number;
}

/** Mean and standard deviation of values with the given probabilities. */
export function momentsOf(distribution: Iterable<readonly [value: number, probability: number]>): Moments {
  const pairs = [...distribution];
  const expect = (of: (value: number) => number) =>
    compensatedSum(Float64Array.from(pairs, ([value, probability]) => of(value) * probability));
  // About one of the values, so that a number that never varies has exactly that mean and no spread.
  const origin = pairs.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  const mean = origin + expect((value) => value - origin);
  return { mean, sd: Math.sqrt(expect((value) => (value - mean) ** 2)) };
}

/**
 * The distribution of the sum of `count` independent numbers, by repeated doubling.
 *
 * All terms are positive, so that even small probabilities are right to about 13 digits.
 *
 * @returns undefined where the sum spreads over too many values to be worth the work
 */
export function sumDistribution(one: ReadonlyMap<number, number>, count: number): Distribution | undefined {
  if (24 * momentsOf(one).sd * Math.sqrt(count) > widestSum) return undefined;
  const single = toDistribution(one);
  if (single.probabilities.length > widestSum) return undefined;
  let sum = single;
  for (const bit of count.toString(2).slice(1)) {
    sum = convolve(sum, sum);
    if (bit === "1") sum = convolve(sum, single);
  }
  return sum;
}

/** The distribution of the largest of `count` independent numbers. */
export function maxDistribution(one: ReadonlyMap<number, number>, count: number): Map<number, number> {
  const values = [...one.keys()].sort((a, b) => a - b);
  const result = new Map<number, number>();
  // The chance that the maximum is above a value, from the chance that one number is: small ones stay accurate.
  let aboveOne = 0;
  let above = 0;
  for (const value of values.toReversed()) {
    aboveOne += one.get(value) as number;
    const from = aboveOne >= 1 || value === values[0] ? 1 : -Math.expm1(count * Math.log1p(-aboveOne));
    result.set(value, from - above);
    above = from;
  }
  return result;
}

function toDistribution(one: ReadonlyMap<number, number>): Distribution {
  const values = [...one.keys()];
  const first = values.reduce((a, b) => Math.min(a, b));
  const last = values.reduce((a, b) => Math.max(a, b));
  const probabilities = new Float64Array(Math.min(last - first, widestSum) + 1);
  for (const [value, probability] of one)
    if (value - first <= widestSum) probabilities[value - first] = probability;
  return { first, probabilities };
}

function convolve(a: Distribution, b: Distribution): Distribution {
  const product = new Float64Array(a.probabilities.length + b.probabilities.length - 1);
  for (let i = 0; i < a.probabilities.length; i++) {
    const weight = a.probabilities[i];
    if (weight === 0) continue;
    for (let j = 0; j < b.probabilities.length; j++) product[i + j] += weight * b.probabilities[j];
  }
  let begin = 0;
  let end = product.length;
  while (end - begin > 1 && product[begin] < negligible) begin++;
  while (end - begin > 1 && product[end - 1] < negligible) end--;
  // Each doubling would double the rounding error of the total.
  const total = compensatedSum(product);
  for (let i = begin; i < end; i++) product[i] /= total;
  return { first: a.first + b.first + begin, probabilities: product.slice(begin, end) };
}
