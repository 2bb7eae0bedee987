// How a result is divided into shards, and how its parts are put together.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EngineName } from "../src/engine/engine.js";
import { mergeParts, type Part } from "../src/experiment/merge.js";
import { resolveSimulation } from "../src/experiment/settings.js";
import { planShard, shardSetting } from "../src/experiment/shard.js";
import { Tally } from "../src/experiment/tally.js";
import { TaskRunner } from "../src/experiment/task.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";
import { checkSettings } from "../src/model/settings.js";
import { formatPart, parsePart } from "../src/report/part-json.js";

const numbered =
  (scenarios: readonly Scenario[]) =>
  (first = 1) =>
    scenarios.map((scenario, i) => ({ number: i + 1, scenario })).slice(first - 1);

const anyScenario = fc
  .record({
    workflows: fc.constantFrom(1, 400, 4000, 4_000_000),
    kk3: fc.constantFrom(0, 0.005, 0.5, { kind: "uniform", parameters: [0, 0.1] } as const),
    scan: fc.integer({ min: 1, max: 5 }),
  })
  .map((changes): Scenario => ({ ...defaultScenario, ...changes }));

const anyDivision = fc.record({
  scenarios: fc.array(anyScenario, { minLength: 1, maxLength: 6 }),
  days: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
  count: fc.integer({ min: 1, max: 40 }),
});

