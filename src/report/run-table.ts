// The result of a run as a table for people.
import type { MetricResult } from "../experiment/result.js";
import type { RunResult } from "../experiment/simulate.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio } from "../model/ratio.js";
import { bold, dim, renderTable, type Style, showNumber, type TextRow } from "./terminal.js";

const head = ["", "mean", "exact", "lesson", "p5", "p95", "p99", "worst"];

const described = new Map<string, { label: string; unit: string; worst: "min" | "max" }>([
  ...metrics.map((metric) => [metric.name, metric] as const),
  [recoveryDelay.name, { ...recoveryDelay, worst: "max" }],
]);

/** What the days were, what came of them and how it compares with exact values and the lesson's estimate. */
export function showRun({ scenario, days, seed, metrics: results }: RunResult, style: Style): string {
  const { workflows, steps, kk3, kk2, scan, lease, retryLimit, rounds, stallOn } = scenario;
  const count = (n: number, word: string) => `${n.toLocaleString("en-US")} ${word}${n === 1 ? "" : "s"}`;
  const row = (result: MetricResult): TextRow => {
    const { label, unit, worst } = described.get(result.metric) as {
      label: string;
      unit: string;
      worst: "min" | "max";
    };
    const { p05, p95, p99 } = result.quantiles;
    const cells = [result.mean, result.exactMean, result.firstOrder, p05, p95, p99, result[worst]];
    const suffix = unit === "rounds" ? dim(", rounds", style) : "";
    return [`  ${label}${suffix}`, ...cells.map(showNumber)];
  };
  const [unsupervised, ...others] = results;
  const delay = others.pop() as MetricResult;
  return [
    bold(
      `${count(days, "day")} of ${count(workflows, "workflow")} with ${count(steps.length, "step")}`,
      style,
    ),
    dim(`KK3 ${formatRatio(kk3)} (stalls on ${stallOn.replace("-", " ")}), KK2 ${kk2}, seed ${seed}`, style),
    dim(`scan ${scan}, lease ${lease}, retry limit ${retryLimit}, ${count(rounds, "round")}`, style),
    "",
    renderTable(
      head,
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
    dim("lesson: its first-order estimate, which counts a job with two faults twice", style),
    dim("worst:  of all days, or of all re-drives", style),
    "",
  ].join("\n");
}
