// Days by the event engine: every job of the day, once without and once with the supervisor.
import { FateCounts } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "../random/fate-sampler.js";
import { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";
import type { DayEngine } from "./day-engine.js";
import { EventEngine } from "./event.js";

export class EventDayEngine implements DayEngine {
  readonly #engine: EventEngine;
  readonly #day = new FateCounts();
  #delays = new Histogram();

  constructor(scenario: Scenario) {
    this.#engine = new EventEngine(scenario.steps.length, scenario);
  }

  simulate({ tree, days }: FateSampler, columns: DayColumns): void {
    for (let row = 0; row < days.length; row++) {
      days.copyDay(row, this.#day);
      columns.kk3[row] = days.kk3[row];
      columns.halfFinishedUnsupervised[row] = this.#engine.run(tree.table, this.#day, false).halfFinished;
      const outcome = this.#engine.run(tree.table, this.#day, true, this.#delays);
      columns.completed[row] = outcome.completed;
      columns.compensatedJobs[row] = outcome.compensatedJobs;
      columns.halfFinished[row] = outcome.halfFinished;
      columns.stepsRun[row] = outcome.stepsRun;
      columns.redriven[row] = outcome.redriven;
      columns.wasted[row] = outcome.wasted;
      columns.compensatedSteps[row] = outcome.compensatedSteps;
      columns.lastRound[row] = outcome.lastRound;
      columns.recoveryWorstRounds[row] = outcome.recoveryWorst;
      columns.recordsRead[row] = outcome.recordsRead;
      columns.recoverySum[row] = outcome.recoverySum;
    }
  }

  drainDelays(into: Histogram): void {
    into.merge(this.#delays.toCounts());
    this.#delays = new Histogram();
  }
}
