// What the samplings of a case come to: time per unit, days and workflows per second, and how it compares.
import type { Case } from "./case.js";
import type { Sampling } from "./measure.js";
import { findBaseline } from "./selection.js";
import { mean, median, quantileSorted, sampleSd, studentFactor } from "./statistics.js";

/** Why the figures of a case should not be taken at their word. */
export const flags = {
  noisy: "noisy",
  tooFast: "suspiciously fast",
} as const;

export type Flag = (typeof flags)[keyof typeof flags];

/** A case with its figures; times are nanoseconds per unit of work. */
export interface CaseResult extends Case {
  readonly rounds: number;
  /** Samples of all rounds. */
  readonly samples: number;
  readonly p50: number;
  readonly p75: number;
  readonly p99: number;
  /** Mean of the rounds' means. */
  readonly mean: number;
  /** Half the width of the mean's 95 % confidence interval, from the rounds' means, in percent of the mean. */
  readonly rme: number;
  readonly daysPerSecond: number;
  readonly workflowsPerSecond: number;
  /** How many times as fast as the baseline, by the means; undefined where there is no baseline for it. */
  readonly baselineRatio: number | undefined;
  /** Geometric mean of the rounds' medians. */
  readonly roundNs: number;
  /** Sample standard deviation of the natural logarithms of the rounds' medians. */
  readonly roundLogSd: number;
  readonly flags: readonly Flag[];
}

/** Rounds whose medians or means spread more than this, as a standard deviation relative to them, are noisy. */
const noisySpread = 0.05;

/**
 * No unit of work takes less: each one reads or writes at least ten numbers of a day, and a processor needs some
 * twenty clock cycles for that.
 */
const leastNs = 5;

/**
 * Works out the figures of all cases.
 *
 * @param samplings - one entry per case: its samplings, one per round, at least two
 */
export function describeCases(
  cases: readonly Case[],
  samplings: readonly (readonly Sampling[])[],
): CaseResult[] {
  const means = new Map(cases.map((each, i) => [each, mean(samplings[i].map(({ meanNs }) => meanNs))]));
  return cases.map((each, i) => {
    const baseline = findBaseline(each, cases);
    const baselineMean = baseline && means.get(baseline);
    return describeCase(each, samplings[i], baselineMean);
  });
}

function describeCase(
  each: Case,
  samplings: readonly Sampling[],
  baselineMean: number | undefined,
): CaseResult {
  const rounds = samplings.length;
  const samples = samplings.flatMap(({ samples }) => samples).sort((a, b) => a - b);
  const means = samplings.map(({ meanNs }) => meanNs);
  const logMedians = samplings.map(({ samples }) => Math.log(median(samples)));
  const meanNs = mean(means);
  const meansSd = sampleSd(means);
  const roundLogSd = sampleSd(logMedians);
  const daysPerSecond = 1e9 / meanNs;
  return {
    ...each,
    rounds,
    samples: samples.length,
    p50: quantileSorted(samples, 0.5),
    p75: quantileSorted(samples, 0.75),
    p99: quantileSorted(samples, 0.99),
    mean: meanNs,
    rme: (100 * studentFactor(95, rounds - 1) * meansSd) / Math.sqrt(rounds) / meanNs,
    daysPerSecond,
    workflowsPerSecond: daysPerSecond * each.scenario.workflows,
    baselineRatio: baselineMean === undefined ? undefined : baselineMean / meanNs,
    roundNs: Math.exp(mean(logMedians)),
    roundLogSd,
    flags: [
      ...(meanNs < leastNs ? [flags.tooFast] : []),
      ...(Math.max(roundLogSd, meansSd / meanNs) > noisySpread ? [flags.noisy] : []),
    ],
  };
}
