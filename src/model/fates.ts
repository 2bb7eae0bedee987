// Fates: what goes wrong with a job, step by step. Knows neither probabilities nor rounds.
import { enlarge } from "./column.js";

/**
 * A growing table of fates, one row each. The fate of row 0 is the clean job, with which nothing goes wrong.
 *
 * An execution of step s dies without a record when s is the fate's persistent step, or when its attempt
 * (from 0) is below the fate's number of stalls at s.
 */
export class FateTable {
  readonly stepCount: number;
  length = 0;
  /** Executions that stall, one entry per fate and step. */
  #stalls: Uint16Array;
  /** The step that never passes, or `stepCount`; one entry per fate. */
  #persistent: Uint16Array;

  constructor(stepCount: number) {
    this.stepCount = stepCount;
    this.#stalls = new Uint16Array(16 * stepCount);
    this.#persistent = new Uint16Array(16);
    this.clear();
  }

  /** Forgets all fates but the clean one. */
  clear(): void {
    this.length = 0;
    this.add();
  }

  /**
   * Adds a fate: a copy of fate `like`, or a clean one.
   *
   * @returns its row
   */
  add(like?: number): number {
    const { stepCount } = this;
    const fate = this.length++;
    if (fate === this.#persistent.length) {
      this.#stalls = enlarge(this.#stalls);
      this.#persistent = enlarge(this.#persistent);
    }
    if (like === undefined) {
      this.#stalls.fill(0, fate * stepCount, (fate + 1) * stepCount);
      this.#persistent[fate] = stepCount;
    } else {
      this.#stalls.copyWithin(fate * stepCount, like * stepCount, (like + 1) * stepCount);
      this.#persistent[fate] = this.#persistent[like];
    }
    return fate;
  }

  /** One more execution of this step stalls. */
  addStall(fate: number, step: number): void {
    this.#stalls[fate * this.stepCount + step]++;
  }

  /** This step never passes. */
  setPersistent(fate: number, step: number): void {
    this.#persistent[fate] = step;
  }

  stallCount(fate: number, step: number): number {
    return this.#stalls[fate * this.stepCount + step];
  }

  /** The step that never passes, or `stepCount` where each does. */
  persistentStep(fate: number): number {
    return this.#persistent[fate];
  }

  /** Whether the execution with this attempt (from 0) of this step dies without a record. */
  dies(fate: number, step: number, attempt: number): boolean {
    return this.#persistent[fate] === step || attempt < this.#stalls[fate * this.stepCount + step];
  }

  /** The first step from `begin` on of which some execution dies; `stepCount` where none does. */
  nextTrouble(fate: number, begin: number): number {
    let step = begin;
    while (step < this.stepCount && !this.dies(fate, step, 0)) step++;
    return step;
  }
}

/**
 * The jobs of one day by fate: `count[i]` jobs have fate `fate[i]`, for i from 0 to `length` - 1. A fate may stand in
 * several entries.
 */
export class FateCounts {
  length = 0;
  fate = new Int32Array(64);
  count = new Int32Array(64);

  clear(): void {
    this.length = 0;
  }

  add(fate: number, count: number): void {
    if (this.length === this.fate.length) {
      this.fate = enlarge(this.fate);
      this.count = enlarge(this.count);
    }
    this.fate[this.length] = fate;
    this.count[this.length++] = count;
  }
}
