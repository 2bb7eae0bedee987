// A metric of a sweep against two parameters at once.
import type { Figure } from "./figure.js";
import { drawHeatMap } from "./heat-map.js";
import { type AxisValue, groupValues, mostGroups, type SweepData } from "./sweep-data.js";
import { effectsOn, movedMetrics } from "./sweep-effects.js";
import { axisTitle, capitalize, dashed, metricWords, parameterTitle, parameterWords, show } from "./words.js";

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
