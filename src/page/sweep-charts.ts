// The pictures of a sweep over a grid.
import { type KeyMetric, keyMetrics } from "../experiment/effects.js";
import type { Figure, Spec } from "./figure.js";
import { drawHeatMap } from "./heat-map.js";
import {
  type Axis,
  type AxisValue,
  groupValues,
  type Level,
  mostGroups,
  type SweepData,
} from "./sweep-data.js";
import { type Effect, effectsOn, movedMetrics } from "./sweep-effects.js";
import { light } from "./theme.js";
import { logTicks, niceTicks, thinTicks } from "./ticks.js";
import { axisTitle, capitalize, metricWords, parameterTitle, parameterWords, show } from "./words.js";

/** Points of a curve, at most. */
const mostPoints = 200;

/** A point of a curve: a value of the parameter, or the middle of several. */
interface Point extends Level {
  readonly x: number | string;
}

/** Each metric against each parameter that moves it. */
export function curveFigures(data: SweepData): Figure[] {
  return data.axes.flatMap((axis) =>
    keyMetrics.flatMap((metric) => {
      const effect = effectsOn(metric, data).find(({ axis: { parameter } }) => parameter === axis.parameter);
      if (effect !== undefined) return [curveFigure(axis, describeEffect(effect, metric), metric, data)];
      const { mean } = data.overall(metric);
      // Along a single parameter, what does not move is an answer too.
      if (data.axes.length > 1 || mean === undefined) return [];
      const { label } = metricWords.get(metric) as { label: string };
      const title = `${capitalize(label)}: ${show(mean)} at every ${parameterWords[axis.parameter].label}`;
      return [curveFigure(axis, title, metric, data)];
    }),
  );
}

/** Parameters and metrics that have nothing to do with each other, in words. */
export function unmovedTexts(data: SweepData): string[] {
  const moved = new Map(keyMetrics.map((metric) => [metric, effectsOn(metric, data)]));
  return data.axes.flatMap((axis) => {
    const still = keyMetrics.filter(
      (metric) =>
        data.overall(metric).mean !== undefined &&
        moved.get(metric)?.every((effect) => effect.axis.parameter !== axis.parameter),
    );
    if (still.length === 0) return [];
    const labels = still.map((metric) => metricWords.get(metric)?.label).join(", ");
    const name = parameterWords[axis.parameter].label;
    return [`${capitalize(name)} ${name.endsWith("s") ? "do" : "does"} not move: ${labels}.`];
  });
}

/** What a parameter does to a metric, from its first values to its last. */
function describeEffect({ axis, lowest, highest }: Effect, metric: KeyMetric): string {
  const { label } = metricWords.get(metric) as { label: string };
  const [from, to] = isBefore(lowest.value, highest.value, axis) ? [lowest, highest] : [highest, lowest];
  const verb = to.mean > from.mean ? "rise" : "fall";
  const ending = /jobs|steps|records/.test(label) ? "" : "s";
  const parameter = parameterWords[axis.parameter].label;
  return `${capitalize(label)} ${verb}${ending} from ${show(from.mean)} at ${parameter} ${from.value.text} to ${show(to.mean)} at ${to.value.text}`;
}

function curveFigure(axis: Axis, title: string, metric: KeyMetric, data: SweepData): Figure {
  const { column } = metricWords.get(metric) as { column: string };
  const { label: parameter, column: parameterColumn } = parameterWords[axis.parameter];
  const levels = pointsOf(axis, metric, data);
  return {
    name: `${dashed(column)}-by-${dashed(parameterColumn)}`,
    title,
    alt: `Mean of ${axisTitle(metric)} against ${parameterTitle(axis.parameter)}, with its p5 to p95 as a band. ${title}.`,
    shape: "small",
    draw: (width) => drawCurve(levels, axis, metric, width),
    table: {
      head: [parameter, "mean", "p5", "p95"],
      rows: levels.slice(0, 50).map(({ x, mean, p05, p95 }) => [String(x), mean, p05, p95]),
    },
  };
}

function isBefore(a: AxisValue, b: AxisValue, { values }: Axis): boolean {
  return values.indexOf(a) < values.indexOf(b);
}

function pointsOf(axis: Axis, metric: KeyMetric, data: SweepData): Point[] {
  return groupValues(axis.values, mostPoints).map((group) => {
    const levels = group.map((value) => data.at(axis, value, metric));
    const { number, text } = group[Math.floor((group.length - 1) / 2)];
    return {
      x: number ?? text,
      mean: average(levels.map(({ mean }) => mean)),
      p05: average(levels.map(({ p05 }) => p05)),
      p95: average(levels.map(({ p95 }) => p95)),
    };
  });
}

