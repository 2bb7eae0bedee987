// How surprising counts are under the distribution that they should come from. The one file that knows cephes.
import cephes from "cephes";
import type { ValueCounts } from "./histogram.js";

await cephes.compiled;

/** Neighboring values are pooled until this many observations are expected of them. */
const leastExpected = 50;

/** Values in ascending order, their probabilities, and the chance at most of values that are not among them. */
export interface Expected {
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  readonly unlisted: number;
}

/** The result of a chi-square test. */
export interface Fit {
  readonly statistic: number;
  /** Degrees of freedom: pooled cells less 1. */
  readonly degrees: number;
  /** The chance of a result at least as far off; 1 where there are too few observations for two cells. */
  readonly pValue: number;
}

/**
 * Tests independent observations against a known distribution by the likelihood ratio, 2 sum O log(O / E) over pooled
 * cells, which is chi-square distributed. Its advantage over Pearson's sum of (O - E)^2 / E: far out, where many tests
 * at once must look, it exceeds chi-square less often than it should rather than more often, also where cells are not
 * large. The factor that mends its mean is of D. A. Williams, Biometrika 63 (1976), 33-37.
 *
 * Values that are not listed are left to {@link testRange}.
 */
export function testFit(counts: ValueCounts, expected: Expected): Fit {
  const { listed, listedCount: n } = findListed(counts, expected);
  const cells = poolCells(listed, expected.probabilities, n);
  const degrees = cells.length - 1;
  if (degrees <= 0) return { statistic: 0, degrees: 0, pValue: 1 };
  let statistic = 0;
  let reciprocals = 0;
  for (const { seen, expected: mean } of cells) {
    statistic += deviance(seen, mean);
    reciprocals += n / mean;
  }
  statistic /= 1 + (reciprocals - 1) / (6 * n * degrees);
  return { statistic, degrees, pValue: chiSquareChance(statistic, degrees) };
}

/** The chance of as many observations of values that the distribution does not list, or more. */
export function testRange(counts: ValueCounts, expected: Expected): number {
  const { listedCount, unlistedCount } = findListed(counts, expected);
  // Of k or more events of which m << 1 are expected, the chance is at most m^k / k!.
  const mean = (listedCount + unlistedCount) * expected.unlisted;
  let chance = 1;
  for (let k = 1; k <= unlistedCount && chance > 0; k++) chance *= Math.min(1, mean / k);
  return chance;
}

/** Observations of each value that the distribution lists, and of all others. */
function findListed({ values, counts }: ValueCounts, expected: Expected) {
  const listed = new Float64Array(expected.values.length);
  let listedCount = 0;
  let unlistedCount = 0;
  // Both lists ascend.
  for (let i = 0, k = 0; i < values.length; i++) {
    while (k < listed.length && expected.values[k] < values[i]) k++;
    if (k < listed.length && expected.values[k] === values[i] && expected.probabilities[k] > 0) {
      listed[k] += counts[i];
      listedCount += counts[i];
    } else {
      unlistedCount += counts[i];
    }
  }
  return { listed, listedCount, unlistedCount };
}

/** The chance that a chi-square variate is at least this large; below about 1e-300 it is 0. */
export function chiSquareChance(statistic: number, degrees: number): number {
  // Beyond this, cephes reports an underflow as an error.
  const isBeyond = statistic > degrees + 60 * Math.sqrt(degrees) + 1400;
  return isBeyond ? 0 : cephes.chdtrc(degrees, statistic);
}

/** The chance that a normal variate is at least this many standard deviations from its mean. */
export function normalChance(deviations: number): number {
  return chiSquareChance(deviations * deviations, 1);
}

interface Cell {
  seen: number;
  expected: number;
}

function poolCells(counts: Float64Array, probabilities: Float64Array, n: number): Cell[] {
  const cells: Cell[] = [];
  let cell: Cell = { seen: 0, expected: 0 };
  for (let i = 0; i < counts.length; i++) {
    cell.seen += counts[i];
    cell.expected += n * probabilities[i];
    if (cell.expected < leastExpected) continue;
    cells.push(cell);
    cell = { seen: 0, expected: 0 };
  }
  // What is left over joins the last cell.
  const last = cells.at(-1);
  if (last === undefined) return [cell];
  last.seen += cell.seen;
  last.expected += cell.expected;
  return cells;
}

/** 2 (O log(O / E) - (O - E)), which is never negative; the sum over cells is the likelihood ratio. */
function deviance(seen: number, expected: number): number {
  if (seen === 0) return 2 * expected;
  const excess = (seen - expected) / expected;
  // Near 0 the two terms cancel: (1 + x) log(1 + x) - x = x^2 / 2 - x^3 / 6 + x^4 / 12 - ...
  const bracket =
    Math.abs(excess) < 1e-4
      ? excess * excess * (1 / 2 - excess * (1 / 6 - excess / 12))
      : (1 + excess) * Math.log1p(excess) - excess;
  return 2 * expected * bracket;
}
