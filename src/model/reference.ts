// The lesson "Scheduler-Agent-Supervisor": its reference model of 12 jobs and its first-order estimate.
import { type Fixture, type FixturePolicy, lessonPolicy } from "./fixture.js";
import type { MetricName } from "./metrics.js";
import { defaultScenario, type Scenario } from "./scenario.js";

/** The lesson's 12 jobs under a policy, by default the lesson's own. */
export function referenceModel(policy: Partial<FixturePolicy> = {}): Fixture {
  return {
    jobs: Array.from({ length: 12 }, (_, i) => `S${i + 1}`),
    steps: defaultScenario.steps,
    stalled: { S2: ["discount"], S5: ["tariff"], S9: ["invoice"] },
    persistent: { S7: "discount" },
    policy: { ...lessonPolicy, ...policy },
  };
}

/** The scan intervals of the lesson's second table, in rounds. */
export const referenceScans = [1, 2, 4, 8] as const;

/** The KK3 of the lesson's third table. */
export const referenceStallRatios = [0.005, 0.01] as const;

/** Expected counts per day, added without regard to faults that meet in one job. */
export interface FirstOrder {
  readonly stalled: number;
  readonly redriven: number;
  readonly wasted: number;
  readonly halfFinishedUnsupervised: number;
  /** Half-finished jobs without a supervisor as a share of all jobs. */
  readonly jobShare: number;
}

/**
 * The lesson's first-order estimate: each stall costs one re-drive, each persistent failure `retryLimit` of them, and
 * each of both leaves a half-finished job where there is no supervisor.
 */
export function estimateFirstOrder({
  workflows,
  stepCount,
  kk3,
  kk2,
  retryLimit,
}: {
  readonly workflows: number;
  readonly stepCount: number;
  readonly kk3: number;
  readonly kk2: number;
  readonly retryLimit: number;
}): FirstOrder {
  const stalled = workflows * stepCount * kk3;
  const persistent = workflows * kk2;
  return {
    stalled,
    redriven: stalled + persistent * retryLimit,
    wasted: stalled,
    halfFinishedUnsupervised: stalled + persistent,
    jobShare: (stalled + persistent) / workflows,
  };
}

/** The lesson's estimate for each metric that it has one for; none where KK3 is uncertain or stalls may repeat. */
export function firstOrderMetrics({
  workflows,
  steps,
  kk3,
  kk2,
  retryLimit,
  stallOn,
}: Scenario): Partial<Record<MetricName, number>> {
  if (typeof kk3 !== "number" || stallOn !== "first-attempt") return {};
  const estimate = estimateFirstOrder({ workflows, stepCount: steps.length, kk3, kk2, retryLimit });
  const { halfFinishedUnsupervised, redriven, wasted } = estimate;
  return { halfFinishedUnsupervised, redriven, wasted };
}
