// How the days of a run are divided into blocks, and whether they are worth more than one thread.
import type { EngineName } from "../engine/engine.js";
import type { Scenario } from "../model/scenario.js";
import { countFates, estimateFaults } from "./day-size.js";

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

/** Jobs beyond these do not stay in the processor's cache. */
const cachedJobs = 200_000;

/** More fates than these are not listed, nor are those of which none is as probable as this: they are met one by one. */
const listedFates = 1 << 17;
const listedUncertainFates = 1 << 12;
const leastProbable = 1 / 64;

/**
 * About how long a day takes: so much for each job and each of its faults, or for each fate that occurs. Only the order
 * of magnitude matters, since results do not depend on blocks.
 */
export function estimateDayNs(scenario: Scenario, engine: EngineName): number {
  const { workflows, kk3 } = scenario;
  const faults = estimateFaults(scenario);
  // A job with a fault takes many times as long as the others.
  if (engine === "event") return (workflows > cachedJobs ? 40 : 14) * workflows + 200 * faults;
  const fates = Math.min(faults, countFates(scenario));
  return 100 + (areListed(scenario) ? 10 : 400) * fates + (typeof kk3 === "number" ? 0 : 2500);
}

/** Whether the fates of a scenario are known before its days are drawn, about. */
function areListed(scenario: Scenario): boolean {
  const { steps, kk3, kk2, stallOn, retryLimit } = scenario;
  if (typeof kk3 !== "number") return countFates(scenario) <= listedUncertainFates;
  const allStall = stallOn === "first-attempt" ? kk3 ** steps.length : kk3 ** retryLimit;
  const mostProbable = Math.max((1 - kk3) ** steps.length, allStall) * Math.max(1 - kk2, kk2 / steps.length);
  return countFates(scenario) <= listedFates && mostProbable >= leastProbable;
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
