// Days that are too large to simulate, and those that are only too large for the thread that listens to its user.
import { expect, test } from "vitest";
import { checkDay, checkDaysOfGrid } from "../src/experiment/day-limits.js";
import { countFates, estimateDayBytes, estimateFaults } from "../src/experiment/day-size.js";
import { simulate } from "../src/experiment/simulate.js";
import type { Study } from "../src/experiment/study.js";
import { sweep } from "../src/experiment/sweep.js";
import { resolveSweep } from "../src/experiment/sweep-settings.js";
import { isLongAnswer, isLongTask } from "../src/experiment/task-size.js";
import { defaultScenario, resolveScenario, type Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";

const steps = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
const work = { exact: false, engine: "table", threads: 2, days: 1000 } as const;
const gigabyte = 1e9;

/** Each job stalls very often: no two of them are alike. */
const chains = resolveScenario({
  stallOn: "every-attempt",
  steps: steps(16),
  kk3: 0.9,
  retryLimit: 300,
  rounds: 10_000,
});

test("checkDay lets sensible days be, up to the largest number of workflows", () => {
  for (const scenario of [
    defaultScenario,
    { ...defaultScenario, workflows: 1e8 },
    { ...defaultScenario, rounds: 1e7, lease: 1e7 },
    { ...defaultScenario, steps: steps(16), kk3: 0.5, workflows: 1e8 },
    chains,
  ]) {
    expect(checkDay(scenario, work, 4 * gigabyte)).toEqual([]);
  }
  expect(checkDay({ ...defaultScenario, workflows: 1e7 }, { ...work, engine: "event" }, gigabyte)).toEqual(
    [],
  );
});

test("checkDay refuses days that take absurdly long or more memory than there is, with a way out", () => {
  const endless = { ...chains, kk3: 0.9999, retryLimit: 10_000, workflows: 1e6 };
  expect(checkDay(endless, work, 16 * gigabyte)).toEqual([
    "a day must take at most 10 minutes, got about 110; use fewer workflows, steps or retries",
    "the days in work must fit into 16 GB of memory, got about 21,000 GB; use fewer workflows, steps or retries",
  ]);
  const wide = { ...defaultScenario, workflows: 1e8 };
  expect(checkDay(wide, { ...work, engine: "event" }, 6 * gigabyte)).toEqual([
    "the days in work must fit into 6 GB of memory, got about 8 GB; use fewer workflows or steps, or fewer threads",
  ]);
  // One day is done by one thread; exact results have limits of their own.
  expect(checkDay(wide, { ...work, engine: "event", days: 1 }, 6 * gigabyte)).toEqual([]);
  expect(checkDay(endless, { ...work, exact: true }, gigabyte)).toEqual([]);
});

test("runs and sweeps with such a day are refused before anything is simulated", async () => {
  const absurd = { workflows: 1e8, steps: 16, kk3: 0.999, retryLimit: 9999 };
  const stallOn = "every-attempt";
  await expect(simulate({ ...absurd, stallOn })).rejects.toThrow(/^a day must take at most 10 minutes, got/);
  // Only one scenario of this grid is absurd.
  const grid = { workflows: [10, 1e8], kk3: [0, 0.999], retryLimit: [1, 9999], steps: [1, 16] };
  await expect(sweep({ ...grid, stallOn: [stallOn, "first-attempt"] })).rejects.toThrow(/^a day must take/);
  const { sweep: sensible } = resolveSweep({ workflows: [10, 1000], kk3: [0, 0.999], retryLimit: [1, 9] });
  expect(checkDaysOfGrid(sensible.grid, sensible)).toEqual([]);
});

test("estimateFaults is the number of faults that the sampler draws, and estimateDayBytes more than it needs", () => {
  for (const change of [{}, { kk3: 0.5, retryLimit: 4 }, { kk3: 1, retryLimit: 7 }, { steps: steps(2) }]) {
    const scenario: Scenario = { ...chains, workflows: 400, kk2: 0, ...change };
    const sampler = newFateSampler(scenario, deriveKey("faults"));
    sampler.draw(0);
    const { table } = sampler.tree;
    let faults = 0;
    const count = (fate: number, jobs: number) => {
      for (const step of scenario.steps.keys()) faults += jobs * table.stallCount(fate, step);
    };
    for (const { fate, jobs } of sampler.days.common) count(fate, jobs[0]);
    for (let i = 0; i < sampler.days.listed; i++) count(sampler.days.fate[i], sampler.days.count[i]);
    expect(faults / estimateFaults(scenario)).toBeCloseTo(1, 0.9);
    expect(table.length).toBeLessThanOrEqual(Math.min(faults + 33, countFates(scenario)));
    // The tree alone has that many bytes for each of its fates.
    expect(estimateDayBytes(scenario, "event")).toBeGreaterThan(
      (10 * scenario.steps.length + 6) * (table.length - 33),
    );
  }
});

test("a strip ends before its fates fill the memory", () => {
  const sampler = newFateSampler(chains, deriveKey("strips"));
  const drawn = sampler.draw(0, 256);
  // A day has about half a million fates.
  expect(drawn).toBe(1);
  const few = newFateSampler({ ...chains, workflows: 400 }, deriveKey("strips"));
  const length = few.draw(0, 256);
  expect(length).toBeGreaterThan(1);
  expect(length).toBeLessThan(6);
});

test("isLongTask and isLongAnswer tell what would keep a thread from listening", () => {
  const study = (scenario: Scenario, engine: "table" | "event" = "table"): Study => ({
    ...work,
    engine,
    scenario,
    number: 1,
    seed: "long",
    begin: 0,
    precision: undefined,
    keepDays: false,
  });
  const block = { begin: 0, end: 1 };
  const rendering = { module: "", options: undefined };
  const many = { ...defaultScenario, workflows: 1e7 };
  const manyFates = { ...defaultScenario, steps: steps(16) };
  expect(isLongTask({ study: study(defaultScenario), block: { begin: 0, end: 32768 } })).toBe(false);
  expect(isLongTask({ study: study(many), block })).toBe(false);
  expect(isLongTask({ study: study(many, "event"), block })).toBe(true);
  expect(isLongTask({ study: study(manyFates), block })).toBe(true);
  expect(isLongTask({ studies: [study(defaultScenario)], rendering })).toBe(false);
  expect(isLongTask({ studies: [study(manyFates)], rendering })).toBe(true);
  expect(isLongAnswer(defaultScenario)).toBe(false);
  expect(isLongAnswer(many)).toBe(false);
  expect(isLongAnswer(manyFates)).toBe(true);
  const oneStep = { ...chains, steps: steps(1), retryLimit: 10_000 };
  expect(isLongAnswer(oneStep)).toBe(true);
});
