// The suites as data, and the command line in front of them. Cases are called here, never timed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Subject } from "../bench/case.js";
import { describeParameters } from "../bench/parameters.js";
import { findBaseline, listCases, selectCases } from "../bench/selection.js";
import { suites } from "../bench/suites.js";
import { bench } from "../src/commands/bench.js";
import { benchCommandOptions } from "../src/commands/options.js";
import { parseRatio, type Ratio } from "../src/model/ratio.js";
import { defaultScenario } from "../src/model/scenario.js";
import { SettingsError } from "../src/model/settings.js";

const subject: Subject = {
  scenario: defaultScenario,
  seed: "redrive",
  days: undefined,
  threads: 6,
  engine: "auto",
};
const cases = listCases(subject);
const namesOf = (suite: string, of = cases) =>
  of.filter((each) => each.suite === suite).map(({ name }) => name);

describe("listCases", () => {
  test("has what the documentation promises, each with its parameters in its name", () => {
    const here = "4,000 workflows, kk3 0.005";
    expect(namesOf("baseline")).toEqual(
      ["draw", "supervised day", "pair", "draw and pair"].map((what) => `${what}, ${here}`),
    );
    expect(namesOf("draw")).toEqual([
      "draw, 4,000 workflows, kk3 0.005",
      "draw, 4,000 workflows, kk3 beta(2,398)",
      "draw, 4,000 workflows, kk3 lognormal(0.005,0.5)",
    ]);
    expect(namesOf("table")).toEqual([
      `engine alone, ${here}`,
      `draw, engine and tally, ${here}`,
      "draw, engine and tally, 4,000 workflows, kk3 beta(2,398)",
      "draw, engine and tally, 4,000 workflows, kk3 lognormal(0.005,0.5)",
    ]);
    expect(namesOf("event")).toEqual([
      `supervised day, ${here}`,
      `pair, ${here}`,
      `pair, ${here}, rounds 86,400`,
      `draw, engine and tally, ${here}`,
    ]);
    expect(namesOf("tally")).toEqual([`tally, ${here}`]);
    expect(namesOf("csv")).toEqual([`days.csv, ${here}`]);
    expect(namesOf("run")).toEqual([`table, 1 thread, 100,000 days, ${here}`]);
    expect(cases.filter(({ suite }) => suite === "threads").map(({ threads }) => threads)).toEqual([
      1, 2, 4, 6,
    ]);
    expect(namesOf("workflows")).toEqual([
      ...["400", "40,000"].map((count) => `baseline, ${count} workflows, kk3 0.005`),
      ...["400", "4,000", "40,000", "400,000", "4,000,000"].map(
        (count) => `table, ${count} workflows, kk3 0.005`,
      ),
      ...["400", "4,000", "40,000", "400,000"].map((count) => `event, ${count} workflows, kk3 0.005`),
    ]);
  });

  test("gives every case a name of its own", () => {
    for (const threads of [1, 2, 3]) {
      const all = listCases({ ...subject, threads }).map(({ suite, name }) => `${suite}: ${name}`);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test("makes the cases for the scenario that is given", () => {
    const kk3 = parseRatio("beta(2,398)") as Ratio;
    const scenario = {
      ...defaultScenario,
      workflows: 50,
      kk3,
      retryLimit: 5,
      stallOn: "every-attempt",
    } as const;
    const own = listCases({ ...subject, scenario, days: 12, threads: 1 });
    const here = "50 workflows, kk3 beta(2,398), retry limit 5, stall on every-attempt";
    expect(describeParameters(scenario)).toBe(here);
    expect(namesOf("draw", own)).toEqual([
      `draw, ${here}`,
      `draw, ${here.replace("beta(2,398)", "lognormal(0.005,0.5)")}`,
    ]);
    expect(namesOf("run", own)).toEqual([`table, 1 thread, 12 days, ${here}`]);
    expect(namesOf("threads", own)).toEqual([`table, 1 thread, 12 days, ${here}`]);
  });

  test("leaves out other engines, and days that would take seconds", () => {
    const enginesOf = (change: Partial<Subject>) => [
      ...new Set(listCases({ ...subject, ...change }).map(({ engine }) => engine)),
    ];
    expect(enginesOf({ engine: "table" })).toEqual(["baseline", undefined, "table"]);
    expect(enginesOf({ engine: "event" })).toEqual(["baseline", undefined, "event"]);
    const many = listCases({ ...subject, scenario: { ...defaultScenario, workflows: 50_000_000 } });
    expect(namesOf("baseline", many)).toEqual([]);
    expect(namesOf("event", many)).toEqual([]);
    const long = listCases({ ...subject, scenario: { ...defaultScenario, rounds: 1_000_000 } });
    expect(namesOf("baseline", long)).toEqual([]);
  });
});

describe("selectCases", () => {
  test("adds the baselines that the suites are compared with, and nothing else", () => {
    const selected = selectCases(cases, ["draw", "csv"]);
    expect([...new Set(selected.map(({ suite }) => suite))]).toEqual(["baseline", "draw", "csv"]);
    expect(namesOf("baseline", selected)).toEqual(["draw, 4,000 workflows, kk3 0.005"]);
    expect(selectCases(cases, ["tally"]).map(({ suite }) => suite)).toEqual(["tally"]);
    expect(
      selectCases(
        cases,
        suites.map(({ name }) => name),
      ),
    ).toEqual(cases);
  });

  test("findBaseline gives the baseline of the same work, or none", () => {
    const baselineOf = (suite: string, name: string) => {
      const found = cases.find((each) => each.suite === suite && each.name === name);
      return findBaseline(found as (typeof cases)[number], cases)?.name;
    };
    expect(baselineOf("draw", "draw, 4,000 workflows, kk3 beta(2,398)")).toBe(
      "draw, 4,000 workflows, kk3 0.005",
    );
    expect(baselineOf("event", "pair, 4,000 workflows, kk3 0.005")).toBe("pair, 4,000 workflows, kk3 0.005");
    expect(baselineOf("event", "pair, 4,000 workflows, kk3 0.005, rounds 86,400")).toBeUndefined();
    expect(baselineOf("workflows", "table, 400 workflows, kk3 0.005")).toBe(
      "baseline, 400 workflows, kk3 0.005",
    );
    expect(baselineOf("workflows", "table, 4,000,000 workflows, kk3 0.005")).toBeUndefined();
  });
});

describe("the cases of a small scenario", () => {
  const kk3 = parseRatio("uniform(0,0.1)") as Ratio;
  const small = listCases({
    ...subject,
    scenario: { ...defaultScenario, workflows: 30, kk3 },
    days: 5,
    threads: 1,
  }).filter(({ scenario }) => scenario.workflows <= 400);

  test.each(small.map((each) => [`${each.suite}: ${each.name}`, each] as const))(
    "%s does the same work for the same seed",
    async (_, { prepare }) => {
      const values = async () => {
        const call = prepare();
        return [await call(), await call()];
      };
      const [first, second] = await values();
      expect(Number.isFinite(first) && Number.isFinite(second)).toBe(true);
      expect(await values()).toEqual([first, second]);
    },
  );
});

describe("redrive bench", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "redrive-bench-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What is wrong with these settings; nothing is measured if anything is. */
  async function problemsOf(
    given: Record<string, unknown>,
    unknown: string[] = [],
  ): Promise<readonly string[]> {
    const flags = new Map(benchCommandOptions.map(({ setting, flags }) => [setting, flags.split(" ")[0]]));
    const options = {
      given: { out: folder, ...given },
      unknown,
      flagOf: (setting: string) => flags.get(setting) ?? setting,
      flags: [...flags.values()],
    };
    try {
      await bench(options, new AbortController().signal);
    } catch (error) {
      if (error instanceof SettingsError) return error.problems;
      throw error;
    }
    throw new Error("the settings fit");
  }

  test("says all that is wrong with its options at once", async () => {
    const earlier = join(folder, "none.csv");
    expect(
      await problemsOf({ suite: "tabl,event,qqq", time: 0, workflows: -1, baseline: earlier }, ["--quik"]),
    ).toEqual([
      "--quik is no option of this command; did you mean --quick",
      "--time must be a whole number from 1 to 3600000, got 0",
      expect.stringContaining("--workflows must be a whole number"),
      "--suite must be one or more of baseline, draw, parts, table, event, tally, csv, run, threads, workflows, got tabl; did you mean table",
      "--suite must be one or more of baseline, draw, parts, table, event, tally, csv, run, threads, workflows, got qqq",
      `--baseline must be the bench.csv of an earlier benchmark, got ${earlier} (no such file or folder)`,
    ]);
  });

  test("refuses suites that have no case", async () => {
    expect(await problemsOf({ suite: "event", engine: "table" })).toEqual([
      "--suite must be suites that have cases for this scenario and engine, got event",
    ]);
    expect(await problemsOf({ suite: "" })).toEqual([expect.stringContaining("got an empty text")]);
    expect(await problemsOf({ suite: 5 })).toEqual([
      "--suite must be names of suites, with commas between them, got 5",
    ]);
  });
});
