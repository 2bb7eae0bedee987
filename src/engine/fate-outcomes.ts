// What each fate alone comes to, learned from the event engine, which is the one place where the model is written.
import { enlarge, FateCounts, type FateTable } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { Histogram, type ValueCounts } from "../stats/histogram.js";
import { EventEngine } from "./event.js";

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

/** Entries in a row of `outcomes`. */
export const rowLength = 16;

/** The outcomes of fates, one job alone each, without and with the supervisor. */
export class FateOutcomes {
  /** Fates known so far: those with a row below this. */
  length = 0;
  /** One row per fate, `rowLength` entries each, laid out by `field`. */
  outcomes = new Float64Array(32 * rowLength);
  readonly #engine: EventEngine;
  readonly #delays: ValueCounts[] = [];
  readonly #oneJob = new FateCounts();

  constructor(scenario: Scenario) {
    this.#engine = new EventEngine(scenario.steps.length, scenario);
  }

  /** Learns the fates of the table that are not known yet. */
  learn(fates: FateTable): void {
    for (; this.length < fates.length; this.length++) {
      const fate = this.length;
      if ((fate + 1) * rowLength > this.outcomes.length) this.outcomes = enlarge(this.outcomes);
      this.#oneJob.clear();
      this.#oneJob.add(fate, 1);
      const { halfFinished: halfFinishedUnsupervised } = this.#engine.run(fates, this.#oneJob, false);
      const delays = new Histogram();
      const outcome = { ...this.#engine.run(fates, this.#oneJob, true, delays), halfFinishedUnsupervised };
      for (const [name, index] of Object.entries(field)) {
        this.outcomes[fate * rowLength + index] = outcome[name as FieldName];
      }
      this.#delays[fate] = delays.toCounts();
    }
  }

  /** One of the numbers known of a fate. */
  valueOf(fate: number, name: FieldName): number {
    return this.outcomes[fate * rowLength + field[name]];
  }

  /** The recovery delays of a fate's re-drives, in rounds. */
  delaysOf(fate: number): ValueCounts {
    return this.#delays[fate];
  }

  /** Forgets all fates, since the tree did. */
  clear(): void {
    this.length = 0;
    this.#delays.length = 0;
  }
}
