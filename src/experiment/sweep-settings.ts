// The settings of a sweep: lists and ranges of a scenario's numbers, and scenarios by name.
import { axisSettings, type Scenario } from "../model/scenario.js";
import {
  checkSettings,
  inOneLine,
  parsed,
  type SettingTable,
  type SettingValues,
} from "../model/settings.js";
import { availableMemory, checkDaysOfGrid } from "./day-limits.js";
import { checkMemory, estimateSweep } from "./estimate.js";
import { type Grid, mostScenarios, resolveProduct, sizeOf } from "./grid.js";
import {
  findContradictions,
  resolveSimulation,
  type Simulation,
  type SimulationSettings,
  simulationSettings,
} from "./settings.js";

/** All settings of a sweep. */
export const sweepSettings = {
  ...axisSettings,
  ...simulationSettings,
  scenarios: parsed("a list of at least one object of settings", (input) =>
    Array.isArray(input) && input.length > 0 ? (input as readonly unknown[]) : undefined,
  ),
} satisfies SettingTable;

/** One value, a list of values and texts of ranges, or text such as "1,2,4:8:2". */
export type Axis<Value> = Value | string | readonly (Value | string)[];

/** The parameters of a sweep as a user gives them; each may be left out. */
export type AxisSettings = {
  readonly [Name in keyof Scenario]?: Name extends "steps"
    ? number | string | readonly (number | string)[] | readonly (readonly string[])[]
    : Axis<Scenario[Name]>;
};

/** The settings of a sweep as a user gives them; each may be left out. */
export interface SweepSettings extends AxisSettings, SimulationSettings {
  /** Scenarios that differ in more than one parameter; what they leave out they have from the settings beside. */
  readonly scenarios?: readonly (AxisSettings & { readonly name?: string })[];
}

/** Complete settings of a sweep. */
export interface Sweep extends Simulation {
  readonly grid: Grid;
}

type SweepValues = Partial<SettingValues<typeof sweepSettings>>;

/**
 * Checks what the settings come to together and fills in the defaults.
 *
 * @param typed - settings that win over those of the named scenarios
 * @param nameOf - how the user knows a setting
 */
export function resolveSweep(
  values: SweepValues,
  typed: readonly string[] = [],
  nameOf: (setting: string) => string = (setting) => setting,
): { readonly sweep: Sweep; readonly problems: readonly string[] } {
  const { grid, problems } = resolveGrid(values, typed);
  problems.push(...findContradictions(values, nameOf));
  const sweep = { grid, ...resolveSimulation(values) };
  const size = sizeOf(grid);
  if (size > mostScenarios) {
    problems.push(
      `the grid must be of at most ${mostScenarios} scenarios, got ${size}; use fewer values or larger steps`,
    );
  } else if (problems.length === 0) {
    problems.push(...checkMemory(estimateSweep(sweep), availableMemory()));
    problems.push(...checkDaysOfGrid(grid, sweep));
  }
  return { sweep, problems };
}

function resolveGrid(
  { scenarios, ...values }: SweepValues,
  typed: readonly string[],
): { grid: Grid; problems: string[] } {
  if (scenarios === undefined) return { grid: [resolveProduct(values)], problems: [] };
  const winning = Object.fromEntries(Object.entries(values).filter(([setting]) => typed.includes(setting)));
  const problems: string[] = [];
  const grid = scenarios.map((input, i) => {
    const { name, ...settings } = Object(input) as { name?: unknown };
    const hasName = typeof name === "string" && name.trim() !== "";
    const title = `scenario ${i + 1}${hasName ? ` (${inOneLine(name)})` : ""}`;
    if (name !== undefined && !hasName)
      problems.push(`${title}: name must be text, got ${JSON.stringify(name)}`);
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    const own = checkSettings(
      axisSettings,
      isObject ? settings : input,
      (setting) => `${title}${setting === undefined ? "" : `: ${setting}`}`,
    );
    problems.push(...own.problems);
    return resolveProduct({ ...values, ...own.values, ...winning }, hasName ? name : undefined);
  });
  return { grid, problems };
}
