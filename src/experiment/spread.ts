// The scenarios that a verification covers unless it is given one.
import type { EngineName } from "../engine/engine.js";
import type { RatioDistribution } from "../model/ratio.js";
import { resolveScenario, type Scenario, type ScenarioSettings } from "../model/scenario.js";
import { estimateDayNs } from "./plan.js";

/** A scenario with a name for people. */
export interface NamedScenario {
  readonly name: string;
  readonly scenario: Scenario;
}

const stepNames = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

const law = (kind: RatioDistribution["kind"], ...parameters: number[]): RatioDistribution => ({
  kind,
  parameters,
});

const everyAttempt = { stallOn: "every-attempt" } as const;

/** By name, what differs from the lesson's scenario: each corner of the model, and both rules of stalling. */
const changes: Readonly<Record<string, Partial<Scenario>>> = {
  "the lesson's scenario": {},
  "stalls on every attempt": everyAttempt,
  "one job, many faults": { workflows: 1, kk3: 0.2, kk2: 0.3 },
  "ten jobs": { workflows: 10, kk3: 0.05, kk2: 0.1, ...everyAttempt },
  "a million jobs": { workflows: 1_000_000 },
  "rare faults": { kk3: 1e-5, kk2: 1e-4 },
  "frequent faults": { workflows: 100, kk3: 0.3, kk2: 0.5 },
  "frequent faults, every attempt": { workflows: 60, kk3: 0.3, kk2: 0.2, retryLimit: 4, ...everyAttempt },
  "no faults": { kk3: 0, kk2: 0 },
  "no stalls": { kk3: 0 },
  "no persistent failures": { kk2: 0, ...everyAttempt },
  "every step stalls": { workflows: 50, kk3: 1 },
  "one step": { steps: stepNames(1), workflows: 1000, kk3: 0.02 },
  "16 steps": { steps: stepNames(16), workflows: 50, kk3: 0.01 },
  "retry limit 1, scan 1, lease 1": { retryLimit: 1, scan: 1, lease: 1 },
  "scan 7, lease 5, retry limit 6": {
    scan: 7,
    lease: 5,
    retryLimit: 6,
    workflows: 400,
    kk3: 0.05,
    ...everyAttempt,
  },
  "long lease, short day": { workflows: 1000, lease: 9, scan: 3, rounds: 21, kk3: 0.02 },
  "no scan within the day": { workflows: 400, scan: 90, kk3: 0.02 },
  "uniform KK3": { kk3: law("uniform", 0.002, 0.02) },
  "triangular KK3, every attempt": { workflows: 300, kk3: law("triangular", 0, 0.01, 0.2), ...everyAttempt },
  "beta KK3": { workflows: 1000, kk3: law("beta", 0.5, 60) },
  "lognormal KK3, cut at 1": { workflows: 100, kk3: law("lognormal", 0.2, 1.5) },
};

/** The spread of scenarios that stands for all. */
export const spread: readonly NamedScenario[] = Object.entries(changes).map(([name, change]) => ({
  name,
  scenario: resolveScenario(change satisfies ScenarioSettings),
}));

/** Days by the table engine unless they are given, of each scenario of the spread and of one alone. */
export const defaultDaysOfSpread = 200_000;
export const defaultDaysOfOne = 1_000_000;

/** Fewer days than this show little. */
const fewestDays = 1000;

/**
 * Days for an engine to verify: those asked for, or for the event engine as many as take it no longer than given,
 * since it is much slower.
 *
 * @returns 0 where these are too few to be worth while
 */
export function chooseDays(scenario: Scenario, engine: EngineName, days: number, longestNs: number): number {
  if (engine === "table") return days;
  const affordable = longestNs / estimateDayNs(scenario, engine);
  if (affordable >= days) return days;
  const round = 10 ** Math.floor(Math.log10(Math.max(1, affordable)));
  const possible = Math.floor(affordable / round) * round;
  return possible < Math.min(days, fewestDays) ? 0 : possible;
}
