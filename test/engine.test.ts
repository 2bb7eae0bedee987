import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DayColumns, newDayColumns } from "../src/engine/day-columns.js";
import { chooseEngine, newEngine } from "../src/engine/engine.js";
import { EventEngine } from "../src/engine/event.js";
import { EventDayEngine } from "../src/engine/event-day.js";
import { runFixture } from "../src/engine/fixture.js";
import { TableEngine } from "../src/engine/table.js";
import { FateCounts, FateTable } from "../src/model/fates.js";
import { type FixturePolicy, resolveFixture } from "../src/model/fixture.js";
import { parseRatio, type Ratio } from "../src/model/ratio.js";
import {
  estimateFirstOrder,
  firstOrderMetrics,
  referenceModel,
  referenceScans,
  referenceStallRatios,
} from "../src/model/reference.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";
import { Histogram } from "../src/stats/histogram.js";
import { type NaiveFate, simulateNaively } from "./naive-model.js";
import { tally } from "./significance.js";

const read = (name: string) => JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8"));

describe("the figures of the lesson", () => {
  const golden = read("document.json");

  test.each(golden.policies as { policy: FixturePolicy; expected: unknown }[])(
    "runFixture gives the published outcome of $policy",
    ({ policy, expected }) => {
      expect(runFixture(resolveFixture({ ...golden.fixture, policy }))).toEqual(expected);
      expect(runFixture(referenceModel(policy))).toEqual(expected);
    },
  );

  test("referenceModel is the published fixture", () => {
    const { policy, ...fixture } = referenceModel();
    expect(fixture).toEqual(golden.fixture);
    expect(policy).toEqual(golden.policies[1].policy);
    expect(golden.policies.slice(2).map(({ policy }: { policy: FixturePolicy }) => policy.scan)).toEqual(
      referenceScans.filter((scan) => scan !== policy.scan),
    );
  });

  test("estimateFirstOrder gives the published estimate", () => {
    expect(golden.firstOrder.map(({ kk3 }: { kk3: number }) => kk3)).toEqual(referenceStallRatios);
    for (const { workflows, steps, kk2, retryLimit, kk3, ...expected } of golden.firstOrder) {
      expect(estimateFirstOrder({ workflows, stepCount: steps, kk2, retryLimit, kk3 })).toEqual(expected);
      const { halfFinishedUnsupervised, redriven, wasted } = expected;
      expect(firstOrderMetrics({ ...defaultScenario, kk3 })).toEqual({
        halfFinishedUnsupervised,
        redriven,
        wasted,
      });
    }
    const { redriven, wasted } = runFixture(referenceModel());
    expect(wasted / redriven).toBe(golden.wastedRedriveRatio);
  });

  test("firstOrderMetrics stays silent where the lesson has no estimate", () => {
    expect(firstOrderMetrics({ ...defaultScenario, stallOn: "every-attempt" })).toEqual({});
    expect(firstOrderMetrics({ ...defaultScenario, kk3: parseRatio("uniform(0,1)") as Ratio })).toEqual({});
  });
});

interface ModelCase {
  name: string;
  jobs: number;
  steps: number;
  policy: FixturePolicy;
  stalled: Record<string, number[]>;
  persistent: Record<string, number>;
  expected: unknown;
}

/** A golden case as the naive model takes it. */
function naiveFates({ jobs, steps, stalled, persistent }: ModelCase): NaiveFate[] {
  return Array.from({ length: jobs }, (_, job) => ({
    stallCount: Array.from({ length: steps }, (_, step) => (stalled[job]?.includes(step) ? 1 : 0)),
    persistent: persistent[job],
  }));
}

test("runFixture counts a stall that is given twice once, whatever the jobs are called", () => {
  const jobs = ["constructor", "toString", "__proto__", "hasOwnProperty", "S1"];
  const fixture = (stalled: string[]) =>
    resolveFixture({ jobs, steps: ["a", "b"], stalled: { S1: stalled }, persistent: {} });
  expect(runFixture(fixture(["b", "b"]))).toEqual(runFixture(fixture(["b"])));
  expect(runFixture(fixture(["b"]))).toMatchObject({ completed: 5, redriven: 1, wasted: 1, stepsRun: 10 });
});

describe("the golden cases of the model", () => {
  const cases: ModelCase[] = read("model-cases.json");

  test("runFixture gives each outcome", () => {
    expect(cases.length).toBe(240);
    for (const modelCase of cases) {
      const fixture = resolveFixture(modelCase);
      expect(runFixture(fixture), modelCase.name).toEqual(modelCase.expected);
    }
  });

  test("the naive model gives each outcome", () => {
    for (const modelCase of cases) {
      expect(simulateNaively(naiveFates(modelCase), modelCase.policy), modelCase.name).toEqual(
        modelCase.expected,
      );
    }
  });
});

