// How the days of a run are divided into blocks, and whether they are worth more than one thread.
import type { EngineName } from "../engine/engine.js";
import { typicalRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";

/** Consecutive days, simulated by one thread in one go. */
export interface Block {
  /** The first day, from 0. */
  readonly begin: number;
  /** The day after the last one. */
  readonly end: number;
}

/** A block takes about this long: long enough to be worth a message, short enough to share out evenly. */
const blockNs = 25e6;

/** Starting a thread and loading the engine there takes some 50 ms; below this much work it does not pay. */
const threadsPayNs = 300e6;

/** Largest block, in days, so that the days of a block that are kept for days.csv stay small. */
export const longestBlock = 32768;

/**
 * About how long a day takes: so much for each job, or for each fate that occurs. Only the order of magnitude matters,
 * since results do not depend on blocks.
 */
export function estimateDayNs(scenario: Scenario, engine: EngineName): number {
  const { workflows, steps, kk3, kk2, stallOn, retryLimit } = scenario;
  if (engine === "event") return 14 * workflows;
  const faults = workflows * (steps.length * typicalRatio(kk3) + kk2);
  const outcomesOfStep = stallOn === "first-attempt" ? 2 : retryLimit;
  const fates = Math.min(faults, 2 * outcomesOfStep ** steps.length);
  return 100 + 10 * fates + (typeof kk3 === "number" ? 0 : 2500);
}

/** The number of days in a block; depends on the scenario and the engine alone, so not on the threads. */
export function chooseBlockLength(scenario: Scenario, engine: EngineName): number {
  const days = blockNs / estimateDayNs(scenario, engine);
  return Math.min(longestBlock, Math.max(1, 2 ** Math.floor(Math.log2(days))));
}

/** Divides the days from `begin` to `end` - 1 into blocks of `length` days; the last one may be shorter. */
export function* planBlocks(end: number, length: number, begin = 0): Generator<Block> {
  for (; begin < end; begin += length) yield { begin, end: Math.min(end, begin + length) };
}

/** The number of threads worth starting, at most `threads`; 0 means that the main thread does the work. */
export function chooseThreads(scenario: Scenario, engine: EngineName, days: number, threads: number): number {
  const tasks = Math.ceil(days / chooseBlockLength(scenario, engine));
  return threadsFor(days * estimateDayNs(scenario, engine), tasks, threads);
}

/** The same for so much work in so many tasks. */
export function threadsFor(workNs: number, tasks: number, threads: number): number {
  if (threads < 2 || workNs < threadsPayNs) return 0;
  return Math.min(threads, tasks);
}
