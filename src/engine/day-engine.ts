// What the engines have in common.
import type { FateSampler } from "../random/fate-sampler.js";
import type { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";

/** Simulates drawn days, without and with the supervisor on the same fates. */
export interface DayEngine {
  /** Simulates the days that the sampler drew last and writes their metrics to the columns, from row 0 on. */
  simulate(sampler: FateSampler, columns: DayColumns): void;
  /** Adds the recovery delays of all days since the last call to a histogram. */
  drainDelays(into: Histogram): void;
}
