// The scenarios of a sweep: their number, their order, and what is refused before anything starts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkMemory, estimateSweep } from "../src/experiment/estimate.js";
import { type Grid, scenarioAt, scenariosOf, sizeOf, varyingParameters } from "../src/experiment/grid.js";
import { resolveSweep, type SweepSettings, sweepSettings } from "../src/experiment/sweep-settings.js";
import { checkSettings } from "../src/model/settings.js";

function resolve(settings: SweepSettings, typed: readonly string[] = []) {
  const { values, problems } = checkSettings(sweepSettings, settings);
  expect(problems).toEqual([]);
  return resolveSweep(values, typed);
}

const gridOf = (settings: SweepSettings): Grid => resolve(settings).sweep.grid;

describe("the grid", () => {
  test("is the product of all lists, the last parameter fastest", () => {
    const grid = gridOf({ kk3: [0.01, 0.02], scan: "1:3:1", retryLimit: [2, 4] });
    expect(sizeOf(grid)).toBe(12);
    const seen = [...scenariosOf(grid)].map(({ number, scenario: { kk3, scan, retryLimit } }) => [
      number,
      kk3,
      scan,
      retryLimit,
    ]);
    expect(seen.slice(0, 4)).toEqual([
      [1, 0.01, 1, 2],
      [2, 0.01, 1, 4],
      [3, 0.01, 2, 2],
      [4, 0.01, 2, 4],
    ]);
    expect(seen.at(-1)).toEqual([12, 0.02, 3, 4]);
    expect(new Set(seen.map(([, ...rest]) => rest.join())).size).toBe(12);
    expect(varyingParameters(grid)).toEqual(["kk3", "scan", "retryLimit"]);
  });

  test("finds each scenario by its number", () => {
    const grid = gridOf({ scenarios: [{ scan: [1, 2] }, { name: "slow", scan: [8, 9], lease: "1:3:1" }] });
    const all = [...scenariosOf(grid)];
    expect(all).toHaveLength(8);
    expect(all.map(({ number }) => scenarioAt(grid, number))).toEqual(all);
    expect(() => scenarioAt(grid, 9)).toThrow("number must be from 1 to 8, got 9");
  });

  test("takes what a named scenario leaves out from beside the list, and what was typed over both", () => {
    const settings = {
      kk3: 0.01,
      lease: 3,
      scenarios: [
        { name: "a", lease: 5 },
        { name: "b", kk3: 0.2 },
      ],
    };
    const scenarios = (typed: readonly string[]) =>
      [...scenariosOf(resolve(settings, typed).sweep.grid)].map(({ name, scenario: { kk3, lease } }) => ({
        name,
        kk3,
        lease,
      }));
    expect(scenarios([])).toEqual([
      { name: "a", kk3: 0.01, lease: 5 },
      { name: "b", kk3: 0.2, lease: 3 },
    ]);
    expect(scenarios(["lease"]).map(({ lease }) => lease)).toEqual([3, 3]);
  });

  test("takes the file of named scenarios that the README shows", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const config = readme
      .split("```")
      .find((block) => block.startsWith("json") && block.includes("scenarios"));
    const grid = gridOf(JSON.parse((config as string).slice(4)));
    expect([...scenariosOf(grid)].map(({ name, scenario: { kk3 } }) => [name, kk3])).toEqual([
      ["eager", 0.005],
      ["eager", 0.01],
      ["patient", 0.005],
      ["patient", 0.01],
    ]);
  });

  test("says all that is wrong in named scenarios", () => {
    const scenarios = [{ name: "", scan: 0 }, 3, { name: "c", scn: 1, kk3: "1:0:1" }];
    expect(resolve({ scenarios } as SweepSettings).problems).toEqual([
      'scenario 1: name must be text, got ""',
      "scenario 1: scan must be a whole number from 1 to 10000000, got 0",
      "scenario 2 must be an object of settings, got 3",
      "scenario 3 (c): scn is unknown; did you mean scan",
      "scenario 3 (c): kk3 must be a range with an end that is not below its start, got 1:0:1",
    ]);
    expect(checkSettings(sweepSettings, { scenarios: [] }).problems).toEqual([
      "scenarios must be a list of at least one object of settings, got []",
    ]);
  });

  test("is refused where it is absurd, with the way out", () => {
    const thousand = "0.001:1:0.001";
    expect(resolve({ kk3: thousand, kk2: thousand, scan: "1:1000:1" }).problems).toEqual([
      "the grid must be of at most 10000000 scenarios, got 1000000000; use fewer values or larger steps",
    ]);
    const [problem] = resolve({ kk3: "uniform(0,1)", workflows: 1e8, days: 1e12, threads: 2 }).problems;
    expect(problem).toMatch(
      /^the results in work must fit into .* GB of memory, got about .* GB; use fewer days, workflows or threads$/,
    );
  });
});

describe("estimateSweep", () => {
  test("knows the rows of sweep.csv and summary.csv and adds up those of the distributions", () => {
    const one = estimateSweep(resolve({ days: 1000 }).sweep);
    const ten = estimateSweep(resolve({ days: 1000, scan: [1, 2], kk2: "0.01:0.05:0.01" }).sweep);
    expect(one.rows).toMatchObject({ sweep: 1, summary: 12 });
    expect(ten).toMatchObject({ scenarios: 10, days: 1000, rows: { sweep: 10, summary: 120 } });
    expect(ten.rows.distribution).toBeGreaterThan(8 * one.rows.distribution);
  });

  test("needs memory for the threads, not for the scenarios", () => {
    const bytes = (settings: SweepSettings) => estimateSweep(resolve(settings).sweep).memoryBytes;
    const many = { kk2: "0.01:0.02:0.0001", scan: "1:100:1", threads: 2 };
    expect(bytes({ ...many, lease: "1:50:1" })).toBeLessThan(1.1 * bytes(many));
    expect(bytes({ ...many, threads: 8 })).toBe(4 * bytes(many));
    expect(bytes(many)).toBeLessThan(100e6);
    const estimate = estimateSweep(resolve(many).sweep);
    expect(checkMemory(estimate, estimate.memoryBytes)).toEqual([]);
    expect(checkMemory(estimate, estimate.memoryBytes - 1)).toHaveLength(1);
  });
});
