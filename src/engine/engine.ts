// The engines by name, and which one a scenario gets.
import type { Scenario } from "../model/scenario.js";
import type { DayEngine } from "./day-engine.js";
import { EventDayEngine } from "./event-day.js";
import { TableEngine } from "./table.js";

export const engineNames = ["table", "event"] as const;

export type EngineName = (typeof engineNames)[number];

/** The engine that "auto" stands for: jobs of the document model are independent, so the table engine always serves. */
export function chooseEngine(name: EngineName | "auto"): EngineName {
  return name === "auto" ? "table" : name;
}

export function newEngine(name: EngineName, scenario: Scenario): DayEngine {
  return name === "table" ? new TableEngine(scenario) : new EventDayEngine(scenario);
}
