// Laws that hold on every day of every scenario.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DayColumns } from "../src/engine/day-columns.js";
import { engineNames } from "../src/engine/engine.js";
import { BlockRunner } from "../src/experiment/block.js";
import { Tally } from "../src/experiment/tally.js";
import { FateCounts } from "../src/model/fates.js";
import { metrics } from "../src/model/metrics.js";
import type { Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";
import type { ValueCounts } from "../src/stats/histogram.js";
import { checks, dayCount, daysOf, endless, onEachDay, scenarios, seed, sum } from "./any-scenario.js";
import { type NaiveFate, simulateNaively } from "./naive-model.js";

/** The jobs of the first days of a scenario, one by one. */
function jobsOfDays(scenario: Scenario, count: number): NaiveFate[][] {
  const sampler = newFateSampler(scenario, deriveKey(seed));
  sampler.draw(0, count);
  const { table } = sampler.tree;
  const counts = new FateCounts();
  return Array.from({ length: count }, (_, day) => {
    sampler.days.copyDay(day, counts);
    return Array.from(counts.fate.subarray(0, counts.length)).flatMap((fate, i) => {
      const stallCount = scenario.steps.map((_, step) => table.stallCount(fate, step));
      const persistent = table.persistentStep(fate);
      return Array<NaiveFate>(counts.count[i]).fill({ stallCount, persistent });
    });
  });
}

const totalOf = ({ counts }: ValueCounts) => sum(counts);
const weightedTotalOf = ({ values, counts }: ValueCounts) => sum(values.map((value, i) => value * counts[i]));

describe.each(engineNames)("%s engine", (engine) => {
  // The engines leave out of their books what follows from the rest, so that a sum alone would show nothing.
  test("no job is lost: counted one by one, all are completed, compensated or half-finished", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const [days] = daysOf(engine, scenario);
        for (const [day, jobs] of jobsOfDays(scenario, 2).entries()) {
          const counted = simulateNaively(jobs, { ...scenario, supervisor: true });
          const { completed, compensatedJobs, halfFinished, recoveryWorst, ...others } = counted;
          expect(completed + compensatedJobs + halfFinished).toBe(scenario.workflows);
          const expected = {
            ...others,
            recoveryWorstRounds: recoveryWorst,
            completed,
            compensatedJobs,
            halfFinished,
          };
          for (const [name, value] of Object.entries(expected)) {
            expect(days[name as keyof DayColumns][day], name).toBe(value);
          }
          // Without a supervisor nothing lands after these rounds.
          const rounds = Math.min(scenario.rounds, scenario.steps.length + 1);
          const unsupervised = simulateNaively(jobs, { ...scenario, rounds, supervisor: false }).halfFinished;
          expect(days.halfFinishedUnsupervised[day]).toBe(unsupervised);
        }
        onEachDay((day) => {
          const ended = days.completed[day] + days.compensatedJobs[day];
          expect(ended + days.halfFinished[day]).toBe(scenario.workflows);
        });
      }),
      checks,
    );
  });

  test("all metrics are whole numbers, and within what a day can hold", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { workflows, steps, retryLimit, rounds, scan, lease } = scenario;
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => {
          for (const { name } of metrics) {
            expect(Number.isSafeInteger(days[name][day]) && days[name][day] >= 0).toBe(true);
          }
          expect(days.halfFinishedUnsupervised[day]).toBeLessThanOrEqual(workflows);
          expect(days.stepsRun[day]).toBeLessThanOrEqual(workflows * steps.length);
          expect(days.wasted[day]).toBeLessThanOrEqual(days.redriven[day]);
          expect(days.redriven[day]).toBeLessThanOrEqual(workflows * steps.length * retryLimit);
          expect(days.compensatedSteps[day]).toBeLessThanOrEqual(
            days.compensatedJobs[day] * (steps.length - 1),
          );
          expect(days.lastRound[day]).toBeLessThanOrEqual(rounds);
          // A dead step is found by the first scan after its lease, which is at most a scan interval away.
          expect(days.recoveryWorstRounds[day]).toBeLessThan(lease + scan - 1);
          expect(days.recoverySum[day]).toBeGreaterThanOrEqual((lease - 1) * days.redriven[day]);
          expect(days.recoverySum[day]).toBeLessThanOrEqual(
            days.recoveryWorstRounds[day] * days.redriven[day],
          );
          const end = days.halfFinished[day] > 0 ? rounds : days.lastRound[day];
          expect(days.recordsRead[day]).toBe(workflows * Math.floor(end / scan));
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

  test("without persistent failures each re-drive has a stall behind it, and a second attempt passes", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const once = { ...scenario, kk2: 0, stallOn: "first-attempt" as const, retryLimit: 2 };
        const [days, everyStall] = daysOf(engine, once, { ...once, kk3: 1 });
        onEachDay((day) => {
          expect(days.redriven[day]).toBe(days.wasted[day]);
          expect(days.redriven[day]).toBeGreaterThanOrEqual(days.halfFinishedUnsupervised[day]);
          expect(days.completed[day]).toBe(scenario.workflows);
          expect(everyStall.redriven[day]).toBe(scenario.workflows * scenario.steps.length);
        });
      }),
      checks,
    );
  });

  test("where the day is long enough, no job is left half-finished, and every step run has its job", () => {
    fc.assert(
      fc.property(endless, (scenario) => {
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => {
          expect(days.halfFinished[day]).toBe(0);
          const stepsOfCompleted = days.completed[day] * scenario.steps.length;
          expect(days.stepsRun[day]).toBe(stepsOfCompleted + days.compensatedSteps[day]);
        });
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

  test("a job that completes alone completes with the supervisor, too", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const [days] = daysOf(engine, scenario);
        onEachDay((day) => {
          const alone = scenario.workflows - days.halfFinishedUnsupervised[day];
          expect(days.completed[day]).toBeGreaterThanOrEqual(alone);
        });
      }),
      checks,
    );
  });

  test("histograms count each day once, each re-drive once, and are the same however days are divided", () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 1, max: dayCount - 1 }), (scenario, middle) => {
        const [days] = daysOf(engine, scenario);
        const runner = new BlockRunner([{ scenario, engine, seed, keepDays: false }]);
        const parts = new Tally();
        parts.merge(runner.run({ begin: middle, end: dayCount })[0].tally);
        parts.merge(runner.run({ begin: 0, end: middle })[0].tally);
        const tally = parts.toData();
        const [whole] = runner.run({ begin: 0, end: dayCount });
        expect(tally).toEqual(whole.tally);
        expect(tally.days).toBe(dayCount);
        for (const { name } of metrics) {
          expect(totalOf(tally.metrics[name])).toBe(dayCount);
          expect(weightedTotalOf(tally.metrics[name]), name).toBe(sum(days[name]));
        }
        expect(totalOf(tally.delays)).toBe(sum(days.redriven));
        expect(weightedTotalOf(tally.delays)).toBe(sum(days.recoverySum));
        expect(tally.delays.values.at(-1) ?? 0).toBe(Math.max(...days.recoveryWorstRounds));
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
