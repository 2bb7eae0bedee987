// The result of a run as a table for people.
import type { MetricResult } from "../experiment/result.js";
import type { RunResult } from "../experiment/simulate.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio } from "../model/ratio.js";
import { inOneLine } from "../model/settings.js";
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
  return [
    bold(title, style),
    dim(`KK3 ${formatRatio(kk3)} (stalls on ${stallOn.replace("-", " ")}), KK2 ${kk2}${drawn}`, style),
    dim(`scan ${scan}, lease ${lease}, retry limit ${retryLimit}, ${count(rounds, "round")}`, style),
    "",
    renderTable(
      ["", ...shown.map(({ name }) => name)],
      [
        "Per day, without a supervisor",
        row(unsupervised),
        "Per day, with the supervisor",
        ...others.map(row),
        "Over all re-drives",
        row(delay),
      ],
      style,
    ),
    ...explain(new Set(shown.map(({ name }) => name))).map((line) => dim(line, style)),
    "",
  ].join("\n");
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
