// Which parameter moves what, and how far: from the means at each value of each parameter.
import { type KeyMetric, keyMetrics } from "../experiment/effects.js";
import type { Axis, AxisValue, SweepData } from "./sweep-data.js";

/** How far a parameter moves the mean of a metric, over all values of the others. */
export interface Effect {
  readonly axis: Axis;
  readonly lowest: { readonly value: AxisValue; readonly mean: number };
  readonly highest: { readonly value: AxisValue; readonly mean: number };
  readonly range: number;
}

/** Below this part of the mean, a range is what rounding leaves. */
const leastRange = 1e-9;

/** The effects on a metric, the largest first; parameters without any are left out. */
export function effectsOn(metric: KeyMetric, data: Pick<SweepData, "axes" | "at" | "overall">): Effect[] {
  const least = leastRange * Math.abs(data.overall(metric).mean ?? 0);
  return data.axes
    .flatMap((axis): Effect[] => {
      const means = axis.values.flatMap((value) => {
        const { mean } = data.at(axis, value, metric);
        return mean === undefined ? [] : [{ value, mean }];
      });
      if (means.length === 0) return [];
      const lowest = means.reduce((a, b) => (b.mean < a.mean ? b : a));
      const highest = means.reduce((a, b) => (b.mean > a.mean ? b : a));
      const range = highest.mean - lowest.mean;
      return range > least ? [{ axis, lowest, highest, range }] : [];
    })
    .sort((a, b) => b.range - a.range);
}

/** The metrics that some parameter moves. */
export function movedMetrics(data: SweepData): KeyMetric[] {
  return keyMetrics.filter((metric) => effectsOn(metric, data).length > 0);
}