function average(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function drawCurve(points: readonly Point[], axis: Axis, metric: KeyMetric, width: number): Spec {
  const values = points.filter(({ mean }) => mean !== undefined);
  const numbers = values.map(({ x }) => x).filter((x) => typeof x === "number");
  const isNumeric = numbers.length === values.length;
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  const isLog = isNumeric && numbers.length > 3 && first > 0 && last / first >= 30;
  const round = isLog ? logTicks(first, last) : niceTicks(first, last, 6);
  const ticks = thinTicks(numbers.length <= 7 ? numbers : round, 0.17, isLog ? Math.log : undefined);
  const x = isNumeric
    ? {
        field: "x",
        type: "quantitative",
        scale: { type: isLog ? "log" : "linear", zero: false, nice: false, padding: 8 },
        axis: {
          title: parameterTitle(axis.parameter) + (isLog ? " (logarithmic)" : ""),
          values: ticks,
          format: ",.9~g",
        },
      }
    : {
        field: "x",
        type: "ordinal",
        sort: null,
        scale: { padding: 0.3 },
        axis: {
          title: parameterTitle(axis.parameter),
          labelAngle: values.some(({ x }) => String(x).length > 8) ? -30 : 0,
          labelLimit: 120,
          labelOverlap: false,
        },
      };
  const top = Math.max(...values.flatMap(({ mean, p95 }) => [mean ?? 0, p95 ?? 0])) || 1;
  const y = {
    type: "quantitative",
    scale: { domain: [0, top * 1.04], nice: false },
    axis: { title: axisTitle(metric), values: niceTicks(0, top, 5), format: ",.9~g" },
  };
  const band = values.filter(({ p05, p95 }) => p05 !== undefined && p95 !== undefined);
  return {
    width,
    height: 260,
    layer: [
      {
        data: { values: band },
        mark: isNumeric ? { type: "area", color: light.band } : { type: "bar", color: light.band, width: 18 },
        encoding: { x, y: { ...y, field: "p05" }, y2: { field: "p95" } },
      },
      {
        data: { values },
        mark: {
          type: isNumeric ? "line" : "point",
          color: light.blue,
          strokeWidth: 2,
          ...(isNumeric
            ? { point: values.length <= 30 ? { color: light.blue, size: 45, filled: true } : false }
            : { filled: true, size: 80, opacity: 1 }),
        },
        encoding: { x, y: { ...y, field: "mean" } },
      },
    ],
  };
}

/** Which parameter moves a metric most. */
export function tornadoFigures(data: SweepData): Figure[] {
  if (data.axes.length < 2) return [];
  return movedMetrics(data).map((metric) => {
    const effects = effectsOn(metric, data);
    const { label, unit, column } = metricWords.get(metric) as {
      label: string;
      unit: string;
      column: string;
    };
    const words = ({ axis, lowest, highest }: Effect) =>
      `${parameterWords[axis.parameter].label} from ${show(lowest.mean)} at ${lowest.value.text} to ${show(highest.mean)} at ${highest.value.text}`;
    const [first] = effects;
    const name = parameterWords[first.axis.parameter].label;
    const move = name.endsWith("s") ? "move" : "moves";
    return {
      name: `what-moves-${dashed(column)}`,
      title:
        effects.length === 1
          ? `Only ${name} ${move} ${label}`
          : `${capitalize(name)} ${move} ${label} most: by ${show(first.range)} ${unit}`,
      alt: `Bars, one per parameter: ${effects.map(words).join("; ")}.`,
      shape: "wide",
      draw: (width) => drawTornado(effects, metric, data.overall(metric).mean ?? 0, width),
      table: {
        head: ["parameter", "lowest mean", "at", "highest mean", "at", "range"],
        rows: effects.map(({ axis, lowest, highest, range }) => [
          parameterWords[axis.parameter].label,
          lowest.mean,
          lowest.value.text,
          highest.mean,
          highest.value.text,
          range,
        ]),
      },
    };
  });
}

function drawTornado(effects: readonly Effect[], metric: KeyMetric, overall: number, width: number): Spec {
  const isNarrow = width < 500;
  const values = effects.map(({ axis, lowest, highest }, row) => ({
    row: row + 0.5,
    top: row + 0.36,
    bottom: row + 0.74,
    name: capitalize(parameterWords[axis.parameter].label),
    low: lowest.mean,
    high: highest.mean,
    lowText: isNarrow ? "" : `${show(lowest.mean)} at ${shorten(lowest.value.text)}`,
    highText: isNarrow ? "" : `${show(highest.mean)} at ${shorten(highest.value.text)}`,
    head: isNarrow
      ? `${parameterWords[axis.parameter].label}: ${shorten(lowest.value.text)} to ${shorten(highest.value.text)}`
      : capitalize(parameterWords[axis.parameter].label),
    begin: 0,
  }));
  const least = Math.min(...values.map(({ low }) => low));
  const most = Math.max(...values.map(({ high }) => high));
  // Room for the words on both sides of the longest bar.
  const plot = width - 30;
  const room = isNarrow ? 10 : 165;
  const scale = (most - least || 1) / (plot - 2 * room);
  const domain = [least - room * scale, most + room * scale];
  const x = { type: "quantitative", scale: { domain, nice: false, zero: false } };
  const y = {
    type: "quantitative",
    scale: { domain: [values.length + 0.1, 0], nice: false, zero: false },
    axis: null,
  };
  return {
    width,
    height: 70 + 62 * values.length,
    layer: [
      {
        data: { values },
        mark: { type: "rect", color: light.blue },
        encoding: {
          y: { ...y, field: "top" },
          y2: { field: "bottom" },
          x: {
            ...x,
            field: "low",
            axis: {
              title: axisTitle(metric, isNarrow),
              grid: true,
              values: niceTicks(least, most, isNarrow ? 3 : 6),
              format: ",.9~g",
            },
          },
          x2: { field: "high" },
        },
      },
      {
        data: { values: [{ overall, foot: values.length + 0.1, head: 0 }] },
        mark: { type: "rule", color: light.muted, strokeDash: [4, 3] },
        encoding: { x: { ...x, field: "overall" }, y: { ...y, field: "head" }, y2: { field: "foot" } },
      },
      ...[
        { field: "lowText", at: "low", align: "right", dx: -6 },
        { field: "highText", at: "high", align: "left", dx: 6 },
      ].map(({ field, at, align, dx }) => ({
        data: { values },
        mark: { type: "text", align, dx, baseline: "middle", dy: 3 },
        encoding: { y: { ...y, field: "row" }, x: { ...x, field: at }, text: { field } },
      })),
      {
        data: { values },
        mark: { type: "text", align: "left", fontWeight: 600, baseline: "bottom", dy: -3 },
        encoding: { y: { ...y, field: "top" }, x: { value: 0 }, text: { field: "head" } },
      },
    ],
  };
}

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
    mostPoints,
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

/** For each metric, the two parameters that move it most against each other. */
export function heatMapFigures(data: SweepData): Figure[] {
  if (data.axes.length < 2) return [];
  return movedMetrics(data).flatMap((metric) => {
    const moving = effectsOn(metric, data).map(({ axis }) => axis);
    const [first, second] = [...moving, ...data.axes.filter((axis) => !moving.includes(axis))];
    const [x, y] = [first, second].sort((a, b) => data.axes.indexOf(a) - data.axes.indexOf(b));
    const [xGroups, yGroups] = [groupValues(x.values, mostGroups), groupValues(y.values, mostGroups)];
    const cells = xGroups.flatMap((xGroup, i) =>
      yGroups.flatMap((yGroup, j) => {
        const mean = data.inCell(x, i, y, j, metric);
        return mean === undefined ? [] : [{ x: nameGroup(xGroup), y: nameGroup(yGroup), mean }];
      }),
    );
    if (cells.length === 0) return [];
    const lowest = cells.reduce((a, b) => (b.mean < a.mean ? b : a));
    const highest = cells.reduce((a, b) => (b.mean > a.mean ? b : a));
    const { label, column } = metricWords.get(metric) as { label: string; column: string };
    const [xName, yName] = [x, y].map(({ parameter }) => parameterWords[parameter].label);
    const at = (cell: { x: string; y: string }) => `${xName} ${cell.x}, ${yName} ${cell.y}`;
    const spanned = `from ${show(lowest.mean)} (${at(lowest)}) to ${show(highest.mean)} (${at(highest)})`;
    return [
      {
        name: `${dashed(column)}-by-${dashed(parameterWords[x.parameter].column)}-and-${dashed(parameterWords[y.parameter].column)}`,
        title: `${capitalize(label)}: ${spanned}`,
        alt: `Heat map of the mean of ${axisTitle(metric)}, ${xName} across and ${yName} up: ${spanned}.`,
        shape: "wide" as const,
        draw: (width: number) =>
          drawHeatMap(
            {
              cells,
              xTitle: parameterTitle(x.parameter),
              yTitle: parameterTitle(y.parameter),
              title: `${metricWords.get(metric)?.unit}, mean`,
              columns: xGroups.map(nameGroup),
              rows: yGroups.map(nameGroup),
            },
            width,
          ),
        table: {
          head: [`${xName} / ${yName}`, ...yGroups.map(nameGroup)],
          rows: xGroups.map((xGroup, i) => [
            nameGroup(xGroup),
            ...yGroups.map((_, j) => data.inCell(x, i, y, j, metric)),
          ]),
        },
      },
    ];
  });
}

function nameGroup(group: readonly AxisValue[]): string {
  const [first, last] = [group[0], group[group.length - 1]];
  return first === last ? first.text : `${first.text} to ${last.text}`;
}

/** Names from users may be long. */
export function shorten(text: string, length = 22): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function dashed(column: string): string {
  return column.replace(/_rounds$/, "").replaceAll("_", "-");
}
