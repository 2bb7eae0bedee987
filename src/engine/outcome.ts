// What a simulated day comes to, before it is counted.

/** The outcome of one day, or of one job alone; whole numbers, in the units of the metrics. */
export interface Outcome {
  completed: number;
  stepsRun: number;
  redriven: number;
  wasted: number;
  compensatedJobs: number;
  compensatedSteps: number;
  /** Jobs still running when the day ended. */
  halfFinished: number;
  /** Round in which the last job was closed; 0 if none was. */
  lastRound: number;
  recordsRead: number;
  /** Sum of the recovery delays, in rounds. */
  recoverySum: number;
  recoveryWorst: number;
}

/** The outcome of a day on which nothing has happened. */
export const emptyOutcome: Readonly<Outcome> = {
  completed: 0,
  stepsRun: 0,
  redriven: 0,
  wasted: 0,
  compensatedJobs: 0,
  compensatedSteps: 0,
  halfFinished: 0,
  lastRound: 0,
  recordsRead: 0,
  recoverySum: 0,
  recoveryWorst: 0,
};

/** Scans from round 1 to the day's end: the round of the last closed job, or `rounds` where a job never closes. */
export function countScans(
  { halfFinished, lastRound }: Pick<Outcome, "halfFinished" | "lastRound">,
  { scan, rounds }: { readonly scan: number; readonly rounds: number },
): number {
  return Math.floor((halfFinished > 0 ? rounds : lastRound) / scan);
}
