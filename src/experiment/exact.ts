// Exact results for whoever has settings rather than a complete scenario.
import { computeExact, type ExactMetrics } from "../exact/metrics.js";
import { checkScenario, type ScenarioSettings } from "../model/scenario.js";

/**
 * The exact mean, standard deviation and probabilities of each metric, without simulation. Nothing is known where KK3
 * is uncertain, or where the fates that a job can meet are too many to list.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function computeExactly(settings: ScenarioSettings = {}): ExactMetrics {
  return computeExact(checkScenario(settings));
}
