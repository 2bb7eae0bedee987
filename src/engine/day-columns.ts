// The days of a block as columns: one per metric, one entry per day.
import { type MetricName, metrics } from "../model/metrics.js";

/** A column for each metric, KK3 and the sums behind the mean recovery delay; one entry per day each. */
export type DayColumns = Readonly<Record<MetricName | "kk3" | "recoverySum", Float64Array>>;

/** Columns for `length` days. */
export function newDayColumns(length: number): DayColumns {
  const names = [...metrics.map(({ name }) => name), "kk3", "recoverySum"];
  return Object.fromEntries(names.map((name) => [name, new Float64Array(length)])) as unknown as DayColumns;
}
