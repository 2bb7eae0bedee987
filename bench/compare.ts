// Now against an earlier result, case by case: a ratio, how sure it is, and a verdict where one can be given.
import { units } from "./case.js";
import type { CaseResult } from "./result.js";
import { welchInterval99 } from "./statistics.js";

/** What a comparison needs to know of a case; times are nanoseconds per unit of work. */
export type Measured = Pick<CaseResult, "suite" | "name" | "rounds" | "roundNs" | "roundLogSd">;

export type Verdict = "faster" | "slower" | "no difference" | "too noisy";

/** A case that was measured then and now. */
export interface Comparison {
  readonly suite: string;
  readonly name: string;
  readonly earlierNs: number;
  readonly nowNs: number;
  /** How many times as fast as then, and the ends of its 99 % confidence interval. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: Verdict;
}

/** All cases that were measured then and now. */
export interface ComparisonResult {
  readonly comparisons: readonly Comparison[];
  /** How many cases the earlier result does not have. */
  readonly newCount: number;
  /**
   * How many times as fast as then the baseline is. Its code stays as it is, so this is the machine's doing, or that of
   * Node; undefined where it shows no difference or was not measured.
   */
  readonly machineRatio: number | undefined;
}

/** A smaller difference is none. */
const leastEffect = 1.02;

/** An interval whose ends are further than this from its middle, as a ratio, is too wide to say "no difference". */
const widestHalf = 1.1;

/**
 * Compares each case with its namesake of an earlier result.
 *
 * "faster" and "slower" need a 99 % interval that lies beyond a difference of 2 %, and beyond that of the baseline if
 * it shows one. Of cases whose true difference is no larger, one in 100 at most gets a false one of them; of those that
 * are unchanged, far fewer.
 */
export function compareCases(now: readonly CaseResult[], earlier: readonly Measured[]): ComparisonResult {
  const pairs = now.flatMap((each): [CaseResult, Measured][] => {
    const then = earlier.find(({ suite, name }) => suite === each.suite && name === each.name);
    return then === undefined ? [] : [[each, then]];
  });
  const baseline = pairs.find(([{ engine, unit }]) => engine === "baseline" && unit === units.whole);
  const machine = baseline && compareCase(...baseline, 1);
  const machineRatio = machine && isDifferent(machine.verdict) ? machine.ratio : undefined;
  return {
    comparisons: pairs.map(([each, then]) =>
      compareCase(each, then, each.engine === "baseline" ? 1 : (machineRatio ?? 1)),
    ),
    newCount: now.length - pairs.length,
    machineRatio,
  };
}

/** Whether a verdict says that there is a difference. */
export function isDifferent(verdict: Verdict): boolean {
  return verdict === "faster" || verdict === "slower";
}

function compareCase(now: CaseResult, then: Measured, machineRatio: number): Comparison {
  const { difference, low, high } = welchInterval99(logRounds(then), logRounds(now));
  const interval = { ratio: Math.exp(difference), low: Math.exp(low), high: Math.exp(high) };
  return {
    suite: now.suite,
    name: now.name,
    earlierNs: then.roundNs,
    nowNs: now.roundNs,
    ...interval,
    verdict: judge(interval, Math.max(machineRatio, 1 / machineRatio)),
  };
}

function judge(
  { ratio, low, high }: Pick<Comparison, "ratio" | "low" | "high">,
  machineEffect: number,
): Verdict {
  const liesBeyond = (effect: number) => low > effect || high < 1 / effect;
  if (liesBeyond(Math.max(leastEffect, machineEffect))) return ratio > 1 ? "faster" : "slower";
  // Different, but no more than the machine is; or so uncertain that anything could be true.
  return liesBeyond(leastEffect) || high / ratio > widestHalf ? "too noisy" : "no difference";
}

function logRounds({ rounds, roundNs, roundLogSd }: Measured) {
  return { n: rounds, mean: Math.log(roundNs), sd: roundLogSd };
}
