// Exact results against an independent computation, published figures and brute force.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxDistribution, momentsOf, sumDistribution } from "../src/exact/distribution.js";
import { computeExact, type ExactMetrics } from "../src/exact/metrics.js";
import { recoveryDelay } from "../src/model/metrics.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";

interface Known {
  readonly mean: number;
  readonly sd: number;
  readonly values: readonly number[];
  readonly probabilities: readonly number[];
}

interface KnownScenario {
  readonly name: string;
  readonly scenario: Scenario;
  readonly metrics: Readonly<Record<string, Known>>;
  readonly recoveryDelay: Known;
}

/** Written by scripts/exact-distributions.py, a second implementation; its figures have 13 digits. */
const golden: readonly KnownScenario[] = JSON.parse(
  readFileSync(new URL("golden/exact-distributions.json", import.meta.url), "utf8"),
);

/** The sum of two independent numbers, the slow way. */
function addUp(
  a: ReadonlyMap<number, number>,
  b: ReadonlyMap<number, number>,
  combine: (x: number, y: number) => number,
) {
  const result = new Map<number, number>();
  for (const [x, p] of a)
    for (const [y, q] of b) result.set(combine(x, y), (result.get(combine(x, y)) ?? 0) + p * q);
  return result;
}

const oneJob = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 1000 })), {
    minLength: 1,
    maxLength: 6,
    selector: ([value]) => value,
  })
  .map((pairs) => {
    const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
    return new Map(pairs.map(([value, weight]) => [value, weight / total]));
  });

describe("computeExact", () => {
  for (const { name, scenario, metrics, recoveryDelay: delay } of golden) {
    test(`agrees with the second implementation on every metric: ${name}`, () => {
      const exact = computeExact(scenario);
      for (const [metric, known] of [...Object.entries(metrics), [recoveryDelay.name, delay] as const]) {
        const found = exact[metric as keyof ExactMetrics];
        expect(found?.mean, `${metric} mean`).toBeCloseTo(known.mean, 7);
        expect(found?.sd, `${metric} sd`).toBeCloseTo(known.sd, 7);
        for (const [i, value] of known.values.entries()) {
          const share = found?.shareOf(value) as number;
          expect(Math.abs(share - known.probabilities[i]), `${metric} = ${value}`).toBeLessThan(
            1e-9 * known.probabilities[i] + 1e-13,
          );
        }
      }
    });
  }

  test("knows what was published: half-finished 157.81396 +- 12.31209, last round 11.40954 +- 1.47741", () => {
    const { halfFinishedUnsupervised, lastRound, redriven } = computeExact(defaultScenario);
    expect(halfFinishedUnsupervised?.mean).toBeCloseTo(157.81396, 5);
    expect(halfFinishedUnsupervised?.sd).toBeCloseTo(12.31209, 5);
    expect(redriven).toMatchObject({ mean: 319 });
    expect(lastRound?.mean).toBeCloseTo(11.40954, 5);
    expect(lastRound?.sd).toBeCloseTo(1.47741, 5);
  });

  test("gives a value that never occurs the probability 0", () => {
    const { wasted, recordsRead, recoveryWorstRounds } = computeExact(defaultScenario);
    expect(wasted?.shareOf(-1)).toBe(0);
    expect(recordsRead?.shareOf(4001)).toBe(0);
    expect(recoveryWorstRounds?.shareOf(3)).toBe(0);
  });

  test("has nothing to say where KK3 is uncertain or the fates are too many", () => {
    expect(computeExact({ ...defaultScenario, kk3: { kind: "beta", parameters: [2, 398] } })).toEqual({});
    const manyFates = { retryLimit: 50, stallOn: "every-attempt", steps: [..."abcdefgh"] } as const;
    expect(computeExact({ ...defaultScenario, ...manyFates })).toEqual({});
  });

  test("has means for a very wide day, but no distribution of its sums", () => {
    const { redriven, lastRound } = computeExact({ ...defaultScenario, workflows: 4_000_000 });
    expect(redriven?.mean).toBeCloseTo(319_000, 6);
    expect(redriven?.shareOf(319_000)).toBeUndefined();
    expect(lastRound?.shareOf(16)).toBeGreaterThan(0);
  });

  test("has no recovery delay where nothing is re-driven", () => {
    expect(computeExact({ ...defaultScenario, kk2: 0, kk3: 0 })).not.toHaveProperty(
      "recoveryDelayRounds.mean",
    );
  });
});

describe("sumDistribution and maxDistribution", () => {
  test("agree with adding and comparing one number after the other", () => {
    fc.assert(
      fc.property(oneJob, fc.integer({ min: 1, max: 40 }), (one, count) => {
        let sum: ReadonlyMap<number, number> = one;
        let max: ReadonlyMap<number, number> = one;
        for (let i = 1; i < count; i++) {
          sum = addUp(sum, one, (x, y) => x + y);
          max = addUp(max, one, Math.max);
        }
        const { first, probabilities } = sumDistribution(one, count) as NonNullable<
          ReturnType<typeof sumDistribution>
        >;
        for (const [value, p] of sum) expect(probabilities[value - first] ?? 0).toBeCloseTo(p, 12);
        for (const [value, p] of maxDistribution(one, count)) expect(p).toBeCloseTo(max.get(value) ?? 0, 12);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test("momentsOf a fair die are 3.5 and the root of 35/12", () => {
    const die = new Map([1, 2, 3, 4, 5, 6].map((face) => [face, 1 / 6]));
    expect(momentsOf(die).mean).toBeCloseTo(3.5, 14);
    expect(momentsOf(die).sd).toBeCloseTo(Math.sqrt(35 / 12), 14);
  });
});
