// Shards: a run or sweep divided among machines. Each takes its part of the blocks of days, and all parts make the whole.
import type { Scenario } from "../model/scenario.js";
import { parsed, type Setting } from "../model/settings.js";
import { chooseBlockLength, longestBlock } from "./plan.js";
import type { Simulation } from "./settings.js";
import type { Study } from "./study.js";
import { estimateStudyNs } from "./task-plan.js";

/** One of `count` parts. */
export interface Shard {
  /** From 1 to `count`. */
  readonly number: number;
  readonly count: number;
}

/** Most parts of one result. */
const mostShards = 1_000_000;

/** A setting of text such as "3/8". */
export function shardSetting(): Setting<Shard> {
  return parsed(`i/n with whole numbers, i from 1 to n, n up to ${mostShards}, such as 3/8`, (input) => {
    const [, number, count] = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(String(input))?.map(Number) ?? [];
    return number <= count && count <= mostShards ? { number, count } : undefined;
  });
}

/** What a shard has to do. */
export interface ShardPlan {
  /** The first and the last of its studies; undefined where it has none, since there are more shards than blocks. */
  readonly ends: readonly [first: Study, last: Study] | undefined;
  /** Days of all its studies; with a precision, at most so many. */
  readonly days: number;
  readonly workNs: number;
  /** Its studies in order, from the one with this index on: whole scenarios, but for the first and the last. */
  readonly studies: (from?: number) => Generator<Study>;
}

/** A scenario and its number, from 1. */
interface Numbered {
  readonly number: number;
  readonly scenario: Scenario;
}

/** Blocks for each shard, at least, so that all have about the same work; where there are fewer, blocks are shorter. */
const blocksPerShard = 16;

/**
 * Plans a shard: the blocks of the first scenario, then those of the second, and so on, are one long row, which is cut
 * into parts of equal length. Where it is cut depends on scenarios, days and the number of shards alone, so not on
 * engine or threads.
 *
 * With a precision the days of a scenario depend on each other, and it is one block.
 *
 * @param scenarios - gives the scenarios from the one with this number on, in order, each time it is called
 */
export function planShard(
  { seed, engine, exact, days, precision }: Simulation,
  scenarios: (first: number) => Iterable<Numbered>,
  { number: shard, count }: Shard,
  keepDays: boolean,
): ShardPlan {
  const wholeLengthOf = (scenario: Scenario) =>
    precision === undefined ? chooseBlockLength(scenario, "table") : days;
  // There are few lengths, but there may be millions of scenarios.
  const scenariosByLength = new Map<number, number>();
  for (const { scenario } of scenarios(1)) {
    const length = wholeLengthOf(scenario);
    scenariosByLength.set(length, (scenariosByLength.get(length) ?? 0) + 1);
  }
  let divisor = 1;
  const shortened = (length: number) => Math.max(1, length / divisor);
  const countBlocks = () => {
    let blocks = 0;
    for (const [length, n] of scenariosByLength) blocks += n * Math.ceil(days / shortened(length));
    return blocks;
  };
  let blocks = countBlocks();
  while (precision === undefined && blocks < blocksPerShard * count && divisor < longestBlock) {
    divisor *= 2;
    blocks = countBlocks();
  }
  const cut = (after: number) => Number((BigInt(blocks) * BigInt(after)) / BigInt(count));
  const [from, to] = [cut(shard - 1), cut(shard)];
  const studyOf = ({ number, scenario }: Numbered, begin: number, end: number): Study => {
    return { number, scenario, seed, engine, exact, begin, days: end - begin, precision, keepDays };
  };

  let daysOfShard = 0;
  let workNs = 0;
  let ends: ShardPlan["ends"];
  // Of the scenario's first block, in the row.
  let position = 0;
  for (const numbered of scenarios(1)) {
    if (position >= to) break;
    const length = shortened(wholeLengthOf(numbered.scenario));
    const begin = Math.max(0, from - position) * length;
    const end = Math.min(days, (to - position) * length);
    position += Math.ceil(days / length);
    if (begin >= end) continue;
    const study = studyOf(numbered, begin, end);
    daysOfShard += study.days;
    workNs += estimateStudyNs(study);
    ends = [ends?.[0] ?? study, study];
  }

  function* studies(index = 0): Generator<Study> {
    if (ends === undefined) return;
    const [first, last] = ends;
    for (const numbered of scenarios(first.number + index)) {
      if (numbered.number > last.number) return;
      if (numbered.number === first.number) yield first;
      else if (numbered.number === last.number) yield last;
      else yield studyOf(numbered, 0, days);
    }
  }

  return { ends, days: daysOfShard, workNs, studies };
}
