// Exact results for whoever has settings, and as the answer to a run that nobody simulates.
import { deriveExact, type ExactMetrics } from "../exact/metrics.js";
import { recoveryDelay } from "../model/metrics.js";
import { checkScenario, type Scenario, type ScenarioSettings } from "../model/scenario.js";
import { SettingsError } from "../model/settings.js";
import { type QuantileName, quantile, quantileShares } from "../stats/summary.js";
import { describeTally, type MetricResult } from "./result.js";
import { Tally } from "./tally.js";

/**
 * The exact mean, standard deviation and distribution of each metric, without simulation; an uncertain KK3 is
 * integrated over. See {@link ExactMetrics} for what may be missing.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function computeExact(settings: ScenarioSettings = {}): ExactMetrics {
  return deriveExact(checkScenario(settings));
}

/**
 * The exact results in the shape of simulated ones. What simulation estimates is exact: mean, standard deviation and
 * quantiles. What counts observations is missing: their number, the least and largest, the confidence interval.
 *
 * @param name - how the user knows the scenario
 * @param exact - where it is known already
 * @throws SettingsError where the distribution of some metric cannot be computed
 */
export function answerExactly(scenario: Scenario, name: string, exact?: ExactMetrics): MetricResult[] {
  const answers = describeTally(scenario, new Tally().toData(), exact).map((result): MetricResult => {
    const { exactMean, exactSd, exactDistribution } = result;
    const quantiles = Object.entries(quantileShares).map(([name, share]) => [
      name,
      exactDistribution &&
        quantile({ values: exactDistribution.values, counts: exactDistribution.probabilities }, share),
    ]);
    return {
      ...result,
      n: undefined,
      mean: exactMean,
      sd: exactSd,
      quantiles: Object.fromEntries(quantiles) as Record<QuantileName, number | undefined>,
    };
  });
  // Where nothing is re-driven there is no recovery delay, which is no lack.
  const isComplete = answers.every(
    ({ metric, exactDistribution }) => metric === recoveryDelay.name || exactDistribution !== undefined,
  );
  if (!isComplete) {
    throw new SettingsError([
      `${name} has distributions that are too costly to compute exactly; use engine table or event`,
    ]);
  }
  return answers;
}
