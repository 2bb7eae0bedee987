// Runs a fixture through the event engine.
import { type Fixture, fixtureFates } from "../model/fixture.js";
import { EventEngine } from "./event.js";
import type { Outcome } from "./outcome.js";

/** Simulates the one day of a fixture. */
export function runFixture(fixture: Fixture): Outcome {
  const { fates, day } = fixtureFates(fixture);
  return {
    ...new EventEngine(fixture.steps.length, fixture.policy).run(fates, day, fixture.policy.supervisor),
  };
}
