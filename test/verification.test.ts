// What a verification sees: a sampler that is right, and one that is off by a hundredth.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { simulate } from "../src/experiment/simulate.js";
import { chooseDays, spread } from "../src/experiment/spread.js";
import { falseAlarm, type MetricTest, testMetrics, thresholdOf } from "../src/experiment/verification.js";
import { metrics, recoveryDelay } from "../src/model/metrics.js";
import type { Scenario, ScenarioSettings } from "../src/model/scenario.js";

/** What is wrong with the sampler. */
const fault = vi.hoisted(() => ({ breakScenario: (scenario: Scenario): Scenario => scenario }));

vi.mock("../src/random/samplers.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../src/random/samplers.js")>();
  const newFateSampler: typeof original.newFateSampler = (scenario, ...rest) =>
    original.newFateSampler(fault.breakScenario(scenario), ...rest);
  return { ...original, newFateSampler };
});

async function verify(
  scenario: ScenarioSettings,
  days: number,
  seed = "verification",
): Promise<MetricTest[]> {
  const result = await simulate({ ...scenario, days, seed, threads: 1 });
  return testMetrics(result.metrics);
}

const below = (tests: readonly MetricTest[]) =>
  tests.filter(({ pValue = 1 }) => pValue < thresholdOf(tests.length)).map(({ metric }) => metric);

const kk3OffBy =
  (factor: number) =>
  (scenario: Scenario): Scenario => ({ ...scenario, kk3: (scenario.kk3 as number) * factor });

beforeEach(() => {
  fault.breakScenario = (scenario) => scenario;
});

describe("testMetrics", () => {
  test("finds nothing wrong with the sampler as it is, over the whole spread of scenarios", async () => {
    // One verification: a false alarm by a chance of `falseAlarm`.
    const tests: MetricTest[] = [];
    for (const { name, scenario } of spread) {
      const found = await verify(scenario, 4000, name);
      expect(found.map(({ metric }) => metric)).toEqual([
        ...metrics.map(({ name }) => name),
        recoveryDelay.name,
      ]);
      tests.push(...found);
    }
    expect(below(tests)).toEqual([]);
    // And not because it looks at nothing.
    expect(tests.filter(({ degrees = 0 }) => degrees > 0).length).toBeGreaterThan(100);
  });

  test.each([
    ["the lesson's scenario", {}],
    ["stalls on every attempt", { stallOn: "every-attempt" }],
  ] as const)("catches a sampler whose KK3 is a hundredth too high: %s", async (_, scenario) => {
    fault.breakScenario = kk3OffBy(1.01);
    const caught = below(await verify(scenario, 100_000));
    expect(caught).toEqual(expect.arrayContaining(["halfFinishedUnsupervised", "redriven", "wasted"]));
    expect(caught).toContain(recoveryDelay.name);
  });

  test("catches a sampler whose KK2 is a hundredth too low", async () => {
    fault.breakScenario = (scenario) => ({ ...scenario, kk2: 0.99 * scenario.kk2 });
    expect(below(await verify({}, 100_000))).toEqual(
      expect.arrayContaining([
        "halfFinishedUnsupervised",
        "completed",
        "compensatedJobs",
        "compensatedSteps",
      ]),
    );
  });

  test("catches a constant that is none, and a rule that is another", async () => {
    fault.breakScenario = (scenario) => ({ ...scenario, kk2: 1e-5 });
    const tests = await verify({ kk2: 0 }, 3000);
    expect(below(tests)).toEqual(expect.arrayContaining(["completed", "compensatedJobs"]));
    expect(tests[2]).toMatchObject({ metric: "compensatedJobs", test: "range", pValue: 0 });
    fault.breakScenario = (scenario) => ({ ...scenario, stallOn: "every-attempt" });
    expect(below(await verify({ kk3: 0.02 }, 30_000))).toContain("wasted");
  });

  test("tests means where there is no distribution, and says so where there is nothing to test", async () => {
    const kk3 = "uniform(0.002,0.02)";
    const wide = await verify({ workflows: 4_000_000, kk3 }, 1000);
    expect(wide.find(({ metric }) => metric === "redriven")).toMatchObject({ test: "mean" });
    expect(below(wide)).toEqual([]);
    const quiet = await verify({ kk2: 0, kk3: 0 }, 1000);
    expect(quiet.at(-1)).toEqual({
      metric: recoveryDelay.name,
      test: "none",
      chiSquare: undefined,
      degrees: undefined,
      meanDeviation: undefined,
      pValue: undefined,
    });
  });

  test("shares the false alarm among all tests", () => {
    expect(thresholdOf(500)).toBe(falseAlarm / 1500);
  });
});

describe("redrive verify", () => {
  test("names what disagrees on stderr, and fails with 1", async () => {
    const { verify: run } = await import("../src/commands/verify.js");
    fault.breakScenario = kk3OffBy(1.01);
    const written = { stdout: "", stderr: "" };
    const spies = (["stdout", "stderr"] as const).map((name) =>
      vi.spyOn(process[name], "write").mockImplementation((...args: unknown[]) => {
        written[name] += args[0];
        const done = args.at(-1);
        if (typeof done === "function") done();
        return true;
      }),
    );
    try {
      const given = { kk3: 0.005, days: 50_000, engine: "table", threads: 1 };
      await run({ given, unknown: [], flagOf: (name) => name, flags: [] }, new AbortController().signal);
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = undefined;
      for (const spy of spies) spy.mockRestore();
    }
    expect(written.stdout).toMatch(/wasted steps .* DISAGREES\n/);
    expect(written.stdout).toMatch(/compensated jobs .* agrees\n/);
    expect(written.stdout).toMatch(/\d of 12 metrics disagree\./);
    expect(written.stderr).toContain("wasted disagrees with its exact distribution (");
    expect(written.stderr).not.toContain("compensated_jobs");
  });
});

describe("chooseDays", () => {
  const [{ scenario }] = spread;

  test("gives the table engine what was asked for, the event engine what it has time for", () => {
    expect(chooseDays(scenario, "table", 1e7, 1e9)).toBe(1e7);
    expect(chooseDays(scenario, "event", 1e7, 1e9)).toBe(10_000);
    expect(chooseDays(scenario, "event", 500, 1e9)).toBe(500);
    expect(chooseDays(scenario, "event", 1e7, Infinity)).toBe(1e7);
  });

  test("leaves the event engine out where it would do too few days", () => {
    expect(chooseDays({ ...scenario, workflows: 1_000_000 }, "event", 1e6, 1e9)).toBe(0);
  });
});
