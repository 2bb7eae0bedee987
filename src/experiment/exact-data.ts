// Exact results as plain data, to be sent between threads.
import { shareOf } from "../exact/distribution.js";
import type { ExactMetric, ExactMetrics } from "../exact/metrics.js";

/** What is known of each metric, without the functions. */
export type ExactData = { [Name in keyof ExactMetrics]?: Omit<ExactMetric, "shareOf"> | undefined };

export function toExactData(metrics: ExactMetrics): ExactData {
  const entries = Object.entries(metrics).map(([name, metric]) => {
    if (metric === undefined) return [name, undefined];
    const { shareOf: _, ...data } = metric;
    return [name, data];
  });
  return Object.fromEntries(entries);
}

export function fromExactData(data: ExactData): ExactMetrics {
  const entries = Object.entries(data).map(([name, metric]): [string, ExactMetric | undefined] => {
    if (metric === undefined) return [name, undefined];
    const { distribution } = metric;
    return [name, { ...metric, shareOf: (value) => distribution && shareOf(distribution, value) }];
  });
  return Object.fromEntries(entries);
}
