// Laws that hold in every scenario, on scenarios that fast-check makes up. Seeds are fixed: no false alarms.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DayColumns } from "../src/engine/day-columns.js";
import { engineNames } from "../src/engine/engine.js";
import { BlockRunner } from "../src/experiment/block.js";
import { metrics } from "../src/model/metrics.js";
import { resolveScenario, type Scenario } from "../src/model/scenario.js";

const scenarios: fc.Arbitrary<Scenario> = fc
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
const endless = scenarios.map((scenario) => ({ ...scenario, rounds: 1000 }));

const dayCount = 12;
const checks = { seed: 20, numRuns: 150 };

/** The days of some scenarios that share their random numbers. */
function daysOf(engine: (typeof engineNames)[number], ...of: Scenario[]): DayColumns[] {
  return of.map((scenario) => {
    const runner = new BlockRunner([{ scenario, engine, seed: "law", keepDays: true }]);
    return runner.run({ begin: 0, end: dayCount })[0].days as DayColumns;
  });
}

/** Checks a law on each day. */
function onEachDay(holds: (day: number) => void): void {
  for (let day = 0; day < dayCount; day++) holds(day);
}

const sum = (column: Float64Array) => column.reduce((total, value) => total + value, 0);

describe.each(engineNames)("%s engine", (engine) => {
  test("no job is lost: completed, compensated and half-finished ones are all", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => {
          const ended = days.completed[day] + days.compensatedJobs[day];
          expect(ended + days.halfFinished[day]).toBe(scenario.workflows);
          expect(days.halfFinishedUnsupervised[day]).toBeLessThanOrEqual(scenario.workflows);
        });
      }),
      checks,
    );
  });

  test("all metrics are whole numbers, and within what a day can hold", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { workflows, steps, retryLimit, rounds, scan } = scenario;
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => {
          for (const { name } of metrics) {
            expect(Number.isSafeInteger(days[name][day]) && days[name][day] >= 0).toBe(true);
          }
          expect(days.stepsRun[day]).toBeLessThanOrEqual(workflows * steps.length);
          expect(days.wasted[day]).toBeLessThanOrEqual(days.redriven[day]);
          expect(days.redriven[day]).toBeLessThanOrEqual(workflows * steps.length * retryLimit);
          expect(days.lastRound[day]).toBeLessThanOrEqual(rounds);
          expect(days.recordsRead[day] % workflows).toBe(0);
          expect(days.recordsRead[day]).toBeLessThanOrEqual(workflows * Math.floor(rounds / scan));
          expect(days.recoverySum[day]).toBeLessThanOrEqual(
            days.recoveryWorstRounds[day] * days.redriven[day],
          );
        });
      }),
      checks,
    );
  });

  test("without faults nothing is re-driven and every job completes", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const [days] = daysOf(engine, { ...scenario, kk3: 0, kk2: 0 });
        onEachDay((day) => {
          expect(days.redriven[day] + days.wasted[day] + days.recoverySum[day]).toBe(0);
          expect(days.halfFinishedUnsupervised[day]).toBe(0);
          expect(days.completed[day]).toBe(scenario.workflows);
          expect(days.stepsRun[day]).toBe(scenario.workflows * scenario.steps.length);
          expect(days.lastRound[day]).toBe(scenario.steps.length + 1);
        });
      }),
      checks,
    );
  });

  test("where the day is long enough, the supervisor leaves no job half-finished", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => expect(days.halfFinished[day]).toBe(0));
      }),
      checks,
    );
  });

  test("where every job fails for good, every job is compensated", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const [days] = daysOf(engine, { ...scenario, kk2: 1, kk3: 0 });
        onEachDay((day) => {
          expect(days.compensatedJobs[day]).toBe(scenario.workflows);
          expect(days.redriven[day]).toBe(scenario.workflows * scenario.retryLimit);
          expect(days.wasted[day]).toBe(0);
        });
      }),
      checks,
    );
  });

  test("the policy changes neither the faults nor what they come to in the end", () => {
    fc.assert(
      fc.property(
        endless,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 6 }),
        (scenario, scan, lease) => {
          const [days, others] = daysOf(engine, scenario, { ...scenario, scan, lease });
          for (const name of [
            "halfFinishedUnsupervised",
            "completed",
            "compensatedJobs",
            "stepsRun",
            "redriven",
            "wasted",
            "compensatedSteps",
          ] as const) {
            expect(others[name]).toEqual(days[name]);
          }
        },
      ),
      checks,
    );
  });

  test("scanning in every round is never later than scanning in some of them", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const [eager, lazy] = daysOf(engine, { ...scenario, scan: 1 }, scenario);
        onEachDay((day) => {
          expect(eager.recoverySum[day]).toBeLessThanOrEqual(lazy.recoverySum[day]);
          expect(eager.recoveryWorstRounds[day]).toBeLessThanOrEqual(lazy.recoveryWorstRounds[day]);
          expect(eager.lastRound[day]).toBeLessThanOrEqual(lazy.lastRound[day]);
        });
      }),
      checks,
    );
  });

  test("a longer lease never finds a dead step earlier", () => {
    fc.assert(
      fc.property(endless, fc.integer({ min: 1, max: 5 }), (scenario, more) => {
        const longer = { ...scenario, scan: 1, lease: scenario.lease + more };
        const [short, long] = daysOf(engine, { ...scenario, scan: 1 }, longer);
        onEachDay((day) => {
          expect(short.recoverySum[day]).toBeLessThanOrEqual(long.recoverySum[day]);
          expect(short.lastRound[day]).toBeLessThanOrEqual(long.lastRound[day]);
        });
      }),
      checks,
    );
  });

  test("a higher retry limit never gives up more jobs, where a stall hits once", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const once = { ...scenario, stallOn: "first-attempt" as const };
        const [low, high] = daysOf(engine, once, { ...once, retryLimit: once.retryLimit + 1 });
        onEachDay((day) => expect(high.compensatedJobs[day]).toBeLessThanOrEqual(low.compensatedJobs[day]));
      }),
      checks,
    );
  });

  test("on shared random numbers a higher KK3 or KK2 leaves no fewer jobs half-finished over a run", () => {
    fc.assert(
      fc.property(endless, fc.double({ min: 1.2, max: 3, noNaN: true }), (scenario, factor) => {
        const mild = { ...scenario, kk3: 0.01 as const, kk2: 0.02 };
        const [days, moreKk3, moreKk2] = daysOf(
          engine,
          mild,
          { ...mild, kk3: 0.01 * factor },
          { ...mild, kk2: 0.02 * factor },
        );
        const stalls = sum(days.halfFinishedUnsupervised);
        expect(sum(moreKk3.halfFinishedUnsupervised)).toBeGreaterThanOrEqual(stalls);
        expect(sum(moreKk2.halfFinishedUnsupervised)).toBeGreaterThanOrEqual(stalls);
      }),
      checks,
    );
  });
});

test("both engines give the same days", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const [table] = daysOf("table", scenario);
      const [event] = daysOf("event", scenario);
      expect(table).toEqual(event);
    }),
    checks,
  );
});
