// The fates of a strip of consecutive days. Says how they lie in memory, not where they come from.
import { enlarge } from "../model/column.js";
import type { FateCounts } from "../model/fates.js";

/** Samplers end a strip early once it lists this many fates, so that memory is bounded. */
export const longestList = 1 << 16;

/** A fate that most days have. */
export interface CommonFate {
  readonly fate: number;
  /** The jobs that meet it; one entry per day. */
  readonly jobs: Float64Array;
}

/**
 * How many jobs of each of some days meet which fate; one row per day.
 *
 * Fates that most days have are columns over the days. The others, which few jobs meet, are listed day after day.
 */
export class DrawnDays {
  /** Days that have been drawn. */
  length = 0;
  /** KK3 of each day. */
  readonly kk3: Float64Array;
  readonly common: readonly CommonFate[];
  /** Where the list of each day ends and that of the next one begins. */
  readonly end: Int32Array;
  // The list. A fate may stand in several entries of a day.
  fate = new Int32Array(1024);
  count = new Int32Array(1024);
  /** Entries in the list. */
  listed = 0;

  /** @param mostDays - that are drawn together, the length of each column */
  constructor(mostDays: number, common: readonly CommonFate[]) {
    this.common = common;
    this.kk3 = new Float64Array(mostDays);
    this.end = new Int32Array(mostDays);
  }

  /** Lists a fate of the day that is being drawn. */
  list(fate: number, count: number): void {
    if (this.listed === this.fate.length) {
      this.fate = enlarge(this.fate);
      this.count = enlarge(this.count);
    }
    this.fate[this.listed] = fate;
    this.count[this.listed++] = count;
  }

  /** Puts the fates of one day in the place of those of `into`. */
  copyDay(day: number, into: FateCounts): void {
    into.clear();
    for (const { fate, jobs } of this.common) if (jobs[day] > 0) into.add(fate, jobs[day]);
    for (let i = day === 0 ? 0 : this.end[day - 1]; i < this.end[day]; i++)
      into.add(this.fate[i], this.count[i]);
  }
}
