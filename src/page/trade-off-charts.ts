// Recovery delay against records read.
import type { Figure, Spec } from "./figure.js";
import { groupValues, type SweepData } from "./sweep-data.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { shorten, show } from "./words.js";

/** Points of the curve, at most. */
const mostCurvePoints = 200;

/** Recovery delay against records read, one point per scan interval. */
export function tradeOffFigures(data: SweepData): Figure[] {
  const axis = data.axes.find(({ parameter }) => parameter === "scan");
  if (axis === undefined) return [];
  const values = axis.values.flatMap((value) => {
    const delay = data.at(axis, value, "recoveryDelayRounds").mean;
    const records = data.at(axis, value, "recordsRead").mean;
    return delay === undefined || records === undefined ? [] : [{ delay, records, scan: value.text }];
  });
  if (values.length < 2) return [];
  const [first, last] = [values[0], values[values.length - 1]];
  const times = (a: number, b: number) =>
    (Math.max(a, b) / Math.min(a, b)).toPrecision(2).replace(/\.0$/, "");
  const isTraded =
    last.delay > first.delay && last.records < first.records && first.delay > 0 && last.records > 0;
  return [
    {
      name: "trade-off",
      title: isTraded
        ? `Scanning every ${last.scan} rounds instead of ${first.scan} reads ${times(first.records, last.records)} times fewer records and finds dead steps ${times(last.delay, first.delay)} times later`
        : "Recovery delay against records read, for each scan interval",
      alt: `Curve through points, one per scan interval: ${values
        .slice(0, 12)
        .map(({ scan, delay, records }) => `scan ${scan}: ${show(delay)} rounds, ${show(records)} records`)
        .join("; ")}.`,
      note: "Each point is a scan interval: further left is found sooner, further down reads less. Means over all scenarios with it.",
      shape: "wide",
      draw: (width) => drawTradeOff(values, "scan", width),
      table: {
        head: ["scan interval", "recovery delay, rounds", "records read a day"],
        rows: values.slice(0, 50).map(({ scan, delay, records }) => [scan, delay, records]),
      },
    },
  ];
}

/** Points of a trade-off, and what the label of each says. */
export function drawTradeOff(
  points: readonly { readonly delay: number; readonly records: number; readonly scan: string }[],
  word: string,
  width: number,
): Spec {
  const isNarrow = width < 500;
  const isNamed = word === "";
  const thinned = groupValues(
    points.map((_, i) => ({ text: `${i}`, number: i })),
    mostCurvePoints,
  ).map(([{ number }]) => points[number as number]);
  const most = {
    delay: Math.max(...points.map(({ delay }) => delay)),
    records: Math.max(...points.map(({ records }) => records)),
  };
  const labels = spread(thinned, most, isNarrow ? 0.15 : 0.07).map((point) => ({
    ...point,
    label: `${word} ${shorten(point.scan)}`.trim(),
  }));
  const x = {
    field: "delay",
    type: "quantitative",
    scale: { domain: [0, (most.delay || 1) * (isNamed ? 1.05 : isNarrow ? 1.3 : 1.12)], nice: false },
    axis: {
      title: "recovery delay, rounds, mean",
      grid: true,
      values: niceTicks(0, most.delay || 1, isNarrow ? 4 : 8),
      format: ",.9~g",
    },
  };
  const y = {
    field: "records",
    type: "quantitative",
    scale: { domain: [0, (most.records || 1) * 1.08], nice: false },
    axis: { title: "records read a day, mean", values: niceTicks(0, most.records || 1, 6), format: ",.9~g" },
  };
  return {
    width,
    height: isNarrow ? 300 : 360,
    layer: [
      {
        data: { values: thinned.map((point, order) => ({ ...point, order })) },
        mark: {
          type: isNamed ? "point" : "line",
          color: light.blue,
          strokeWidth: 2,
          filled: isNamed,
        },
        encoding: { x, y, ...(!isNamed && { order: { field: "order", type: "quantitative" } }) },
      },
      {
        data: { values: labels },
        mark: { type: "point", color: light.blue, filled: true, size: 70, opacity: 1 },
        encoding: { x, y },
      },
      ...(["left", "right"] as const).map((side) => ({
        data: {
          values: labels.filter((point) => (side === "left") === (isNamed && 2 * point.delay > most.delay)),
        },
        mark: {
          type: "text",
          align: side === "left" ? "right" : "left",
          dx: side === "left" ? -8 : 8,
          dy: -9,
          baseline: "middle",
        },
        encoding: { x, y, text: { field: "label" } },
      })),
    ],
  };
}

/** Points that lie so far apart, as a part of the picture, that labels do not meet; the last is among them. */
function spread<Point extends { readonly delay: number; readonly records: number }>(
  points: readonly Point[],
  most: { readonly delay: number; readonly records: number },
  apart: number,
): Point[] {
  const chosen: Point[] = [];
  const isFree = (point: Point) =>
    chosen.every(
      ({ delay, records }) =>
        Math.abs(delay - point.delay) > 2 * apart * most.delay ||
        Math.abs(records - point.records) > apart * most.records,
    );
  for (const point of [...points.slice(0, 1), ...points.slice(-1), ...points.slice(1, -1)]) {
    if (isFree(point)) chosen.push(point);
  }
  return chosen;
}
