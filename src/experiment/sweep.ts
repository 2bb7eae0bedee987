// A sweep: many scenarios that share their random numbers, simulated on one pool.
import { checkSettings, SettingsError } from "../model/settings.js";
import type { BlockResult } from "./block.js";
import { keyFiguresOf, type MainEffect, MainEffects } from "./effects.js";
import { estimateSweep } from "./estimate.js";
import { type GridScenario, scenariosOf, sizeOf } from "./grid.js";
import { threadsFor } from "./plan.js";
import type { DaysOfBlock } from "./simulate.js";
import { renderStudies } from "./studies.js";
import type { Study } from "./study.js";
import type { StudyData } from "./study-data.js";
import { resolveSweep, type Sweep, type SweepSettings, sweepSettings } from "./sweep-settings.js";
import type { Tally, TallyData } from "./tally.js";
import type { Rendering } from "./task.js";

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
  const results = simulateSweep<StudyData>(sweep, rendering, { signal });
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

/** What whoever simulates a sweep may want of it, beside the results. */
export interface SweepParts {
  readonly signal?: AbortSignal | undefined;
  /**
   * Gets the days of scenarios that are simulated in blocks, in order, those of the others are with the results;
   * without it days are not kept.
   */
  readonly onDays?: ((number: number, days: DaysOfBlock) => void | Promise<void>) | undefined;
  /** Called after it with the tally of all blocks of that scenario so far. */
  readonly onTally?: ((tally: Tally) => void | Promise<void>) | undefined;
  /** Scenarios that are done already, and what is known of the one after them. */
  readonly begun?: { readonly scenarios: number; readonly tally: TallyData | undefined } | undefined;
}

/** Simulates a sweep and yields, in the order of the scenarios, what the rendering makes of each. */
export async function* simulateSweep<Rendered>(
  sweep: Sweep,
  rendering: Rendering,
  { signal, onDays, onTally, begun }: SweepParts = {},
): AsyncGenerator<{ readonly gridScenario: GridScenario; readonly content: Rendered }> {
  const first = 1 + (begun?.scenarios ?? 0);
  const scenarios = scenariosOf(sweep.grid, first);
  const threads = chooseSweepThreads(sweep);
  const onBlock = async ({ block, days }: BlockResult, { number }: Study) => {
    if (days !== undefined) await onDays?.(number, { block, days });
  };
  const studies = studiesOf(sweep, onDays !== undefined, first);
  const { workNs } = estimateSweep(sweep);
  const hooks = { threads, workNs, signal, onBlock, onTally, begun: begun?.tally };
  for await (const content of renderStudies<Rendered>(studies, rendering, hooks)) {
    yield { gridScenario: scenarios.next().value as GridScenario, content };
  }
}

/** The number of threads worth starting; 0 where this one does the work alone. */
export function chooseSweepThreads(sweep: Sweep): number {
  // Nobody knows how much work a precision is.
  const workNs = sweep.precision === undefined ? estimateSweep(sweep).workNs : Number.POSITIVE_INFINITY;
  return threadsFor(workNs, Number.POSITIVE_INFINITY, sweep.threads);
}

function* studiesOf(sweep: Sweep, keepDays: boolean, first: number): Generator<Study> {
  const { grid, seed, engine, exact, days, precision } = sweep;
  for (const { number, scenario } of scenariosOf(grid, first)) {
    yield { number, scenario, seed, engine, exact, begin: 0, days, precision, keepDays };
  }
}
