// The event engine: the rules of docs/model.md, job by job. Here, and only here, they are written as a program.
import type { FateCounts, FateTable } from "../model/fates.js";
import type { Policy } from "../model/scenario.js";
import { Calendar, type JobList, none } from "./calendar.js";
import { countScans, emptyOutcome, type Outcome } from "./outcome.js";

/** Rounds from the start of an execution to the landing of its record. */
const duration = 1;

/** What recovery delays are counted with, such as a histogram. */
export interface DelayCounter {
  add(delayRounds: number, count: number): void;
}

/**
 * Simulates days event by event. There are two kinds of events: a run of steps ends, or a scan finds a lease expired.
 *
 * A run is a job's stretch of steps whose records land one after the other, as is certain from their start. It ends
 * with the landing of its last record, after which the job is done or its next execution dies. Rounds without an event
 * cost nothing, and neither do the landings within a run. Memory is kept from day to day, so that a day allocates
 * nothing.
 */
export class EventEngine {
  readonly #policy: Policy;
  readonly #stepCount: number;
  /** Jobs by the round in which their run ends, and by the round of the scan that re-drives them. */
  readonly #runs: Calendar;
  readonly #expiries: Calendar;
  readonly #outcome = { ...emptyOutcome };
  #fates: FateTable | undefined;
  #delays: DelayCounter | undefined;

  // One entry per job.
  #fate = new Int32Array(0);
  /** The first step of the run, or the step whose execution is dying. */
  #step = new Uint16Array(0);
  /** The step behind the run: the next of which some execution dies, or the step count. */
  #runEnd = new Uint16Array(0);
  /** Executions of the current step before this one. */
  #attempt = new Uint16Array(0);
  /** The round in which the run, or the dying execution, started. */
  #started = new Int32Array(0);
  /** Scratch: jobs whose next execution dies. */
  #dying = new Int32Array(0);

  /** @param stepCount - steps per job, from 1 to 65535 */
  constructor(stepCount: number, policy: Policy) {
    const { scan, lease, rounds } = policy;
    this.#policy = policy;
    this.#stepCount = stepCount;
    this.#runs = new Calendar(stepCount * duration);
    this.#expiries = new Calendar(Math.min(rounds, lease + scan));
  }

  /**
   * Simulates a day.
   *
   * @param jobs - the day's jobs; their fates are rows of `fates`
   * @param supervised - whether the supervisor is on
   * @param delays - the recovery delay of each re-drive is added here
   * @returns the outcome; the next call writes to the same object
   */
  run(fates: FateTable, jobs: FateCounts, supervised: boolean, delays?: DelayCounter): Readonly<Outcome> {
    const { rounds } = this.#policy;
    Object.assign(this.#outcome, emptyOutcome);
    this.#fates = fates;
    this.#delays = delays;

    const jobCount = this.#startAll(jobs, supervised);
    for (let round = this.#nextRound(1); round !== none && round <= rounds; round = this.#nextRound(round)) {
      this.#endRuns(round, supervised);
      this.#redriveExpired(round);
    }
    this.#cutRuns();

    const outcome = this.#outcome;
    outcome.halfFinished = jobCount - outcome.completed - outcome.compensatedJobs;
    outcome.recordsRead = supervised ? jobCount * countScans(outcome, this.#policy) : 0;
    return outcome;
  }

  /** The first round from `begin` on in which something happens, or `none`. */
  #nextRound(begin: number): number {
    const run = this.#runs.nextRound(begin);
    const expiry = this.#expiries.nextRound(begin);
    if (run === none || expiry === none) return Math.max(run, expiry);
    return Math.min(run, expiry);
  }

  /** Round 1: all jobs are waiting, and the scheduler starts the first step of each. */
  #startAll(jobs: FateCounts, supervised: boolean): number {
    const fates = this.#fates as FateTable;
    let jobCount = 0;
    for (let i = 0; i < jobs.length; i++) jobCount += jobs.count[i];
    this.#reserve(jobCount);
    this.#step.fill(0, 0, jobCount);
    this.#started.fill(1, 0, jobCount);
    let end = 0;
    for (let i = 0; i < jobs.length; i++) {
      const begin = end;
      end += jobs.count[i];
      const runEnd = fates.nextTrouble(jobs.fate[i], 0);
      this.#fate.fill(jobs.fate[i], begin, end);
      this.#runEnd.fill(runEnd, begin, end);
      if (runEnd > 0) addRange(this.#runs.listOf(1 + runEnd * duration), begin, end);
      else for (let job = begin; job < end; job++) this.#startDying(job, 0, 0, 1, supervised);
    }
    return jobCount;
  }

  /** The last record of each run lands: its job is done, or the scheduler starts an execution that dies. */
  #endRuns(round: number, supervised: boolean): void {
    const list = this.#runs.take(round);
    if (list === undefined) return;
    const stepCount = this.#stepCount;
    const step = this.#step;
    const runEnd = this.#runEnd;
    const dying = this.#dying;
    const outcome = this.#outcome;
    const { jobs, length } = list;
    let landed = 0;
    let dyingCount = 0;
    for (let i = 0; i < length; i++) {
      const job = jobs[i];
      const next = runEnd[job];
      landed += next - step[job];
      if (next < stepCount) dying[dyingCount++] = job;
    }
    this.#runs.release(list);
    for (let i = 0; i < dyingCount; i++) this.#startDying(dying[i], runEnd[dying[i]], 0, round, supervised);
    outcome.stepsRun += landed;
    outcome.completed += length - dyingCount;
    if (dyingCount < length) outcome.lastRound = round;
  }

