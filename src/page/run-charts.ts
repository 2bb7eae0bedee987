// The pictures of a run.
import type { Figure, Spec } from "./figure.js";
import { drawHistogram, type Mark } from "./histogram-chart.js";
import type { Figures, RunData } from "./run-data.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { capitalize, count, metricWords, show } from "./words.js";

/** All pictures of a run, the one for everybody first. */
export function runFigures(data: RunData): Figure[] {
  return [
    pairFigure(data),
    ...[
      histogramFigure(data, {
        name: "half-finished",
        metric: "halfFinishedUnsupervised",
        axis: "half-finished jobs a day, without a supervisor",
        finding: ({ n, p99, max, mean }) =>
          isNone(max ?? p99)
            ? "Without a supervisor, no job stays half-finished"
            : p99 === undefined || isFew(n)
              ? `Without a supervisor, ${show(mean)} jobs a day stay half-finished on average`
              : `Without a supervisor, 99 of 100 days end with at most ${count(p99, "half-finished job")}`,
      }),
      histogramFigure(data, {
        name: "wasted",
        metric: "wasted",
        axis: "wasted steps a day: work that was done twice",
        finding: ({ n, p99, max, mean }) =>
          isNone(max ?? p99)
            ? "The supervisor wastes no step"
            : p99 === undefined || isFew(n)
              ? `The supervisor wastes ${show(mean)} steps a day on average`
              : `The supervisor's price: 99 of 100 days waste at most ${count(p99, "step")}`,
      }),
      histogramFigure(data, {
        name: "recovery-delay",
        metric: "recoveryDelayRounds",
        axis: "recovery delay, rounds from the missing record to the re-drive",
        finding: ({ n, p99, mean }) =>
          p99 === undefined || isFew(n)
            ? `A dead step waits ${show(mean)} rounds for its re-drive on average`
            : `99 of 100 re-drives of a dead step come within ${count(p99, "round")}, ${show(mean)} on average`,
      }),
    ].flat(),
  ];
}

/** What becomes of the jobs that stay half-finished without a supervisor; all numbers are means per day. */
export interface Outcome {
  readonly side: "without a supervisor" | "with the supervisor";
  readonly text: string;
  readonly jobs: number;
}

export function outcomesOf({ figures }: Pick<RunData, "figures">): Outcome[] {
  const mean = (metric: string) => figures.get(metric)?.mean ?? 0;
  const stuck = mean("halfFinishedUnsupervised");
  const compensated = mean("compensatedJobs");
  const left = mean("halfFinished");
  // Means of whole numbers: what rounding leaves of an exact zero is none.
  const saved = Math.max(0, Number((stuck - compensated - left).toPrecision(12)));
  const rounded = saved < 1e-9 * stuck ? 0 : saved;
  return [
    { side: "without a supervisor", text: "half-finished for ever", jobs: stuck },
    { side: "with the supervisor", text: "finished after a re-drive", jobs: rounded },
    { side: "with the supervisor", text: "given up, steps undone", jobs: compensated },
    { side: "with the supervisor", text: "half-finished", jobs: left },
  ];
}

function pairFigure(data: RunData): Figure {
  const outcomes = outcomesOf(data);
  const [{ jobs: stuck }, saved, compensated, { jobs: left }] = outcomes;
  const closed = stuck - left;
  const title =
    stuck === 0
      ? "Nothing goes wrong on these days: no job is half-finished, with a supervisor or without"
      : left === 0
        ? `A supervisor brings all ${show(whole(stuck))} jobs a day to an end that would stay half-finished without one`
        : `A supervisor brings ${show(whole(closed))} of ${show(whole(stuck))} jobs a day to an end that would stay half-finished without one`;
  const wasted = data.figures.get("wasted")?.mean;
  const read = data.figures.get("recordsRead")?.mean;
  return {
    name: "with-and-without",
    title,
    alt:
      `Bars, jobs a day on average. Without a supervisor: ${show(stuck)} half-finished. With the supervisor: ` +
      `${show(saved.jobs)} finished after a re-drive, ${show(compensated.jobs)} given up with their steps undone, ` +
      `${show(left)} half-finished.`,
    note: `Jobs of ${show(data.scenario.workflows)} a day, on average. The price: ${show(wasted)} wasted steps and ${show(read)} records read a day.`,
    shape: "wide",
    draw: (width) => drawPair(outcomes, width),
    table: {
      head: ["", "outcome", "jobs a day"],
      rows: outcomes.map(({ side, text, jobs }) => [capitalize(side), text, jobs]),
    },
  };
}

