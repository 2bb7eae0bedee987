// Simulates blocks of days: the whole of what a thread does.
import { type DayColumns, newDayColumns } from "../engine/day-columns.js";
import type { DayEngine } from "../engine/day-engine.js";
import { type EngineName, newEngine } from "../engine/engine.js";
import type { Scenario } from "../model/scenario.js";
import { type FateSampler, longestStrip, newFateSampler } from "../random/fate-sampler.js";
import { deriveKey } from "../random/key.js";
import type { Block } from "./plan.js";
import { Tally, type TallyData } from "./tally.js";

/** What all blocks of a run share. */
export interface Experiment {
  readonly scenario: Scenario;
  readonly seed: string;
  readonly engine: EngineName;
  /** Whether the days themselves are wanted, beside their tally. */
  readonly keepDays: boolean;
}

/** A block's tally and, where they are wanted, its days: one row per day from `begin` on. */
export interface BlockResult {
  readonly block: Block;
  readonly tally: TallyData;
  readonly days?: DayColumns;
}

/** Simulates blocks of one experiment; keeps its tables from block to block. */
export class BlockRunner {
  readonly #keepDays: boolean;
  readonly #sampler: FateSampler;
  readonly #engine: DayEngine;
  readonly #columns = newDayColumns(longestStrip);

  constructor({ scenario, seed, engine, keepDays }: Experiment) {
    this.#keepDays = keepDays;
    this.#sampler = newFateSampler(scenario, deriveKey(seed));
    this.#engine = newEngine(engine, scenario);
  }

  run(block: Block): BlockResult {
    const tally = new Tally();
    const days = this.#keepDays ? newDayColumns(block.end - block.begin) : undefined;
    for (let begin = block.begin; begin < block.end; ) {
      const length = this.#sampler.draw(begin, block.end);
      this.#engine.simulate(this.#sampler, this.#columns);
      tally.addDays(this.#columns, length);
      if (days !== undefined) copyRows(this.#columns, days, begin - block.begin, length);
      begin += length;
    }
    this.#engine.drainDelays(tally.delays);
    return { block, tally: tally.toData(), ...(days && { days }) };
  }
}

/** Copies the first `length` rows to another place. */
export function copyRows(from: DayColumns, to: DayColumns, row: number, length: number): void {
  for (const [name, column] of Object.entries(from)) {
    to[name as keyof DayColumns].set(column.subarray(0, length), row);
  }
}