/** A day of given fates, as both models take it. */
interface GivenDay {
  readonly stepCount: number;
  /** Each fate and the number of jobs that share it. */
  readonly groups: readonly { readonly fate: NaiveFate; readonly count: number }[];
}

const anyFate = (stepCount: number): fc.Arbitrary<NaiveFate> =>
  fc.record({
    stallCount: fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(4)), {
      minLength: stepCount,
      maxLength: stepCount,
    }),
    persistent: fc.option(fc.nat(stepCount - 1), { nil: undefined }),
  });

const anyDayOf = (stepCount: number): fc.Arbitrary<GivenDay> =>
  fc.record({
    stepCount: fc.constant(stepCount),
    groups: fc.array(fc.record({ fate: anyFate(stepCount), count: fc.nat(4) }), { maxLength: 10 }),
  });

const anyDay = fc.integer({ min: 1, max: 8 }).chain(anyDayOf);

const anyPolicy: fc.Arbitrary<FixturePolicy> = fc.record({
  supervisor: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  scan: fc.integer({ min: 1, max: 40 }),
  lease: fc.integer({ min: 1, max: 40 }),
  retryLimit: fc.integer({ min: 1, max: 6 }),
  rounds: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 20 })),
});

function runNaively({ groups }: GivenDay, policy: FixturePolicy) {
  const delays: number[] = [];
  const jobs = groups.flatMap(({ fate, count }) => Array<NaiveFate>(count).fill(fate));
  const outcome = simulateNaively(jobs, policy, delays);
  const { values, counts } = tally(delays.sort((a, b) => a - b));
  return { outcome, delays: { values, counts } };
}

function runOn(engine: EventEngine, { stepCount, groups }: GivenDay, { supervisor }: FixturePolicy) {
  const fates = new FateTable(stepCount);
  const day = new FateCounts();
  for (const { fate, count } of groups) {
    const row = fates.add();
    fate.stallCount.forEach((stalls, step) => {
      for (let i = 0; i < stalls; i++) fates.addStall(row, step);
    });
    if (fate.persistent !== undefined) fates.setPersistent(row, fate.persistent);
    day.add(row, count);
  }
  const histogram = new Histogram();
  const outcome = { ...engine.run(fates, day, supervisor, histogram) };
  const { values, counts } = histogram.toCounts();
  return { outcome, delays: { values: [...values], counts: [...counts] } };
}

describe("EventEngine.run", () => {
  test("agrees with the naive model on every outcome and every recovery delay", () => {
    fc.assert(
      fc.property(anyDay, anyPolicy, (day, policy) => {
        const engine = new EventEngine(day.stepCount, policy);
        expect(runOn(engine, day, policy)).toEqual(runNaively(day, policy));
      }),
      { seed: 1, numRuns: 1500 },
    );
  });

  test("keeps nothing of the days before, complete or cut short", () => {
    const anyDays = fc
      .integer({ min: 1, max: 6 })
      .chain((stepCount) =>
        fc.array(fc.tuple(anyDayOf(stepCount), fc.boolean()), { minLength: 2, maxLength: 8 }),
      );
    fc.assert(
      fc.property(anyDays, anyPolicy, (days, policy) => {
        const kept = new EventEngine(days[0][0].stepCount, policy);
        for (const [day, supervisor] of days) {
          const fresh = new EventEngine(day.stepCount, policy);
          const today = { ...policy, supervisor };
          expect(runOn(kept, day, today)).toEqual(runOn(fresh, day, today));
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test("agrees with the naive model on days of a million rounds", () => {
    const day: GivenDay = {
      stepCount: 3,
      groups: [
        { fate: { stallCount: [0, 0, 0], persistent: undefined }, count: 1 },
        { fate: { stallCount: [1, 0, 2], persistent: undefined }, count: 2 },
        { fate: { stallCount: [0, 1, 0], persistent: 2 }, count: 1 },
      ],
    };
    for (const scan of [86_400, 86_399, 3_600]) {
      const policy = { supervisor: true, scan, lease: 86_400, retryLimit: 4, rounds: 1_000_000 };
      expect(runOn(new EventEngine(3, policy), day, policy)).toEqual(runNaively(day, policy));
    }
  });

  test("gives a day without jobs, and one that ends before the first landing", () => {
    const policy = { supervisor: true, scan: 1, lease: 1, retryLimit: 1, rounds: 1 };
    const nobody: GivenDay = { stepCount: 2, groups: [] };
    expect(runOn(new EventEngine(2, policy), nobody, policy)).toEqual(runNaively(nobody, policy));
    const one: GivenDay = {
      stepCount: 1,
      groups: [{ fate: { stallCount: [0], persistent: undefined }, count: 1 }],
    };
    const { outcome } = runOn(new EventEngine(1, policy), one, policy);
    expect(outcome).toEqual(runNaively(one, policy).outcome);
    expect(outcome).toMatchObject({ halfFinished: 1, recordsRead: 1, lastRound: 0 });
  });
});

const anyKk3: fc.Arbitrary<Ratio> = fc
  .oneof(
    fc.constantFrom("0", "1", "0.5", "0.005"),
    fc.double({ min: 0, max: 1, noNaN: true }).map(String),
    fc.constantFrom("uniform(0,1)", "beta(0.5,2)", "lognormal(0.1,1.5)", "triangular(0,0,0.3)"),
  )
  .map((text) => parseRatio(text) as Ratio);

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  workflows: fc.integer({ min: 1, max: 120 }),
  steps: fc
    .oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 16 }))
    .map((count) => Array.from({ length: count }, (_, step) => `${step}`)),
  kk3: anyKk3,
  kk2: fc.oneof(fc.constantFrom(0, 1, 0.02), fc.double({ min: 0, max: 1, noNaN: true })),
  scan: fc.integer({ min: 1, max: 12 }),
  lease: fc.integer({ min: 1, max: 12 }),
  retryLimit: fc.integer({ min: 1, max: 5 }),
  rounds: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 300 })),
  stallOn: fc.constantFrom("first-attempt", "every-attempt"),
});

