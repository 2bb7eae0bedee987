// The pictures of a sweep over a list of scenarios: one line each, since they differ in several things at once.
import { type KeyMetric, keyMetrics } from "../experiment/effects.js";
import type { Figure, Spec } from "./figure.js";
import { rowScale } from "./row-scale.js";
import type { SweepData, SweptScenario } from "./sweep-data.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { drawTradeOff } from "./trade-off-charts.js";
import { axisTitle, capitalize, metricWords, shorten, show } from "./words.js";

/** Scenarios in one picture, at most. */
export const mostListed = 24;

export function listFigures({ kept }: Pick<SweepData, "kept">): Figure[] {
  const scenarios = kept.slice(0, mostListed);
  return [...keyMetrics.flatMap((metric) => dotFigure(scenarios, metric)), ...tradeOffFigure(scenarios)];
}

function dotFigure(scenarios: readonly SweptScenario[], metric: KeyMetric): Figure[] {
  const dots = scenarios.flatMap(({ label, figures }) => {
    const { mean, p05, p95 } = figures.get(metric) ?? {};
    return mean === undefined ? [] : [{ label, mean, p05, p95 }];
  });
  if (dots.length === 0) return [];
  const lowest = dots.reduce((a, b) => (b.mean < a.mean ? b : a));
  const highest = dots.reduce((a, b) => (b.mean > a.mean ? b : a));
  const { label, column } = metricWords.get(metric) as { label: string; column: string };
  return [
    {
      name: `${column.replace(/_rounds$/, "").replaceAll("_", "-")}-by-scenario`,
      title:
        lowest.mean === highest.mean
          ? `${capitalize(label)}: ${show(lowest.mean)} in every scenario`
          : `${capitalize(label)}: from ${show(lowest.mean)} (${lowest.label}) to ${show(highest.mean)} (${highest.label})`,
      alt: `A dot per scenario, the mean of ${axisTitle(metric)}, on a line from p5 to p95.`,
      note: "Dot: mean. Line: p5 to p95.",
      shape: "wide",
      draw: (width) => drawDots(dots, metric, width),
      table: {
        head: ["scenario", "mean", "p5", "p95"],
        rows: dots.map(({ label, mean, p05, p95 }) => [label, mean, p05, p95]),
      },
    },
  ];
}

interface Dot {
  readonly label: string;
  readonly mean: number;
  readonly p05: number | undefined;
  readonly p95: number | undefined;
}

function drawDots(dots: readonly Dot[], metric: KeyMetric, width: number): Spec {
  const isNarrow = width < 500;
  const values = dots.map((dot, row) => ({
    ...dot,
    row: row + 0.7,
    name: row + 0.42,
    text: shorten(dot.label, isNarrow ? 36 : 90),
    shown: show(dot.mean),
  }));
  const top = Math.max(...dots.flatMap(({ mean, p95 }) => [mean, p95 ?? 0])) || 1;
  const x = { type: "quantitative", scale: { domain: [0, top * (isNarrow ? 1.22 : 1.1)], nice: false } };
  const y = rowScale(values.length);
  return {
    width,
    height: 60 + 42 * values.length,
    layer: [
      {
        data: { values: values.filter(({ p05, p95 }) => p05 !== undefined && p95 !== undefined) },
        mark: { type: "rule", color: light.bar, strokeWidth: 6 },
        encoding: {
          y: { ...y, field: "row" },
          x: {
            ...x,
            field: "p05",
            axis: {
              title: axisTitle(metric, isNarrow),
              grid: true,
              values: niceTicks(0, top, isNarrow ? 3 : 7),
              format: ",.9~g",
            },
          },
          x2: { field: "p95" },
        },
      },
      {
        data: { values },
        mark: { type: "point", color: light.blue, filled: true, size: 80, opacity: 1 },
        encoding: { y: { ...y, field: "row" }, x: { ...x, field: "mean" } },
      },
      {
        data: { values: values.map((value) => ({ ...value, end: Math.max(value.mean, value.p95 ?? 0) })) },
        mark: { type: "text", align: "left", dx: 8, baseline: "middle" },
        encoding: { y: { ...y, field: "row" }, x: { ...x, field: "end" }, text: { field: "shown" } },
      },
      {
        data: { values },
        mark: { type: "text", align: "left", baseline: "bottom", fontWeight: 600 },
        encoding: { y: { ...y, field: "name" }, x: { value: 2 }, text: { field: "text" } },
      },
    ],
  };
}

function tradeOffFigure(scenarios: readonly SweptScenario[]): Figure[] {
  const points = scenarios.flatMap(({ label, figures }) => {
    const delay = figures.get("recoveryDelayRounds")?.mean;
    const records = figures.get("recordsRead")?.mean;
    return delay === undefined || records === undefined ? [] : [{ delay, records, scan: label }];
  });
  if (points.length < 2) return [];
  return [
    {
      name: "trade-off",
      title: "Recovery delay against records read: further left is found sooner, further down reads less",
      alt: `A point per scenario: ${points.map(({ scan, delay, records }) => `${scan}: ${show(delay)} rounds, ${show(records)} records`).join("; ")}.`,
      shape: "wide",
      draw: (width) => drawTradeOff(points, "", width),
      table: {
        head: ["scenario", "recovery delay, rounds", "records read a day"],
        rows: points.map(({ scan, delay, records }) => [scan, delay, records]),
      },
    },
  ];
}
