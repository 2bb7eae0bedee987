// The baseline: the model as one would write it in a lesson. One object per job, round by round, every job drawn by
// itself. Correct, readable and in no hurry; the engines are measured against it, so nobody should make it faster.
import type { Outcome } from "../src/engine/outcome.js";
import type { Policy, Scenario } from "../src/model/scenario.js";

/** What goes wrong with one job. */
export interface Fate {
  /** How many executions of each step stall, from its first one on. */
  readonly stalls: readonly number[];
  /** The step that never passes, if any. */
  readonly persistent: number | undefined;
}

interface Job {
  readonly fate: Fate;
  state: "waiting" | "running" | "done" | "compensated";
  step: number;
  attempt: number;
  started: number;
}

/** Random numbers from 0 (included) to 1 (excluded): mulberry32 by Tommy Ettinger, a plain generator of 32 bits. */
export function plainRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws the fate of each job of a day. */
export function drawFates(random: () => number, scenario: Scenario, kk3: number): Fate[] {
  const { workflows, steps, kk2, retryLimit, stallOn } = scenario;
  const mostStalls = stallOn === "every-attempt" ? retryLimit : 1;
  const fates: Fate[] = [];
  for (let job = 0; job < workflows; job++) {
    const persistent = random() < kk2 ? Math.floor(random() * steps.length) : undefined;
    const stalls = steps.map((_, step) => {
      let count = 0;
      // A step that never passes has no record to lose.
      if (step !== persistent) while (count < mostStalls && random() < kk3) count++;
      return count;
    });
    fates.push({ stalls, persistent });
  }
  return fates;
}

/** Simulates one day, with or without the supervisor. */
export function simulateDay(
  fates: readonly Fate[],
  { supervisor, scan, lease, retryLimit, rounds }: Policy & { readonly supervisor: boolean },
): Outcome {
  const jobs = fates.map((fate): Job => ({ fate, state: "waiting", step: 0, attempt: 0, started: 0 }));
  let open = jobs.length;
  let completed = 0;
  let stepsRun = 0;
  let redriven = 0;
  let wasted = 0;
  let compensatedJobs = 0;
  let compensatedSteps = 0;
  let lastRound = 0;
  let recordsRead = 0;
  let recoverySum = 0;
  let recoveryWorst = 0;
  for (let round = 1; round <= rounds && open > 0; round++) {
    // Records land.
    for (const job of jobs) {
      if (job.state === "running" && round === job.started + 1 && !dies(job)) {
        stepsRun++;
        job.step++;
        job.attempt = 0;
        job.state = "waiting";
      }
    }
    // The supervisor scans.
    if (supervisor && round % scan === 0) {
      for (const job of jobs) {
        recordsRead++;
        if (job.state === "running" && round - job.started >= lease) {
          const delay = round - (job.started + 1);
          redriven++;
          recoverySum += delay;
          recoveryWorst = Math.max(recoveryWorst, delay);
          if (job.fate.stalls[job.step] > 0) wasted++;
          job.attempt++;
          job.state = "waiting";
        }
      }
    }
    // The scheduler takes each waiting job.
    for (const job of jobs) {
      if (job.state !== "waiting") continue;
      if (job.step === job.fate.stalls.length) {
        job.state = "done";
        completed++;
      } else if (job.attempt >= retryLimit) {
        job.state = "compensated";
        compensatedJobs++;
        compensatedSteps += job.step;
      } else {
        job.state = "running";
        job.started = round;
        continue;
      }
      open--;
      lastRound = round;
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
    recoverySum,
    recoveryWorst,
  };
}

/** Whether the current execution leaves no record. */
function dies({ fate: { stalls, persistent }, step, attempt }: Job): boolean {
  return step === persistent || attempt < stalls[step];
}
