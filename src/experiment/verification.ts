// Verification: the simulated distributions of a run against the exact ones, metric by metric.
import { type ExactDistribution, momentsOf } from "../exact/distribution.js";
import { recoveryDelay } from "../model/metrics.js";
import { normalChance, testFit, testRange } from "../stats/goodness-of-fit.js";
import { normal975 } from "../stats/summary.js";
import type { MetricResult } from "./result.js";

/** The chance that a verification of a correct program reports a disagreement, whatever it covers. */
export const falseAlarm = 1e-6;

/** P-values that each metric is judged by: of its distribution, of its mean, and of values that should not occur. */
const pValuesPerMetric = 3;

/** Fewest observations, and largest skewness of a mean, for which it counts as normal. */
const fewestForMean = 1000;
const mostSkewness = 0.005;

/** A metric's simulated values against the exact ones. */
export interface MetricTest {
  readonly metric: MetricResult["metric"];
  /**
   * What was tested: its distribution and mean; its mean alone; only that it has no value that it cannot have, since it
   * is constant or almost; or nothing, where nothing exact is known or there are too few observations.
   */
  readonly test: "distribution" | "mean" | "range" | "none";
  /** Chi-square of the distribution, over pooled cells, and its degrees of freedom. */
  readonly chiSquare: number | undefined;
  readonly degrees: number | undefined;
  /** How far the mean is from the exact one, in standard errors; undefined where it is not normal. */
  readonly meanDeviation: number | undefined;
  /** The lowest of the chances of results at least as far off; undefined where nothing was tested. */
  readonly pValue: number | undefined;
}

/**
 * Tests each metric of a run.
 *
 * Days are independent: their values are tested by chi-square, which sees every bend of a distribution, and by their
 * mean, which sees a small shift sooner. Re-drives of one day are not independent: of the recovery delay the mean is
 * tested, with the error that follows from the days' totals. Values that cannot occur are wrong, however few.
 */
export function testMetrics(results: readonly MetricResult[]): MetricTest[] {
  return results.map(testMetric);
}

/** The p-value below which one of so many metrics shows a disagreement: Bonferroni's correction. */
export function thresholdOf(metricCount: number): number {
  return falseAlarm / (pValuesPerMetric * Math.max(1, metricCount));
}

function testMetric(result: MetricResult): MetricTest {
  const { metric, distribution, exactDistribution } = result;
  const range = exactDistribution && testRange(distribution, exactDistribution);
  const isOfDays = metric !== recoveryDelay.name;
  const fit = exactDistribution && isOfDays ? testFit(distribution, exactDistribution) : undefined;
  const meanDeviation = deviationOfMean(result);
  const isFitted = fit !== undefined && fit.degrees > 0;
  const chances = [fit?.pValue, range, meanDeviation && normalChance(meanDeviation)];
  const known = chances.filter((chance) => chance !== undefined);
  return {
    metric,
    test: isFitted
      ? "distribution"
      : meanDeviation !== undefined
        ? "mean"
        : range !== undefined
          ? "range"
          : "none",
    chiSquare: isFitted ? fit.statistic : undefined,
    degrees: isFitted ? fit.degrees : undefined,
    meanDeviation,
    pValue: known.length > 0 ? Math.min(...known) : undefined,
  };
}

/** How far the mean is from the exact one, in standard errors; undefined where it would not be normal. */
function deviationOfMean(result: MetricResult): number | undefined {
  const { metric, n = 0, mean, meanCi95, exactMean, exactSd, exactDistribution } = result;
  if (mean === undefined || exactMean === undefined || exactSd === undefined || n < fewestForMean)
    return undefined;
  if (exactDistribution !== undefined && skewnessOf(exactDistribution) / Math.sqrt(n) > mostSkewness)
    return undefined;
  const [low, high] = meanCi95 ?? [mean, mean];
  const error = metric === recoveryDelay.name ? (high - low) / 2 / normal975 : exactSd / Math.sqrt(n);
  return error > 0 ? (mean - exactMean) / error : undefined;
}

function skewnessOf(distribution: ExactDistribution): number {
  const { mean, sd } = momentsOf(distribution);
  const { values, probabilities } = distribution;
  return Math.abs(values.reduce((sum, value, i) => sum + ((value - mean) / sd) ** 3 * probabilities[i], 0));
}
