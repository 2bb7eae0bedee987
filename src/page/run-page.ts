// The page of a run: the pair for everybody, the distributions, a bad day in words, and all numbers.
import { formatRatio } from "../model/ratio.js";
import type { Figure, FigureTable } from "./figure.js";
import type { Report, ReportSection } from "./report-content.js";
import { runFigures } from "./run-charts.js";
import { type Figures, type RunData, type Statistic, statistics } from "./run-data.js";
import { capitalize, count, metricWords, show } from "./words.js";

export function runReport(data: RunData): Report {
  const { scenario, days, seed } = data;
  const { workflows, steps, kk3, kk2, scan, lease, retryLimit, rounds, stallOn } = scenario;
  const [pair, ...histograms] = runFigures(data);
  const day = `${count(workflows, "workflow")} with ${count(steps.length, "step")}`;
  const sections: ReportSection[] = [
    { title: "With and without a supervisor", figures: [pair] },
    { title: "How the days differ", figures: histograms, paragraphs: missing(histograms) },
    {
      title: "What a bad day looks like",
      paragraphs: [...badDay(data), ...tooEarly(data)],
    },
    {
      title: "All numbers",
      paragraphs: [
        "Per day; the recovery delay is over all re-drives. The lesson's first-order estimate counts a job with two faults twice.",
      ],
      table: summaryTable(data),
    },
  ];
  return {
    title: days === undefined ? `Exact results for days of ${day}` : `${count(days, "day")} of ${day}`,
    facts: [
      `Steps: ${steps.join(", ")}. KK3 ${formatRatio(kk3)}: stall ratio of a step (stalls on ${stallOn.replace("-", " ")}). ` +
        `KK2 ${kk2}: workflows with a step that never passes.`,
      `Supervisor: scan every ${count(scan, "round")}, lease ${count(lease, "round")}, retry limit ` +
        `${count(retryLimit, "execution")}; a day has ${count(rounds, "round")}.`,
    ],
    sections,
    footer: days === undefined ? "Nothing was simulated: all values are exact." : `Seed ${seed}.`,
  };
}

function missing(histograms: readonly Figure[]): string[] {
  const texts: Readonly<Record<string, string>> = {
    "half-finished": "The distribution of half-finished jobs is not known.",
    wasted: "The distribution of wasted steps is not known.",
    "recovery-delay": "No step was re-driven, so there is no recovery delay.",
  };
  return Object.entries(texts).flatMap(([name, text]) =>
    histograms.some((figure) => figure.name === name) ? [] : [text],
  );
}

interface BadSide {
  readonly metric: string;
  readonly of: (figure: string) => string;
  readonly normal: (figure: string) => string;
}

const badSides: readonly BadSide[] = [
  {
    metric: "halfFinishedUnsupervised",
    normal: (mean) => `Without a supervisor, an average day ends with ${mean} half-finished jobs`,
    of: (value) => `${value} half-finished jobs`,
  },
  {
    metric: "halfFinished",
    normal: (mean) => `With the supervisor, an average day ends with ${mean} half-finished jobs`,
    of: (value) => `${value} half-finished jobs`,
  },
  {
    metric: "compensatedJobs",
    normal: (mean) => `On an average day the supervisor gives up ${mean} jobs and undoes their steps`,
    of: (value) => `${value} jobs given up`,
  },
  {
    metric: "wasted",
    normal: (mean) => `On an average day ${mean} steps are wasted`,
    of: (value) => `${value} wasted steps`,
  },
  {
    metric: "recoveryWorstRounds",
    normal: (mean) => `The slowest re-drive of an average day comes ${mean} rounds late`,
    of: (value) => `${value} rounds`,
  },
  {
    metric: "lastRound",
    normal: (mean) => `On an average day the last job is closed in round ${mean}`,
    of: (value) => `round ${value}`,
  },
  {
    metric: "recordsRead",
    normal: (mean) => `On an average day the supervisor reads ${mean} records`,
    of: (value) => `${value} records`,
  },
];

/** A sentence or two for each thing that can go badly. */
export function badDay({ figures, days }: Pick<RunData, "figures" | "days">): string[] {
  return badSides.flatMap(({ metric, normal, of }) => {
    const { mean, p99, p999, max } = figures.get(metric) as Figures;
    if (mean === undefined) return [];
    const start = normal(show(mean));
    if (p99 === undefined) return [`${start}.`];
    const isSame = (max ?? p999) === p99 && p99 === mean;
    if (isSame) return [`${start}, and no day is worse.`];
    // A share of 1 in 1,000 says nothing about fewer days than that.
    const rare =
      days !== undefined && days < 1000 ? "" : `; on 1 day in 1,000 it is ${of(show(p999))} or more`;
    const bad =
      days !== undefined && days < 100 ? "" : ` On 1 day in 100 it is ${of(show(p99))} or more${rare}.`;
    const worst = max === undefined ? "" : ` The worst of ${count(days ?? 0, "day")}: ${of(show(max))}.`;
    return [`${start}.${bad}${worst}`];
  });
}

/** Why jobs are half-finished with a supervisor. */
function tooEarly({ figures, scenario: { rounds } }: RunData): string[] {
  if ((figures.get("halfFinished")?.mean ?? 0) === 0) return [];
  return [
    `Jobs are half-finished with the supervisor only because a day ends here after ${count(rounds, "round")}, too early ` +
      "for it; their number depends on --rounds.",
  ];
}

const heads: Readonly<Record<Statistic, string>> = {
  n: "n",
  mean: "mean",
  mean_ci95_low: "95 % from",
  mean_ci95_high: "to",
  sd: "sd",
  min: "least",
  p01: "p1",
  p05: "p5",
  p25: "p25",
  p50: "median",
  p75: "p75",
  p95: "p95",
  p99: "p99",
  p999: "p99.9",
  max: "most",
  exact_mean: "exact mean",
  exact_sd: "exact sd",
  first_order: "first order",
};

/** summary.csv as a table: a row per metric, columns without any value left out. */
function summaryTable({ figures }: RunData): FigureTable {
  const shown = statistics.filter((name) => [...figures.values()].some((of) => of[name] !== undefined));
  return {
    head: ["", "unit", ...shown.map((name) => heads[name])],
    rows: [...metricWords].map(([metric, { label, unit }]) => [
      capitalize(label),
      unit,
      ...shown.map((name) => figures.get(metric)?.[name]),
    ]),
  };
}
