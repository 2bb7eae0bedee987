// What each fate alone comes to, learned from the event engine, which is the one place where the model is written.
import { enlarge } from "../model/column.js";
import { FateCounts, type FateTable } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { type DelayCounter, EventEngine } from "./event.js";

/** The numbers known of a fate that add up over the jobs of a day, but for `completed`, which is what others leave. */
export const summed = [
  "halfFinishedUnsupervised",
  "compensatedJobs",
  "halfFinished",
  "stepsRun",
  "redriven",
  "wasted",
  "compensatedSteps",
  "recoverySum",
] as const;

const others = ["completed", "lastRound", "recoveryWorst"] as const;

export type FieldName = (typeof summed | typeof others)[number];

const names: readonly FieldName[] = [...summed, ...others];

/** Where in its row of `outcomes` each number stands. */
export const field = Object.fromEntries(names.map((name, i) => [name, i])) as Readonly<
  Record<FieldName, number>
>;

/** Entries in a row of `outcomes`. */
export const rowLength = 16;

/** The outcomes of fates, one job alone each, without and with the supervisor. */
export class FateOutcomes {
  /** One row per fate, `rowLength` entries each, laid out by `field`; zeros for a fate that is not known. */
  outcomes = new Float64Array(32 * rowLength);
  /** Whether each fate is known. */
  known = new Uint8Array(32);
  readonly #engine: EventEngine;
  readonly #oneJob = new FateCounts();
  /** The delays of all re-drives, and where those of each fate begin and end. */
  #delays = new Int32Array(64);
  #delaysBegin = new Int32Array(32);
  #delaysEnd = new Int32Array(32);
  #delayCount = 0;

  constructor(scenario: Scenario) {
    this.#engine = new EventEngine(scenario.steps.length, scenario);
  }

  /** Makes room for all fates of the table. */
  reserve(fates: FateTable): void {
    while (fates.length > this.known.length) {
      this.outcomes = enlarge(this.outcomes);
      this.known = enlarge(this.known);
      this.#delaysBegin = enlarge(this.#delaysBegin);
      this.#delaysEnd = enlarge(this.#delaysEnd);
    }
  }

  /** Learns the fates of the table that are not known yet. */
  learnAll(fates: FateTable): void {
    this.reserve(fates);
    for (let fate = 0; fate < fates.length; fate++) if (this.known[fate] === 0) this.learn(fates, fate);
  }

  /** Learns a fate for which there is room. */
  learn(fates: FateTable, fate: number): void {
    const { outcomes } = this;
    const row = fate * rowLength;
    this.#oneJob.clear();
    this.#oneJob.add(fate, 1);
    const unsupervised = this.#engine.run(fates, this.#oneJob, false);
    outcomes[row + field.halfFinishedUnsupervised] = unsupervised.halfFinished;
    this.#delaysBegin[fate] = this.#delayCount;
    const outcome = this.#engine.run(fates, this.#oneJob, true, this.#recorder);
    for (const name of names)
      if (name !== "halfFinishedUnsupervised") outcomes[row + field[name]] = outcome[name];
    this.#delaysEnd[fate] = this.#delayCount;
    this.known[fate] = 1;
  }

  /** One of the numbers known of a fate. */
  valueOf(fate: number, name: FieldName): number {
    return this.outcomes[fate * rowLength + field[name]];
  }

  /** Counts the recovery delays of a fate's re-drives, in rounds, once for each of so many jobs. */
  countDelays(fate: number, jobs: number, into: DelayCounter): void {
    const end = this.#delaysEnd[fate];
    for (let i = this.#delaysBegin[fate]; i < end; i++) into.add(this.#delays[i], jobs);
  }

  /** Forgets all fates, since the tree did. */
  clear(): void {
    this.known.fill(0);
    this.#delayCount = 0;
  }

  readonly #recorder: DelayCounter = {
    add: (delay) => {
      if (this.#delayCount === this.#delays.length) this.#delays = enlarge(this.#delays);
      this.#delays[this.#delayCount++] = delay;
    },
  };
}
