// The table engine: jobs of the document model are independent, so a day's metrics follow from how many jobs met each
// fate and from what each fate alone comes to. Its cost grows with the fates that occur, not with the jobs.
import { enlarge } from "../model/column.js";
import type { FateTable } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import type { DrawnDays } from "../random/drawn-days.js";
import type { FateSampler } from "../random/fate-sampler.js";
import { Histogram } from "../stats/histogram.js";
import { CommonFates } from "./common-fates.js";
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
  #common: CommonFates | undefined;
  #generation = 0;
  /** Jobs that met each fate and whose delays are not counted yet; one entry per fate. */
  #jobs = new Float64Array(32);
  #delays = new Histogram();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#known = new FateOutcomes(scenario);
  }

  simulate({ tree, days, generation }: FateSampler, columns: DayColumns): void {
    if (generation !== this.#generation) this.#forget(generation);
    this.#learn(tree.table, days);
    this.#common ??= new CommonFates(this.#known, days.common);
    this.#common.sumInto(columns, days.length);
    this.#addListed(days, columns);
    this.#countJobs(days);
    this.#complete(days, columns);
  }

  drainDelays(into: Histogram): void {
    this.#countDelays();
    into.merge(this.#delays.toCounts());
    this.#delays = new Histogram();
  }

  /** Learns the fates of these days that are not known yet. */
  #learn(fates: FateTable, { common, fate, listed }: DrawnDays): void {
    this.#known.reserve(fates);
    while (this.#jobs.length < fates.length) this.#jobs = enlarge(this.#jobs);
    const { known } = this.#known;
    for (const { fate } of common) if (known[fate] === 0) this.#known.learn(fates, fate);
    for (let i = 0; i < listed; i++) if (known[fate[i]] === 0) this.#known.learn(fates, fate[i]);
  }

  /** Adds the listed fates of each day to its metrics. */
  #addListed(days: DrawnDays, columns: DayColumns): void {
    const { outcomes } = this.#known;
    const { fate, count, end, length } = days;
    const { halfFinishedUnsupervised, compensatedJobs, halfFinished, stepsRun, redriven, wasted } = columns;
    const { compensatedSteps, recoverySum, lastRound, recoveryWorstRounds } = columns;
    for (let day = 0, i = 0; day < length; day++) {
      for (; i < end[day]; i++) {
        const jobs = count[i];
        const at = fate[i] * rowLength;
        // Sums over the jobs ...
        halfFinishedUnsupervised[day] += jobs * outcomes[at + halfFinishedUnsupervisedAt];
        compensatedJobs[day] += jobs * outcomes[at + compensatedJobsAt];
        halfFinished[day] += jobs * outcomes[at + halfFinishedAt];
        stepsRun[day] += jobs * outcomes[at + stepsRunAt];
        redriven[day] += jobs * outcomes[at + redrivenAt];
        wasted[day] += jobs * outcomes[at + wastedAt];
        compensatedSteps[day] += jobs * outcomes[at + compensatedStepsAt];
        recoverySum[day] += jobs * outcomes[at + recoverySumAt];
        // ... and maxima.
        if (outcomes[at + lastRoundAt] > lastRound[day]) lastRound[day] = outcomes[at + lastRoundAt];
        if (outcomes[at + recoveryWorstAt] > recoveryWorstRounds[day])
          recoveryWorstRounds[day] = outcomes[at + recoveryWorstAt];
      }
    }
  }

  /** Fills the columns that follow from others. */
  #complete({ kk3, length }: DrawnDays, columns: DayColumns): void {
    const { workflows } = this.#scenario;
    const { completed, compensatedJobs, halfFinished, lastRound, recordsRead } = columns;
    for (let day = 0; day < length; day++) {
      columns.kk3[day] = kk3[day];
      completed[day] = workflows - compensatedJobs[day] - halfFinished[day];
      const outcome = { halfFinished: halfFinished[day], lastRound: lastRound[day] };
      recordsRead[day] = workflows * countScans(outcome, this.#scenario);
    }
  }

  /** Counts the jobs of each fate, until their delays are asked for. */
  #countJobs({ common, fate, count, length, listed }: DrawnDays): void {
    const total = this.#jobs;
    for (const { fate, jobs } of common) {
      let sum = 0;
      for (let day = 0; day < length; day++) sum += jobs[day];
      total[fate] += sum;
    }
    for (let i = 0; i < listed; i++) total[fate[i]] += count[i];
  }

  /** The sampler has forgotten its fates and numbers them anew. */
  #forget(generation: number): void {
    this.#countDelays();
    this.#known.clear();
    this.#generation = generation;
  }

  #countDelays(): void {
    const jobs = this.#jobs;
    for (let fate = 0; fate < jobs.length; fate++) {
      if (jobs[fate] > 0) this.#known.countDelays(fate, jobs[fate], this.#delays);
      jobs[fate] = 0;
    }
  }
}
