// The table engine: jobs of the document model are independent, so a day's metrics follow from how many jobs met each
// fate and from what each fate alone comes to. Its cost grows with the fates that occur, not with the jobs.
import { enlarge } from "../model/column.js";
import type { FateTable } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "../random/fate-sampler.js";
import { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";
import type { DayEngine } from "./day-engine.js";
import { FateOutcomes, field, rowLength } from "./fate-outcomes.js";
import { countScans } from "./outcome.js";

// The places of the numbers in a row, as constants, which the compiler can build into the loop below.
const {
  halfFinishedUnsupervised: halfFinishedUnsupervisedAt,
  compensatedJobs: compensatedJobsAt,
  halfFinished: halfFinishedAt,
  stepsRun: stepsRunAt,
  redriven: redrivenAt,
  wasted: wastedAt,
  compensatedSteps: compensatedStepsAt,
  recoverySum: recoverySumAt,
  lastRound: lastRoundAt,
  recoveryWorst: recoveryWorstAt,
} = field;

export class TableEngine implements DayEngine {
  readonly #scenario: Scenario;
  readonly #known: FateOutcomes;
  #generation = 0;
  /** Jobs that met each fate and whose delays are not counted yet; one entry per fate. */
  #jobs = new Float64Array(32);
  #delays = new Histogram();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#known = new FateOutcomes(scenario);
  }

  simulate({ tree, day, kk3, generation }: FateSampler, days: DayColumns, row: number): void {
    if (generation !== this.#generation) this.#forget(generation);
    if (tree.table.length > this.#known.length) this.#learn(tree.table);
    const { outcomes } = this.#known;
    const { fate, count, length } = day;
    const jobs = this.#jobs;
    const { workflows } = this.#scenario;
    let halfFinishedUnsupervised = 0;
    let compensatedJobs = 0;
    let halfFinished = 0;
    let stepsRun = 0;
    let redriven = 0;
    let wasted = 0;
    let compensatedSteps = 0;
    let recoverySum = 0;
    let lastRound = 0;
    let recoveryWorst = 0;
    for (let i = 0; i < length; i++) {
      const n = count[i];
      const at = fate[i] * rowLength;
      jobs[fate[i]] += n;
      // Sums over the jobs ...
      halfFinishedUnsupervised += n * outcomes[at + halfFinishedUnsupervisedAt];
      compensatedJobs += n * outcomes[at + compensatedJobsAt];
      halfFinished += n * outcomes[at + halfFinishedAt];
      stepsRun += n * outcomes[at + stepsRunAt];
      redriven += n * outcomes[at + redrivenAt];
      wasted += n * outcomes[at + wastedAt];
      compensatedSteps += n * outcomes[at + compensatedStepsAt];
      recoverySum += n * outcomes[at + recoverySumAt];
      // ... and maxima.
      if (outcomes[at + lastRoundAt] > lastRound) lastRound = outcomes[at + lastRoundAt];
      if (outcomes[at + recoveryWorstAt] > recoveryWorst) recoveryWorst = outcomes[at + recoveryWorstAt];
    }
    days.kk3[row] = kk3;
    days.halfFinishedUnsupervised[row] = halfFinishedUnsupervised;
    days.completed[row] = workflows - compensatedJobs - halfFinished;
    days.compensatedJobs[row] = compensatedJobs;
    days.halfFinished[row] = halfFinished;
    days.stepsRun[row] = stepsRun;
    days.redriven[row] = redriven;
    days.wasted[row] = wasted;
    days.compensatedSteps[row] = compensatedSteps;
    days.lastRound[row] = lastRound;
    days.recoveryWorstRounds[row] = recoveryWorst;
    days.recordsRead[row] = workflows * countScans({ halfFinished, lastRound }, this.#scenario);
    days.recoverySum[row] = recoverySum;
  }

  drainDelays(into: Histogram): void {
    this.#countDelays();
    into.merge(this.#delays.toCounts());
    this.#delays = new Histogram();
  }

  #learn(fates: FateTable): void {
    this.#known.learn(fates);
    while (this.#jobs.length < fates.length) this.#jobs = enlarge(this.#jobs);
  }

  /** The sampler has forgotten its fates and numbers them anew. */
  #forget(generation: number): void {
    this.#countDelays();
    this.#known.clear();
    this.#generation = generation;
  }

  #countDelays(): void {
    for (let fate = 0; fate < this.#known.length; fate++) {
      if (this.#jobs[fate] > 0) this.#known.countDelays(fate, this.#jobs[fate], this.#delays);
      this.#jobs[fate] = 0;
    }
  }
}
