// The model once more, as directly as it can be said: one object per job, one pass per round, to the letter of the
// rules. An oracle for the engines, so it imports nothing of theirs.

/** The faults of one job. */
export interface NaiveFate {
  /** Executions that stall, one entry per step: those with an attempt (from 0) below this. */
  readonly stallCount: readonly number[];
  /** The step that never passes, if any. */
  readonly persistent: number | undefined;
}

export interface NaivePolicy {
  readonly supervisor: boolean;
  readonly scan: number;
  readonly lease: number;
  readonly retryLimit: number;
  readonly rounds: number;
}

interface Job extends NaiveFate {
  state: "waiting" | "running" | "done" | "compensated";
  step: number;
  attempt: number;
  started: number;
}

/** Simulates one day; `delays`, where given, receives the recovery delay of each re-drive. */
export function simulateNaively(
  fates: readonly NaiveFate[],
  { supervisor, scan, lease, retryLimit, rounds }: NaivePolicy,
  delays: number[] = [],
) {
  const jobs = fates.map((fate): Job => ({ ...fate, state: "waiting", step: 0, attempt: 0, started: 0 }));
  const dies = ({ stallCount, persistent, step, attempt }: Job) =>
    step === persistent || attempt < stallCount[step];
  const isOpen = ({ state }: Job) => state === "waiting" || state === "running";
  let completed = 0;
  let stepsRun = 0;
  let redriven = 0;
  let wasted = 0;
  let compensatedJobs = 0;
  let compensatedSteps = 0;
  let lastRound = 0;
  let recordsRead = 0;
  for (let t = 1; t <= rounds && jobs.some(isOpen); t++) {
    // 1. Records land.
    for (const job of jobs) {
      if (job.state !== "running" || t !== job.started + 1 || dies(job)) continue;
      stepsRun++;
      job.step++;
      job.attempt = 0;
      job.state = "waiting";
    }
    // 2. The supervisor scans.
    if (supervisor && t % scan === 0) {
      recordsRead += jobs.length;
      for (const job of jobs) {
        if (job.state !== "running" || t - job.started < lease) continue;
        redriven++;
        delays.push(t - (job.started + 1));
        if (job.stallCount[job.step] > 0) wasted++;
        job.attempt++;
        job.state = "waiting";
      }
    }
    // 3. The scheduler takes each waiting job.
    for (const job of jobs) {
      if (job.state !== "waiting") continue;
      if (job.step === job.stallCount.length) {
        job.state = "done";
        completed++;
        lastRound = t;
      } else if (job.attempt >= retryLimit) {
        job.state = "compensated";
        compensatedJobs++;
        compensatedSteps += job.step;
        lastRound = t;
      } else {
        job.state = "running";
        job.started = t;
      }
    }
  }
  return {
    completed,
    stepsRun,
    redriven,
    wasted,
    compensatedJobs,
    compensatedSteps,
    halfFinished: jobs.filter(({ state }) => state === "running").length,
    lastRound,
    recordsRead,
    recoverySum: delays.reduce((sum, delay) => sum + delay, 0),
    recoveryWorst: delays.reduce((worst, delay) => Math.max(worst, delay), 0),
  };
}
