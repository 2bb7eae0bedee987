// Exact results against an independent computation, published figures and brute force.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distributionOf, maxDistribution, momentsOf } from "../src/exact/distribution.js";
import { deriveExact, type ExactMetric, type ExactMetrics } from "../src/exact/metrics.js";
import { ratioNodes } from "../src/exact/ratio-nodes.js";
import { describeSum, sumDistribution } from "../src/exact/sum.js";
import { metrics as described, type MetricName, recoveryDelay } from "../src/model/metrics.js";
import { parseRatio, type Ratio } from "../src/model/ratio.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";
import { binomialPmf } from "./exact-binomial.js";

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
const readGolden = (name: string): readonly KnownScenario[] =>
  JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8"));
const golden = [...readGolden("exact-distributions.json"), ...readGolden("exact-wide.json")];

const stepNames = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

/** The metrics that a scenario has an exact distribution of. */
function distributed(exact: ExactMetrics): MetricName[] {
  return described.map(({ name }) => name).filter((name) => exact[name]?.distribution !== undefined);
}

/** The largest difference of two distributions' probabilities. */
function distance(a: ExactMetric | undefined, b: ExactMetric | undefined): number {
  const values = [...(a?.distribution?.values ?? []), ...(b?.distribution?.values ?? [])];
  return values.reduce(
    (most, value) => Math.max(most, Math.abs((a?.shareOf(value) ?? 1) - (b?.shareOf(value) ?? 1))),
    0,
  );
}

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

