// How studies are divided into tasks: small ones are gathered, large ones divided into blocks. Tasks are about equal in
// work, and never change a result.
import type { Scenario } from "../model/scenario.js";
import { calendarLength } from "./day-size.js";
import { areDrawnTogether } from "./group.js";
import { chooseBlockLength, estimateDayNs, planBlocks } from "./plan.js";
import { firstLook } from "./precision.js";
import type { Study } from "./study.js";
import type { Rendering, Task } from "./task.js";

/** Small studies are gathered to tasks of at least about this much work. */
const taskNs = 60e6;

/** Studies whose days are drawn together are gathered to more, where there is enough for all threads. */
export const longestTaskNs = 200e6;

/** Tasks for each thread, at least: the last ones end at about the same time. */
const tasksPerThread = 8;

/** Share of a day's work that is left where its draws are made for another scenario already. */
const shareWithoutDraws = 0.3;

/** A study of more work than this is divided into blocks; its end may wait for the last of them. */
const largestWholeNs = 200e6;

/** What a study takes beside its days: tables, exact values, text; exact values for an uncertain KK3 take longer. */
const studyNs = 8e6;
const uncertainStudyNs = 120e6;

/** The calendars of a study take so much for each round that they can plan ahead; those drawn together fill memory. */
const calendarNs = 8;

/** About how long it takes to describe a result, in nanoseconds. */
export function estimateDescribingNs({ kk3 }: Scenario): number {
  return typeof kk3 === "number" ? studyNs : uncertainStudyNs;
}

/**
 * About how long a study takes, in nanoseconds; with a precision, a guess.
 *
 * @param isShared - whether its days are drawn for another one as well
 */
export function estimateStudyNs({ scenario, engine, days, precision }: Study, isShared = false): number {
  const dayNs = estimateDayNs(scenario, engine) * (isShared && engine === "table" ? shareWithoutDraws : 1);
  const calendarsNs = calendarNs * calendarLength(scenario);
  const daysNs = dayNs * (precision === undefined ? days : Math.min(days, 20_000));
  return estimateDescribingNs(scenario) + calendarsNs + daysNs;
}

/** The days of a study that are sure to be simulated: all, or those until its precision is first looked at. */
export function plannedDays({ days, precision }: Study): number {
  return precision === undefined ? days : Math.min(days, firstLook);
}

/**
 * Divides studies into tasks, in order.
 *
 * @param workNsPerThread - of all studies, where it is known
 */
export function* planTasks(
  studies: Iterable<Study>,
  rendering: Rendering,
  workNsPerThread = 0,
): Generator<Task> {
  const sharedTaskNs = Math.min(longestTaskNs, Math.max(taskNs, workNsPerThread / tasksPerThread));
  let gathered: Study[] = [];
  let gatheredNs = 0;
  for (const study of studies) {
    const previous = gathered.at(-1);
    const isShared = previous !== undefined && areDrawnTogether(previous, study);
    const workNs = estimateStudyNs(study, isShared);
    const isWhole = isSmall(study, workNs);
    if (gathered.length > 0 && (!isWhole || gatheredNs + workNs > (isShared ? sharedTaskNs : taskNs))) {
      yield { studies: gathered, rendering };
      gathered = [];
      gatheredNs = 0;
    }
    if (isWhole) {
      gathered.push(study);
      gatheredNs += workNs;
    } else {
      const length = chooseBlockLength(study.scenario, study.engine);
      const end = study.begin + plannedDays(study);
      for (const block of planBlocks(end, length, study.begin)) yield { study, block };
    }
  }
  if (gathered.length > 0) yield { studies: gathered, rendering };
}

/** Whether a study is simulated in one go. Days that are kept for days.csv must not pile up before their turn. */
function isSmall({ exact, precision, keepDays }: Study, workNs: number): boolean {
  if (exact) return true;
  return precision === undefined ? workNs <= (keepDays ? taskNs : largestWholeNs) : !keepDays;
}
