// The result of a run as a table for people.
import { stripVTControlCharacters } from "node:util";
import type { MetricResult } from "../experiment/result.js";
import type { RunResult } from "../experiment/simulate.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio } from "../model/ratio.js";
import { inOneLine } from "../model/settings.js";
import { drawBlocks, type Weighted } from "./blocks.js";
import { bold, dim, renderTable, type Style, showNumber, type TextRow } from "./terminal.js";

interface Described {
  readonly label: string;
  readonly unit: string;
  readonly worst: "min" | "max";
}

const described = new Map<string, Described>([
  ...metrics.map((metric) => [metric.name, metric] as const),
  [recoveryDelay.name, { ...recoveryDelay, worst: "max" }],
]);

/** A column of the table; one without any value is left out. */
interface ResultColumn {
  readonly name: string;
  readonly value: (result: MetricResult) => number | undefined;
}

const columns: readonly ResultColumn[] = [
  { name: "mean", value: ({ n, mean }) => (n === undefined ? undefined : mean) },
  { name: "exact", value: ({ exactMean }) => exactMean },
  { name: "lesson", value: ({ firstOrder }) => firstOrder },
  { name: "p5", value: ({ quantiles }) => quantiles.p05 },
  { name: "p95", value: ({ quantiles }) => quantiles.p95 },
  { name: "p99", value: ({ quantiles }) => quantiles.p99 },
  { name: "worst", value: (result) => result[described.get(result.metric)?.worst ?? "max"] },
];

/** What the days were, what came of them and how it compares with exact values and the lesson's estimate. */
export function showRun({ scenario, exact, days, seed, metrics: results }: RunResult, style: Style): string {
  const { workflows, steps, kk3, kk2, scan, lease, retryLimit, rounds, stallOn } = scenario;
  const shown = columns.filter(({ value }) => results.some((result) => value(result) !== undefined));
  const row = (result: MetricResult): TextRow => {
    const { label, unit } = described.get(result.metric) as Described;
    const suffix = unit === "rounds" ? dim(", rounds", style) : "";
    return [`  ${label}${suffix}`, ...shown.map(({ value }) => showNumber(value(result)))];
  };
  const [unsupervised, ...others] = results;
  const delay = others.pop() as MetricResult;
  const day = `${count(workflows, "workflow")} with ${count(steps.length, "step")}`;
  const title = exact ? `Exact, without simulation: days of ${day}` : `${count(days, "day")} of ${day}`;
  const drawn = exact ? "" : `, seed ${inOneLine(seed)}`;
  const table = [
    "Per day, without a supervisor",
    row(unsupervised),
    "Per day, with the supervisor",
    ...others.map(row),
    "Over all re-drives",
    row(delay),
  ];
  return [
    bold(title, style),
    dim(`KK3 ${formatRatio(kk3)} (stalls on ${stallOn.replace("-", " ")}), KK2 ${kk2}${drawn}`, style),
    dim(`scan ${scan}, lease ${lease}, retry limit ${retryLimit}, ${count(rounds, "round")}`, style),
    "",
    addHistograms(renderTable(["", ...shown.map(({ name }) => name)], table, style), table, results, style),
    ...explain(new Set(shown.map(({ name }) => name))).map((line) => dim(line, style)),
    "",
  ].join("\n");
}

/** Characters of a histogram. */
const histogramWidth = 16;

/**
 * On a terminal, the distributions as small histograms: beside the table's rows where there is room, else below it,
 * between their least and largest value.
 */
function addHistograms(
  text: string,
  table: readonly TextRow[],
  results: readonly MetricResult[],
  style: Style,
): string {
  const { columns: room = 0 } = style;
  if (room === 0) return text;
  const seen = results.map(valuesOf);
  const drawn = seen.map((weighted) => drawBlocks(weighted, histogramWidth));
  const lines = text.trimEnd().split("\n");
  const width = Math.max(...lines.map((line) => stripVTControlCharacters(line).length)) + 2;
  if (width + histogramWidth <= room) {
    let next = 0;
    const beside = lines.map((line, i) => {
      // The first line is the head; headings between the rows are text.
      if (i > 0 && typeof table[i - 1] === "string") return line;
      const added = i === 0 ? bold("least to largest", style) : drawn[next++];
      return `${line}${" ".repeat(width - stripVTControlCharacters(line).length)}${added}`.trimEnd();
    });
    return `${beside.join("\n")}\n`;
  }
  const below = results.flatMap(({ metric }, i) => {
    if (drawn[i].length < 2) return [];
    const { label } = described.get(metric) as Described;
    const { values } = seen[i];
    const name = i === 0 ? `${label}, no supervisor` : label;
    const [least, largest] = [showNumber(values[0]), showNumber(values[values.length - 1])];
    return `  ${name.padEnd(34)}${least.padStart(10)}  ${drawn[i].padEnd(histogramWidth)}  ${largest}`;
  });
  const title = bold("Distributions, from the least to the largest value", style);
  return below.length === 0 ? text : `${text}${title}\n${below.join("\n")}\n`;
}

/** Exact values that a million days would hardly show are left out of a histogram. */
const leastShown = 1e-6;

/** The values seen or, without simulation, those that are not unlikely. */
function valuesOf({ n, distribution, exactDistribution }: MetricResult): Weighted {
  if (n !== undefined || exactDistribution === undefined) {
    return { values: distribution.values, weights: distribution.counts };
  }
  const { values, probabilities } = exactDistribution;
  const isShown = (_: number, i: number) => probabilities[i] >= leastShown;
  return { values: values.filter(isShown), weights: probabilities.filter(isShown) };
}

function explain(shown: ReadonlySet<string>): string[] {
  return [
    shown.has("exact") ? [] : ["No exact values: a job can meet too many fates to list."],
    shown.has("lesson")
      ? [
          "lesson: its first-order estimate, for days long enough to end every job;",
          "        it counts a job with two faults twice",
        ]
      : [],
    shown.has("worst")
      ? [
          "worst:  of all days, or re-drives; of completed jobs and steps run the fewest,",
          "        so that their bad days are at p5",
        ]
      : ["Bad days are at p95 and p99; of completed jobs and steps run, at p5."],
  ].flat();
}

function count(n: number, word: string): string {
  return `${n.toLocaleString("en-US")} ${word}${n === 1 ? "" : "s"}`;
}
