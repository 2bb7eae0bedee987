// Simulating until a result is precise enough: what that means, and after how many days it is looked at.
import { type MetricName, metrics, recoveryDelay } from "../model/metrics.js";
import { parseNumber } from "../model/ratio.js";
import { parsed, type Setting } from "../model/settings.js";
import { quantileInterval, type Summary, summarize } from "../stats/summary.js";
import { delayError } from "./result.js";
import type { TallyData } from "./tally.js";

/** A statistic that is to be precise. */
export interface Criterion {
  readonly metric: MetricName | typeof recoveryDelay.name;
  readonly statistic: "mean" | "p99";
}

/** How precise which statistics are to be. */
export interface Precision {
  /** Half the width of the 95 % interval, as a share of the estimate, that is small enough. */
  readonly share: number;
  readonly criteria: readonly Criterion[];
}

/** Days after which precision is first looked at; then at twice as many, and so on. */
export const firstLook = 1000;

/** The numbers of days at which precision is looked at, in ascending order; the last one is `mostDays`. */
export function* looks(mostDays: number): Generator<number> {
  for (let days = firstLook; days < mostDays; days *= 2) yield days;
  yield mostDays;
}

/**
 * Whether all criteria are met: the 95 % interval lies within the given share of the estimate on both sides.
 *
 * For a mean it is the normal interval of the report. For a p99 it is the interval between the two order statistics
 * whose ranks enclose it, by the normal approximation of the binomial distribution; of the re-drives of a day, which
 * are not independent, all count as one observation there. An interval without width is precise, even about 0, and so
 * is a statistic without any observation.
 */
export function isPreciseEnough({ share, criteria }: Precision, tally: TallyData): boolean {
  return criteria.every(({ metric, statistic }) => {
    const isDelay = metric === recoveryDelay.name;
    const distribution = isDelay ? tally.delays : tally.metrics[metric];
    const summary = summarize(distribution, isDelay ? delayError(tally) : "independent");
    if (summary.mean === undefined) return true;
    if (statistic === "mean") return isWithin(summary.meanCi95, summary.mean, share);
    return isWithin(quantileInterval(distribution, 0.99, tally.days), summary.quantiles.p99 ?? 0, share);
  });
}

function isWithin(interval: Summary["meanCi95"], estimate: number, share: number): boolean {
  if (interval === undefined) return false;
  return (interval[1] - interval[0]) / 2 <= share * Math.abs(estimate);
}

/** What is made precise where nothing else is asked. */
export const defaultCriteria: readonly Criterion[] = (
  ["halfFinishedUnsupervised", "wasted", recoveryDelay.name, "recordsRead"] as const
).map((metric) => ({ metric, statistic: "mean" }));

/** A share above 0 and at most 1, or as text in percent such as "1%". */
export function precisionShare(): Setting<number> {
  return parsed("a percentage above 0 such as 1%, at most 100%", (input) => {
    const percent = typeof input === "string" ? /^\s*(.*?)\s*%\s*$/.exec(input) : null;
    const value = percent === null ? input : parseNumber(percent[1]);
    const share = typeof value !== "number" ? Number.NaN : percent === null ? value : value / 100;
    return share > 0 && share <= 1 ? share : undefined;
  });
}

/** A list of metrics by the names of their columns, each perhaps with `:p99`, or such a list as text with commas. */
export function criteriaList(): Setting<readonly Criterion[]> {
  const known = new Map([...metrics, recoveryDelay].map(({ column, name }) => [column as string, name]));
  return parsed(`a list of ${[...known.keys()].join(", ")}, each perhaps with :p99`, (input) => {
    const list: unknown[] = typeof input === "string" ? input.split(",") : Array.isArray(input) ? input : [];
    const criteria = list.map((entry): Criterion | undefined => {
      const [column, statistic = "mean", ...rest] = String(entry).trim().split(":");
      const metric = known.get(column);
      const fits = metric !== undefined && rest.length === 0 && (statistic === "mean" || statistic === "p99");
      return fits ? { metric, statistic } : undefined;
    });
    return criteria.length > 0 && !criteria.includes(undefined) ? (criteria as Criterion[]) : undefined;
  });
}
