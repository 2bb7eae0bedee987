import { describe, expect, test } from "vitest";
import {
  chiSquareChance,
  falseAlarm,
  fitChance,
  kolmogorovChance,
  logGamma,
  normalChance,
  poissonChance,
  tally,
} from "./significance.js";

describe("the chances of the statistical tests", () => {
  test("logGamma gives the factorials and the square root of pi", () => {
    expect(Math.exp(logGamma(6))).toBeCloseTo(120, 10);
    expect(logGamma(101)).toBeCloseTo(363.739375555563, 10);
    expect(Math.exp(logGamma(0.5)) ** 2).toBeCloseTo(Math.PI, 12);
    expect(logGamma(0.001)).toBeCloseTo(6.907178885383853, 12);
  });

  // Published quantiles: NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.4.
  test.each([
    [3.841, 1, 0.05],
    [10.828, 1, 0.001],
    [18.307, 10, 0.05],
    [29.588, 10, 0.001],
    [124.342, 100, 0.05],
    [149.449, 100, 0.001],
    [77.929, 100, 0.95],
  ])("chiSquareChance(%d, %d) is %d", (statistic, degrees, chance) => {
    expect(chiSquareChance(statistic, degrees) / chance).toBeCloseTo(1, 3);
  });

  test("normalChance and poissonChance agree with their sums", () => {
    expect(normalChance(1.959963984540054)).toBeCloseTo(0.05, 12);
    expect(normalChance(-4.891638475698809) / 1e-6).toBeCloseTo(1, 9);
    const p = (k: number) => Math.exp(-3) * 3 ** k * Math.exp(-logGamma(k + 1));
    expect(poissonChance(1, 3)).toBeCloseTo(2 * (p(0) + p(1)), 12);
    expect(poissonChance(6, 3)).toBeCloseTo(2 * (1 - p(0) - p(1) - p(2) - p(3) - p(4) - p(5)), 12);
  });

  test("fitChance passes a fair sample, rejects a bent one and an impossible value", () => {
    const die = { values: [1, 2, 3, 4, 5, 6], probabilities: Array(6).fill(1 / 6) };
    const fair = { values: die.values, counts: [995, 1010, 1003, 987, 1021, 984] };
    expect(fitChance(fair, die)).toBeGreaterThan(0.1);
    expect(fitChance({ ...fair, counts: [1200, 1010, 1003, 987, 1021, 784] }, die)).toBeLessThan(falseAlarm);
    expect(fitChance({ values: [...die.values, 7], counts: [...fair.counts, 1] }, die)).toBe(0);
    expect(tally([3, 1, 3])).toEqual({ values: [3, 1], counts: [2, 1] });
  });

  test("kolmogorovChance passes an even sample, rejects a bent one, and counts an atom once", () => {
    const even = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
    const unit = (x: number) => Math.min(1, Math.max(0, x));
    expect(kolmogorovChance(even, unit)).toBe(1);
    expect(
      kolmogorovChance(
        even.map((x) => x ** 1.3),
        unit,
      ),
    ).toBeLessThan(falseAlarm);
    const cut = even.map((x) => Math.min(0.5, x));
    expect(kolmogorovChance(cut, (x) => (x < 0.5 ? x : 1))).toBeLessThan(falseAlarm);
    expect(kolmogorovChance(cut, (x) => (x < 0.5 ? x : 1), unit)).toBe(1);
    // The 5 % point of the limit distribution is 1.358 (Smirnov, 1948).
    const shifted = Array.from({ length: 1_000_000 }, (_, i) => (i + 0.5) / 1_000_000);
    expect(kolmogorovChance(shifted, (x) => x - 0.001358)).toBeCloseTo(0.05, 3);
  });
});
