// The metrics of a simulated day, described once: columns, CSV headers, docs and data package come from this list.

/** How a metric of the day follows from the jobs of the day. */
export type Combination =
  /** the sum of one number per job */
  | "sum"
  /** the largest of one number per job */
  | "max"
  /** all records, once for each scan up to the end of the day */
  | "scans";

/** One line of the list of metrics. */
export interface Metric {
  /** camelCase, in code and in JSON */
  readonly name: string;
  /** snake_case, in CSV */
  readonly column: string;
  /** in words, for people */
  readonly label: string;
  readonly unit: "jobs" | "steps" | "rounds" | "records";
  readonly combination: Combination;
  /** which end of its distribution is a bad day */
  readonly worst: "min" | "max";
  readonly meaning: string;
}

/** One whole number per simulated day each; the order is the order of the reports. */
export const metrics = [
  {
    name: "halfFinishedUnsupervised",
    column: "half_finished_unsupervised",
    label: "half-finished jobs",
    unit: "jobs",
    combination: "sum",
    worst: "max",
    meaning: "jobs still running at the end of the twin day that has no supervisor",
  },
  {
    name: "completed",
    column: "completed",
    label: "completed jobs",
    unit: "jobs",
    combination: "sum",
    worst: "min",
    meaning: "jobs whose last step landed and that were closed as done",
  },
  {
    name: "compensatedJobs",
    column: "compensated_jobs",
    label: "compensated jobs",
    unit: "jobs",
    combination: "sum",
    worst: "max",
    meaning: "jobs given up at the retry limit, their completed steps undone",
  },
  {
    name: "halfFinished",
    column: "half_finished",
    label: "half-finished jobs",
    unit: "jobs",
    combination: "sum",
    worst: "max",
    meaning: "jobs still running at the end of the supervised day",
  },
  {
    name: "stepsRun",
    column: "steps_run",
    label: "steps run",
    unit: "steps",
    combination: "sum",
    worst: "min",
    meaning: "steps whose record landed",
  },
  {
    name: "redriven",
    column: "redriven",
    label: "re-driven steps",
    unit: "steps",
    combination: "sum",
    worst: "max",
    meaning: "re-drives: steps found without a result after the lease",
  },
  {
    name: "wasted",
    column: "wasted",
    label: "wasted steps",
    unit: "steps",
    combination: "sum",
    worst: "max",
    meaning: "re-drives of steps whose work was done and only the record was lost",
  },
  {
    name: "compensatedSteps",
    column: "compensated_steps",
    label: "compensated steps",
    unit: "steps",
    combination: "sum",
    worst: "max",
    meaning: "completed steps of compensated jobs",
  },
  {
    name: "lastRound",
    column: "last_round",
    label: "last round",
    unit: "rounds",
    combination: "max",
    worst: "max",
    meaning: "round in which the last job was closed as done or compensated; 0 if none was",
  },
  {
    name: "recoveryWorstRounds",
    column: "recovery_worst_rounds",
    label: "worst recovery",
    unit: "rounds",
    combination: "max",
    worst: "max",
    meaning: "longest recovery delay of the day; 0 without a re-drive",
  },
  {
    name: "recordsRead",
    column: "records_read",
    label: "records read",
    unit: "records",
    combination: "scans",
    worst: "max",
    meaning: "records read by the supervisor's scans, finished jobs included",
  },
] as const satisfies readonly Metric[];

export type MetricName = (typeof metrics)[number]["name"];

/** The delay of every re-drive of every day; unlike a metric it has many values a day, or none. */
export const recoveryDelay = {
  name: "recoveryDelayRounds",
  column: "recovery_delay_rounds",
  label: "recovery delay",
  unit: "rounds",
  meaning: "rounds from the record that should have landed to the re-drive, over all re-drives of all days",
} as const;

/** The mean delay of one day's re-drives, a column of days.csv. */
export const recoveryMean = {
  name: "recoveryMeanRounds",
  column: "recovery_mean_rounds",
  label: "mean recovery delay",
  unit: "rounds",
  meaning: "mean recovery delay of the day's re-drives; empty without a re-drive",
} as const;
