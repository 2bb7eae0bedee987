// The baseline of the benchmarks must be right, or comparing with it means nothing.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawFates, type Fate, plainRandom, simulateDay } from "../bench/baseline.js";
import { EventEngine } from "../src/engine/event.js";
import { deriveExact } from "../src/exact/metrics.js";
import { FateCounts, FateTable } from "../src/model/fates.js";
import type { FixturePolicy } from "../src/model/fixture.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";

interface GoldenCase {
  readonly name: string;
  readonly jobs: number;
  readonly steps: number;
  readonly policy: FixturePolicy;
  readonly stalled: Record<string, number[]>;
  readonly persistent: Record<string, number>;
  readonly expected: unknown;
}

const golden: GoldenCase[] = JSON.parse(
  readFileSync(new URL("golden/model-cases.json", import.meta.url), "utf8"),
);

describe("simulateDay", () => {
  test("gives the outcome of each golden case", () => {
    for (const { name, jobs, steps, policy, stalled, persistent, expected } of golden) {
      const fates = Array.from({ length: jobs }, (_, job) => ({
        stalls: Array.from({ length: steps }, (_, step) => (stalled[job]?.includes(step) ? 1 : 0)),
        persistent: persistent[job],
      }));
      expect(simulateDay(fates, policy), name).toEqual(expected);
    }
  });

  test("agrees with the event engine on fates with several stalls per step", () => {
    const steps = 3;
    const anyFate = fc.record({
      stalls: fc.array(fc.nat(3), { minLength: steps, maxLength: steps }),
      persistent: fc.option(fc.nat(steps - 1), { nil: undefined }),
    });
    const anyPolicy = fc.record({
      supervisor: fc.boolean(),
      scan: fc.integer({ min: 1, max: 9 }),
      lease: fc.integer({ min: 1, max: 9 }),
      retryLimit: fc.integer({ min: 1, max: 5 }),
      rounds: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(anyFate, { maxLength: 12 }), anyPolicy, (fates, policy) => {
        expect(simulateDay(fates, policy)).toEqual(runEvents(fates, steps, policy));
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

function runEvents(fates: readonly Fate[], steps: number, policy: FixturePolicy) {
  const table = new FateTable(steps);
  const day = new FateCounts();
  for (const { stalls, persistent } of fates) {
    const row = table.add();
    stalls.forEach((count, step) => {
      for (let i = 0; i < count; i++) table.addStall(row, step);
    });
    if (persistent !== undefined) table.setPersistent(row, persistent);
    day.add(row, 1);
  }
  return { ...new EventEngine(steps, policy).run(table, day, policy.supervisor) };
}

describe("drawFates", () => {
  const scenarios: Scenario[] = [
    defaultScenario,
    { ...defaultScenario, kk3: 0.2, kk2: 0.1, retryLimit: 4, stallOn: "every-attempt" },
  ];

  // Eight means, each beyond 5 standard errors once in 1.7 million: a false alarm once in 210,000.
  test.each(scenarios)("draws days whose means are the exact ones ($stallOn)", (scenario) => {
    const days = 60;
    const random = plainRandom(7);
    const exact = deriveExact(scenario);
    const sums = { redriven: 0, wasted: 0, compensatedJobs: 0, compensatedSteps: 0 };
    for (let day = 0; day < days; day++) {
      const fates = drawFates(random, scenario, scenario.kk3 as number);
      expect(fates.length).toBe(scenario.workflows);
      const outcome = simulateDay(fates, { ...scenario, supervisor: true });
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += outcome[name];
    }
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) {
      const { mean, sd } = exact[name] as { mean: number; sd: number };
      expect(Math.abs(sums[name] / days - mean) / (sd / Math.sqrt(days)), name).toBeLessThan(5);
    }
  });

  test("draws the same fates for the same seed, others for another", () => {
    const draw = (seed: number) => drawFates(plainRandom(seed), { ...defaultScenario, workflows: 500 }, 0.1);
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
  });
});
