// Which parameter of a sweep moves a metric most.
import type { KeyMetric } from "../experiment/effects.js";
import type { Figure, Spec } from "./figure.js";
import { rowScale } from "./row-scale.js";
import type { SweepData } from "./sweep-data.js";
import { type Effect, effectsOn, movedMetrics } from "./sweep-effects.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { axisTitle, capitalize, dashed, metricWords, parameterWords, shorten, show } from "./words.js";

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
  const y = rowScale(values.length);
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
