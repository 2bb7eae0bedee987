// Distributions of whole numbers: their moments, maxima and mixtures.
import { compensatedSum } from "../stats/sum.js";

/** Whole numbers in ascending order and the probability of each. */
export interface Distribution {
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
}

/** A distribution that lists all values but improbable ones. */
export interface ExactDistribution extends Distribution {
  /** The chance, at most, of a value that is not listed; 0 where all are. */
  readonly unlisted: number;
}

/** Mean and standard deviation. */
export interface Moments {
  readonly mean: number;
  readonly sd: number;
}

/** The distribution of these values; equal ones are added up. */
export function distributionOf(pairs: Iterable<readonly [value: number, probability: number]>): Distribution {
  const sums = new Map<number, number>();
  for (const [value, probability] of pairs) sums.set(value, (sums.get(value) ?? 0) + probability);
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return {
    values: Float64Array.from(sorted, ([value]) => value),
    probabilities: Float64Array.from(sorted, ([, probability]) => probability),
  };
}

/** The value that is most probable. */
export function modeOf({ values, probabilities }: Distribution): number {
  let mode = 0;
  for (let i = 1; i < values.length; i++) if (probabilities[i] > probabilities[mode]) mode = i;
  return values[mode];
}

export function momentsOf(distribution: Distribution): Moments {
  const { values, probabilities } = distribution;
  const expect = (of: (value: number) => number) =>
    compensatedSum(values.map((value, i) => of(value) * probabilities[i]));
  // About one of the values, so that a number that never varies has exactly that mean and no spread.
  const origin = modeOf(distribution);
  const offset = expect((value) => value - origin);
  return {
    mean: origin + offset,
    sd: Math.sqrt(expect((value) => (value - origin - offset) ** 2)),
  };
}

/**
 * The distribution of the largest of `count` independent numbers. No term is a difference, so that even the smallest
 * probabilities are right to about 13 digits.
 */
export function maxDistribution({ values, probabilities }: Distribution, count: number): Distribution {
  const length = values.length;
  const above = new Float64Array(length);
  for (let i = length - 2; i >= 0; i--) above[i] = above[i + 1] + probabilities[i + 1];
  let upTo = 0;
  const maxima = probabilities.map((probability, i) => {
    if (probability === 0) return 0;
    upTo += probability;
    // All are at or below this value, and not all below it.
    const logUpTo = above[i] < 0.5 ? Math.log1p(-above[i]) : Math.log(upTo);
    const below = probability >= upTo ? 0 : Math.exp(count * Math.log1p(-probability / upTo));
    return (
      Math.exp(count * logUpTo) * (below === 0 ? 1 : -Math.expm1(count * Math.log1p(-probability / upTo)))
    );
  });
  return { values, probabilities: maxima };
}

/** The probability of a value; 0 for one that is not there. */
export function shareOf({ values, probabilities }: Distribution, value: number): number {
  let begin = 0;
  let end = values.length;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (values[middle] < value) begin = middle + 1;
    else end = middle;
  }
  return values[begin] === value ? probabilities[begin] : 0;
}
