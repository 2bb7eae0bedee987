// The described result of a study as plain data, for a program; loaded in the thread that simulated it.
import type { MetricResult } from "./result.js";
import { describeStudy, type StudyResult } from "./study.js";

/** One metric of a result, or the recovery delay, without functions. */
export type MetricData = Omit<MetricResult, "exactShareOf">;

/** The result of a study, described, without functions. */
export interface StudyData extends Pick<StudyResult, "number" | "scenario" | "isPrecise"> {
  /** Days that were simulated. */
  readonly days: number;
  /** One entry per metric, then the recovery delay. */
  readonly metrics: readonly MetricData[];
}

export default function toData(result: StudyResult): StudyData {
  const { number, scenario, isPrecise, tally } = result;
  return {
    number,
    scenario,
    isPrecise,
    days: tally?.days ?? 0,
    metrics: describeStudy(result).map(({ exactShareOf: _, ...metric }) => metric),
  };
}
