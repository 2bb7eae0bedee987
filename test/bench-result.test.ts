// The figures of a benchmark from samplings that are given, and all that is made of them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Case, type Unit, units } from "../bench/case.js";
import type { Environment } from "../bench/environment.js";
import { findingsCsv, findingsJson, showFindings } from "../bench/findings.js";
import type { Sampling } from "../bench/measure.js";
import { describeDoubts } from "../bench/printout.js";
import { type CaseResult, describeCases } from "../bench/result.js";
import {
  mean,
  median,
  quantileSorted,
  sampleSd,
  studentFactor,
  welchInterval99,
} from "../bench/statistics.js";
import { benchTable, comparisonTable } from "../bench/tables.js";
import { defaultScenario } from "../src/model/scenario.js";
import type { Column } from "../src/report/column.js";

function fakeCase(suite: string, name: string, engine: Case["engine"], unit: Unit, workflows = 4000): Case {
  const scenario = { ...defaultScenario, workflows };
  return {
    suite,
    name,
    engine,
    scenario,
    threads: 1,
    unit,
    unitsPerCall: 1,
    cold: false,
    prepare: () => () => 1,
  };
}

/** Samplings of one round each. */
function rounds(...samples: readonly number[][]): Sampling[] {
  return samples.map((each) => ({ samples: each, meanNs: mean(each) }));
}

const cases = [
  fakeCase("baseline", "draw and pair, 4,000 workflows, kk3 0.005", "baseline", units.whole),
  fakeCase("table", "draw, engine and tally, 4,000 workflows, kk3 0.005", "table", units.whole),
  fakeCase("tally", "tally, 4,000 workflows, kk3 0.005", undefined, units.tallied),
  fakeCase("workflows", "table, 400 workflows, kk3 0.005", "table", units.whole, 400),
];
const samplings = [
  rounds([5_000_000, 5_000_000], [5_000_000], [5_000_000]),
  rounds([300, 400, 500], [400], [500, 300]),
  rounds([4], [4], [4]),
  rounds([100], [110], [125]),
];
const results = describeCases(cases, samplings);
const [baseline, table, tally, small] = results as [CaseResult, CaseResult, CaseResult, CaseResult];

const environment: Environment = {
  redrive: "0.1.0",
  time: "2025-01-01T00:00:00.000Z",
  node: "v20.20.0",
  v8: "11.3",
  os: "linux 6 x64",
  cpu: "Some CPU",
  cores: 8,
  memoryBytes: 16e9,
  power: "battery",
  governor: undefined,
  loadAverage: 0.5,
};
const subject = {
  scenario: defaultScenario,
  seed: "redrive",
  days: undefined,
  threads: 8,
  engine: "auto",
} as const;

describe("describeCases", () => {
  test("gives quantiles of the samples of all rounds, in any order", () => {
    // 300, 300, 400, 400, 500, 500
    expect(table).toMatchObject({ rounds: 3, samples: 6, p50: 400, p75: 475, p99: 500 });
  });

  test("gives the mean of the rounds' means and its interval, from the spread between rounds", () => {
    expect(table).toMatchObject({ mean: 400, rme: 0 });
    // Means 100, 110 and 125: standard deviation 12.583, times 4.303 / sqrt(3), over 111.667.
    expect(small.mean).toBeCloseTo(111.6667, 4);
    expect(small.rme).toBeCloseTo(27.995, 3);
  });

  test("gives days and workflows per second by the mean", () => {
    expect(table).toMatchObject({ daysPerSecond: 2_500_000, workflowsPerSecond: 1e10 });
    expect(small.workflowsPerSecond).toBeCloseTo((400 * 1e9) / 111.66666666666667, 3);
  });

  test("compares with the baseline at the same work, and with nothing else", () => {
    expect(results.map(({ baselineRatio }) => baselineRatio)).toEqual([1, 12_500, undefined, undefined]);
  });

  test("keeps what a comparison needs: the rounds' medians, as logarithms", () => {
    expect(small.roundNs).toBeCloseTo((100 * 110 * 125) ** (1 / 3), 9);
    expect(small.roundLogSd).toBeCloseTo(sampleSd([100, 110, 125].map(Math.log)), 12);
    // Medians of rounds: 400, 400, 400.
    expect(table.roundLogSd).toBe(0);
    expect(table.roundNs).toBeCloseTo(400, 9);
  });

  test("flags what spreads much between rounds and what takes less time than it can", () => {
    expect(results.map(({ flags }) => flags)).toEqual([[], [], ["suspiciously fast"], ["noisy"]]);
    const [both] = describeCases([cases[0]], [rounds([1], [2], [3])]);
    expect(both.flags).toEqual(["suspiciously fast", "noisy"]);
    const [calm] = describeCases([cases[0]], [rounds([100], [104], [109])]);
    const [interrupted] = describeCases([cases[0]], [rounds([10, 10, 10], [10, 10, 40], [10, 10, 10])]);
    expect([interrupted.roundLogSd, interrupted.flags]).toEqual([0, ["noisy"]]);
    expect(calm.flags).toEqual([]);
  });
});