function drawPair(outcomes: readonly Outcome[], width: number): Spec {
  const most = Math.max(...outcomes.map(({ jobs }) => jobs)) || 1;
  const isNarrow = width < 500;
  // Rows from the top: a heading for each side, then its outcomes.
  const values = outcomes.map((outcome, i) => ({
    ...outcome,
    row: i === 0 ? 1 : i + 2.4,
    foot: 0,
    top: (i === 0 ? 1 : i + 2.4) + 0.02,
    bottom: (i === 0 ? 1 : i + 2.4) + 0.42,
    shown: show(outcome.jobs),
    kind: outcome.text.startsWith("half-finished") ? "bad" : "good",
    text: capitalize(outcome.text),
  }));
  const heads = [
    { row: 0.15, text: "Without a supervisor" },
    { row: 2.55, text: "With the supervisor" },
  ];
  const y = {
    field: "row",
    type: "quantitative",
    scale: { domain: [6, -0.3], nice: false, zero: false },
    axis: null,
  };
  const x = { type: "quantitative", scale: { domain: [0, most * (isNarrow ? 1.3 : 1.12)], nice: false } };
  return {
    width,
    height: 300,
    layer: [
      {
        data: { values: heads },
        mark: { type: "text", align: "left", fontWeight: 600, fontSize: 13, baseline: "middle" },
        encoding: { y, x: { value: 0 }, text: { field: "text" } },
      },
      {
        data: { values },
        mark: { type: "rect" },
        encoding: {
          y: { ...y, field: "top" },
          y2: { field: "bottom" },
          x2: { field: "foot" },
          x: {
            ...x,
            field: "jobs",
            axis: {
              title: "jobs a day, mean",
              grid: true,
              values: niceTicks(0, most, isNarrow ? 3 : 7),
              format: ",.9~g",
            },
          },
          color: {
            field: "kind",
            scale: { domain: ["bad", "good"], range: [light.vermilion, light.blue] },
            legend: null,
          },
        },
      },
      {
        data: { values },
        mark: { type: "text", align: "left", dx: 6, baseline: "middle", fontWeight: 600, yOffset: 11 },
        encoding: { y, x: { ...x, field: "jobs" }, text: { field: "shown" } },
      },
      {
        data: { values },
        mark: { type: "text", align: "left", baseline: "bottom", yOffset: -3 },
        encoding: { y, x: { value: 0 }, text: { field: "text" } },
      },
    ],
  };
}

interface HistogramWords {
  readonly name: string;
  readonly metric: "halfFinishedUnsupervised" | "wasted" | "recoveryDelayRounds";
  readonly axis: string;
  readonly finding: (figures: Figures) => string;
}

/** None where nothing is known of the metric's values. */
function histogramFigure(data: RunData, { name, metric, axis, finding }: HistogramWords): Figure[] {
  const figures = data.figures.get(metric) as Figures;
  const { values, shares } = data.shares.get(metric) ?? { values: [], shares: [] };
  const exact = data.exact[metric]?.distribution;
  if (values.length === 0) return [];
  const isDelay = metric === "recoveryDelayRounds";
  const marks: Mark[] = [
    { label: "mean", value: figures.mean, style: "solid" as const },
    { label: "lesson", value: figures.first_order, style: "dotted" as const },
    { label: "p95", value: figures.p95, style: "dashed" as const },
    { label: "p99", value: figures.p99, style: "dashed" as const },
  ].flatMap(({ value, ...mark }) => (value === undefined ? [] : [{ ...mark, value }]));
  const isSimulated = figures.n !== undefined;
  const of = isDelay ? "re-drives" : "days";
  const { unit } = metricWords.get(metric) as { unit: string };
  const marked = marks.map(({ label, value }) => `${label} ${show(value)}`).join(", ");
  return [
    {
      name,
      title: finding(figures),
      alt:
        `Histogram of ${axis}: share of ${of}. ${marked}` +
        (figures.min === undefined ? "." : `; from ${show(figures.min)} to ${show(figures.max)} ${unit}.`),
      note: `${noteOf(isSimulated, exact !== undefined, of)}${figures.first_order === undefined ? "" : " Lesson: its first-order estimate."}`,
      shape: "wide",
      draw: (width) => drawHistogram({ values, shares, exact, marks, axis, of, isSimulated }, width),
      table: {
        head: ["", unit],
        rows: [
          ["mean", figures.mean],
          ["exact mean", figures.exact_mean],
          ["lesson's first-order estimate", figures.first_order],
          ["p5", figures.p05],
          ["median", figures.p50],
          ["p95", figures.p95],
          ["p99", figures.p99],
          ["p99.9", figures.p999],
          ["worst", figures.max],
        ].filter(([, value]) => value !== undefined),
      },
    },
  ];
}

function noteOf(isSimulated: boolean, hasExact: boolean, of: string): string {
  if (!isSimulated) return `Nothing was simulated: the bars are exact shares of ${of}.`;
  return hasExact
    ? `Bars: simulated ${of}. Line or points: the exact distribution, computed without simulation.`
    : `Bars: simulated ${of}. There is no exact distribution for this scenario.`;
}

/** Without decimals where they do not matter. */
function whole(jobs: number): number {
  return jobs < 10 ? jobs : Math.round(jobs);
}

/** Whether there are too few observations to speak of 99 in 100. */
function isFew(n: number | undefined): boolean {
  return n !== undefined && n < 100;
}

function isNone(most: number | undefined): boolean {
  return most === 0;
}
