import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { newDayColumns } from "../src/engine/day-columns.js";
import { newEngine } from "../src/engine/engine.js";
import { type MetricName, metrics } from "../src/model/metrics.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";
import { Histogram } from "../src/stats/histogram.js";
import { chiSquareChance, falseAlarm, fitChance, type Pmf } from "./significance.js";

interface ExactPmf extends Pmf {
  readonly mean: number;
  readonly sd: number;
}

/** An entry of the golden file, which scripts/exact-distributions.py writes. */
interface Exact {
  readonly name: string;
  readonly scenario: Scenario;
  readonly metrics: Readonly<Record<MetricName, ExactPmf>>;
  /** Over all re-drives; and mean and covariance of a day's number of re-drives with each delay. */
  readonly recoveryDelay: ExactPmf & {
    readonly dailyMeans: readonly number[];
    readonly dailyCovariance: readonly (readonly number[])[];
  };
}

const golden: Exact[] = JSON.parse(
  readFileSync(new URL("golden/exact-distributions.json", import.meta.url), "utf8"),
);

const metricNames = metrics.map(({ name }) => name);

describe("the exact distributions, the oracle,", () => {
  test("are of the default scenario and have its published means and standard deviations", () => {
    const [{ scenario, metrics: exact }] = golden;
    expect(scenario).toEqual(defaultScenario);
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
    for (const [metric, mean, sd] of published) {
      expect(exact[metric].mean, metric).toBeCloseTo(mean, 5);
      expect(exact[metric].sd, metric).toBeCloseTo(sd, 5);
    }
  });

  test("are complete, and have the means and standard deviations that they state", () => {
    for (const { name, metrics: exact, recoveryDelay } of golden) {
      expect(Object.keys(exact).sort()).toEqual([...metricNames].sort());
      for (const [metric, { values, probabilities, mean, sd }] of Object.entries({
        ...exact,
        recoveryDelay,
      })) {
        const sum = (f: (value: number) => number) =>
          Array.from(values).reduce((total, value, i) => total + f(value) * probabilities[i], 0);
        expect(
          sum(() => 1),
          `${name}: ${metric}`,
        ).toBeCloseTo(1, 9);
        expect(
          sum((value) => value - mean),
          `${name}: ${metric}`,
        ).toBeCloseTo(0, 5);
        expect(Math.sqrt(sum((value) => (value - mean) ** 2)), `${name}: ${metric}`).toBeCloseTo(sd, 5);
      }
    }
  });
});

function simulate(scenario: Scenario, seed: string, dayCount: number) {
  const block = 512;
  const sampler = newFateSampler(scenario, deriveKey(seed), block);
  const engine = newEngine("table", scenario);
  const columns = newDayColumns(block);
  const histograms = new Map(metricNames.map((metric) => [metric, new Histogram()]));
  for (let begin = 0; begin < dayCount; ) {
    const length = sampler.draw(begin, dayCount);
    engine.simulate(sampler, columns);
    begin += length;
    for (const [metric, histogram] of histograms) histogram.addColumn(columns[metric], length);
  }
  const delays = new Histogram();
  engine.drainDelays(delays);
  return { histograms, delays: delays.toCounts() };
}

/** The x with matrix * x = right; for a symmetric positive definite matrix. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  rows.forEach((pivot, i) => {
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[i] / pivot[i];
      row.forEach((_, k) => {
        row[k] -= factor * pivot[k];
      });
    }
  });
  return rows.map((row, i) => row[right.length] / row[i]);
}

// One check for each metric and one for the delays, 12 for each scenario, each with a false alarm by a chance of
// `falseAlarm`, and by one more of 4e-6 at most since values of a probability below 1e-12 count as impossible.
describe.each(golden)(
  "simulated days of the scenario $name",
  ({ name, scenario, metrics: exact, recoveryDelay }) => {
    const dayCount = 200_000;
    let days: ReturnType<typeof simulate>;
    beforeAll(() => {
      days = simulate(scenario, `distribution ${name}`, dayCount);
    });

    test.each(metricNames)("have the exact distribution of %s", (metric) => {
      const counted = (days.histograms.get(metric) as Histogram).toCounts();
      expect(fitChance(counted, exact[metric])).toBeGreaterThan(falseAlarm);
    });

    test("have re-drives of each recovery delay as often as is exact", () => {
      const { delays } = days;
      const { values, dailyMeans, dailyCovariance } = recoveryDelay;
      expect([...delays.values]).toEqual(values);
      // Re-drives of one job depend on each other, days do not: the days' sums are jointly normal.
      const deviations = dailyMeans.map((mean, i) => delays.counts[i] - dayCount * mean);
      const statistic =
        solve(dailyCovariance, deviations).reduce((sum, x, i) => sum + x * deviations[i], 0) / dayCount;
      expect(chiSquareChance(statistic, dailyMeans.length)).toBeGreaterThan(falseAlarm);
    });
  },
);
