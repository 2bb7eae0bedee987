// Exact results for whoever has settings rather than a complete scenario.
import { deriveExact, type ExactMetrics } from "../exact/metrics.js";
import { checkScenario, type ScenarioSettings } from "../model/scenario.js";

/**
 * The exact mean, standard deviation and distribution of each metric, without simulation; an uncertain KK3 is
 * integrated over. See {@link ExactMetrics} for what may be missing.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function computeExact(settings: ScenarioSettings = {}): ExactMetrics {
  return deriveExact(checkScenario(settings));
}
