// The law of one job: each fate's probability and what it comes to. Everything exact follows from it.
import { FateOutcomes } from "../engine/fate-outcomes.js";
import { FateLaw } from "../model/fate-law.js";
import type { Scenario } from "../model/scenario.js";

/** Learning more fates than these would take about a second. With such a chance, a day has a job with another one. */
const extent = { mostFates: 1 << 17, negligible: 1e-11 };

/** The fates of a scenario, how probable they are, which depends on KK3, and what they come to, which does not. */
export interface JobLaw {
  readonly fates: FateLaw;
  readonly outcomes: FateOutcomes;
}

/**
 * Lists the fates of a scenario that are not negligible for some of these KK3, and learns what they come to.
 *
 * @returns undefined where there are too many of them
 */
export function deriveJobLaw(scenario: Scenario, ratios: Iterable<number>): JobLaw | undefined {
  const fates = FateLaw.list(scenario, ratios, extent);
  if (fates === undefined) return undefined;
  const outcomes = new FateOutcomes(scenario);
  outcomes.learnAll(fates.tree.table);
  return { fates, outcomes };
}
