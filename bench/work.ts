// The work that cases do: each function builds what is needed and returns the call that is measured.
import { type DayColumns, newDayColumns } from "../src/engine/day-columns.js";
import { type EngineName, newEngine } from "../src/engine/engine.js";
import { EventEngine } from "../src/engine/event.js";
import { type BlockResult, BlockRunner } from "../src/experiment/block.js";
import { simulateRun } from "../src/experiment/simulate.js";
import { Tally } from "../src/experiment/tally.js";
import { FateCounts } from "../src/model/fates.js";
import type { Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";
import { purpose, Stream } from "../src/random/stream.js";
import { csvRows } from "../src/report/csv.js";
import { type DayRow, daysTable } from "../src/report/tables.js";
import { Histogram } from "../src/stats/histogram.js";
import type { Call } from "./case.js";

/** Days that one call takes, where a day is short; for the tally, those that a block tallies at a time. */
export const strip = 256;

/** Different days that an engine meets in turn where it is measured alone: too many to be learned by heart. */
export const drawnDays = 16;

/** Draws `strip` days per call, always new ones. */
export function drawing(scenario: Scenario, seed: string): Call {
  const sampler = newFateSampler(scenario, deriveKey(seed));
  let day = 0;
  return () => {
    const end = day + strip;
    let sum = 0;
    while (day < end) {
      day += sampler.draw(day, end);
      sum += sampler.days.listed;
    }
    return sum;
  };
}

/** Starts the streams of `strip` days per call, with as many words as two and one for each single fault. */
export function seeding({ steps }: Scenario, seed: string): Call {
  const stream = new Stream(deriveKey(seed), { days: strip, reserved: 2 + 2 * steps.length });
  let day = 0;
  return () => {
    stream.startDays(day, strip, purpose.fates);
    day += strip;
    return stream.words[0];
  };
}

/** Draws the same `strip` days per call: no branch and no part of a table is new. */
export function redrawing(scenario: Scenario, seed: string): Call {
  const sampler = newFateSampler(scenario, deriveKey(seed));
  return () => {
    sampler.draw(0, strip);
    return sampler.days.listed;
  };
}

/** Simulates the same `dayCount` drawn days per call. */
export function simulating(engine: EngineName, scenario: Scenario, seed: string, dayCount: number): Call {
  const sampler = newFateSampler(scenario, deriveKey(seed), dayCount);
  sampler.draw(0, dayCount);
  const dayEngine = newEngine(engine, scenario);
  const columns = newDayColumns(dayCount);
  return () => {
    dayEngine.simulate(sampler, columns);
    return columns.redriven[0] + columns.lastRound[dayCount - 1];
  };
}

/** Simulates `dayCount` drawn days per call, event by event, with the supervisor only. */
export function supervising(scenario: Scenario, seed: string, dayCount: number): Call {
  const sampler = newFateSampler(scenario, deriveKey(seed), drawnDays);
  sampler.draw(0, drawnDays);
  const { tree, days } = sampler;
  const engine = new EventEngine(scenario.steps.length, scenario);
  const delays = new Histogram();
  const day = new FateCounts();
  const nextDay = takeTurns(drawnDays);
  return () => {
    let sum = 0;
    for (let i = 0; i < dayCount; i++) {
      days.copyDay(nextDay(), day);
      sum += engine.run(tree.table, day, true, delays).lastRound;
    }
    return sum;
  };
}

/** Runs a block of `dayCount` new days per call, as each thread of a run does: drawn, simulated and tallied. */
export function runningBlocks(engine: EngineName, scenario: Scenario, seed: string, dayCount: number): Call {
  const runner = new BlockRunner([{ scenario, seed, engine, keepDays: false }]);
  let begin = 0;
  return () => {
    const [{ tally }] = runner.run({ begin, end: begin + dayCount });
    begin += dayCount;
    return tally.metrics.lastRound.counts[0];
  };
}

/** Adds `strip` days to a tally per call. */
export function tallying(scenario: Scenario, seed: string): Call {
  const { days } = keepDays(scenario, seed, strip);
  const tally = new Tally();
  let calls = 0;
  return () => {
    tally.addDays(days, strip);
    return ++calls;
  };
}

/** Turns `dayCount` days into lines of days.csv per call. */
export function writingRows(scenario: Scenario, seed: string, dayCount: number): Call {
  const { block, days } = keepDays(scenario, seed, dayCount);
  return () => {
    const rows = Array.from({ length: dayCount }, (_, row): DayRow => ({ number: 1, block, days, row }));
    return csvRows(daysTable, rows, "rfc4180").length;
  };
}

/** A whole run of `days` days per call, from the seed to the statistics and exact values of each metric. */
export function runningAll(
  engine: EngineName,
  scenario: Scenario,
  seed: string,
  { days, threads }: { readonly days: number; readonly threads: number },
): Call {
  return async () => {
    const { metrics } = await simulateRun({
      scenario,
      days,
      precision: undefined,
      exact: false,
      seed,
      threads,
      engine,
    });
    return metrics[0].n ?? 0;
  };
}

/** 0, 1 and so on up to `length` - 1, then again from 0. */
export function takeTurns(length: number): () => number {
  let last = -1;
  return () => {
    last = last + 1 === length ? 0 : last + 1;
    return last;
  };
}

function keepDays(
  scenario: Scenario,
  seed: string,
  dayCount: number,
): { readonly block: BlockResult["block"]; readonly days: DayColumns } {
  const runner = new BlockRunner([{ scenario, seed, engine: "table", keepDays: true }]);
  const [{ block, days }] = runner.run({ begin: 0, end: dayCount });
  return { block, days: days as DayColumns };
}
