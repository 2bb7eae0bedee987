// Scenarios that fast-check makes up, and their days, for tests of laws that hold in all of them. Seeds are fixed: no
// false alarms.
import fc from "fast-check";
import { expect } from "vitest";
import type { DayColumns } from "../src/engine/day-columns.js";
import type { EngineName } from "../src/engine/engine.js";
import { BlockRunner } from "../src/experiment/block.js";
import { resolveScenario, type Scenario } from "../src/model/scenario.js";

/** Seed of all scenarios and of their days, and how many of each. */
export const checks = { seed: 20, numRuns: 100 };
export const seed = "law";
export const dayCount = 12;

/** Of any length: many of their days end before their jobs do. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    workflows: fc.integer({ min: 1, max: 300 }),
    stepCount: fc.integer({ min: 1, max: 5 }),
    kk3: fc.oneof(fc.constantFrom(0, 0.005, 1), fc.double({ min: 0, max: 0.5, noNaN: true })),
    kk2: fc.oneof(fc.constantFrom(0, 0.02, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    scan: fc.integer({ min: 1, max: 9 }),
    lease: fc.integer({ min: 1, max: 6 }),
    retryLimit: fc.integer({ min: 1, max: 4 }),
    rounds: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(1000)),
    stallOn: fc.constantFrom("first-attempt" as const, "every-attempt" as const),
  })
  .map(({ stepCount, ...rest }) =>
    resolveScenario({ ...rest, steps: Array.from({ length: stepCount }, (_, i) => `${i}`) }),
  );

/** Long enough for every job to end: each of its executions is found within a lease and a scan. */
export const endless = scenarios.map((scenario) => ({ ...scenario, rounds: 1000 }));

/** The days of some scenarios that share their random numbers. */
export function daysOf(engine: EngineName, ...of: Scenario[]): DayColumns[] {
  return of.map((scenario) => {
    const runner = new BlockRunner([{ scenario, engine, seed, keepDays: true }]);
    return runner.run({ begin: 0, end: dayCount })[0].days as DayColumns;
  });
}

/** Checks a law on each day. */
export function onEachDay(holds: (day: number) => void): void {
  for (let day = 0; day < dayCount; day++) holds(day);
}

/** Checks that a metric is nowhere higher on the first days than on the same of the others. */
export function expectNoHigher(
  days: DayColumns,
  others: DayColumns,
  ...names: readonly (keyof DayColumns)[]
): void {
  for (const name of names) {
    const wrong = days[name].findIndex((value, day) => !(value <= others[name][day]));
    if (wrong < 0) continue;
    expect(days[name][wrong], `${name} of day ${wrong}`).toBeLessThanOrEqual(others[name][wrong]);
  }
}

export const sum = (column: ArrayLike<number>) =>
  Array.from(column).reduce((total, value) => total + value, 0);