  /** The supervisor re-drives the steps whose lease ran out without a result, or gives their jobs up. */
  #redriveExpired(round: number): void {
    const list = this.#expiries.take(round);
    if (list === undefined) return;
    const { retryLimit } = this.#policy;
    const fates = this.#fates as FateTable;
    const outcome = this.#outcome;
    for (let i = 0; i < list.length; i++) {
      const job = list.jobs[i];
      const fate = this.#fate[job];
      const step = this.#step[job];
      const attempt = this.#attempt[job] + 1;
      const delay = round - (this.#started[job] + duration);
      outcome.redriven++;
      outcome.recoverySum += delay;
      if (delay > outcome.recoveryWorst) outcome.recoveryWorst = delay;
      this.#delays?.add(delay, 1);
      if (fates.stallCount(fate, step) > 0) outcome.wasted++;
      if (attempt >= retryLimit) {
        outcome.compensatedJobs++;
        outcome.compensatedSteps += step;
        outcome.lastRound = round;
      } else if (fates.dies(fate, step, attempt)) {
        this.#startDying(job, step, attempt, round, true);
      } else {
        const runEnd = fates.nextTrouble(fate, step + 1);
        this.#started[job] = round;
        this.#runEnd[job] = runEnd;
        this.#runs.add(round + (runEnd - step) * duration, job);
      }
    }
    this.#expiries.release(list);
  }

  /** Starts an execution that will leave no record: a supervisor finds it at the first scan after its lease. */
  #startDying(job: number, step: number, attempt: number, round: number, supervised: boolean): void {
    if (!supervised) return;
    const { scan, lease, rounds } = this.#policy;
    const expiry = Math.ceil((round + lease) / scan) * scan;
    if (expiry > rounds) return;
    this.#step[job] = step;
    this.#attempt[job] = attempt;
    this.#started[job] = round;
    this.#expiries.add(expiry, job);
  }

  /** The day has ended: of the runs that go on, the records count that landed until then. */
  #cutRuns(): void {
    const { rounds } = this.#policy;
    for (let round = this.#runs.nextRound(rounds + 1); round !== none; round = this.#runs.nextRound(round)) {
      const list = this.#runs.take(round) as JobList;
      for (let i = 0; i < list.length; i++) {
        this.#outcome.stepsRun += Math.floor((rounds - this.#started[list.jobs[i]]) / duration);
      }
      this.#runs.release(list);
    }
  }

  #reserve(jobCount: number): void {
    if (jobCount <= this.#fate.length) return;
    this.#fate = new Int32Array(jobCount);
    this.#step = new Uint16Array(jobCount);
    this.#runEnd = new Uint16Array(jobCount);
    this.#attempt = new Uint16Array(jobCount);
    this.#started = new Int32Array(jobCount);
    this.#dying = new Int32Array(jobCount);
  }
}

/** Adds the jobs from `begin` to `end` - 1. */
function addRange(list: JobList, begin: number, end: number): void {
  list.reserve(list.length + end - begin);
  const { jobs } = list;
  let { length } = list;
  for (let job = begin; job < end; job++) jobs[length++] = job;
  list.length = length;
}
