// Days by the event engine: every job of the day, once without and once with the supervisor.
import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "../random/fate-sampler.js";
import { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";
import type { DayEngine } from "./day-engine.js";
import { EventEngine } from "./event.js";

export class EventDayEngine implements DayEngine {
  readonly #engine: EventEngine;
  #delays = new Histogram();

  constructor(scenario: Scenario) {
    this.#engine = new EventEngine(scenario.steps.length, scenario);
  }

  simulate({ tree, day, kk3 }: FateSampler, days: DayColumns, row: number): void {
    days.kk3[row] = kk3;
    days.halfFinishedUnsupervised[row] = this.#engine.run(tree.table, day, false).halfFinished;
    const outcome = this.#engine.run(tree.table, day, true, this.#delays);
    days.completed[row] = outcome.completed;
    days.compensatedJobs[row] = outcome.compensatedJobs;
    days.halfFinished[row] = outcome.halfFinished;
    days.stepsRun[row] = outcome.stepsRun;
    days.redriven[row] = outcome.redriven;
    days.wasted[row] = outcome.wasted;
    days.compensatedSteps[row] = outcome.compensatedSteps;
    days.lastRound[row] = outcome.lastRound;
    days.recoveryWorstRounds[row] = outcome.recoveryWorst;
    days.recordsRead[row] = outcome.recordsRead;
    days.recoverySum[row] = outcome.recoverySum;
  }

  drainDelays(into: Histogram): void {
    into.merge(this.#delays.toCounts());
    this.#delays = new Histogram();
  }
}
