// How large a single day is, before it is simulated: its faults, its fates, its memory.
import type { EngineName } from "../engine/engine.js";
import { type Ratio, typicalRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";

/** What the number of fates depends on. */
type Faults = Pick<Scenario, "workflows" | "steps" | "kk3" | "kk2" | "stallOn" | "retryLimit">;

/** Faults that the jobs of a day meet on average, about; each fault of a job makes another fate of it. */
export function estimateFaults(
  { workflows, steps, kk3, kk2, stallOn, retryLimit }: Faults,
  ratio = typicalRatio(kk3),
): number {
  if (stallOn === "first-attempt") return workflows * (steps.length * ratio + kk2);
  const givenUp = ratio ** retryLimit;
  const stallsOfStep = ratio === 1 ? retryLimit : (ratio * (1 - givenUp)) / (1 - ratio);
  let stalls = 0;
  for (let step = 0; step < steps.length; step++) stalls += (1 - givenUp) ** step * stallsOfStep;
  return workflows * (stalls + kk2);
}

/** Fates that a job can meet, at most, about; may be Infinity. */
export function countFates({ steps, stallOn, retryLimit }: Faults): number {
  return 2 * (stallOn === "first-attempt" ? 2 : retryLimit) ** steps.length;
}

/** Places of an engine's calendar: so many rounds are planned ahead, rounded up to a power of two. */
export function calendarLength({ scan, lease, rounds }: Scenario): number {
  return 2 ** Math.ceil(Math.log2(Math.min(rounds, lease + scan) + 1));
}

/** Bytes of a fate, beside those for each of its steps: in the tree, and in the tables of the table engine. */
const bytesOfFate = 6;
const bytesOfFateStep = 10;
const bytesOfOutcome = 137;

/** Bytes of a re-drive that the table engine knows of, and of a job that the event engine follows. */
const bytesOfDelay = 4;
const bytesOfJob = 40;
const bytesOfRound = 5;

/** What grows is doubled, and copied. */
const growth = 2;

/** About how much memory a thread needs for a day, at most; of an uncertain KK3, for nearly all days. */
export function estimateDayBytes(scenario: Scenario, engine: EngineName): number {
  const { workflows, steps, kk3, retryLimit } = scenario;
  const faults = estimateFaults(scenario, highRatio(kk3));
  const fates = Math.min(faults, countFates(scenario));
  const isTable = engine === "table";
  const perFate = bytesOfFate + bytesOfFateStep * steps.length + (isTable ? bytesOfOutcome : 0);
  // Jobs that share a fate share its re-drives.
  const redrives = Math.min(faults, fates * steps.length * retryLimit);
  const perJobs = isTable ? growth * bytesOfDelay * redrives : bytesOfJob * workflows;
  return growth * perFate * fates + perJobs + bytesOfRound * calendarLength(scenario);
}

/** A ratio that an uncertain one hardly exceeds. */
function highRatio(ratio: Ratio): number {
  if (typeof ratio === "number") return ratio;
  const [first, second] = ratio.parameters;
  switch (ratio.kind) {
    case "uniform":
    case "triangular":
      return ratio.parameters.at(-1) as number;
    case "beta": {
      const total = first + second;
      return Math.min(1, first / total + (5 / total) * Math.sqrt((first * second) / (total + 1)));
    }
    case "lognormal":
      return Math.min(1, first * Math.exp(5 * second));
  }
}
