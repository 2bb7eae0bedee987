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

/** All settings of a run. */
export const runSettings = {
  ...scenarioSettings,
  days: whole(1, 1_000_000_000_000),
  seed: text(),
  threads: whole(1, 1024),
  engine: oneOf("auto", ...engineNames),
} satisfies SettingTable;

/** The settings of a run as a user gives them; each may be left out. */
export interface RunSettings extends ScenarioSettings {
  /** Days to simulate. @default 100000 */
  readonly days?: number;
  /** Any text; the same seed gives the same results. @default "redrive" */
  readonly seed?: string | number;
  /** Worker threads at most; never changes a result. @default as many as there are cores */
  readonly threads?: number;
  /** @default "auto" */
  readonly engine?: "auto" | EngineName;
}

/** Complete settings of a run. */
export interface Run {
  readonly scenario: Scenario;
  readonly days: number;
  readonly seed: string;
  readonly threads: number;
  readonly engine: EngineName;
}

/** Fills in the defaults. */
export function resolveRun(values: Partial<SettingValues<typeof runSettings>>): Run {
  const { days = 100_000, seed = "redrive", threads = availableParallelism(), engine = "auto" } = values;
  return { scenario: resolveScenario(values), days, seed, threads, engine: chooseEngine(engine) };
}

/**
 * Checks the settings of a run and fills in the defaults.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function checkRun(settings: RunSettings): Run {
  const { values, problems } = checkSettings(runSettings, settings);
  if (problems.length > 0) throw new SettingsError(problems);
  return resolveRun(values);
}
