// The result of a study as plain data, for a program; loaded in the thread that simulated it.
import type { MetricResult } from "./result.js";
import type { StudyResult } from "./study.js";

/** One metric of a result, or the recovery delay, without functions. */
export interface MetricData extends Omit<MetricResult, "exactShareOf"> {
  /** Exact probability of each value of the distribution; undefined where they cannot be computed. */
  readonly exactShares: Float64Array | undefined;
}

/** The result of a study without functions. */
export interface StudyData extends Omit<StudyResult, "metrics" | "columns"> {
  readonly metrics: readonly MetricData[];
}

export default function toData({ metrics, columns: _, ...rest }: StudyResult): StudyData {
  return {
    ...rest,
    metrics: metrics.map(({ exactShareOf, ...metric }) => {
      const shares = Array.from(metric.distribution.values, exactShareOf);
      const isKnown = shares.every((share) => share !== undefined);
      return { ...metric, exactShares: isKnown ? Float64Array.from(shares as number[]) : undefined };
    }),
  };
}
