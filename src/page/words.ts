// Numbers and names as the page writes them.
import type { KeyMetric } from "../experiment/effects.js";
import type { Parameter } from "../experiment/grid.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { showNumber } from "../report/terminal.js";

/** A number as a person reads it; one that is next to nothing without its many zeros. */
export function show(value: number | undefined): string {
  const isTiny = value !== undefined && value !== 0 && Math.abs(value) < 1e-6;
  return isTiny ? value.toExponential(1) : showNumber(value);
}

/** "1 day", "2 days". */
export function count(n: number, word: string): string {
  return `${show(n)} ${word}${n === 1 ? "" : "s"}`;
}

export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

interface MetricWords {
  readonly column: string;
  /** In words that tell the two kinds of half-finished jobs apart. */
  readonly label: string;
  readonly unit: string;
}

const labelsOfTwins: Readonly<Record<string, string>> = {
  halfFinishedUnsupervised: "half-finished jobs without a supervisor",
  halfFinished: "half-finished jobs with the supervisor",
};

/** All metrics in the order of the files, by their name. */
export const metricWords: ReadonlyMap<string, MetricWords> = new Map(
  [...metrics, recoveryDelay].map(({ name, column, label, unit }) => [
    name,
    { column, label: labelsOfTwins[name] ?? label, unit },
  ]),
);

/**
 * What an axis with this metric is called: what, in which unit, per what.
 *
 * @param isShort - for little room: the title of the picture says which half-finished jobs are meant
 */
export function axisTitle(metric: KeyMetric, isShort = false): string {
  const { label: full, unit } = metricWords.get(metric) as MetricWords;
  const label = isShort ? full.replace(/ with(out a| the) supervisor$/, "") : full;
  if (metric === recoveryDelay.name) return `${label}, rounds`;
  return label.includes(unit) || unit === "records" ? `${label} a day` : `${label}, ${unit} a day`;
}

/** How parameters are called; their columns in the files and their units. */
export const parameterWords: Readonly<
  Record<Parameter, { readonly column: string; readonly label: string; readonly unit?: string }>
> = {
  workflows: { column: "workflows", label: "workflows", unit: "jobs a day" },
  steps: { column: "steps", label: "steps", unit: "per job" },
  kk3: { column: "kk3", label: "KK3", unit: "stall ratio of a step" },
  kk2: { column: "kk2", label: "KK2", unit: "persistent failures per workflow" },
  scan: { column: "scan_rounds", label: "scan interval", unit: "rounds" },
  lease: { column: "lease_rounds", label: "lease", unit: "rounds" },
  retryLimit: { column: "retry_limit", label: "retry limit", unit: "executions" },
  rounds: { column: "rounds", label: "length of a day", unit: "rounds" },
  stallOn: { column: "stall_on", label: "stalls on" },
};

/** What an axis with this parameter is called. */
export function parameterTitle(parameter: Parameter): string {
  const { label, unit } = parameterWords[parameter];
  return unit === undefined ? label : `${label}, ${unit}`;
}

/** Names from users may be long. */
export function shorten(text: string, length = 22): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The name of a column as part of a file name. */
export function dashed(column: string): string {
  return column.replace(/_rounds$/, "").replaceAll("_", "-");
}