describe("planShard", () => {
  test("gives each day of each scenario to one shard, in order", () => {
    fc.assert(
      fc.property(anyDivision, ({ scenarios, days, count }) => {
        const simulation = resolveSimulation({ days });
        let [number, day] = [1, 0];
        for (let shard = 1; shard <= count; shard++) {
          const plan = planShard(simulation, numbered(scenarios), { number: shard, count }, false);
          let sum = 0;
          for (const study of plan.studies()) {
            expect([study.number, study.begin]).toEqual([number, day]);
            expect(study.scenario).toBe(scenarios[number - 1]);
            expect(study.days).toBeGreaterThan(0);
            sum += study.days;
            day += study.days;
            if (day === days) [number, day] = [number + 1, 0];
          }
          expect(plan.days).toBe(sum);
        }
        expect([number, day]).toEqual([scenarios.length + 1, 0]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("cuts in the same places whatever the engine and the threads", () => {
    const cutsOf = (engine: EngineName, threads: number) =>
      [1, 2, 3].map((number) => {
        const simulation = resolveSimulation({ days: 100_000, engine, threads });
        const plan = planShard(simulation, numbered([defaultScenario]), { number, count: 3 }, false);
        return [...plan.studies()].map(({ begin, days }) => [begin, days]);
      });
    expect(cutsOf("event", 7)).toEqual(cutsOf("table", 1));
  });

  test.each([
    [1, 1000, 10],
    [1, 1_000_000_000, 64],
    [20, 10_000, 7],
    [1000, 10_000, 1000],
  ])("shares out %i scenarios of %i days evenly among %i", (scenarios, days, count) => {
    const all = numbered(Array.from({ length: scenarios }, () => defaultScenario));
    const mean = (scenarios * days) / count;
    for (const number of [1, 2, Math.ceil(count / 2), count]) {
      const plan = planShard(resolveSimulation({ days }), all, { number, count }, false);
      expect(plan.days).toBeGreaterThan(0.9 * mean);
      expect(plan.days).toBeLessThan(1.1 * mean);
    }
  });

  test("leaves a scenario whole where its precision is to be reached", () => {
    const simulation = resolveSimulation({ precision: 0.01, maxDays: 1e6 });
    const all = numbered([defaultScenario, defaultScenario, defaultScenario]);
    const numbers = [1, 2].map((number) =>
      [...planShard(simulation, all, { number, count: 2 }, false).studies()].map(
        ({ begin, days, number }) => {
          expect([begin, days]).toEqual([0, 1e6]);
          return number;
        },
      ),
    );
    expect(numbers).toEqual([[1], [2, 3]]);
  });

  test("leaves the last shards nothing, where there are fewer days than shards", () => {
    const days = [1, 2, 3, 4, 5].map(
      (number) =>
        planShard(resolveSimulation({ days: 3 }), numbered([defaultScenario]), { number, count: 5 }, false)
          .days,
    );
    expect(days.toSorted()).toEqual([0, 0, 1, 1, 1]);
  });

  test("goes on from the study with a given index", () => {
    const all = numbered(Array.from({ length: 9 }, () => defaultScenario));
    const plan = planShard(resolveSimulation({ days: 100 }), all, { number: 2, count: 2 }, false);
    const studies = [...plan.studies()];
    expect(studies.length).toBeGreaterThan(3);
    expect(plan.ends).toEqual([studies[0], studies.at(-1)]);
    expect([...plan.studies(2)]).toEqual(studies.slice(2));
    expect([...plan.studies(studies.length)]).toEqual([]);
  });

  test("does not go through all scenarios again and again, where there are millions", () => {
    const all = Array.from({ length: 1000 }, () => defaultScenario);
    let seen = 0;
    function* counted(first: number) {
      for (const scenario of numbered(all)(first)) {
        seen++;
        yield scenario;
      }
    }
    const simulation = resolveSimulation({ days: 2 });
    const plan = planShard(simulation, counted, { number: 1000, count: 1000 }, false);
    expect([...plan.studies()]).toHaveLength(1);
    expect(seen).toBeLessThanOrEqual(2 * all.length + 2);
  });
});

describe("the setting of a shard", () => {
  test.each([
    ["1/1", { number: 1, count: 1 }],
    ["3/8", { number: 3, count: 8 }],
    ["1000000/1000000", { number: 1e6, count: 1e6 }],
  ])("takes %s", (input, shard) => {
    expect(checkSettings({ shard: shardSetting() }, { shard: input }).values).toEqual({ shard });
  });

  test.each(["0/3", "4/3", "1", "1/", "/2", "1/0", "-1/3", "1.5/3", "01/3", "1/1000001", "a/b", "", 3, null])(
    "refuses %j",
    (input) => {
      const { problems } = checkSettings({ shard: shardSetting() }, { shard: input });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^shard must be i\/n with whole numbers, .*, got/);
    },
  );
});

async function partOf(begin: number, days: number, number = 1): Promise<Part> {
  const simulation = resolveSimulation({ days });
  const study = { ...simulation, number, scenario: defaultScenario, begin, keepDays: false };
  const result = await new TaskRunner().run({ study, block: { begin, end: begin + days } });
  if (!("block" in result)) throw new Error("no block");
  return { number, begin, tally: result.block.tally, isPrecise: true };
}

async function* inOrder(...parts: Part[]) {
  yield* parts;
}

describe("mergeParts", () => {
  const scenarios = numbered([defaultScenario, defaultScenario])();
  const merge = async (...parts: Part[]) => {
    const results = [];
    for await (const result of mergeParts(inOrder(...parts), scenarios, 100)) results.push(result);
    return results;
  };

  test("gives what one thread gives that simulates all days", async () => {
    const results = await merge(
      await partOf(0, 30),
      await partOf(30, 70),
      await partOf(0, 99, 2),
      await partOf(99, 1, 2),
    );
    const whole = new Tally();
    whole.merge((await partOf(0, 100)).tally);
    expect(results.map(({ number, tally }) => [number, tally])).toEqual([
      [1, whole.toData()],
      [2, whole.toData()],
    ]);
  });

  test("tells which scenarios are not as precise as was asked", async () => {
    const [one, two] = [await partOf(0, 30), await partOf(0, 50, 2)];
    const precise: boolean[] = [];
    for await (const { isPrecise } of mergeParts(
      inOrder({ ...one, isPrecise: false }, two),
      scenarios,
      undefined,
    ))
      precise.push(isPrecise);
    expect(precise).toEqual([false, true]);
  });

  test("refuses days that are missing, double, or too many", async () => {
    const [one, two, other] = [await partOf(0, 30), await partOf(30, 70), await partOf(0, 100, 2)];
    await expect(merge(one)).rejects.toThrow("scenario 1 is not whole: its days from 31 on do not come next");
    await expect(merge(two, one, other)).rejects.toThrow("scenario 1 is not whole: its days from 1 on");
    await expect(merge(one, one, two, other)).rejects.toThrow("scenario 1 is not whole: its days from 31 on");
    await expect(merge(one, two)).rejects.toThrow("scenario 2 is not whole: its days from 1 on");
    await expect(merge(one, two, other, other)).rejects.toThrow("more days than those of all scenarios");
  });
});

test("parsePart gives back what formatPart was given, however large", async () => {
  const part = await partOf(5, 400, 3);
  expect(parsePart(formatPart(part))).toEqual(part);
  const { tally } = part;
  const huge: Part = {
    number: 10_000_000,
    begin: 999_999_999_999,
    isPrecise: false,
    tally: {
      ...tally,
      days: 1_000_000_000_000,
      delays: { values: Float64Array.of(0, 2 ** 40), counts: Float64Array.of(2 ** 53 - 1, 1) },
      recoverySquares: [2n ** 90n, 0n, 1n],
    },
  };
  expect(parsePart(formatPart(huge))).toEqual(huge);
});
