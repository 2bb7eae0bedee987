// Scenarios share their random numbers: how much smaller that makes the noise of their differences.
import { expect, test } from "vitest";
import { newDayColumns } from "../src/engine/day-columns.js";
import { BlockRunner } from "../src/experiment/block.js";
import { checkScenario, type ScenarioSettings } from "../src/model/scenario.js";

const dayCount = 4000;

function daysOf(settings: ScenarioSettings, seed: string) {
  const scenario = checkScenario(settings);
  const runner = new BlockRunner([{ scenario, seed, engine: "table", keepDays: true }]);
  return runner.run({ begin: 0, end: dayCount })[0].days ?? newDayColumns(0);
}

/** Sample variance of the differences of two columns. */
function varianceOfDifference(a: Float64Array, b: Float64Array): number {
  const differences = a.map((value, i) => value - b[i]);
  const mean = differences.reduce((sum, value) => sum + value) / dayCount;
  return differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (dayCount - 1);
}

// The most that the ratio of the variances may be. A ratio of two such variances of 4,000 independent days differs
// from its expectation by a tenth of itself less than once in a million seeds; the bounds are at least twice what is found.
const neighbors: [string, ScenarioSettings, ScenarioSettings, Record<string, number>][] = [
  [
    "KK3 0.005 and 0.006",
    { kk3: 0.005 },
    { kk3: 0.006 },
    { halfFinishedUnsupervised: 0.1, wasted: 0.1, redriven: 0.1, recoverySum: 0.1, recordsRead: 0.6 },
  ],
  [
    "KK2 0.02 and 0.022",
    { kk2: 0.02 },
    { kk2: 0.022 },
    { halfFinishedUnsupervised: 0.1, wasted: 0.1, redriven: 0.1, compensatedJobs: 0.1, recordsRead: 0.6 },
  ],
  [
    "scan 1 and 2",
    { scan: 1 },
    { scan: 2 },
    { halfFinishedUnsupervised: 0, wasted: 0, redriven: 0, recoverySum: 0.1, recordsRead: 0.25 },
  ],
  [
    "4,000 and 4,400 workflows",
    { workflows: 4000 },
    { workflows: 4400 },
    { halfFinishedUnsupervised: 0.1, wasted: 0.1, redriven: 0.1, recoverySum: 0.1, recordsRead: 0.3 },
  ],
  [
    "lease 2 and 3",
    { lease: 2 },
    { lease: 3 },
    { wasted: 0, redriven: 0, recoverySum: 0.6, recordsRead: 0.6 },
  ],
  [
    "retry limit 2 and 3",
    { retryLimit: 2 },
    { retryLimit: 3 },
    { wasted: 0, redriven: 0.15, recordsRead: 0.3 },
  ],
];

test.each(neighbors)(
  "differences between %s vary far less than with independent seeds",
  (_, one, other, most) => {
    const a = daysOf(one, "common");
    const b = daysOf(other, "common");
    const independent = daysOf(other, "independent");
    for (const [metric, bound] of Object.entries(most)) {
      const name = metric as keyof typeof a;
      const ratio = varianceOfDifference(a[name], b[name]) / varianceOfDifference(a[name], independent[name]);
      expect(ratio, metric).toBeLessThanOrEqual(bound);
    }
  },
);
