// Exact mean, standard deviation and distribution of each metric, without simulation.
import { countScans } from "../engine/outcome.js";
import { type MetricName, metrics, recoveryDelay } from "../model/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { type Moments, maxDistribution, momentsOf, sumDistribution } from "./distribution.js";
import { deriveFateLaw, type FateLaw, jobDistribution } from "./fate-law.js";

/** What is known of a metric without simulation. */
export interface ExactMetric extends Moments {
  /** The probability of a value; undefined where the distribution is too wide to compute. */
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

/**
 * The exact results of a scenario, from the independence of its jobs: a day's count is a sum of `workflows`
 * independent numbers, its last round and worst delay are the largest of them.
 */
export function computeExact(scenario: Scenario): ExactMetrics {
  const law = deriveFateLaw(scenario);
  if (law === undefined) return {};
  const results: ExactMetrics = { [recoveryDelay.name]: exactDelay(law) };
  for (const { name, combination } of metrics) {
    if (name === "recordsRead") {
      results[name] = exactRecordsRead(law, scenario);
    } else {
      const one = jobDistribution(law, (read) => read(jobField[name]));
      results[name] =
        combination === "sum"
          ? exactSum(one, scenario.workflows)
          : fromMap(maxDistribution(one, scenario.workflows));
    }
  }
  return results;
}

function exactSum(one: Map<number, number>, count: number): ExactMetric {
  const { mean, sd } = momentsOf(one);
  const sum = sumDistribution(one, count);
  return {
    mean: withoutNoise(count * mean),
    sd: withoutNoise(Math.sqrt(count) * sd),
    shareOf: (value) => (sum === undefined ? undefined : (sum.probabilities[value - sum.first] ?? 0)),
  };
}

/** The day lasts until its last job is closed, or all rounds long; each scan until then reads all records. */
function exactRecordsRead(law: FateLaw, scenario: Scenario): ExactMetric {
  const { workflows } = scenario;
  const scansOfOne = jobDistribution(law, (read) =>
    countScans({ halfFinished: read("halfFinished"), lastRound: read("lastRound") }, scenario),
  );
  const scans = maxDistribution(scansOfOne, workflows);
  return fromMap(new Map([...scans].map(([value, probability]) => [value * workflows, probability])));
}

/** Over all re-drives: of the expected re-drives of a job, those with each delay. */
function exactDelay({ probabilities, outcomes }: FateLaw): ExactMetric | undefined {
  const expected = new Map<number, number>();
  let total = 0;
  const counter = {
    add(delay: number, count: number) {
      expected.set(delay, (expected.get(delay) ?? 0) + count);
      total += count;
    },
  };
  for (let fate = 0; fate < probabilities.length; fate++)
    outcomes.countDelays(fate, probabilities[fate], counter);
  if (total === 0) return undefined;
  return fromMap(new Map([...expected].map(([delay, count]) => [delay, count / total])));
}

function fromMap(distribution: Map<number, number>): ExactMetric {
  const { mean, sd } = momentsOf(distribution);
  return {
    mean: withoutNoise(mean),
    sd: withoutNoise(sd),
    shareOf: (value) => distribution.get(value) ?? 0,
  };
}

/** The number without its last two or three digits, which are rounding errors. */
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(14));
}
