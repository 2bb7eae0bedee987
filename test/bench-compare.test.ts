// Comparing with an earlier result: verdicts from rounds that are given, and the reading of files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, units } from "../bench/case.js";
import { type ComparisonResult, compareCases } from "../bench/compare.js";
import { parseEarlier, readEarlier } from "../bench/earlier.js";
import { describeChanges, type Environment, powerOfPmset, powerOfSupplies } from "../bench/environment.js";
import { describeComparisonDoubts, showComparison } from "../bench/printout.js";
import { type CaseResult, describeCases } from "../bench/result.js";
import { benchTable, comparisonTable } from "../bench/tables.js";
import { defaultScenario } from "../src/model/scenario.js";
import { toCsv } from "../src/report/csv.js";

/** The result of a case whose rounds took these times. */
function measured(name: string, roundsNs: readonly number[], engine: Case["engine"] = "table"): CaseResult {
  const suite = engine === "baseline" ? "baseline" : "table";
  const [result] = describeCases(
    [
      {
        ...{ suite, name, engine, scenario: defaultScenario, threads: 1, unit: units.whole, unitsPerCall: 1 },
        cold: false,
        prepare: () => () => 1,
      },
    ],
    [roundsNs.map((ns) => ({ samples: [ns], meanNs: ns }))],
  );
  return result;
}

const verdictOf = (then: readonly number[], now: readonly number[]) =>
  compareCases([measured("a", now)], [measured("a", then)]).comparisons[0].verdict;

const steady = [99, 100, 100, 100, 101];
const times = (factor: number, values = steady) => values.map((value) => value * factor);

describe("compareCases", () => {
  test("gives how many times as fast as then, with its interval", () => {
    const { comparisons } = compareCases([measured("a", times(0.5))], [measured("a", steady)]);
    const [{ suite, name, earlierNs, nowNs, ratio, low, high, verdict }] = comparisons;
    expect({ suite, name, verdict }).toEqual({ suite: "table", name: "a", verdict: "faster" });
    expect(earlierNs / nowNs).toBeCloseTo(2, 9);
    expect(ratio).toBeCloseTo(2, 9);
    // Standard deviation of the logarithms 0.00707, n = 5 and 5, 8 degrees of freedom.
    const half = 3.355 * 0.0070713 * Math.sqrt(2 / 5);
    expect(low).toBeCloseTo(2 * Math.exp(-half), 4);
    expect(high).toBeCloseTo(2 * Math.exp(half), 4);
  });

  test("says faster or slower beyond 2 %, no difference below", () => {
    expect(verdictOf(steady, times(0.94))).toBe("faster");
    expect(verdictOf(steady, times(1.06))).toBe("slower");
    expect(verdictOf(steady, times(0.985))).toBe("no difference");
    expect(verdictOf(steady, times(1.015))).toBe("no difference");
    expect(verdictOf(steady, steady)).toBe("no difference");
    expect(verdictOf([100, 100], [100, 100])).toBe("no difference");
  });

  test("gives no verdict where rounds differ too much, unless the difference is beyond all doubt", () => {
    const restless = [80, 90, 100, 110, 125];
    expect(verdictOf(restless, times(1.1, restless))).toBe("too noisy");
    expect(verdictOf(restless, restless)).toBe("too noisy");
    expect(verdictOf(restless, times(0.2, restless))).toBe("faster");
    expect(verdictOf([100, 101, 102], [103, 104, 99])).toBe("too noisy");
  });

  test("does not hold the machine's difference against a case", () => {
    const now = (factor: number) => [measured("base", times(0.8), "baseline"), measured("a", times(factor))];
    const then = [measured("base", steady, "baseline"), measured("a", steady)];
    const verdicts = (factor: number) => {
      const { comparisons, machineRatio } = compareCases(now(factor), then);
      expect(machineRatio).toBeCloseTo(1.25, 9);
      return comparisons.map(({ verdict }) => verdict);
    };
    expect(verdicts(0.8)).toEqual(["faster", "too noisy"]);
    expect(verdicts(1.1)).toEqual(["faster", "too noisy"]);
    expect(verdicts(0.7)).toEqual(["faster", "faster"]);
    expect(verdicts(1.4)).toEqual(["faster", "slower"]);
  });

  test("takes a baseline that shows no difference for a machine that is as it was", () => {
    const restless = [80, 90, 100, 110, 125];
    const { machineRatio } = compareCases(
      [measured("base", times(0.9, restless), "baseline")],
      [measured("base", restless, "baseline")],
    );
    expect(machineRatio).toBeUndefined();
  });

  test("counts the cases that were not measured then, and leaves out those that are not now", () => {
    const { comparisons, newCount } = compareCases(
      [measured("a", steady), measured("b", steady), measured("c", steady)],
      [measured("b", steady), measured("gone", steady)],
    );
    expect(comparisons.map(({ name }) => name)).toEqual(["b"]);
    expect(newCount).toBe(2);
  });

  // At most 1 in 100 of 2,000 comparisons is expected; 36 or more of them have a chance below 1 in 1,000.
  test.each([
    { what: "unchanged cases", factor: 1, most: 4 },
    { what: "cases that are 2 % slower", factor: 1.02, most: 35 },
  ])("gives few false verdicts on $what", ({ factor, most }) => {
    let seed = 1;
    const uniform = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed + 0.5) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    let wrong = 0;
    for (let i = 0; i < 2000; i++) {
      const sample = (center: number) => Array.from({ length: 5 }, () => center * Math.exp(0.01 * normal()));
      const verdict = verdictOf(sample(100), sample(100 * factor));
      if (verdict === "faster" || verdict === "slower") wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(most);
  });
});