describe("newEngine", () => {
  const dayCount = 6;

  function simulate(engine: "table" | "event", scenario: Scenario) {
    const sampler = newFateSampler(scenario, deriveKey("two engines"));
    const day = newEngine(engine, scenario);
    const columns = newDayColumns(3);
    const simulated: unknown[] = [];
    const drained: unknown[] = [];
    for (let first = 0; first < dayCount; first += 3) {
      expect(sampler.draw(first, first + 3)).toBe(3);
      day.simulate(sampler, columns);
      simulated.push(structuredClone(columns));
      const delays = new Histogram();
      day.drainDelays(delays);
      drained.push(delays.toCounts());
    }
    return { simulated, drained };
  }

  test("gives two engines that agree on every metric and every recovery delay of each day", () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        expect(simulate("table", scenario)).toEqual(simulate("event", scenario));
      }),
      { seed: 3, numRuns: 400 },
    );
  });

  test("gives days that agree with the naive model", () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        const sampler = newFateSampler(scenario, deriveKey("naive"));
        const engine = newEngine("table", scenario);
        const columns = newDayColumns(1);
        sampler.draw(7);
        engine.simulate(sampler, columns);
        const { table } = sampler.tree;
        const day = new FateCounts();
        sampler.days.copyDay(0, day);
        const jobs = Array.from({ length: day.length }, (_, i) => {
          const fate = day.fate[i];
          const stallCount = scenario.steps.map((_, step) => table.stallCount(fate, step));
          const persistent = table.persistentStep(fate);
          return Array<NaiveFate>(day.count[i]).fill({
            stallCount,
            persistent: persistent < scenario.steps.length ? persistent : undefined,
          });
        }).flat();
        expect(jobs.length).toBe(scenario.workflows);
        const { recoveryWorst, ...expected } = simulateNaively(jobs, { ...scenario, supervisor: true });
        const { halfFinished } = simulateNaively(jobs, { ...scenario, supervisor: false });
        const row = Object.fromEntries(Object.entries(columns).map(([name, [value]]) => [name, value]));
        expect(row).toEqual({
          ...expected,
          recoveryWorstRounds: recoveryWorst,
          halfFinishedUnsupervised: halfFinished,
          kk3: sampler.days.kk3[0],
        });
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  test("gives engines that agree while the sampler forgets its fates", () => {
    // Nearly every job of such a day has a fate of its own.
    const scenario: Scenario = {
      ...defaultScenario,
      workflows: 4000,
      steps: Array.from({ length: 16 }, (_, step) => `${step}`),
      kk3: 0.5,
      retryLimit: 60,
      rounds: 1000,
      stallOn: "every-attempt",
    };
    const sampler = newFateSampler(scenario, deriveKey("forgetful"));
    const engines = [newEngine("table", scenario), newEngine("event", scenario)];
    const columns: DayColumns[] = engines.map(() => newDayColumns(1));
    for (let day = 0; sampler.generation === 0; day++) {
      expect(day).toBeLessThan(100);
      sampler.draw(day);
      engines.forEach((engine, i) => {
        engine.simulate(sampler, columns[i]);
      });
      expect(columns[0]).toEqual(columns[1]);
    }
    const [table, event] = engines.map((engine) => {
      const delays = new Histogram();
      engine.drainDelays(delays);
      return delays.toCounts();
    });
    expect(table).toEqual(event);
  });

  test("gives the engine of that name, and chooseEngine the table for auto", () => {
    expect(newEngine("table", defaultScenario)).toBeInstanceOf(TableEngine);
    expect(newEngine("event", defaultScenario)).toBeInstanceOf(EventDayEngine);
    expect(["auto", "table", "event"].map((name) => chooseEngine(name as "auto"))).toEqual([
      "table",
      "table",
      "event",
    ]);
  });
});
