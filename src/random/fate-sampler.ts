// The ways of drawing days, and which one a scenario gets.
import type { FateTree } from "../model/fate-tree.js";
import type { Scenario } from "../model/scenario.js";
import type { DrawnDays } from "./drawn-days.js";
import type { Key } from "./key.js";
import { PoissonSampler } from "./poisson-sampler.js";
import { TreeSampler } from "./tree-sampler.js";

/** Draws days of a scenario, in strips of consecutive days. Day d is the same whichever days are drawn with it. */
export interface FateSampler {
  readonly tree: FateTree;
  /** The days drawn last. */
  readonly days: DrawnDays;
  /** Grows by 1 whenever the tree forgets its fates, so that what was known of them is void. */
  readonly generation: number;
  /**
   * Draws the days from `first` to `end` - 1, or as many of them as a strip can hold; at least one.
   *
   * @param first - from 0
   * @param end - at most 2^53. @default first + 1
   * @returns the number of days that were drawn; they are in `days`
   */
  draw(first: number, end?: number): number;
}

/** Most days of a strip: few enough for its columns to stay in the processor's cache. */
export const longestStrip = 256;

/** @param mostDays - of a strip */
export function newFateSampler(scenario: Scenario, key: Key, mostDays = longestStrip): FateSampler {
  return PoissonSampler.for(scenario, key, mostDays) ?? new TreeSampler(scenario, key, mostDays);
}
