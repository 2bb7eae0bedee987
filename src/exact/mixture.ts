// Mixtures: the distribution of a day's number where that of one job is itself uncertain.
import { compensatedSum } from "../stats/sum.js";
import type { Distribution, Moments } from "./distribution.js";
import {
  describeSum,
  type Sum,
  type SumDistribution,
  sumDistribution,
  widestConvolved,
  widthOf,
} from "./sum.js";

/** What is mixed, and its share. */
export interface Weighted<Part> {
  readonly weight: number;
  readonly part: Part;
}

/** In a mixture, sums up to this width are convolved: beyond it, the other way is quicker. */
const widestConvolvedInMixture = 128;

/** Work on the sums of one mixture, in about nanoseconds, beyond which it is not worth while. */
const mostWork = 150e6;

/** A mixture with more values than this is not tabulated. */
const widestMixture = 1 << 20;

/** Mean and standard deviation of a mixture. */
export function mixMoments(parts: readonly Weighted<Moments>[]): Moments {
  if (parts.length === 1) return parts[0].part;
  const expect = (of: (moments: Moments) => number) =>
    compensatedSum(Float64Array.from(parts, ({ weight, part }) => weight * of(part)));
  const origin = parts[0].part.mean;
  const offset = expect(({ mean }) => mean - origin);
  return {
    mean: origin + offset,
    sd: Math.sqrt(expect(({ mean, sd }) => sd ** 2 + (mean - origin - offset) ** 2)),
  };
}

/** The mixture of distributions over the same values. */
export function mixDistributions(parts: readonly Weighted<Distribution>[]): Distribution {
  if (parts.length === 1) return parts[0].part;
  const [{ part: first }] = parts;
  const probabilities = new Float64Array(first.values.length);
  for (const { weight, part } of parts)
    for (let i = 0; i < probabilities.length; i++) probabilities[i] += weight * part.probabilities[i];
  return { values: first.values, probabilities };
}

/**
 * The mixture of the sums of `count` numbers each.
 *
 * @returns undefined where it would take much longer than 0.1 s, or too much memory
 */
export function mixSums(parts: readonly Weighted<Distribution>[], count: number): Distribution | undefined {
  const varying = parts.every(({ part }) => isSame(part, parts[0].part))
    ? [{ ...parts[0], weight: 1 }]
    : parts;
  const sums = varying.map(({ weight, part }) => ({ weight, sum: describeSum(part, count) }));
  if (sums.length === 1) return toDistribution(sumDistribution(sums[0].sum, widestConvolved));
  if (sums.reduce((work, { sum }) => work + workOf(sum), 0) > mostWork) return undefined;
  const { step } = sums[0].sum;
  const lows = sums.map(({ sum }) => sum.origin / step + sum.least);
  const first = lows.reduce((a, b) => Math.min(a, b));
  const last = sums.reduce((most, { sum }) => Math.max(most, sum.origin / step + sum.most), first);
  if (last - first >= widestMixture) return undefined;
  const probabilities = new Float64Array(last - first + 1);
  for (const { weight, sum } of sums) {
    const added = sumDistribution(sum, widestConvolvedInMixture);
    if (added === undefined) return undefined;
    const shift = added.first / step - first;
    for (let i = 0; i < added.probabilities.length; i++)
      // What a convolution knows beyond the window is too little to matter.
      if (shift + i >= 0 && shift + i < probabilities.length)
        probabilities[shift + i] += weight * added.probabilities[i];
  }
  return toDistribution({ first: first * step, step, probabilities });
}

function workOf(sum: Sum): number {
  const width = widthOf(sum);
  if (width <= widestConvolvedInMixture) return 4 * width ** 2;
  return 2 ** Math.ceil(Math.log2(width)) * (40 + 5 * sum.offsets.length);
}

function isSame(a: Distribution, b: Distribution): boolean {
  return a.probabilities.every((p, i) => Math.abs(p - b.probabilities[i]) <= 1e-15 * p);
}

function toDistribution(sum: SumDistribution | undefined): Distribution | undefined {
  if (sum === undefined) return undefined;
  const { first, step, probabilities } = sum;
  return { values: probabilities.map((_, i) => first + step * i), probabilities };
}
