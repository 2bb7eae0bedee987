// The settings of a run: a scenario, and how it is simulated.
import { availableParallelism } from "node:os";
import { chooseEngine, type EngineName, engineNames } from "../engine/engine.js";
import {
  resolveScenario,
  type Scenario,
  type ScenarioSettings,
  scenarioSettings,
} from "../model/scenario.js";
import {
  checkSettings,
  oneOf,
  SettingsError,
  type SettingTable,
  type SettingValues,
  text,
  whole,
} from "../model/settings.js";
import { checkDay } from "./day-limits.js";
import { criteriaList, defaultCriteria, type Precision, precisionShare } from "./precision.js";

/** Largest number of days of a scenario. */
const mostDays = 1_000_000_000_000;

/** The settings of anything that simulates. */
export const generalSettings = {
  days: whole(1, mostDays),
  seed: text(),
  threads: whole(1, 1024),
  engine: oneOf("auto", ...engineNames),
} satisfies SettingTable;

/** How scenarios are simulated by a run or a sweep, or whether they are. */
export const simulationSettings = {
  ...generalSettings,
  engine: oneOf("auto", ...engineNames, "exact"),
  precision: precisionShare(),
  precisionOf: criteriaList(),
  maxDays: whole(1, mostDays),
} satisfies SettingTable;

/** All settings of a run. */
export const runSettings = { ...scenarioSettings, ...simulationSettings } satisfies SettingTable;

/** How scenarios are simulated, as a user says it; each may be left out. */
export interface SimulationSettings {
  /** Days to simulate. @default 100000 */
  readonly days?: number;
  /** Any text; the same seed gives the same results. @default "redrive" */
  readonly seed?: string | number;
  /** Worker threads at most; never changes a result. @default as many as there are cores */
  readonly threads?: number;
  /** "exact" simulates nothing: the exact results are the answer, where they can be computed. @default "auto" */
  readonly engine?: "auto" | EngineName | "exact";
  /**
   * Instead of `days`: simulate until the 95 % interval reaches no further than this share of the estimate to either
   * side; a number such as 0.01, or text such as "1%".
   */
  readonly precision?: number | string;
  /** What is to be so precise, by column; ":p99" means the p99. @default means of the four metrics of the sweep */
  readonly precisionOf?: readonly string[] | string;
  /** Days at most with `precision`. @default 10000000 */
  readonly maxDays?: number;
}

/** The settings of a run as a user gives them; each may be left out. */
export interface RunSettings extends ScenarioSettings, SimulationSettings {}

/** How scenarios are simulated, complete. */
export interface Simulation {
  /** Whether the exact results are the answer and nothing is simulated. */
  readonly exact: boolean;
  /** Days of each scenario; with a precision, at most so many; 0 where nothing is simulated. */
  readonly days: number;
  readonly precision: Precision | undefined;
  readonly seed: string;
  readonly threads: number;
  readonly engine: EngineName;
}

/** Complete settings of a run. */
export interface Run extends Simulation {
  readonly scenario: Scenario;
}

/** Days at most where a precision is asked for. */
const defaultMaxDays = 10_000_000;

/** Fills in the defaults. */
export function resolveSimulation(values: Partial<SettingValues<typeof simulationSettings>>): Simulation {
  const { seed = "redrive", threads = availableParallelism(), engine = "auto" } = values;
  const { precision: share, precisionOf: criteria = defaultCriteria, maxDays = defaultMaxDays } = values;
  const precision = share === undefined ? undefined : { share, criteria };
  const exact = engine === "exact";
  const days = exact ? 0 : precision === undefined ? (values.days ?? 100_000) : maxDays;
  return { exact, days, precision, seed, threads, engine: chooseEngine(exact ? "auto" : engine) };
}

/** What is wrong with settings that fit each for itself. */
export function findContradictions(
  values: Partial<SettingValues<typeof simulationSettings>>,
  nameOf: (setting: string) => string = (setting) => setting,
): string[] {
  const { days, engine, precision, precisionOf, maxDays } = values;
  if (precision !== undefined && engine === "exact") {
    return [`${nameOf("precision")} must be given without ${nameOf("engine")} exact, which has no error`];
  }
  if (precision !== undefined && days !== undefined) {
    return [
      `${nameOf("precision")} must be given without ${nameOf("days")}; ${nameOf("maxDays")} limits the days`,
    ];
  }
  if (precision !== undefined) return [];
  const lost = { precisionOf, maxDays };
  return Object.entries(lost).flatMap(([setting, value]) =>
    value === undefined ? [] : [`${nameOf(setting)} must be given together with ${nameOf("precision")}`],
  );
}

/** Fills in the defaults. */
export function resolveRun(values: Partial<SettingValues<typeof runSettings>>): Run {
  return { scenario: resolveScenario(values), ...resolveSimulation(values) };
}

/**
 * Checks the settings of a run and fills in the defaults.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function checkRun(settings: RunSettings): Run {
  const { values, problems } = checkSettings(runSettings, settings);
  problems.push(...findContradictions(values));
  const run = resolveRun(values);
  problems.push(...checkDay(run.scenario, run));
  if (problems.length > 0) throw new SettingsError(problems);
  return run;
}
