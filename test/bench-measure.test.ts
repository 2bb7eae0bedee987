// Measuring with a clock that only moves when work is done: no test here depends on how fast anything is.
import { describe, expect, test } from "vitest";
import { type Call, type Case, units } from "../bench/case.js";
import { measureCase, type Sampling } from "../bench/measure.js";
import { measureInRounds } from "../bench/rounds.js";
import { defaultScenario } from "../src/model/scenario.js";

/** A clock in milliseconds, and work that takes the given times in turn; halves of them, so that sums are exact. */
function fakeWork(...durationsMs: readonly number[]) {
  const clock = { ms: 0, calls: 0 };
  const call = () => {
    clock.ms += durationsMs[clock.calls++ % durationsMs.length];
    return 1;
  };
  return { clock, now: () => clock.ms, call };
}

function fakeCase(call: Call, change: Partial<Case> = {}): Case {
  return {
    suite: "fake",
    name: "a case",
    engine: undefined,
    scenario: defaultScenario,
    threads: 1,
    unit: units.whole,
    unitsPerCall: 1,
    cold: false,
    prepare: () => call,
    ...change,
  };
}

describe("measureCase", () => {
  test("gives nanoseconds per unit of work, whatever a call does", async () => {
    const { call, now } = fakeWork(0.5);
    const { samples, meanNs } = await measureCase(
      fakeCase(call, { unitsPerCall: 8 }),
      { timeMs: 10, warmUpMs: 5 },
      now,
    );
    expect(samples).toEqual(Array(20).fill(62_500));
    expect(meanNs).toBe(62_500);
  });

  test("makes samples of as many calls as last 0.2 ms", async () => {
    const { call, now, clock } = fakeWork(1 / 64);
    const { samples } = await measureCase(fakeCase(call), { timeMs: 5, warmUpMs: 1 }, now);
    // 16 calls last 0.25 ms. Calls of the warm-up: 1, 2, 4, 8 to find out, then samples of 16, ten in all.
    expect(samples).toEqual(Array(20).fill(15_625));
    expect(clock.calls).toBe(1 + 2 + 4 + 8 + 16 * 6 + 16 * 20);
  });

  test("warms up for as long as it is told, with ten samples at least, but not for ever", async () => {
    const callsWith = async (durationMs: number, warmUpMs: number) => {
      const { call, now, clock } = fakeWork(durationMs);
      const { samples } = await measureCase(fakeCase(call), { timeMs: 0, warmUpMs }, now);
      expect(samples.length).toBe(3);
      return clock.calls - 3;
    };
    expect(await callsWith(0.5, 50)).toBe(100);
    expect(await callsWith(8, 50)).toBe(10);
    expect(await callsWith(512, 50)).toBe(1);
  });

  test("gives the mean of times, not of speeds, and keeps every sample", async () => {
    const { call, now } = fakeWork(1, 1, 1, 5);
    const { samples, meanNs } = await measureCase(fakeCase(call), { timeMs: 16, warmUpMs: 0 }, now);
    expect([...samples].sort((a, b) => a - b)).toEqual([...Array(6).fill(1e6), ...Array(2).fill(5e6)]);
    expect(meanNs).toBe(2e6);
  });

  test("calls a cold case once, without a warm-up, and waits for it", async () => {
    const { now, clock } = fakeWork();
    const call = async () => {
      clock.calls++;
      await Promise.resolve();
      clock.ms += 64;
      return 1;
    };
    const cold = fakeCase(call, { cold: true, unitsPerCall: 4 });
    expect(await measureCase(cold, { timeMs: 1000, warmUpMs: 1000 }, now)).toEqual({
      samples: [16e6],
      meanNs: 16e6,
    });
    expect(clock.calls).toBe(1);
  });

  test("throws what the work throws: when it is prepared, in the warm-up, when it is measured, when cold", async () => {
    const { call, now, clock } = fakeWork(0.5);
    const failAfter = (calls: number) => () => {
      if (clock.calls >= calls) throw new Error(`broken after ${calls}`);
      return call();
    };
    const broken = () => {
      throw new Error("broken");
    };
    const timing = { timeMs: 5, warmUpMs: 5 };
    const measure = (each: Case) => {
      clock.calls = 0;
      return measureCase(each, timing, now);
    };
    await expect(measure(fakeCase(call, { prepare: broken }))).rejects.toThrow("broken");
    await expect(measure(fakeCase(failAfter(2)))).rejects.toThrow("broken after 2");
    await expect(measure(fakeCase(failAfter(15)))).rejects.toThrow("broken after 15");
    await expect(measure(fakeCase(broken, { cold: true }))).rejects.toThrow("broken");
  });

  test("refuses work that returns no number, since nothing shows that it was done", async () => {
    const { call, now } = fakeWork(0.5);
    const idle = () => {
      call();
      return undefined as unknown as number;
    };
    await expect(measureCase(fakeCase(idle), { timeMs: 1, warmUpMs: 1 }, now)).rejects.toThrow(
      "the work must return a number",
    );
  });

  test("ends where the work takes no time at all", async () => {
    const { call, now, clock } = fakeWork(0);
    const moving = () => {
      clock.ms += 2 ** -12;
      return now();
    };
    const { samples } = await measureCase(fakeCase(call), { timeMs: 0, warmUpMs: 0.25 }, moving);
    expect(Math.max(...samples)).toBeLessThan(1);
  });
});

describe("measureInRounds", () => {
  const named = (...names: string[]) => names.map((name) => fakeCase(() => 1, { name }));

  test("measures all cases once before any of them again", async () => {
    const order: string[] = [];
    const progress: number[] = [];
    const samplings = await measureInRounds(
      named("a", "b", "c"),
      2,
      async ({ name }): Promise<Sampling> => {
        order.push(name);
        return { samples: [order.length], meanNs: order.length };
      },
      (done) => progress.push(done),
    );
    expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6]);
    expect(samplings.map((rounds) => rounds.map(({ meanNs }) => meanNs))).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  test("ends with the first case that throws, and names it", async () => {
    const order: string[] = [];
    const measure = async ({ name }: Case): Promise<Sampling> => {
      order.push(name);
      if (name === "b") throw new Error("out of luck");
      return { samples: [1], meanNs: 1 };
    };
    await expect(measureInRounds(named("a", "b", "c"), 2, measure)).rejects.toThrow(
      'case "b" of suite fake: out of luck',
    );
    expect(order).toEqual(["a", "b"]);
  });
});
