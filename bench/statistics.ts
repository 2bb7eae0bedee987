// Statistics of a few rounds of a measurement and of the samples in them.

/** The arithmetic mean of at least one number. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample standard deviation (n - 1) of at least two numbers. */
export function sampleSd(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}

/**
 * A quantile of at least one number, between neighbors in proportion (type 7).
 *
 * @param sorted - ascending
 * @param share - from 0 to 1, both included
 */
export function quantileSorted(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

/** The median of at least one number, in any order. */
export function median(values: readonly number[]): number {
  return quantileSorted(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Student's t by degrees of freedom, from 1: the 97.5 % and 99.5 % quantiles, from any table of them. */
const student = {
  95: [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228],
  99: [63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.25, 3.169],
} as const;

/**
 * Half the width of a confidence interval, in standard errors.
 *
 * @param degrees - degrees of freedom, at least 1; rounded down, and 10 stands for all above, which is on the safe side
 */
export function studentFactor(percent: keyof typeof student, degrees: number): number {
  const table = student[percent];
  return table[Math.max(1, Math.min(table.length, Math.floor(degrees))) - 1];
}

/** A sample, as far as a comparison needs it. */
export interface SampleSummary {
  /** At least 2. */
  readonly n: number;
  readonly mean: number;
  /** Sample standard deviation. */
  readonly sd: number;
}

/**
 * The 99 % confidence interval of the difference `a` - `b` of two means whose samples may vary unequally (B. L. Welch,
 * "The generalization of Student's problem when several different population variances are involved", Biometrika 34
 * (1947), 28-35).
 */
export function welchInterval99(
  a: SampleSummary,
  b: SampleSummary,
): { readonly difference: number; readonly low: number; readonly high: number } {
  const difference = a.mean - b.mean;
  const aShare = a.sd ** 2 / a.n;
  const bShare = b.sd ** 2 / b.n;
  const variance = aShare + bShare;
  if (variance === 0) return { difference, low: difference, high: difference };
  const degrees = variance ** 2 / (aShare ** 2 / (a.n - 1) + bShare ** 2 / (b.n - 1));
  const half = studentFactor(99, degrees) * Math.sqrt(variance);
  return { difference, low: difference - half, high: difference + half };
}
