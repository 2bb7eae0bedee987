// A sweep: many scenarios that share their random numbers, simulated on one pool.
import { totalmem } from "node:os";
import { axisSettings, type Scenario } from "../model/scenario.js";
import {
  checkSettings,
  parsed,
  SettingsError,
  type SettingTable,
  type SettingValues,
} from "../model/settings.js";
import type { BlockResult } from "./block.js";
import { keyFiguresOf, type MainEffect, MainEffects } from "./effects.js";
import { checkMemory, estimateSweep } from "./estimate.js";
import { type Grid, type GridScenario, mostScenarios, resolveProduct, scenariosOf, sizeOf } from "./grid.js";
import { threadsFor } from "./plan.js";
import {
  findContradictions,
  resolveSimulation,
  type Simulation,
  type SimulationSettings,
  simulationSettings,
} from "./settings.js";
import type { DaysOfBlock } from "./simulate.js";
import { renderStudies } from "./studies.js";
import type { Study } from "./study.js";
import type { StudyData } from "./study-data.js";
import type { Rendering } from "./task.js";

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
    problems.push(...checkMemory(estimateSweep(sweep), totalmem()));
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
    const title = `scenario ${i + 1}${hasName ? ` (${name})` : ""}`;
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

/** What a caller may want to see of a sweep while it goes on. */
export interface SweepHooks {
  /** Called with the result of each scenario, in order; the sweep waits for it. */
  readonly onScenario?: (result: SweepScenario) => void | Promise<void>;
  /** Ends the sweep early: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of one scenario of a sweep. */
export interface SweepScenario extends StudyData {
  readonly name: string | undefined;
}

/** What a sweep comes to. */
export interface SweepResult extends Sweep {
  /** Scenarios that were simulated. */
  readonly scenarioCount: number;
  /** How far each parameter moves the metrics, the largest effects of each metric first. */
  readonly effects: readonly MainEffect[];
  /** Threads that did the work, this one included; 0 where it was alone. */
  readonly threadsUsed: number;
}

/**
 * Simulates a grid of scenarios that share their random numbers: the same day, the same draws.
 *
 * The result of each scenario is that of `simulate` with the same settings, whatever the threads.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export async function sweep(
  settings: SweepSettings = {},
  { onScenario, signal }: SweepHooks = {},
): Promise<SweepResult> {
  const { values, problems } = checkSettings(sweepSettings, settings);
  const { sweep, problems: more } = resolveSweep(values);
  if (problems.length + more.length > 0) throw new SettingsError([...problems, ...more]);
  const rendering = { module: new URL("./study-data.js", import.meta.url).href, options: undefined };
  const effects = new MainEffects(sweep.grid);
  const results = simulateSweep<StudyData>(sweep, rendering, signal);
  for await (const { content, gridScenario } of results) {
    effects.add(content.scenario, keyFiguresOf(content.metrics));
    await onScenario?.({ ...content, name: gridScenario.name });
  }
  return {
    ...sweep,
    scenarioCount: sizeOf(sweep.grid),
    effects: effects.describe(),
    threadsUsed: chooseSweepThreads(sweep),
  };
}

/**
 * Simulates a sweep and yields, in the order of the scenarios, what the rendering makes of each.
 *
 * @param onDays - gets the days of scenarios that are simulated in blocks, in order, those of the others are with the
 * results; without it days are not kept
 */
export async function* simulateSweep<Rendered>(
  sweep: Sweep,
  rendering: Rendering,
  signal?: AbortSignal,
  onDays?: (number: number, days: DaysOfBlock) => void | Promise<void>,
): AsyncGenerator<{ readonly gridScenario: GridScenario; readonly content: Rendered }> {
  const scenarios = scenariosOf(sweep.grid);
  const threads = chooseSweepThreads(sweep);
  const onBlock = async ({ block, days }: BlockResult, { number }: Study) => {
    if (days !== undefined) await onDays?.(number, { block, days });
  };
  const studies = studiesOf(sweep, onDays !== undefined);
  for await (const content of renderStudies<Rendered>(studies, rendering, { threads, signal, onBlock })) {
    yield { gridScenario: scenarios.next().value as GridScenario, content };
  }
}

/** The number of threads worth starting; 0 where this one does the work alone. */
export function chooseSweepThreads(sweep: Sweep): number {
  // Nobody knows how much work a precision is.
  const workNs = sweep.precision === undefined ? estimateSweep(sweep).workNs : Number.POSITIVE_INFINITY;
  return threadsFor(workNs, Number.POSITIVE_INFINITY, sweep.threads);
}

function* studiesOf({ grid, seed, engine, days, precision }: Sweep, keepDays: boolean): Generator<Study> {
  for (const { number, scenario } of scenariosOf(grid)) {
    yield { number, scenario, seed, engine, days, precision, keepDays };
  }
}
