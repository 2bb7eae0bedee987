// The result of a study as plain data, for a program; loaded in the thread that simulated it.
import type { MetricResult } from "./result.js";
import type { StudyResult } from "./study.js";

/** One metric of a result, or the recovery delay, without functions. */
export type MetricData = Omit<MetricResult, "exactShareOf">;

/** The result of a study without functions. */
export interface StudyData extends Omit<StudyResult, "metrics" | "columns"> {
  readonly metrics: readonly MetricData[];
}

export default function toData({ metrics, columns: _, ...rest }: StudyResult): StudyData {
  return {
    ...rest,
    metrics: metrics.map(({ exactShareOf: _, ...metric }) => metric),
  };
}
