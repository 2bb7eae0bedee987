// Simulates the days of a run, on this thread or on several, and describes them.
import { setImmediate } from "node:timers/promises";
import { type BlockResult, BlockRunner, type Experiment } from "./block.js";
import { type Block, chooseBlockLength, chooseThreads, planBlocks } from "./plan.js";
import { describeTally, type MetricResult } from "./result.js";
import { checkRun, type Run, type RunSettings } from "./settings.js";
import { Tally } from "./tally.js";

/** What a caller may want to see of a run while it goes on. */
export interface RunHooks {
  /** Called after each block with the days done so far. */
  readonly onProgress?: (daysDone: number) => void;
  /** Called with the days of each block, in order; the run waits for it. */
  readonly onDays?: (days: DaysOfBlock) => void | Promise<void>;
  /** Ends the run early: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Simulated days, one row each. */
export type DaysOfBlock = Required<Pick<BlockResult, "block" | "days">>;

/** The result of a run. */
export interface RunResult extends Run {
  /** One entry per metric, then the recovery delay. */
  readonly metrics: readonly MetricResult[];
  /** Threads that did the work, this one included; 0 where it was alone. */
  readonly threadsUsed: number;
}

/**
 * Simulates many days of one scenario.
 *
 * The result depends on the scenario, the number of days and the seed alone, not on threads or engine.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export async function simulate(settings: RunSettings = {}, hooks: RunHooks = {}): Promise<RunResult> {
  return simulateRun(checkRun(settings), hooks);
}

/** The same for settings that are complete. */
export async function simulateRun(
  run: Run,
  { onProgress, onDays, signal }: RunHooks = {},
): Promise<RunResult> {
  const { scenario, days, seed, engine, threads } = run;
  const experiment = { scenario, seed, engine, keepDays: onDays !== undefined };
  const blocks = planBlocks(days, chooseBlockLength(scenario, engine));
  const threadsUsed = chooseThreads(scenario, engine, days, threads);
  const tally = new Tally();
  let daysDone = 0;
  for await (const { block, tally: part, days } of await startBlocks(experiment, blocks, threadsUsed)) {
    signal?.throwIfAborted();
    tally.merge(part);
    if (days !== undefined) await onDays?.({ block, days });
    daysDone += block.end - block.begin;
    onProgress?.(daysDone);
  }
  return { ...run, metrics: describeTally(scenario, tally.toData()), threadsUsed };
}

async function startBlocks(
  experiment: Experiment,
  blocks: Iterable<Block>,
  threads: number,
): Promise<AsyncIterable<BlockResult>> {
  if (threads === 0) return runBlocksHere(experiment, blocks);
  const { runBlocks } = await import("./pool.js");
  return runBlocks(experiment, blocks, threads);
}

/** Runs blocks on this thread; timers and signals have their turn between blocks. */
async function* runBlocksHere(experiment: Experiment, blocks: Iterable<Block>): AsyncGenerator<BlockResult> {
  const runner = new BlockRunner(experiment);
  for (const block of blocks) {
    yield runner.run(block);
    await setImmediate();
  }
}
