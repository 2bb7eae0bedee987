// Simulates scenarios that meet the same faults, such as those that differ in the supervisor's policy: each day is
// drawn once for all of them.
import { newDayColumns } from "../engine/day-columns.js";
import { newEngine } from "../engine/engine.js";
import { FateSampler } from "../random/fate-sampler.js";
import { deriveKey } from "../random/key.js";
import { type BlockResult, copyRows, type Experiment } from "./block.js";
import type { Block } from "./plan.js";
import type { Study } from "./study.js";
import { Tally } from "./tally.js";

/** Days that are tallied at a time. */
const strip = 256;

/** Whether studies can be simulated in one go, each day drawn once for all of them. */
export function areDrawnTogether(a: Study, b: Study): boolean {
  return a.precision === undefined && b.precision === undefined && a.days === b.days && drawTheSame(a, b);
}

/** Divides studies into groups of neighbors that are drawn together. */
export function groupStudies(studies: readonly Study[]): Study[][] {
  const groups: Study[][] = [];
  for (const study of studies) {
    const group = groups.at(-1);
    if (group !== undefined && areDrawnTogether(group[0], study)) group.push(study);
    else groups.push([study]);
  }
  return groups;
}

/** Whether two experiments draw the same days. */
function drawTheSame(a: Experiment, b: Experiment): boolean {
  const [one, other] = [a.scenario, b.scenario];
  return (
    a.seed === b.seed &&
    one.workflows === other.workflows &&
    one.kk2 === other.kk2 &&
    one.stallOn === other.stallOn &&
    // Where stalls may repeat, a job can stall until it is given up.
    (one.stallOn === "first-attempt" || one.retryLimit === other.retryLimit) &&
    JSON.stringify([one.steps, one.kk3]) === JSON.stringify([other.steps, other.kk3])
  );
}

/**
 * Simulates a block of each of some experiments that draw the same days.
 *
 * @returns one result per experiment, the same as that of its own runner
 */
export function runGroup(experiments: readonly Experiment[], block: Block): BlockResult[] {
  const [{ scenario, seed }] = experiments;
  const sampler = new FateSampler(scenario, deriveKey(seed));
  const members = experiments.map(({ engine, scenario, keepDays }) => ({
    engine: newEngine(engine, scenario),
    columns: newDayColumns(strip),
    tally: new Tally(),
    days: keepDays ? newDayColumns(block.end - block.begin) : undefined,
  }));
  for (let begin = block.begin; begin < block.end; begin += strip) {
    const length = Math.min(strip, block.end - begin);
    for (let row = 0; row < length; row++) {
      sampler.draw(begin + row);
      for (const { engine, columns } of members) engine.simulate(sampler, columns, row);
    }
    for (const { columns, tally, days } of members) {
      tally.addDays(columns, length);
      if (days !== undefined) copyRows(columns, days, begin - block.begin, length);
    }
  }
  return members.map(({ engine, tally, days }) => {
    engine.drainDelays(tally.delays);
    return { block, tally: tally.toData(), ...(days && { days }) };
  });
}
