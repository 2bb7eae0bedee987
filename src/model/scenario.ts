// A scenario: the day's work, its faults and the supervisor's policy. Knows nothing of days, seeds or threads.
import type { Ratio } from "./ratio.js";
import {
  axis,
  axisOfNames,
  checkSettings,
  names,
  oneOf,
  ratio,
  SettingsError,
  type SettingTable,
  type SettingValues,
  share,
  whole,
} from "./settings.js";

/** The supervisor's policy of a scenario, in rounds. */
export interface Policy {
  /** The supervisor scans in rounds that are a multiple of this; at least 1. */
  readonly scan: number;
  /** Rounds after which a started step without a result is re-driven; at least 1. */
  readonly lease: number;
  /** Executions of a step after which the job is given up and compensated; at least 1. */
  readonly retryLimit: number;
  /** The day ends after this round at the latest; at least 1. */
  readonly rounds: number;
}

/** One day's work, its faults and the policy that meets them. */
export interface Scenario extends Policy {
  /** Jobs per day. */
  readonly workflows: number;
  /** Names of the steps of each job, in order; 1 to 16. */
  readonly steps: readonly string[];
  /** Share of step executions that are done but whose record is lost. */
  readonly kk3: Ratio;
  /** Share of workflows with a step that never passes. */
  readonly kk2: number;
  /** Whether a stall hits only the first attempt of a step or each attempt anew. */
  readonly stallOn: "first-attempt" | "every-attempt";
}

/** Largest value of a setting that is a number of rounds. */
export const maxRounds = 10_000_000;

/** Bounds that keep every sum of a day a whole number below 2^53. */
export const scenarioSettings = {
  workflows: whole(1, 100_000_000),
  steps: names(1, 16),
  kk3: ratio(),
  kk2: share(),
  scan: whole(1, maxRounds),
  lease: whole(1, maxRounds),
  retryLimit: whole(1, 10_000),
  rounds: whole(1, maxRounds),
  stallOn: oneOf("first-attempt", "every-attempt"),
} satisfies SettingTable;

/** The same settings where each number may be a list or a range; each gives a list of values. */
export const axisSettings = {
  workflows: axis(scenarioSettings.workflows),
  steps: axisOfNames(1, 16),
  kk3: axis(scenarioSettings.kk3),
  kk2: axis(scenarioSettings.kk2),
  scan: axis(scenarioSettings.scan),
  lease: axis(scenarioSettings.lease),
  retryLimit: axis(scenarioSettings.retryLimit),
  rounds: axis(scenarioSettings.rounds),
  stallOn: axis(scenarioSettings.stallOn),
} satisfies SettingTable;

/** The scenario of the lesson. */
export const defaultScenario: Scenario = {
  workflows: 4000,
  steps: ["tariff", "discount", "invoice", "notification"],
  kk3: 0.005,
  kk2: 0.02,
  scan: 2,
  lease: 2,
  retryLimit: 3,
  rounds: 80,
  stallOn: "first-attempt",
};

/** The settings of a scenario as a user gives them: each may be left out; steps may be a count. */
export type ScenarioSettings = {
  readonly [Name in keyof Scenario]?: Name extends "steps"
    ? number | readonly string[]
    : Name extends "kk3"
      ? Ratio | string
      : Scenario[Name];
};

/**
 * Checks the settings of a scenario and fills in the defaults.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export function checkScenario(settings: ScenarioSettings): Scenario {
  const { values, problems } = checkSettings(scenarioSettings, settings);
  if (problems.length > 0) throw new SettingsError(problems);
  return resolveScenario(values);
}

/** Fills in the defaults of a scenario. */
export function resolveScenario(values: Partial<SettingValues<typeof scenarioSettings>>): Scenario {
  const { workflows, steps, kk3, kk2, scan, lease, retryLimit, rounds, stallOn } = {
    ...defaultScenario,
    ...values,
  };
  return { workflows, steps, kk3, kk2, scan, lease, retryLimit, rounds, stallOn };
}