describe("a comparison in words and columns", () => {
  const result = compareCases(
    [measured("a", [50, 50]), measured("b", [100, 100]), measured("new", [1, 1])],
    [measured("a", [100, 100]), measured("b", [100, 100])],
  );

  test("comparison.csv has these columns", () => {
    const number = (index: number) => result.comparisons[index];
    expect(toCsv(comparisonTable, result.comparisons, "rfc4180")).toBe(
      "suite,case,earlier_ns,now_ns,ratio,ratio_ci99_low,ratio_ci99_high,verdict\r\n" +
        `table,a,${number(0).earlierNs},${number(0).nowNs},${number(0).ratio},${number(0).low},${number(0).high},faster\r\n` +
        `table,b,${number(1).earlierNs},${number(1).nowNs},1,1,1,no difference\r\n`,
    );
  });

  test("the table shows then, now, ratio, interval and verdict", () => {
    const none = { ...result, comparisons: [] };
    expect(showComparison(none, defaultScenario, "old/bench.csv", { color: false })).toContain(
      "No case is in both results",
    );
    expect(showComparison(result, defaultScenario, "old/bench.csv", { color: false })).toBe(`
Compared with old/bench.csv

     us then  us now  x as fast  99 % interval
The table engine
  a      0.1    0.05          2          2 - 2         faster
  b      0.1     0.1          1          1 - 1  no difference

`);
  });

  test("doubts name the machine, noise and cases without a counterpart", () => {
    const doubtful: ComparisonResult = {
      comparisons: [{ ...result.comparisons[0], verdict: "too noisy" }],
      newCount: 1,
      machineRatio: 0.9,
    };
    expect(describeComparisonDoubts(doubtful, ["node was v20, is v24"])).toEqual([
      "node was v20, is v24",
      "the baseline, whose code stays as it is, is 0.9 times as fast as then, so no smaller difference counts",
      "no verdict on 1 of 1 case: too noisy",
      "1 case not in the earlier result",
    ]);
    expect(describeComparisonDoubts({ ...result, newCount: 0 }, [])).toEqual([]);
  });
});

