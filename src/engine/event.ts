// The event engine: the model of MODEL.md section 2, job by job. Here, and only here, the rules of a day are written.
import type { FateCounts, FateTable } from "../model/fates.js";
import type { Policy } from "../model/scenario.js";
import type { Histogram } from "../stats/histogram.js";
import { Calendar, none } from "./calendar.js";
import { countScans, emptyOutcome, type Outcome } from "./outcome.js";

/** Rounds from the start of an execution to the landing of its record. */
const duration = 1;

/**
 * Simulates days event by event. An event is a record that lands or a lease that a scan finds expired; rounds in which
 * neither happens cost nothing. Memory is kept from day to day, so that a day allocates nothing.
 */
export class EventEngine {
  readonly #policy: Policy;
  readonly #stepCount: number;
  /** Executions by the round in which their record lands, and by the round of the scan that re-drives them. */
  readonly #landings: Calendar;
  readonly #expiries: Calendar;
  readonly #outcome = { ...emptyOutcome };
  #fates: FateTable | undefined;
  #delays: Histogram | undefined;

  // One entry per job.
  #fate = new Int32Array(0);
  /** The current step; the step count once the job is done. */
  #step = new Uint16Array(0);
  /** Executions of the current step before this one. */
  #attempt = new Uint16Array(0);
  /** The round in which the current execution started; kept only for executions that die. */
  #started = new Int32Array(0);
  /** The next step of which some execution dies; the step count where none does. */
  #trouble = new Uint16Array(0);

  /** @param stepCount - steps per job, from 1 to 65535 */
  constructor(stepCount: number, policy: Policy) {
    const { scan, lease, rounds } = policy;
    this.#policy = policy;
    this.#stepCount = stepCount;
    this.#landings = new Calendar(Math.min(rounds, duration));
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
  run(fates: FateTable, jobs: FateCounts, supervised: boolean, delays?: Histogram): Readonly<Outcome> {
    const { rounds } = this.#policy;
    const landings = this.#landings;
    const expiries = this.#expiries;
    Object.assign(this.#outcome, emptyOutcome);
    this.#fates = fates;
    this.#delays = delays;

    const jobCount = this.#startAll(jobs, supervised);
    let round = 1;
    for (;;) {
      const landing = landings.nextRound(round);
      const expiry = expiries.nextRound(round);
      round = landing === none || (expiry !== none && expiry < landing) ? expiry : landing;
      if (round === none || round > rounds) break;
      this.#landRecords(round, supervised);
      this.#redriveExpired(round);
    }
    // What would land after the day's end; no re-drive is planned for then.
    landings.clear();

    const outcome = this.#outcome;
    outcome.halfFinished = jobCount - outcome.completed - outcome.compensatedJobs;
    outcome.recordsRead = supervised ? jobCount * countScans(outcome, this.#policy) : 0;
    return outcome;
  }

  /** Round 1: all jobs are waiting, and the scheduler starts the first step of each. */
  #startAll(jobs: FateCounts, supervised: boolean): number {
    const fates = this.#fates as FateTable;
    let jobCount = 0;
    for (let i = 0; i < jobs.length; i++) jobCount += jobs.count[i];
    this.#reserve(jobCount);
    this.#step.fill(0, 0, jobCount);
    let end = 0;
    for (let i = 0; i < jobs.length; i++) {
      const begin = end;
      end += jobs.count[i];
      const trouble = fates.nextTrouble(jobs.fate[i], 0);
      this.#fate.fill(jobs.fate[i], begin, end);
      this.#trouble.fill(trouble, begin, end);
      if (trouble > 0) this.#startLanding(begin, end);
      else for (let job = begin; job < end; job++) this.#startDying(job, 0, 1, supervised);
    }
    return jobCount;
  }

  /** Starts the first step of these jobs, whose records will land. */
  #startLanding(beginJob: number, endJob: number): void {
    const list = this.#landings.listOf(1 + duration);
    list.reserve(list.length + endJob - beginJob);
    const { jobs } = list;
    let { length } = list;
    for (let job = beginJob; job < endJob; job++) jobs[length++] = job;
    list.length = length;
  }

  /** Records land: each job moves to its next step, which the scheduler starts in the same round. */
  #landRecords(round: number, supervised: boolean): void {
    const landed = this.#landings.take(round);
    if (landed === undefined) return;
    const stepCount = this.#stepCount;
    const step = this.#step;
    const trouble = this.#trouble;
    const outcome = this.#outcome;
    const { jobs, length } = landed;
    // Those whose next execution lands as well stay together: the list moves on to the round of that landing.
    let staying = 0;
    let done = 0;
    for (let i = 0; i < length; i++) {
      const job = jobs[i];
      const next = step[job] + 1;
      step[job] = next;
      if (next !== trouble[job]) jobs[staying++] = job;
      else if (next === stepCount) done++;
      else this.#startDying(job, 0, round, supervised);
    }
    landed.length = staying;
    this.#landings.put(round + duration, landed);
    outcome.stepsRun += length;
    outcome.completed += done;
    if (done > 0) outcome.lastRound = round;
  }

  /** The supervisor re-drives the steps whose lease ran out without a result, or gives their jobs up. */
  #redriveExpired(round: number): void {
    const { retryLimit } = this.#policy;
    const fates = this.#fates as FateTable;
    const outcome = this.#outcome;
    const expired = this.#expiries.take(round);
    if (expired === undefined) return;
    for (let i = 0; i < expired.length; i++) {
      const job = expired.jobs[i];
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
        this.#startDying(job, attempt, round, true);
      } else {
        this.#trouble[job] = fates.nextTrouble(fate, step + 1);
        this.#landings.add(round + duration, job);
      }
    }
    this.#expiries.release(expired);
  }

  /** Starts an execution that will leave no record: a supervisor finds it at the first scan after its lease. */
  #startDying(job: number, attempt: number, round: number, supervised: boolean): void {
    if (!supervised) return;
    const { scan, lease, rounds } = this.#policy;
    const expiry = Math.ceil((round + lease) / scan) * scan;
    if (expiry > rounds) return;
    this.#attempt[job] = attempt;
    this.#started[job] = round;
    this.#expiries.add(expiry, job);
  }

  #reserve(jobCount: number): void {
    if (jobCount <= this.#fate.length) return;
    this.#fate = new Int32Array(jobCount);
    this.#step = new Uint16Array(jobCount);
    this.#attempt = new Uint16Array(jobCount);
    this.#started = new Int32Array(jobCount);
    this.#trouble = new Uint16Array(jobCount);
  }
}