describe("deriveExact", () => {
  for (const { name, scenario, metrics, recoveryDelay: delay } of golden) {
    test(`agrees with the second implementation on every metric: ${name}`, () => {
      const exact = deriveExact(scenario);
      for (const [metric, known] of [...Object.entries(metrics), [recoveryDelay.name, delay] as const]) {
        const found = exact[metric as keyof ExactMetrics];
        // The other one's repeated squaring of a wide sum has an error of about 1e-16 times its numbers.
        const noise = 5e-8 + 1e-10 * known.mean;
        expect(Math.abs((found?.mean ?? 0) - known.mean), `${metric} mean`).toBeLessThan(noise);
        expect(Math.abs((found?.sd ?? 0) - known.sd), `${metric} sd`).toBeLessThan(noise);
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
    const published: [MetricName, number, number][] = [
      ["halfFinishedUnsupervised", 157.81396, 12.31209],
      ["completed", 3920, 8.85438],
      ["stepsRun", 15800, 24.28992],
      ["redriven", 319, 27.89874],
      ["wasted", 79, 8.86678],
      ["compensatedJobs", 80, 8.85438],
      ["compensatedSteps", 120, 16.62528],
      ["lastRound", 11.40954, 1.47741],
      ["recoveryWorstRounds", 2, 0],
    ];
    const exact = deriveExact(defaultScenario);
    for (const [metric, mean, sd] of published) {
      expect(exact[metric]?.mean, metric).toBeCloseTo(mean, 5);
      expect(exact[metric]?.sd, metric).toBeCloseTo(sd, 5);
    }
    expect(exact.redriven?.mean).toBe(319);
  });

  test("gives a value that never occurs the probability 0", () => {
    const { wasted, recordsRead, recoveryWorstRounds } = deriveExact(defaultScenario);
    expect(wasted?.shareOf(-1)).toBe(0);
    expect(recordsRead?.shareOf(4001)).toBe(0);
    expect(recoveryWorstRounds?.shareOf(3)).toBe(0);
  });

  test.each([40_000, 4_000_000, 100_000_000])("has the binomial distribution of jobs, of %d", (workflows) => {
    const { compensatedJobs, halfFinishedUnsupervised } = deriveExact({ ...defaultScenario, workflows });
    // Half-finished: a persistent step, else a stall of one of four.
    const chances = [0.02, 0.02 + 0.98 * (1 - 0.995 ** 4)];
    for (const [i, metric] of [compensatedJobs, halfFinishedUnsupervised].entries()) {
      const { values, probabilities } = binomialPmf(workflows, chances[i]);
      const peak = Math.max(...probabilities);
      const worst = values.reduce(
        (most, value, k) =>
          Math.max(most, Math.abs((metric?.shareOf(value) as number) - probabilities[k]) / peak),
        0,
      );
      // The oracle itself is right to 1e-16 times the jobs.
      expect(worst).toBeLessThan(1e-12 + 1e-16 * workflows);
    }
  });

  test("of every distribution, the probabilities add up to 1 and have the mean and sd stated", () => {
    const scenarios: Partial<Scenario>[] = [
      {},
      { workflows: 4_000_000 },
      { workflows: 4_000_000, kk2: 0 },
      { kk2: 0, kk3: 0 },
      { kk3: 0 },
      { kk2: 1, kk3: 1 },
      { steps: stepNames(16), workflows: 30 },
      { stallOn: "every-attempt", retryLimit: 50, kk3: 0.1 },
      { retryLimit: 400, rounds: 2000 },
      { kk3: parseRatio("uniform(0,1)") as Ratio, workflows: 100 },
      { kk3: parseRatio("beta(0.01,0.02)") as Ratio, workflows: 300 },
      { kk3: parseRatio("lognormal(0.9,8)") as Ratio, workflows: 300, stallOn: "every-attempt" },
    ];
    for (const changes of scenarios) {
      const exact = deriveExact({ ...defaultScenario, ...changes });
      const names = distributed(exact);
      expect(names, JSON.stringify(changes)).toHaveLength(described.length);
      for (const name of names) {
        const { mean, sd, distribution } = exact[name] as Required<ExactMetric>;
        const { values, probabilities } = distribution as NonNullable<typeof distribution>;
        const label = `${JSON.stringify(changes)} ${name}`;
        expect(
          probabilities.reduce((sum, p) => sum + p, 0),
          label,
        ).toBeCloseTo(1, 11);
        const deviation = values.reduce((sum, value, i) => sum + (value - mean) * probabilities[i], 0);
        expect(Math.abs(deviation), label).toBeLessThan(1e-9 * (1 + sd));
        const squares = values.reduce((sum, value, i) => sum + (value - mean) ** 2 * probabilities[i], 0);
        expect(Math.abs(Math.sqrt(squares) - sd), label).toBeLessThan(1e-8 * (1 + sd));
      }
    }
  });

  test.each([
    "uniform(0.002,0.02)",
    "uniform(0,1)",
    "triangular(0,0.01,0.3)",
    "beta(2,398)",
    "beta(0.3,0.6)",
    "beta(0.001,7)",
    "lognormal(0.005,0.5)",
    "lognormal(0.4,3)",
    "lognormal(0.005,1e-7)",
  ])("does not change when %s is integrated over twice as finely", (text) => {
    for (const changes of [{ workflows: 200 }, { workflows: 80, stallOn: "every-attempt" }] as const) {
      const scenario = { ...defaultScenario, ...changes, kk3: parseRatio(text) as Ratio };
      const exact = deriveExact(scenario);
      const finer = deriveExact(scenario, 2);
      expect(distributed(exact)).toHaveLength(described.length);
      for (const name of distributed(exact)) {
        expect(distance(exact[name], finer[name]), name).toBeLessThan(2e-12);
        expect(exact[name]?.sd, name).toBeCloseTo(finer[name]?.sd as number, 8);
      }
    }
  });

  test("has nothing to say where the fates are too many, even the probable ones", () => {
    const manyFates = { retryLimit: 50, stallOn: "every-attempt", steps: stepNames(8), kk3: 0.5 } as const;
    expect(deriveExact({ ...defaultScenario, ...manyFates })).toEqual({});
  });

  test("leaves out improbable fates, and means stay right", () => {
    const { wasted } = deriveExact({ ...defaultScenario, retryLimit: 10_000, stallOn: "every-attempt" });
    // A step is executed until it does not stall; of the jobs, a half per cent never comes to each next step.
    const reached = [0, 1, 2, 3].map((step) => 1 - (0.02 * (step + 1)) / 4);
    const expected = reached.reduce((sum, chance) => sum + (4000 * chance * 0.005) / 0.995, 0);
    expect(wasted?.mean).toBeCloseTo(expected, 8);
  });

  test("has means for a very wide day, but no distribution of its sums", () => {
    const wide = { ...defaultScenario, workflows: 100_000_000, retryLimit: 1000, rounds: 10_000 };
    const { redriven, compensatedJobs } = deriveExact(wide);
    expect(redriven?.mean).toBeCloseTo(
      100_000_000 * (0.02 * 1000 + 0.98 * 4 * 0.005 + 0.02 * 1.5 * 0.005),
      3,
    );
    expect(redriven?.distribution).toBeUndefined();
    expect(redriven?.shareOf(2_000_000_000)).toBeUndefined();
    expect(compensatedJobs?.distribution).toBeDefined();
  });

  test("has means and maxima for many jobs of uncertain KK3, but no distribution of their sums", () => {
    const kk3 = parseRatio("uniform(0.002,0.02)") as Ratio;
    const { redriven, lastRound } = deriveExact({ ...defaultScenario, workflows: 4_000_000, kk3 });
    expect(redriven?.mean).toBeCloseTo(4_000_000 * (0.06 + 0.011 * (0.98 * 4 + 0.02 * 1.5)), 3);
    expect(redriven?.distribution).toBeUndefined();
    expect(lastRound?.distribution).toBeDefined();
  });

  test("has no recovery delay where nothing is re-driven", () => {
    expect(deriveExact({ ...defaultScenario, kk2: 0, kk3: 0 })).not.toHaveProperty(
      "recoveryDelayRounds.mean",
    );
  });
});

describe("sumDistribution and maxDistribution", () => {
  test("agree with adding and comparing one number after the other, by convolution and by transform", () => {
    fc.assert(
      fc.property(oneJob, fc.integer({ min: 1, max: 40 }), (one, count) => {
        let sum: ReadonlyMap<number, number> = one;
        let max: ReadonlyMap<number, number> = one;
        for (let i = 1; i < count; i++) {
          sum = addUp(sum, one, (x, y) => x + y);
          max = addUp(max, one, Math.max);
        }
        for (const widest of [1024, 1]) {
          const found = sumDistribution(describeSum(distributionOf(one), count), widest);
          const { first, step, probabilities } = found as NonNullable<typeof found>;
          for (const [value, p] of sum) expect(probabilities[(value - first) / step] ?? 0).toBeCloseTo(p, 12);
        }
        const { values, probabilities } = maxDistribution(distributionOf(one), count);
        for (const [i, value] of values.entries())
          expect(probabilities[i]).toBeCloseTo(max.get(value) ?? 0, 12);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test("keep the digits of maxima that are all but impossible", () => {
    const die = distributionOf([1, 2, 3, 4, 5, 6].map((face) => [face, 1 / 6]));
    const { probabilities } = maxDistribution(die, 100);
    // All show at most 2, and not all 1: (2^100 - 1) / 6^100.
    expect(probabilities[1] / ((2 ** 100 - 1) / 6 ** 100)).toBeCloseTo(1, 12);
    const rare = distributionOf([
      [0, 1 - 1e-20],
      [1, 1e-20],
    ]);
    expect(maxDistribution(rare, 1000).probabilities[1] / 1e-17).toBeCloseTo(1, 12);
  });

  test("momentsOf a fair die are 3.5 and the root of 35/12", () => {
    const die = distributionOf([1, 2, 3, 4, 5, 6].map((face) => [face, 1 / 6]));
    expect(momentsOf(die).mean).toBeCloseTo(3.5, 14);
    expect(momentsOf(die).sd).toBeCloseTo(Math.sqrt(35 / 12), 14);
  });
});

describe("ratioNodes", () => {
  const mean = (ratio: Ratio, of: (x: number) => number) =>
    ratioNodes(ratio, () => 1000).reduce((sum, { ratio: x, weight }) => sum + weight * of(x), 0);

  test.each([
    ["uniform(0.2,0.6)", 0.4, 0.4 ** 2 + 0.4 ** 2 / 12],
    ["triangular(0.1,0.2,0.6)", 0.3, 0.3 ** 2 + (0.01 + 0.04 + 0.36 - 0.02 - 0.06 - 0.12) / 18],
    ["triangular(0.3,0.3,0.3)", 0.3, 0.09],
    ["beta(2,398)", 2 / 400, (2 * 3) / (400 * 401)],
    ["beta(0.001,0.5)", 0.001 / 0.501, (0.001 * 1.001) / (0.501 * 1.501)],
    ["beta(1000000,3)", 1e6 / 1_000_003, (1e6 * 1_000_001) / (1_000_003 * 1_000_004)],
    ["lognormal(0.001,0.3)", 0.001 * Math.exp(0.045), 1e-6 * Math.exp(0.18)],
    ["lognormal(0.3,0)", 0.3, 0.09],
  ])("of %s have its mean and mean square", (text, first, second) => {
    const ratio = parseRatio(text) as Ratio;
    expect(mean(ratio, () => 1)).toBeCloseTo(1, 13);
    expect(mean(ratio, (x) => x) / first).toBeCloseTo(1, 12);
    expect(mean(ratio, (x) => x * x) / second).toBeCloseTo(1, 12);
  });
});
