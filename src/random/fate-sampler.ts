// What the ways of drawing days have in common.
import type { FateTree } from "../model/fate-tree.js";
import type { DrawnDays } from "./drawn-days.js";

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
