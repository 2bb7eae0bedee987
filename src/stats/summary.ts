// Statistics of a histogram: functions from counts to numbers.
import type { ValueCounts } from "./histogram.js";
import { compensatedSum } from "./sum.js";

/** The quantiles of a report, by the name of their column. */
export const quantileShares = {
  p01: 0.01,
  p05: 0.05,
  p25: 0.25,
  p50: 0.5,
  p75: 0.75,
  p95: 0.95,
  p99: 0.99,
  p999: 0.999,
} as const;

export type QuantileName = keyof typeof quantileShares;

/** Half-width of a 95 % confidence interval in standard errors: the normal distribution's 97.5 % quantile. */
export const normal975 = 1.959963984540054;

/** Statistics of a number of observations; each but `n` is undefined where there are too few. */
export interface Summary {
  /** Observations. */
  readonly n: number;
  readonly mean: number | undefined;
  /** Normal 95 % confidence interval of the mean; undefined below two observations. */
  readonly meanCi95: readonly [low: number, high: number] | undefined;
  /** Sample standard deviation (n - 1); undefined below two observations. */
  readonly sd: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** The smallest value with at least that share of the observations at or below it. */
  readonly quantiles: Readonly<Record<QuantileName, number | undefined>>;
}

/**
 * Summarizes a histogram.
 *
 * @param meanError - the standard error of the mean, undefined if it is not known; "independent" if it follows from
 * the observations, which are independent
 */
export function summarize(
  { values, counts }: ValueCounts,
  meanError: number | undefined | "independent" = "independent",
): Summary {
  const n = counts.reduce((sum, count) => sum + count, 0);
  const mean = n > 0 ? compensatedSum(values.map((value, i) => value * counts[i])) / n : undefined;
  const sd =
    n > 1 && mean !== undefined
      ? Math.sqrt(compensatedSum(values.map((value, i) => (value - mean) ** 2 * counts[i])) / (n - 1))
      : undefined;
  const independentError = sd === undefined ? undefined : sd / Math.sqrt(n);
  const error = meanError === "independent" ? independentError : meanError;
  const quantiles = Object.entries(quantileShares).map(([name, share]) => [
    name,
    quantile({ values, counts }, share),
  ]);
  return {
    n,
    mean,
    meanCi95:
      mean === undefined || error === undefined
        ? undefined
        : [mean - normal975 * error, mean + normal975 * error],
    sd,
    min: values.at(0),
    max: values.at(-1),
    quantiles: Object.fromEntries(quantiles),
  };
}

/**
 * The smallest value with at least this share of the observations at or below it; undefined without observations.
 *
 * @param share - above 0, at most 1
 */
export function quantile({ values, counts }: ValueCounts, share: number): number | undefined {
  const n = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let i = 0; i < values.length; i++) {
    seen += counts[i];
    if (seen / n >= share) return values[i];
  }
  return undefined;
}

/**
 * A 95 % confidence interval of a quantile, between two values that were seen: the ranks within which the quantile's
 * own lies, by the normal approximation of the binomial distribution (H. A. David and H. N. Nagaraja, "Order
 * Statistics" (2003), section 7.1).
 *
 * @param share - above 0, below 1
 * @param independent - how many independent observations there are
 * @returns undefined where an end lies beyond all observations, or there are none
 */
export function quantileInterval(
  distribution: ValueCounts,
  share: number,
  independent: number,
): readonly [low: number, high: number] | undefined {
  const reach = normal975 * Math.sqrt((share * (1 - share)) / independent);
  if (share - reach <= 0 || share + reach > 1) return undefined;
  const low = quantile(distribution, share - reach);
  const high = quantile(distribution, share + reach);
  return low === undefined || high === undefined ? undefined : [low, high];
}

/**
 * The standard error of a ratio of two daily totals, such as the mean delay of all re-drives: re-drives of one day
 * are not independent, days are. By linearization: W. G. Cochran, "Sampling Techniques" (1977), section 2.11.
 *
 * @returns undefined below two days or where the denominator is zero
 */
export function ratioError({
  days,
  numerator,
  denominator,
  squares,
}: {
  readonly days: number;
  /** Totals over all days. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** Sums over the days of numerator^2, numerator * denominator and denominator^2. */
  readonly squares: readonly [bigint, bigint, bigint];
}): number | undefined {
  if (days < 2 || denominator === 0n) return undefined;
  const [numeratorSquared, product, denominatorSquared] = squares;
  // With r = numerator / denominator, the sum of (numerator - r denominator)^2 over the days, times denominator^2:
  // in whole numbers, so that nothing is lost where the terms nearly cancel.
  const scaled =
    numeratorSquared * denominator * denominator -
    2n * product * numerator * denominator +
    denominatorSquared * numerator * numerator;
  return Math.sqrt((Number(scaled) * days) / (days - 1)) / Number(denominator) / Number(denominator);
}
