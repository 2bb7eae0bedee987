// Exact mean, standard deviation and distribution of each metric, without simulation.
import { countScans } from "../engine/outcome.js";
import { type MetricName, metrics, recoveryDelay } from "../model/metrics.js";
import type { Scenario } from "../model/scenario.js";
import {
  type Distribution,
  distributionOf,
  type ExactDistribution,
  type Moments,
  maxDistribution,
  momentsOf,
  shareOf,
} from "./distribution.js";
import { deriveJobLaw, type JobLaw } from "./job-law.js";
import { JobNumber } from "./job-number.js";
import { mixDistributions, mixMoments, mixSums, type Weighted } from "./mixture.js";
import { type RatioNode, ratioNodes } from "./ratio-nodes.js";

/** What is known of a metric without simulation. */
export interface ExactMetric extends Moments {
  /** Every value of noticeable probability; undefined where the distribution is too costly to compute. */
  readonly distribution: ExactDistribution | undefined;
  /** The probability of a value; undefined where the distribution is. */
  shareOf(value: number): number | undefined;
}

/** Exact results by metric; a metric that cannot be computed is undefined. */
export type ExactMetrics = { [Name in MetricName | typeof recoveryDelay.name]?: ExactMetric | undefined };

/** Where each metric's number of one job stands among the outcomes of a fate. */
const jobField = {
  halfFinishedUnsupervised: "halfFinishedUnsupervised",
  completed: "completed",
  compensatedJobs: "compensatedJobs",
  halfFinished: "halfFinished",
  stepsRun: "stepsRun",
  redriven: "redriven",
  wasted: "wasted",
  compensatedSteps: "compensatedSteps",
  lastRound: "lastRound",
  recoveryWorstRounds: "recoveryWorst",
} as const;

/** Nodes, and nodes times fates, beyond which no distribution is computed: about half a second of work. */
const mostNodes = 1 << 14;
const mostMixing = 1 << 23;

/** The chance, at most, that a sum lies outside the values for which it is computed. */
const beyondSum = 1e-15;

/** The law of one job for one KK3. */
interface WeightedLaw {
  readonly weight: number;
  /** One entry per fate. */
  readonly probabilities: Float64Array;
}

/**
 * The exact results of a scenario, from the independence of its jobs: a day's count is a sum of `workflows`
 * independent numbers, its last round and worst delay are the largest of them. Where KK3 is uncertain, the results are
 * integrated over its law.
 *
 * Means and standard deviations are right to about 12 digits, probabilities to 1e-11 or better. There are no
 * distributions of sums that spread over more than a million values or, with an uncertain KK3, take more than a moment;
 * and nothing at all where the fates of a job are too many to list.
 *
 * @param refinement - how many times finer than needed to integrate over KK3
 */
export function deriveExact(scenario: Scenario, refinement = 1): ExactMetrics {
  const { workflows, kk3 } = scenario;
  const nodes = ratioNodes(kk3, (ratio) => workflows * trialsOfJob(scenario, ratio), refinement);
  const law = deriveJobLaw(scenario, ratiosOf(nodes));
  if (law !== undefined && nodes.length <= mostNodes && nodes.length * law.fates.length <= mostMixing)
    return deriveFrom(law, nodes, scenario, true);
  // A mean over days is that of one job, which resolves much less.
  const coarse = ratioNodes(kk3, (ratio) => trialsOfJob(scenario, ratio), refinement);
  const coarseLaw = law ?? deriveJobLaw(scenario, ratiosOf(coarse));
  return coarseLaw === undefined || coarse.length * coarseLaw.fates.length > mostMixing
    ? {}
    : deriveFrom(coarseLaw, coarse, scenario, false);
}

function ratiosOf(nodes: readonly RatioNode[]): number[] {
  return nodes.map(({ ratio }) => ratio);
}

