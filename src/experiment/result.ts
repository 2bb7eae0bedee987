// The result of a run: for each metric its distribution, its statistics and what is known of it without simulation.
import type { ExactDistribution } from "../exact/distribution.js";
import { deriveExact, type ExactMetrics } from "../exact/metrics.js";
import { type MetricName, metrics, recoveryDelay } from "../model/metrics.js";
import { firstOrderMetrics } from "../model/reference.js";
import type { Scenario } from "../model/scenario.js";
import type { ValueCounts } from "../stats/histogram.js";
import { ratioError, type Summary, summarize } from "../stats/summary.js";
import type { TallyData } from "./tally.js";

/** One metric of a result, or the recovery delay. */
export interface MetricResult extends Omit<Summary, "n"> {
  /** Observations; undefined where nothing was simulated. */
  readonly n: number | undefined;
  readonly metric: MetricName | typeof recoveryDelay.name;
  /** How often each value was seen. */
  readonly distribution: ValueCounts;
  /** Exact mean, standard deviation, distribution and probability of a value; undefined where not known. */
  readonly exactMean: number | undefined;
  readonly exactSd: number | undefined;
  readonly exactDistribution: ExactDistribution | undefined;
  readonly exactShareOf: (value: number) => number | undefined;
  /** The lesson's first-order estimate, where it has one. */
  readonly firstOrder: number | undefined;
}

/**
 * Describes what was tallied: one entry per metric, in the order of `metrics`, then the recovery delay.
 *
 * @param exact - where it is known already
 */
export function describeTally(
  scenario: Scenario,
  tally: TallyData,
  exact: ExactMetrics = deriveExact(scenario),
): MetricResult[] {
  const firstOrder = firstOrderMetrics(scenario);
  const describe = (
    metric: MetricResult["metric"],
    distribution: ValueCounts,
    meanError: number | undefined | "independent",
  ): MetricResult => ({
    metric,
    distribution,
    ...summarize(distribution, meanError),
    exactMean: exact[metric]?.mean,
    exactSd: exact[metric]?.sd,
    exactDistribution: exact[metric]?.distribution,
    exactShareOf: (value) => exact[metric]?.shareOf(value),
    firstOrder: metric === recoveryDelay.name ? undefined : firstOrder[metric],
  });
  return [
    ...metrics.map(({ name }) => describe(name, tally.metrics[name], "independent")),
    describe(recoveryDelay.name, tally.delays, delayError(tally)),
  ];
}

/** The standard error of the mean recovery delay; undefined where there are too few days or no re-drives. */
export function delayError({
  days,
  delays,
  metrics: { redriven },
  recoverySquares,
}: TallyData): number | undefined {
  return ratioError({
    days,
    numerator: total(delays),
    denominator: total(redriven),
    squares: recoverySquares,
  });
}

function total({ values, counts }: ValueCounts): bigint {
  return values.reduce((sum, value, i) => sum + BigInt(value) * BigInt(counts[i]), 0n);
}
