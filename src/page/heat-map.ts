// A heat map: a number for each pair of values of two parameters.
import type { Spec } from "./figure.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { show } from "./words.js";

export interface HeatMapData {
  readonly cells: readonly { readonly x: string; readonly y: string; readonly mean: number }[];
  /** The values along the sides, in order. */
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly xTitle: string;
  readonly yTitle: string;
  readonly title: string;
}

/** From light to dark, which is also how it prints in grey: after the scale "cividis" and its like. */
const ramp = ["#f3f6c2", "#b9d79f", "#7fb09a", "#4a8598", "#29578b", "#1c2c62"];

export function drawHeatMap(
  { cells, columns, rows, xTitle, yTitle, title }: HeatMapData,
  width: number,
): Spec {
  const isNarrow = width < 500;
  const least = Math.min(...cells.map(({ mean }) => mean));
  const most = Math.max(...cells.map(({ mean }) => mean));
  // Numbers stand in the cells where they fit.
  const hasText = columns.length <= (isNarrow ? 4 : 10);
  const isLong = columns.some((text) => text.length * columns.length > (isNarrow ? 30 : 80));
  const values = cells.map((cell) => ({
    ...cell,
    text: show(cell.mean),
    isDark: cell.mean > least + 0.5 * (most - least),
  }));
  const x = {
    field: "x",
    type: "ordinal",
    sort: columns,
    axis: { title: xTitle, labelAngle: isLong ? -60 : 0, labelLimit: 130, domain: false, ticks: false },
  };
  const y = {
    field: "y",
    type: "ordinal",
    sort: [...rows].reverse(),
    axis: { title: yTitle, labelLimit: isNarrow ? 90 : 170 },
  };
  return {
    width,
    height: 150 + Math.min(360, 34 * rows.length) + (isLong ? 60 : 0),
    data: { values },
    layer: [
      {
        mark: { type: "rect" },
        encoding: {
          x,
          y,
          color: {
            field: "mean",
            type: "quantitative",
            scale: { range: ramp, zero: false, nice: false, domain: [least, most] },
            legend: {
              orient: "bottom",
              title,
              format: ",.9~g",
              gradientLength: isNarrow ? 200 : 300,
              values: niceTicks(least, most, isNarrow ? 2 : 4),
              titleLimit: 320,
            },
          },
        },
      },
      ...(hasText
        ? [
            {
              mark: { type: "text", fontSize: 11.5 },
              encoding: {
                x,
                y,
                text: { field: "text" },
                // Not colors of the theme: a cell looks the same in light and dark.
                color: { condition: { test: "datum.isDark", value: "#fffffe" }, value: "#0b0d10" },
              },
            },
          ]
        : []),
    ],
    config: { view: { stroke: null }, axisX: { grid: false, labelColor: light.muted } },
  };
}
