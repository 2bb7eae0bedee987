// What each fate alone comes to, learned from the event engine, which is the one place where the model is written.
import { enlarge } from "../model/column.js";
import { FateCounts, type FateTable } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { type DelayCounter, EventEngine } from "./event.js";

/** The numbers known of a fate, and where in its row of `outcomes` each stands. */
export const field = {
  halfFinishedUnsupervised: 0,
  completed: 1,
  compensatedJobs: 2,
  halfFinished: 3,
  stepsRun: 4,
  redriven: 5,
  wasted: 6,
  compensatedSteps: 7,
  recoverySum: 8,
  lastRound: 9,
  recoveryWorst: 10,
} as const;

export type FieldName = keyof typeof field;

/** The numbers that the supervised day gives. */
const supervisedFields = [
  "completed",
  "compensatedJobs",
  "halfFinished",
  "stepsRun",
  "redriven",
  "wasted",
  "compensatedSteps",
  "recoverySum",
  "lastRound",
  "recoveryWorst",
] as const;

/** Entries in a row of `outcomes`. */
export const rowLength = 16;

/** The outcomes of fates, one job alone each, without and with the supervisor. */
export class FateOutcomes {
  /** Fates known so far: those with a row below this. */
  length = 0;
  /** One row per fate, `rowLength` entries each, laid out by `field`. */
  outcomes = new Float64Array(32 * rowLength);
  readonly #engine: EventEngine;
  readonly #oneJob = new FateCounts();
  /** The delays of all re-drives, fate after fate, and where those of each fate end. */
  #delays = new Int32Array(64);
  #delaysEnd = new Int32Array(32);
  #delayCount = 0;

  constructor(scenario: Scenario) {
    this.#engine = new EventEngine(scenario.steps.length, scenario);
  }

  /** Learns the fates of the table that are not known yet. */
  learn(fates: FateTable): void {
    const delays = { add: (delay: number) => this.#addDelay(delay) };
    for (; this.length < fates.length; this.length++) {
      const fate = this.length;
      const row = fate * rowLength;
      if (row === this.outcomes.length) this.outcomes = enlarge(this.outcomes);
      if (fate === this.#delaysEnd.length) this.#delaysEnd = enlarge(this.#delaysEnd);
      this.#oneJob.clear();
      this.#oneJob.add(fate, 1);
      const unsupervised = this.#engine.run(fates, this.#oneJob, false);
      this.outcomes[row + field.halfFinishedUnsupervised] = unsupervised.halfFinished;
      const outcome = this.#engine.run(fates, this.#oneJob, true, delays);
      for (const name of supervisedFields) this.outcomes[row + field[name]] = outcome[name];
      this.#delaysEnd[fate] = this.#delayCount;
    }
  }

  /** One of the numbers known of a fate. */
  valueOf(fate: number, name: FieldName): number {
    return this.outcomes[fate * rowLength + field[name]];
  }

  /** Counts the recovery delays of a fate's re-drives, in rounds, once for each of so many jobs. */
  countDelays(fate: number, jobs: number, into: DelayCounter): void {
    const end = this.#delaysEnd[fate];
    for (let i = fate === 0 ? 0 : this.#delaysEnd[fate - 1]; i < end; i++) into.add(this.#delays[i], jobs);
  }

  /** Forgets all fates, since the tree did. */
  clear(): void {
    this.length = 0;
    this.#delayCount = 0;
  }

  #addDelay(delay: number): void {
    if (this.#delayCount === this.#delays.length) this.#delays = enlarge(this.#delays);
    this.#delays[this.#delayCount++] = delay;
  }
}