/** Expected executions of a job that may stall, at most. */
function trialsOfJob({ steps, stallOn, retryLimit }: Scenario, kk3: number): number {
  if (stallOn === "first-attempt") return steps.length;
  let trialsOfStep = 0;
  for (let attempt = 0; attempt < Math.min(retryLimit, 1000); attempt++) trialsOfStep += kk3 ** attempt;
  const passes = 1 - kk3 ** retryLimit;
  return steps.reduce((sum, _, step) => sum + passes ** step * trialsOfStep, 0);
}

function deriveFrom(
  law: JobLaw,
  nodes: readonly RatioNode[],
  scenario: Scenario,
  withDistributions: boolean,
): ExactMetrics {
  const { workflows } = scenario;
  const jobLaws = nodes.map(({ ratio, weight }) => ({
    weight,
    probabilities: law.fates.probabilitiesAt(ratio),
  }));
  const mix = (number: JobNumber): Weighted<Distribution>[] =>
    jobLaws.map(({ weight, probabilities }) => ({ weight, part: number.distribute(probabilities) }));
  const largest = (number: JobNumber) =>
    mixDistributions(
      mix(number).map(({ weight, part }) => ({ weight, part: maxDistribution(part, workflows) })),
    );
  const unlisted = law.fates.lost * workflows;
  const results: ExactMetrics = { [recoveryDelay.name]: deriveDelay(law, jobLaws) };
  for (const { name, combination } of metrics) {
    if (combination === "sum") {
      const parts = mix(new JobNumber(law, (read) => read(jobField[name])));
      const moments = parts.map(({ weight, part }) => ({ weight, part: momentsOfSum(part, workflows) }));
      const sum = withDistributions ? mixSums(parts, workflows) : undefined;
      const isConstant = sum?.values.length === 1;
      results[name] = describe(
        mixMoments(moments),
        sum && { ...sum, unlisted: isConstant ? unlisted : unlisted + beyondSum },
      );
    } else if (!withDistributions) {
      results[name] = undefined;
    } else if (combination === "max") {
      results[name] = describeAll(largest(new JobNumber(law, (read) => read(jobField[name]))), unlisted);
    } else {
      // The day lasts until its last job is closed, or all rounds long; each scan until then reads all records.
      const { values, probabilities } = largest(
        new JobNumber(law, (read) =>
          countScans({ halfFinished: read("halfFinished"), lastRound: read("lastRound") }, scenario),
        ),
      );
      results[name] = describeAll(
        { values: values.map((scans) => scans * workflows), probabilities },
        unlisted,
      );
    }
  }
  return results;
}

/** Over all re-drives of all days: of the expected re-drives of a job, those with each delay. */
function deriveDelay(
  { fates: { length, lost }, outcomes }: JobLaw,
  jobLaws: readonly WeightedLaw[],
): ExactMetric | undefined {
  const expected = new Map<number, number>();
  const counter = {
    add(delay: number, count: number) {
      expected.set(delay, (expected.get(delay) ?? 0) + count);
    },
  };
  // Backwards: later fates have more faults, and small numbers must not be lost beside large ones.
  for (let fate = length - 1; fate >= 0; fate--) {
    let chance = 0;
    for (const { weight, probabilities } of jobLaws) chance += weight * probabilities[fate];
    if (chance > 0) outcomes.countDelays(fate, chance, counter);
  }
  const total = [...expected.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const distribution = distributionOf([...expected].map(([delay, count]) => [delay, count / total]));
  // Re-drives that are not listed belong to jobs that are not.
  return describeAll(distribution, lost / total);
}

function momentsOfSum(one: Distribution, count: number): Moments {
  const { mean, sd } = momentsOf(one);
  return { mean: count * mean, sd: Math.sqrt(count) * sd };
}

function describeAll(distribution: Distribution, unlisted: number): ExactMetric {
  return describe(momentsOf(distribution), { ...distribution, unlisted });
}

function describe({ mean, sd }: Moments, distribution: ExactDistribution | undefined): ExactMetric {
  return {
    mean: withoutNoise(mean),
    sd: withoutNoise(sd),
    distribution,
    shareOf: (value) => (distribution === undefined ? undefined : shareOf(distribution, value)),
  };
}

/** The number without its last digits, which are rounding errors. */
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(13));
}
