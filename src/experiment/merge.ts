// Puts results together whose days were simulated apart.
import type { Scenario } from "../model/scenario.js";
import type { StudyResult } from "./study.js";
import { Tally, type TallyData } from "./tally.js";

/** Some days of a scenario. */
export interface Part {
  /** Of the scenario, from 1. */
  readonly number: number;
  /** The first day, from 0. */
  readonly begin: number;
  readonly tally: TallyData;
  /** Whether the result is as precise as was asked; true where nothing was. */
  readonly isPrecise: boolean;
}

/**
 * Puts the parts of each scenario together.
 *
 * @param parts - of the first scenario in the order of days, then those of the second one, and so on
 * @param scenarios - all of them, in order
 * @param days - of each scenario; undefined where a precision decided, and each scenario is one part
 * @throws Error where days are missing or double
 */
export async function* mergeParts(
  parts: AsyncIterable<Part>,
  scenarios: Iterable<{ readonly number: number; readonly scenario: Scenario }>,
  days: number | undefined,
): AsyncGenerator<StudyResult> {
  const rest = parts[Symbol.asyncIterator]();
  for (const { number, scenario } of scenarios) {
    const tally = new Tally();
    let isPrecise = true;
    do {
      const { value: part, done } = await rest.next();
      if (done || part.number !== number || part.begin !== tally.days) {
        throw new Error(
          `scenario ${number} is not whole: its days from ${tally.days + 1} on do not come next`,
        );
      }
      tally.merge(part.tally);
      isPrecise = part.isPrecise;
    } while (days !== undefined && tally.days < days);
    yield { number, scenario, begin: 0, tally: tally.toData(), isPrecise, columns: undefined };
  }
  if (!(await rest.next()).done) throw new Error("there are more days than those of all scenarios");
}
