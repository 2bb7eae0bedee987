// Parts of results as lines of JSON: any Node reads what any other has written.
import type { Part } from "../experiment/merge.js";
import { type MetricName, metrics } from "../model/metrics.js";
import type { ValueCounts } from "../stats/histogram.js";

type Pairs = readonly [values: readonly number[], counts: readonly number[]];

/** A part without its line end. */
export function formatPart({ number, begin, tally, isPrecise }: Part): string {
  const { days, delays, recoverySquares } = tally;
  return JSON.stringify({
    scenario: number,
    begin,
    days,
    isPrecise,
    ...Object.fromEntries(metrics.map(({ name }) => [name, toPairs(tally.metrics[name])])),
    delays: toPairs(delays),
    recoverySquares: recoverySquares.map(String),
  });
}

/** Reads what {@link formatPart} wrote; whether it did is for the caller to know. */
export function parsePart(line: string): Part {
  const { scenario, begin, days, isPrecise, delays, recoverySquares, ...rest } = JSON.parse(line);
  const counts = metrics.map(({ name }) => [name, fromPairs(rest[name])]);
  return {
    number: scenario,
    begin,
    isPrecise,
    tally: {
      days,
      metrics: Object.fromEntries(counts) as Record<MetricName, ValueCounts>,
      delays: fromPairs(delays),
      recoverySquares: recoverySquares.map(BigInt),
    },
  };
}

function toPairs({ values, counts }: ValueCounts): Pairs {
  return [[...values], [...counts]];
}

function fromPairs([values, counts]: Pairs): ValueCounts {
  return { values: Float64Array.from(values), counts: Float64Array.from(counts) };
}
