// The shards that are to be put together: all of one result, each once.
import { SettingsError } from "../model/settings.js";
import { type FoundShard, findShard, type Whole } from "../report/shard-folder.js";
import { compareIdentities } from "./identity.js";

/** Lines of one kind of problem that are shown; a thousand shards may be unfinished. */
const mostShown = 20;

/**
 * Reads and checks all shards.
 *
 * @returns them in order
 * @throws SettingsError with a line for each shard that is missing, doubled, damaged, or of another result or version; the
 *   reason of the signal once it is aborted
 */
export async function gatherShards(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly [FoundShard, ...FoundShard[]]> {
  const harms: string[] = [];
  const shards: FoundShard[] = [];
  /** Numbers of shards that are there, but not whole. */
  const harmed = new Set<number>();
  /** By identity. A sweep has thousands of named scenarios, and all its shards say which. */
  const wholes = new Map<string, Whole>();
  for (const path of paths) {
    const found = await findShard(path, signal);
    if ("whole" in found) {
      const key = JSON.stringify(found.whole.identity);
      const whole = wholes.get(key) ?? found.whole;
      wholes.set(key, whole);
      shards.push({ ...found, whole });
      continue;
    }
    harms.push(`${path} must be a whole shard: ${found.problem}`);
    if (found.number !== undefined) harmed.add(found.number);
  }
  const [family, ...others] = groupFamilies(shards);
  if (family === undefined) throw new SettingsError(shorten(harms));
  const problems = [
    ...shorten(harms),
    ...shorten(others.flatMap((other) => describeForeign(other, family))),
    ...shorten(describeDoubled(family)),
    ...describeMissing(family, harmed),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return family.toSorted((a, b) => a.number - b.number) as [FoundShard, ...FoundShard[]];
}

/** Shards of the same result, divided into as many parts: the largest family first. */
function groupFamilies(shards: readonly FoundShard[]): FoundShard[][] {
  const families = new Map<string, FoundShard[]>();
  for (const shard of shards) {
    const key = JSON.stringify([shard.count, shard.whole.identity]);
    const family = families.get(key);
    if (family === undefined) families.set(key, [shard]);
    else family.push(shard);
  }
  return [...families.values()].sort((a, b) => b.length - a.length);
}

function describeForeign(foreign: readonly FoundShard[], family: readonly FoundShard[]): string[] {
  const [{ whole, count }] = foreign;
  const [first] = family;
  const differences = compareIdentities(first.whole.identity, whole.identity).map(
    ({ name, one, other }) => `${name} is ${other}, there ${one}`,
  );
  if (count !== first.count) differences.push(`it is of ${count} parts, there of ${first.count}`);
  return foreign.map(
    ({ path }) => `${path} must be of the same result as ${first.path}: ${differences.join("; ")}`,
  );
}

function describeDoubled(family: readonly FoundShard[]): string[] {
  const byNumber = new Map<number, string[]>();
  for (const { number, path } of family) byNumber.set(number, [...(byNumber.get(number) ?? []), path]);
  return [...byNumber].flatMap(([number, paths]) =>
    paths.length > 1 ? [`shard ${number} must be given once, got ${paths.join(" and ")}`] : [],
  );
}

function describeMissing(family: readonly FoundShard[], harmed: ReadonlySet<number>): string[] {
  const [{ count }] = family;
  const present = new Set([...harmed, ...family.map(({ number }) => number)]);
  const ranges: string[] = [];
  for (let number = 1; number <= count; number++) {
    if (present.has(number)) continue;
    const begin = number;
    while (number < count && !present.has(number + 1)) number++;
    ranges.push(begin === number ? `${begin}` : `${begin} to ${number}`);
  }
  if (ranges.length === 0) return [];
  return [`all ${count} shards must be given, missing ${ranges.join(", ")}`];
}

function shorten(problems: readonly string[]): string[] {
  if (problems.length <= mostShown) return [...problems];
  return [...problems.slice(0, mostShown), `and ${problems.length - mostShown} more like these`];
}
