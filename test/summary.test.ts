// Statistics of histograms against their definitions.
import fc from "fast-check";
import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { Histogram } from "../src/stats/histogram.js";
import { ProductSum } from "../src/stats/sum.js";
import { quantile, quantileInterval, ratioError, summarize } from "../src/stats/summary.js";

function countsOf(values: readonly number[]) {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value, 1);
  return histogram.toCounts();
}

const samples = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 80 });

describe("quantile", () => {
  test("is the smallest value with at least that share at or below it", () => {
    fc.assert(
      fc.property(
        samples,
        fc.constantFrom(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1),
        (values, share) => {
          const sorted = [...values].sort((a, b) => a - b);
          const atOrBelow = (value: number) => values.filter((other) => other <= value).length;
          const expected = sorted.find((value) => atOrBelow(value) >= share * values.length - 1e-9);
          expect(quantile(countsOf(values), share)).toBe(expected);
        },
      ),
      { seed: 2 },
    );
  });

  test("counts a share that is met exactly as met", () => {
    const hundred = countsOf(Array.from({ length: 100 }, (_, i) => i + 1));
    for (const percent of [1, 5, 25, 50, 75, 95, 99]) expect(quantile(hundred, percent / 100)).toBe(percent);
  });

  test("is undefined without observations", () => {
    expect(quantile(countsOf([]), 0.5)).toBeUndefined();
  });
});

describe("summarize", () => {
  test("gives the sample standard deviation and the normal interval of a known sample", () => {
    const { n, mean, sd, meanCi95, min, max } = summarize(countsOf([2, 4, 4, 4, 5, 5, 7, 9]));
    expect([n, mean, min, max]).toEqual([8, 5, 2, 9]);
    expect(sd).toBeCloseTo(Math.sqrt(32 / 7), 14);
    expect(meanCi95?.[0]).toBeCloseTo(5 - 1.959963984540054 * Math.sqrt(32 / 7 / 8), 12);
    expect(meanCi95?.[1]).toBeCloseTo(5 + 1.959963984540054 * Math.sqrt(32 / 7 / 8), 12);
  });

  test("has no spread for one observation and nothing but n for none", () => {
    expect(summarize(countsOf([7]))).toMatchObject({
      n: 1,
      mean: 7,
      sd: undefined,
      meanCi95: undefined,
      max: 7,
    });
    expect(summarize(countsOf([]))).toMatchObject({ n: 0, mean: undefined, sd: undefined, min: undefined });
  });

  test("keeps its digits where values are large and close", () => {
    const { mean, sd } = summarize(countsOf([1e9 + 1, 1e9 + 2, 1e9 + 3]));
    expect(mean).toBe(1e9 + 2);
    expect(sd).toBe(1);
  });
});

describe("quantileInterval", () => {
  const thousand = countsOf(Array.from({ length: 1000 }, (_, i) => i + 1));

  test("lies between the values whose ranks are 1.96 standard deviations from the quantile's", () => {
    // The number at or below the p99 has standard deviation sqrt(1000 0.99 0.01) = 3.146: ranks 983.8 to 996.2.
    expect(quantileInterval(thousand, 0.99, 1000)).toEqual([984, 997]);
    expect(quantileInterval(thousand, 0.5, 1000)).toEqual([470, 531]);
  });

  test("is wider for fewer independent observations and undefined where it reaches beyond all", () => {
    expect(quantileInterval(thousand, 0.5, 100)).toEqual([403, 598]);
    expect(quantileInterval(thousand, 0.99, 100)).toBeUndefined();
    expect(quantileInterval(countsOf([]), 0.5, 1000)).toBeUndefined();
  });

  test("covers the quantile about as often as it says", () => {
    // Of 400 samples of 500 uniform whole numbers from 0 to 999, whose p90 is 899: 380 expected, sd 4.4; 5 of them to
    // either side, false-alarm rate below 1e-6, plus the coarseness of ranks.
    const random = seedrandom("coverage");
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const sample = countsOf(Array.from({ length: 500 }, () => Math.floor(random() * 1000)));
      const [low, high] = quantileInterval(sample, 0.9, 500) ?? [0, 0];
      if (low <= 899 && 899 <= high) covered++;
    }
    expect(covered).toBeGreaterThan(358);
    expect(covered).toBeLessThan(398);
  });
});

describe("ratioError", () => {
  test("is the linearized standard error of a ratio of daily totals", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 400 })), {
          minLength: 2,
        }),
        (days) => {
          const numerator = days.reduce((sum, [a]) => sum + a, 0);
          const denominator = days.reduce((sum, [, b]) => sum + b, 0);
          const ratio = numerator / denominator;
          const squared = days.reduce((sum, [a, b]) => sum + (a - ratio * b) ** 2, 0);
          const expected = Math.sqrt((days.length * squared) / (days.length - 1)) / denominator;
          const sums = [new ProductSum(), new ProductSum(), new ProductSum()] as const;
          const [a, b] = [0, 1].map((i) => Float64Array.from(days, (day) => day[i]));
          sums[0].addColumns(a, a, days.length);
          sums[1].addColumns(a, b, days.length);
          sums[2].addColumns(b, b, days.length);
          const found = ratioError({
            days: days.length,
            numerator: BigInt(numerator),
            denominator: BigInt(denominator),
            squares: [sums[0].total, sums[1].total, sums[2].total],
          });
          expect(found).toBeCloseTo(expected, 8);
        },
      ),
      { seed: 3 },
    );
  });

  test("is undefined for one day and without re-drives", () => {
    const squares = [0n, 0n, 0n] as const;
    expect(ratioError({ days: 1, numerator: 1n, denominator: 1n, squares })).toBeUndefined();
    expect(ratioError({ days: 5, numerator: 0n, denominator: 0n, squares })).toBeUndefined();
  });
});

describe("ProductSum", () => {
  test("is exact beyond 2^53", () => {
    const sum = new ProductSum();
    const large = Float64Array.of(2 ** 52 + 1, 3, 2 ** 52 - 1);
    sum.addColumns(large, large, 3);
    expect(sum.total).toBe((2n ** 52n + 1n) ** 2n + 9n + (2n ** 52n - 1n) ** 2n);
  });
});