describe("what is written and printed", () => {
  test("bench.csv is tidy: its columns are these, missing values are empty", () => {
    const findings = { subject, environment, results: [table, tally], comparison: undefined };
    expect(findingsCsv(findings)).toBe(
      "suite,case,engine,workflows,threads,unit,rounds,samples,ns_p50,ns_p75,ns_p99,ns_mean,rme_percent," +
        "days_per_second,workflows_per_second,ratio_to_baseline,round_ns,round_log_sd,flags\r\n" +
        'table,"draw, engine and tally, 4,000 workflows, kk3 0.005",table,4000,1,whole day,3,6,400,475,500,400,0,' +
        `2500000,10000000000,12500,${table.roundNs},0,\r\n` +
        'tally,"tally, 4,000 workflows, kk3 0.005",,4000,1,day tallied,3,3,4,4,4,4,0,' +
        "250000000,1000000000000,,4,0,suspiciously fast\r\n",
    );
  });

  test("results/bench/README.md describes every column", () => {
    const readme = readFileSync(new URL("../results/bench/README.md", import.meta.url), "utf8");
    const tables: { name: string; columns: readonly Column<never>[] }[] = [benchTable, comparisonTable];
    for (const { name, columns } of tables) {
      const rows = columns.map(
        (column) => `| \`${column.name}\` | ${column.unit ?? ""} | ${column.meaning} |`,
      );
      expect(readme).toContain(
        [`## ${name}.csv`, "", "| column | unit | meaning |", "|---|---|---|", ...rows].join("\n"),
      );
    }
  });

  test("flags are one cell", () => {
    const cell = benchTable.columns.find(({ name }) => name === "flags")?.cell;
    expect(cell?.({ ...small, flags: ["noisy", "suspiciously fast"] })).toBe("noisy;suspiciously fast");
  });

  test("JSON has the same words in camelCase, null for a missing value", () => {
    const { cases } = findingsJson({ subject, environment, results: [tally], comparison: undefined }) as {
      cases: object[];
    };
    expect(cases[0]).toMatchObject({
      engine: null,
      nsP50: 4,
      ratioToBaseline: null,
      flags: "suspiciously fast",
    });
  });

  test("the table names what differs within a suite; what all share stands above", () => {
    const text = showFindings({ subject, environment, results, comparison: undefined }, { color: false });
    expect(text).toBe(`How fast redrive is on this machine
Some CPU, 8 cores, Node v20.20.0, on battery
4,000 workflows, kk3 0.005

                          us per day  +/- %       days/s  M workflows/s  x baseline
The baseline: one object per job, as in a lesson
  draw and pair                5,000      0          200            0.8           1
The table engine
  draw, engine and tally         0.4      0    2,500,000         10,000      12,500
Aggregation
  tally                        0.004      0  250,000,000      1,000,000           -  suspiciously fast
The cost over workflows per day
  table, 400 workflows         0.112     28    8,960,000          3,580           -              noisy

us per day: mean time of one unit of work, all of them something done to one day.
x baseline: how many times as fast as the baseline at the same work.
`);
  });

  test("doubts are said in words", () => {
    expect(describeDoubts(results, environment)).toEqual([
      "on battery power, many machines are slower than on mains",
      "rounds differ much in 1 of 4 cases; close other programs or give --time more",
      "1 of 4 cases took less time than the work can take",
    ]);
    expect(describeDoubts([baseline], { ...environment, power: "mains" })).toEqual([]);
    const busy = { ...environment, power: "mains", cores: 4, loadAverage: 1.25 } as const;
    expect(describeDoubts([baseline], busy)).toEqual([
      "other programs kept 1.25 of 4 cores busy at the start",
    ]);
  });
});

describe("statistics", () => {
  test("quantileSorted is type 7, as R's default", () => {
    const values = [1, 2, 4, 8, 16];
    expect([0, 0.1, 0.5, 0.75, 0.99, 1].map((share) => quantileSorted(values, share))).toEqual([
      1, 1.4, 4, 8, 15.68, 16,
    ]);
    expect(quantileSorted([3], 0.99)).toBe(3);
    expect(median([9, 1, 5, 2])).toBe(3.5);
  });

  test("studentFactor takes the safe neighbor between and beyond the degrees of its table", () => {
    expect(studentFactor(95, 2)).toBe(4.303);
    expect(studentFactor(99, 4.9)).toBe(4.604);
    expect([studentFactor(99, 0.5), studentFactor(99, 40)]).toEqual([63.657, 3.169]);
  });

  test("welchInterval99 gives the interval of a worked example", () => {
    // Variances 4 / 4 and 9 / 9: standard error sqrt(2), degrees of freedom 2^2 / (1 / 3 + 1 / 8) = 8.7.
    const { difference, low, high } = welchInterval99({ n: 4, mean: 10, sd: 2 }, { n: 9, mean: 7, sd: 3 });
    expect(difference).toBe(3);
    expect([low, high]).toEqual([3 - 3.355 * Math.SQRT2, 3 + 3.355 * Math.SQRT2]);
  });
});
