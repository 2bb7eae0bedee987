// Sweeps as a program runs them: built, with their worker threads.
import {
  computeExact,
  type RunSettings,
  SettingsError,
  type SweepHooks,
  type SweepScenario,
  type SweepSettings,
  simulate,
  sweep,
} from "redrive";
import { describe, expect, test } from "vitest";

/** Small scenarios that share their draws, some that do not, and large ones that are divided into blocks. */
const mixed: SweepSettings = {
  days: 600,
  engine: "event",
  scenarios: [
    { name: "policies", workflows: 500, scan: "1:4:1", retryLimit: [1, 3] },
    { name: "large", workflows: 25_000, lease: 3 },
    { name: "faults", workflows: 200, kk3: [0.01, "uniform(0,0.05)"], stallOn: "every-attempt" },
    { name: "large", workflows: 25_000, kk2: 0.05 },
    { workflows: 300, kk3: 0.2, stallOn: "every-attempt", retryLimit: [1, 2, 4] },
  ],
};

async function collect(settings: SweepSettings, hooks: SweepHooks = {}) {
  const scenarios: SweepScenario[] = [];
  const onScenario = (scenario: SweepScenario) => void scenarios.push(scenario);
  const result = await sweep(settings, { ...hooks, onScenario });
  return { scenarios, result };
}

const mixedOnThreads = collect({ ...mixed, threads: 3 });

describe("sweep", () => {
  test("gives the same in the same order whatever the threads", async () => {
    const one = await collect({ ...mixed, threads: 1 });
    const three = await mixedOnThreads;
    expect([one, three].map(({ result }) => result.threadsUsed)).toEqual([0, 3]);
    expect(one.scenarios.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    expect(three.scenarios).toEqual(one.scenarios);
    expect(three.result.effects).toEqual(one.result.effects);
  });

  test("gives each scenario the result of a run of its own", async () => {
    const { scenarios } = await mixedOnThreads;
    expect(scenarios.map(({ name }) => name).slice(7, 10)).toEqual(["policies", "large", "faults"]);
    for (const { scenario, days, metrics } of scenarios) {
      const run = await simulate({ ...scenario, days: 600 } as RunSettings);
      expect(days).toBe(600);
      for (const [i, { exactShareOf: _, ...metric }] of run.metrics.entries()) {
        expect(metrics[i]).toEqual(metric);
      }
    }
  });

  test("waits for the hook, throws what it throws and stops when asked to", async () => {
    const settings = { ...mixed, threads: 2 };
    const onScenario = () => Promise.reject(new Error("disk full"));
    await expect(sweep(settings, { onScenario })).rejects.toThrow("disk full");
    const abort = new AbortController();
    const stop = { onScenario: () => abort.abort(new Error("enough")), signal: abort.signal };
    await expect(sweep(settings, stop)).rejects.toThrow("enough");
  });

  test("rejects settings that do not fit, all at once", async () => {
    const wrong = { kk3: "0:1:0", scan: [], precision: "1%", days: 3, kk4: 1 } as SweepSettings;
    const error = await sweep(wrong).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as SettingsError).problems).toEqual([
      "kk3 must be a range with a step above 0, got 0:1:0",
      "scan must be at least one value, got []",
      "kk4 is unknown; did you mean kk3",
      "precision must be given without days; maxDays limits the days",
    ]);
  });
});

describe("a sweep without simulation", () => {
  const settings: SweepSettings = {
    engine: "exact",
    kk3: [0.01, "uniform(0,0.02)"],
    scan: [1, 3],
    workflows: 300,
  };

  test("gives the exact results of each scenario, whatever the threads", async () => {
    const { scenarios } = await collect({ ...settings, threads: 1 });
    expect((await collect({ ...settings, threads: 3 })).scenarios).toEqual(scenarios);
    expect(scenarios).toHaveLength(4);
    for (const { scenario, days, metrics } of scenarios) {
      const exact = computeExact(scenario);
      expect(days).toBe(0);
      for (const { metric, n, mean, sd, min, meanCi95, quantiles } of metrics) {
        expect({ n, mean, sd, min, meanCi95 }).toEqual({
          mean: exact[metric]?.mean,
          sd: exact[metric]?.sd,
        });
        if (metric === "lastRound")
          expect(exact.lastRound?.shareOf(quantiles.p50 as number)).toBeGreaterThan(0);
      }
    }
  });

  test("is refused where a distribution cannot be computed, and with a precision", async () => {
    const costly = { ...settings, workflows: [300, 4_000_000] };
    await expect(sweep(costly)).rejects.toThrow(
      "scenario 7 has distributions that are too costly to compute exactly; use engine table or event",
    );
    await expect(sweep({ ...settings, precision: "1%" })).rejects.toThrow(
      "precision must be given without engine exact, which has no error",
    );
  });
});

describe("precision", () => {
  const settings: SweepSettings = {
    kk3: [0.001, 0.01],
    scan: [1, 4],
    precision: "1%",
    precisionOf: ["wasted", "half_finished_unsupervised:p99"],
  };

  test("simulates until the intervals are within it, and not twice as long as that", async () => {
    const { scenarios } = await collect(settings);
    const widthOf = ({ metrics }: SweepScenario) => {
      const { mean = 0, meanCi95: [low, high] = [0, 0] } =
        metrics.find(({ metric }) => metric === "wasted") ?? {};
      return (high - low) / 2 / mean;
    };
    expect(scenarios.every(({ isPrecise }) => isPrecise)).toBe(true);
    for (const scenario of scenarios) expect(widthOf(scenario)).toBeLessThanOrEqual(0.01);
    expect(scenarios.map(({ days }) => days)).toEqual([4000, 4000, 4000, 4000]);
    // 16 wasted steps a day, Poisson but for a trifle, so that the half-width after n days is 1.96 / sqrt(16 n): 1 %
    // after 2,400. With half the days the interval was too wide.
    expect(widthOf(scenarios[0]) * Math.SQRT2).toBeGreaterThan(0.01);
  });

  test("gives the same whatever the threads, also where several threads work on one scenario", async () => {
    const long = {
      ...settings,
      workflows: 20_000,
      scan: 4,
      kk3: 0.001,
      engine: "event",
      precision: "0.6%",
      maxDays: 3000,
      precisionOf: "wasted",
    } as const;
    const one = await collect({ ...long, threads: 1 });
    const three = await collect({ ...long, threads: 3 });
    expect(three.scenarios).toEqual(one.scenarios);
    expect(one.scenarios.map(({ days }) => days)).toEqual([2000]);
    const run = await simulate(long as RunSettings);
    expect(run).toMatchObject({ days: 2000, isPrecise: true });
    expect(run.metrics[0].mean).toBe(one.scenarios[0].metrics[0].mean);
  });

  test("ends at the cap and says so", async () => {
    const { scenarios } = await collect({ ...settings, precision: 0.0001, maxDays: 2500 });
    expect(scenarios.every(({ days, isPrecise }) => days === 2500 && !isPrecise)).toBe(true);
  });

  test("takes a metric that never varies as precise at once, also at zero", async () => {
    const still = { precision: "0.1%", precisionOf: "half_finished,half_finished:p99" };
    expect(await simulate(still)).toMatchObject({ days: 1000, isPrecise: true });
    expect(await simulate({ ...still, kk3: 0, kk2: 0, precisionOf: "recovery_delay_rounds" })).toMatchObject({
      days: 1000,
    });
  });
});
