// What a change of one parameter does to the same days: laws that hold in every scenario.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { engineNames } from "../src/engine/engine.js";
import { EventEngine } from "../src/engine/event.js";
import { FateCounts, FateTable } from "../src/model/fates.js";
import { checks, daysOf, endless, expectNoHigher, onEachDay, scenarios, sum } from "./any-scenario.js";

/** What a day has got done when it ends: it only grows with the time that there is. */
const progress = [
  "completed",
  "compensatedJobs",
  "stepsRun",
  "redriven",
  "wasted",
  "compensatedSteps",
] as const;

describe.each(engineNames)("%s engine", (engine) => {
  test("the policy changes neither the faults nor what they come to in the end", () => {
    fc.assert(
      fc.property(
        endless,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 6 }),
        (scenario, scan, lease) => {
          const [days, others] = daysOf(engine, scenario, { ...scenario, scan, lease });
          for (const name of ["halfFinishedUnsupervised", ...progress] as const) {
            expect(others[name]).toEqual(days[name]);
          }
        },
      ),
      checks,
    );
  });

  test("scanning twice as often, or in every round, is never later", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const { scan } = scenario;
        const [lazy, often, eager] = daysOf(engine, { ...scenario, scan: 2 * scan }, scenario, {
          ...scenario,
          scan: 1,
        });
        for (const [days, later] of [
          [often, lazy],
          [eager, often],
        ]) {
          expectNoHigher(days, later, "recoverySum", "recoveryWorstRounds", "lastRound");
        }
        onEachDay((day) => expect(eager.recoverySum[day]).toBe((scenario.lease - 1) * eager.redriven[day]));
      }),
      checks,
    );
  });

  test("a day that ends gets no less done by scanning twice as often, or with a shorter lease", () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 1, max: 5 }), (scenario, more) => {
        const [days, lazy, patient] = daysOf(
          engine,
          scenario,
          { ...scenario, scan: 2 * scenario.scan },
          { ...scenario, lease: scenario.lease + more },
        );
        for (const slower of [lazy, patient]) {
          expectNoHigher(slower, days, ...progress);
          expectNoHigher(days, slower, "halfFinished");
          expect(slower.halfFinishedUnsupervised).toEqual(days.halfFinishedUnsupervised);
        }
      }),
      checks,
    );
  });

  test("a longer day only adds to what is done, and leaves no more jobs half-finished", () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 1, max: 9 }), (scenario, more) => {
        const [days, longer] = daysOf(engine, scenario, { ...scenario, rounds: scenario.rounds + more });
        expectNoHigher(
          days,
          longer,
          ...progress,
          "lastRound",
          "recoveryWorstRounds",
          "recoverySum",
          "recordsRead",
        );
        expectNoHigher(longer, days, "halfFinished", "halfFinishedUnsupervised");
      }),
      checks,
    );
  });

  test("a longer lease never finds a dead step earlier", () => {
    fc.assert(
      fc.property(endless, fc.integer({ min: 1, max: 5 }), (scenario, more) => {
        const [short, long] = daysOf(engine, scenario, { ...scenario, lease: scenario.lease + more });
        expectNoHigher(short, long, "lastRound");
        const [shortest, longest] = daysOf(
          engine,
          { ...scenario, scan: 1 },
          { ...scenario, scan: 1, lease: scenario.lease + more },
        );
        expectNoHigher(shortest, longest, "recoverySum", "recoveryWorstRounds");
      }),
      checks,
    );
  });

  test("a higher retry limit never gives up more jobs, nor gets less done, where a stall hits once", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const once = { ...scenario, stallOn: "first-attempt" as const };
        const [low, high] = daysOf(engine, once, { ...once, retryLimit: once.retryLimit + 1 });
        expectNoHigher(high, low, "compensatedJobs");
        expectNoHigher(low, high, "completed", "stepsRun", "redriven", "wasted");
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
        expect(sum(moreKk3.wasted)).toBeGreaterThanOrEqual(sum(days.wasted));
      }),
      checks,
    );
  });
});

test("on the same fates a higher retry limit never gives up more jobs, however often they stall", () => {
  const anyFates = fc.array(
    fc.record({
      stalls: fc.array(fc.nat(5), { minLength: 3, maxLength: 3 }),
      persistent: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(scenarios, anyFates, (scenario, fates) => {
      const table = new FateTable(3);
      const day = new FateCounts();
      for (const { stalls, persistent } of fates) {
        const fate = table.add();
        for (const [step, count] of stalls.entries()) {
          for (let i = 0; i < count; i++) table.addStall(fate, step);
        }
        if (persistent !== undefined) table.setPersistent(fate, persistent);
        day.add(fate, 1);
      }
      const run = (retryLimit: number) => ({
        ...new EventEngine(3, { ...scenario, retryLimit }).run(table, day, true),
      });
      const [low, high] = [run(scenario.retryLimit), run(scenario.retryLimit + 1)];
      expect(high.compensatedJobs).toBeLessThanOrEqual(low.compensatedJobs);
      for (const name of ["completed", "stepsRun", "redriven", "wasted"] as const) {
        expect(high[name], name).toBeGreaterThanOrEqual(low[name]);
      }
    }),
    { ...checks, numRuns: 500 },
  );
});
