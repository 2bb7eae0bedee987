// What the engines have in common, and which one a scenario gets.

import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "../random/fate-sampler.js";
import type { Histogram } from "../stats/histogram.js";
import type { DayColumns } from "./day-columns.js";
import { EventDayEngine } from "./event-day.js";
import { TableEngine } from "./table.js";

export const engineNames = ["table", "event"] as const;

export type EngineName = (typeof engineNames)[number];

/** Simulates drawn days, without and with the supervisor on the same fates. */
export interface DayEngine {
  /** Simulates the day that the sampler drew last and writes its metrics to a row of the columns. */
  simulate(sampler: FateSampler, days: DayColumns, row: number): void;
  /** Adds the recovery delays of all days since the last call to a histogram. */
  drainDelays(into: Histogram): void;
}

/** The engine that "auto" stands for: jobs of the document model are independent, so the table engine always serves. */
export function chooseEngine(name: EngineName | "auto"): EngineName {
  return name === "auto" ? "table" : name;
}

export function newEngine(name: EngineName, scenario: Scenario): DayEngine {
  return name === "table" ? new TableEngine(scenario) : new EventDayEngine(scenario);
}