describe("parseEarlier", () => {
  const header = "suite,case,rounds,round_ns,round_log_sd";

  test("reads back what is written", () => {
    const results = [measured("draw, 4,000 workflows, kk3 beta(2,398)", steady), measured('a "b"', [1, 3])];
    const expected = results.map(({ suite, name, rounds, roundNs, roundLogSd }) => ({
      ...{ suite, name, rounds, roundNs, roundLogSd },
    }));
    expect(parseEarlier(toCsv(benchTable, results, "rfc4180"))).toEqual(expected);
  });

  test("reads a file that a spreadsheet has saved: with a byte order mark, other line ends and columns", () => {
    expect(parseEarlier(`\ufeff${header},note\ntable,a,5,2.5,0,mine\n\n`)).toEqual([
      { suite: "table", name: "a", rounds: 5, roundNs: 2.5, roundLogSd: 0 },
    ]);
  });

  test.each([
    ["", "without a column suite, case, rounds, round_ns, round_log_sd"],
    ["suite,case,rounds,round_ns\nx,y,5,1\n", "without a column round_log_sd"],
    [`${header}\n`, "without a case"],
    [`${header}\nx,y,5,1,0\nx,z,5,fast,0\n`, "round_ns in line 3 is fast"],
    [`${header}\nx,y,5,,0\n`, "round_ns in line 2 is empty"],
    [`${header}\nx,y,5,0,0\n`, "round_ns in line 2 is 0"],
    [`${header}\nx,y,1,5,0\n`, "rounds in line 2 is 1"],
    [`${header}\nx,y,5,1,-1\n`, "round_log_sd in line 2 is -1"],
    [`${header}\nx,y,5,1\n`, "Invalid Record Length: columns length is 5, got 4 on line 2"],
    [`${header}\nx,"y,5,1,0\n`, "Quote Not Closed"],
  ])("says what is wrong with %j", (text, message) => {
    expect(() => parseEarlier(text)).toThrow(message);
  });
});

describe("readEarlier", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "redrive-bench-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("reads the environment beside the file, where there is one", async () => {
    const path = join(folder, "bench.csv");
    writeFileSync(path, toCsv(benchTable, [measured("a", steady)], "rfc4180"));
    expect((await readEarlier(path)).environment).toBeUndefined();
    writeFileSync(join(folder, "environment.json"), '{"node": "v18"}');
    expect(await readEarlier(path)).toMatchObject({ path, environment: { node: "v18" } });
    writeFileSync(join(folder, "environment.json"), "{");
    expect((await readEarlier(path)).environment).toBeUndefined();
  });
});

describe("the environment", () => {
  const supply = { type: undefined, online: undefined, status: undefined, scope: undefined };

  test("powerOfSupplies tells mains from battery, as far as Linux does", () => {
    const charger = { ...supply, type: "Mains" };
    const battery = { ...supply, type: "Battery" };
    const mouse = { ...battery, scope: "Device", status: "Discharging" };
    expect(powerOfSupplies([])).toBe("unknown");
    expect(
      powerOfSupplies([
        { ...charger, online: "1" },
        { ...battery, status: "Not charging" },
      ]),
    ).toBe("mains");
    expect(
      powerOfSupplies([
        { ...charger, online: "0" },
        { ...battery, status: "Discharging" },
      ]),
    ).toBe("battery");
    expect(
      powerOfSupplies([
        { ...supply, type: "USB", online: "1" },
        { ...battery, status: "Charging" },
      ]),
    ).toBe("mains");
    expect(powerOfSupplies([{ ...battery, status: "Full" }])).toBe("mains");
    expect(powerOfSupplies([{ ...battery, status: "Unknown" }])).toBe("unknown");
    expect(powerOfSupplies([mouse])).toBe("unknown");
  });

  test("powerOfPmset reads what macOS prints", () => {
    expect(powerOfPmset("Now drawing from 'AC Power'\n -InternalBattery-0 100%; charged")).toBe("mains");
    expect(powerOfPmset("Now drawing from 'Battery Power'\n -InternalBattery-0 71%; discharging")).toBe(
      "battery",
    );
    expect(powerOfPmset("Now drawing from 'UPS Power'\n")).toBe("unknown");
    expect(powerOfPmset("")).toBe("unknown");
  });

  test("describeChanges names what differs and matters", () => {
    const now = { cpu: "A", cores: 4, node: "v24", power: "battery", loadAverage: 3 } as Environment;
    expect(describeChanges({ cpu: "A", cores: 4, node: "v20", power: "mains", loadAverage: 1 }, now)).toEqual(
      ["node was v20, is v24", "power was mains, is battery"],
    );
    expect([undefined, null, "text", {}].flatMap((earlier) => describeChanges(earlier, now))).toEqual([]);
  });
});
