// Runs a fixture through the event engine.
import { type FixtureInput, fixtureFates, resolveFixture } from "../model/fixture.js";
import { EventEngine } from "./event.js";
import type { Outcome } from "./outcome.js";

/**
 * Simulates the one day of a fixture.
 *
 * @throws SettingsError with one line for each thing that is wrong with it
 */
export function runFixture(input: FixtureInput): Outcome {
  const fixture = resolveFixture(input);
  const { fates, day } = fixtureFates(fixture);
  return {
    ...new EventEngine(fixture.steps.length, fixture.policy).run(fates, day, fixture.policy.supervisor),
  };
}
