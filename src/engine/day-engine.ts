// What the engines have in common.
import type { FateSampler } from "../random/fate-sampler.js";
import type { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";

/** Simulates drawn days, without and with the supervisor on the same fates. */
export interface DayEngine {
  /** Simulates the day that the sampler drew last and writes its metrics to a row of the columns. */
  simulate(sampler: FateSampler, days: DayColumns, row: number): void;
  /** Adds the recovery delays of all days since the last call to a histogram. */
  drainDelays(into: Histogram): void;
}
