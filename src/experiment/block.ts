// Simulates blocks of days: the whole of what a thread does.
import { type DayColumns, newDayColumns } from "../engine/day-columns.js";
import type { DayEngine } from "../engine/day-engine.js";
import { type EngineName, newEngine } from "../engine/engine.js";
import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "../random/fate-sampler.js";
import { deriveKey } from "../random/key.js";
import { longestStrip, newFateSampler } from "../random/samplers.js";
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

/** What one of the experiments of a runner needs of its own. */
interface Member {
  readonly keepDays: boolean;
  readonly engine: DayEngine;
  readonly columns: DayColumns;
}

/**
 * Simulates blocks of experiments that draw the same days, such as those that differ in the supervisor's policy: each
 * day is drawn once for all of them. Keeps its tables from block to block.
 */
export class BlockRunner {
  readonly #sampler: FateSampler;
  readonly #members: readonly Member[];

  constructor(experiments: readonly [Experiment, ...Experiment[]]) {
    const [{ scenario, seed }] = experiments;
    this.#sampler = newFateSampler(scenario, deriveKey(seed));
    this.#members = experiments.map(({ scenario, engine, keepDays }) => ({
      keepDays,
      engine: newEngine(engine, scenario),
      columns: newDayColumns(longestStrip),
    }));
  }

  /** Simulates a block. @returns one result per experiment */
  run(block: Block): BlockResult[] {
    const sampler = this.#sampler;
    const results = this.#members.map((member) => ({
      ...member,
      tally: new Tally(),
      days: member.keepDays ? newDayColumns(block.end - block.begin) : undefined,
    }));
    for (let begin = block.begin; begin < block.end; ) {
      const length = sampler.draw(begin, block.end);
      for (const { engine, columns, tally, days } of results) {
        engine.simulate(sampler, columns);
        tally.addDays(columns, length);
        if (days !== undefined) copyRows(columns, days, begin - block.begin, length);
      }
      begin += length;
    }
    return results.map(({ engine, tally, days }) => {
      engine.drainDelays(tally.delays);
      return { block, tally: tally.toData(), ...(days && { days }) };
    });
  }
}

/** Copies the first `length` rows to another place. */
function copyRows(from: DayColumns, to: DayColumns, row: number, length: number): void {
  for (const [name, column] of Object.entries(from)) {
    to[name as keyof DayColumns].set(column.subarray(0, length), row);
  }
}
