// Each metric of a sweep against each parameter, with its p5 to p95.
import { type KeyMetric, keyMetrics } from "../experiment/effects.js";
import type { Figure, Spec } from "./figure.js";
import { type Axis, type AxisValue, groupValues, type Level, type SweepData } from "./sweep-data.js";
import { type Effect, effectsOn } from "./sweep-effects.js";
import { light } from "./theme.js";
import { logTicks, niceTicks, thinTicks } from "./ticks.js";
import { axisTitle, capitalize, dashed, metricWords, parameterTitle, parameterWords, show } from "./words.js";

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
