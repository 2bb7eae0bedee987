// Tests of fit against an independent implementation, exact tails and samples of known origin.
import { describe, expect, test } from "vitest";
import { deriveKey } from "../src/random/key.js";
import { purpose, Stream } from "../src/random/stream.js";
import { chiSquareChance, normalChance, testFit, testRange } from "../src/stats/goodness-of-fit.js";
import { binomialPmf } from "./exact-binomial.js";
import { chiSquareChance as chanceByOther, falseAlarm, kolmogorovChance, tally } from "./significance.js";

function toExpected({ values, probabilities }: { values: number[]; probabilities: number[] }, unlisted = 0) {
  return { values: Float64Array.from(values), probabilities: Float64Array.from(probabilities), unlisted };
}

function toCounts(sample: Iterable<number>) {
  const { values, counts } = tally([...sample].sort((a, b) => a - b));
  return { values: Float64Array.from(values), counts: Float64Array.from(counts) };
}

/** Counts that are expected exactly, but for a factor of some of them. */
function expectedCounts(
  { values, probabilities }: { values: number[]; probabilities: number[] },
  n: number,
  factor: (i: number) => number = () => 1,
) {
  return {
    values: Float64Array.from(values),
    counts: Float64Array.from(probabilities, (p, i) => Math.round(n * p * factor(i))),
  };
}

describe("chiSquareChance", () => {
  test("agrees with another implementation, far out as well", () => {
    for (const degrees of [1, 2, 7, 40, 333, 3000])
      for (const deviations of [-2, 0, 1, 3, 6, 10, 30]) {
        const statistic = Math.max(0.1, degrees + deviations * Math.sqrt(2 * degrees));
        const other = chanceByOther(statistic, degrees);
        expect(chiSquareChance(statistic, degrees) / other, `${degrees}, ${statistic}`).toBeCloseTo(1, 8);
      }
  });

  test("is 0 where it is too small for a number, and normalChance knows 1.96 and 6", () => {
    expect(chiSquareChance(5000, 3)).toBe(0);
    expect(chiSquareChance(1e9, 1000)).toBe(0);
    expect(normalChance(Infinity)).toBe(0);
    expect(normalChance(-1.959963984540054)).toBeCloseTo(0.05, 12);
    expect(normalChance(6)).toBeCloseTo(1.973175290075e-9, 18);
  });
});

describe("testFit", () => {
  // One check: a false alarm by a chance of `falseAlarm`.
  test("of samples of the distribution has a uniform p-value", () => {
    const { values, probabilities } = binomialPmf(30, 0.2);
    const stream = new Stream(deriveKey("goodness of fit"));
    let total = 0;
    const cumulative = probabilities.map((p, i) => {
      total += p;
      return i === probabilities.length - 1 ? 1 : total;
    });
    const chances = Array.from({ length: 800 }, (_, day) => {
      stream.start(day, purpose.fates);
      const sample = Array.from({ length: 1500 }, () => {
        const mark = stream.fraction();
        return values[cumulative.findIndex((share) => mark < share)];
      });
      return testFit(toCounts(sample), toExpected({ values, probabilities })).pValue;
    });
    expect(kolmogorovChance(chances, (p) => Math.min(1, Math.max(0, p)))).toBeGreaterThan(falseAlarm);
  });

  test("far out, has its false alarms as often as it should, or less: two cells of 50 and more", () => {
    // Of all outcomes of a binomial count, those with a p-value below the threshold must not be more probable.
    for (const [n, chance] of [
      [100, 0.5],
      [1000, 0.05],
      [100_000, 0.0005],
    ]) {
      const exact = binomialPmf(n, chance);
      for (const threshold of [1e-4, 1e-6, 1e-9]) {
        const alarm = exact.values.reduce((sum, hits, i) => {
          const counts = { values: Float64Array.of(0, 1), counts: Float64Array.of(n - hits, hits) };
          const { pValue } = testFit(
            counts,
            toExpected({ values: [0, 1], probabilities: [1 - chance, chance] }),
          );
          return pValue < threshold ? sum + exact.probabilities[i] : sum;
        }, 0);
        expect(alarm / threshold, `${n}, ${threshold}`).toBeLessThan(1.6);
      }
    }
  });

  test("pools thin cells with their neighbors, so that none has below 50 expected", () => {
    const pmf = binomialPmf(30, 0.2);
    const { degrees, pValue, statistic } = testFit(expectedCounts(pmf, 10_000), toExpected(pmf));
    // 0 and 1, 2 ... 11, and 12 and more.
    expect(degrees).toBe(11);
    expect(pValue).toBeGreaterThan(0.999);
    expect(statistic).toBeLessThan(0.1);
  });

  test("sees a shape that is off by four parts in a thousand in ten million days, and not in ten thousand", () => {
    const pmf = binomialPmf(30, 0.2);
    const tilt = (i: number) => (i % 2 === 0 ? 1.004 : 0.996);
    expect(testFit(expectedCounts(pmf, 1e7, tilt), toExpected(pmf)).pValue).toBeLessThan(1e-6);
    expect(testFit(expectedCounts(pmf, 1e4, tilt), toExpected(pmf)).pValue).toBeGreaterThan(0.9);
  });

  test("has nothing to say with too few observations for two cells", () => {
    const pmf = binomialPmf(30, 0.2);
    expect(testFit(expectedCounts(pmf, 60), toExpected(pmf))).toEqual({
      statistic: 0,
      degrees: 0,
      pValue: 1,
    });
  });
});

describe("testRange", () => {
  const counts = { values: Float64Array.of(0, 3, 7), counts: Float64Array.of(500, 498, 2) };
  const listed = { values: [0, 3], probabilities: [0.5, 0.5] };

  test("finds nothing where all values are listed, and a value that cannot be impossible", () => {
    expect(testRange(counts, toExpected({ values: [0, 3, 7], probabilities: [0.4, 0.4, 0.2] }))).toBe(1);
    expect(testRange(counts, toExpected(listed))).toBe(0);
    expect(testRange(counts, toExpected({ values: [0, 3, 7], probabilities: [0.5, 0.5, 0] }))).toBe(0);
  });

  test("knows the chance of values that are left out", () => {
    expect(testRange(counts, toExpected(listed, 1e-6)) / (1e-3 ** 2 / 2)).toBeCloseTo(1, 12);
  });
});
