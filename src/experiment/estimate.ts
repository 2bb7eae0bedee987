// How much a sweep will be, before it starts: its work, its rows, its memory.
import { metrics } from "../model/metrics.js";
import { type Ratio, typicalRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { type Grid, scenarioAt, sizeOf } from "./grid.js";
import type { Simulation } from "./settings.js";
import { estimateStudyNs, longestTaskNs } from "./task-plan.js";

/** What a sweep will come to; the work, the rows of the distributions and the memory are rough. */
export interface SweepEstimate {
  readonly scenarios: number;
  /** Whether nothing is simulated. */
  readonly exact: boolean;
  /** Days of each scenario; with a precision, at most so many. */
  readonly days: number;
  readonly workNs: number;
  /** Rows of each file. */
  readonly rows: { readonly sweep: number; readonly summary: number; readonly distribution: number };
  readonly memoryBytes: number;
}

/** Scenarios that are looked at, evenly over the grid. */
const sampleSize = 500;

/** A value of a metric while its scenario is simulated and described, and as text that waits to be written. */
const bytesAtWork = 400;
const bytesWaiting = 80;

/** Exact results list about as many values as that many days would show. */
const daysOfExact = 1e12;

/** Tasks whose text may wait to be written, for each thread. */
const waitingPerThread = 12;

/** Estimates what a sweep will come to. */
export function estimateSweep({
  grid,
  exact,
  days,
  precision,
  engine,
  seed,
  threads,
}: Simulation & { readonly grid: Grid }): SweepEstimate {
  const scenarios = sizeOf(grid);
  const sampled = Math.min(scenarios, sampleSize);
  let workNs = 0;
  let rows = 0;
  let mostRows = 0;
  for (let i = 0; i < sampled; i++) {
    const { number, scenario } = scenarioAt(grid, 1 + Math.floor((i * scenarios) / sampled));
    const rowsOfOne = estimateDistributionRows(scenario, exact ? daysOfExact : days);
    const study = { number, scenario, engine, seed, exact, begin: 0, days, precision, keepDays: false };
    workNs += estimateStudyNs(study);
    rows += rowsOfOne;
    mostRows = Math.max(mostRows, rowsOfOne);
  }
  const waiting = waitingPerThread * Math.max(1, Math.round((longestTaskNs * sampled) / workNs));
  const perThread = mostRows * (bytesAtWork + Math.min(waiting, scenarios) * bytesWaiting);
  return {
    scenarios,
    exact,
    days,
    workNs: (workNs / sampled) * scenarios,
    rows: {
      sweep: scenarios,
      summary: scenarios * (metrics.length + 1),
      distribution: Math.round((rows / sampled) * scenarios),
    },
    memoryBytes: threads * perThread,
  };
}

/** A line where a sweep needs more memory than there is. */
export function checkMemory({ memoryBytes }: SweepEstimate, availableBytes: number): string[] {
  if (memoryBytes <= availableBytes) return [];
  const gigabytes = (bytes: number) => `${Number((bytes / 1e9).toPrecision(2))} GB`;
  return [
    `the results in work must fit into ${gigabytes(availableBytes)} of memory, got about ${gigabytes(memoryBytes)}; ` +
      "use fewer days, workflows or threads",
  ];
}

/** About how many different values all metrics of a scenario take over so many days: from their spread. */
function estimateDistributionRows(scenario: Scenario, days: number): number {
  const { workflows, steps, kk3, kk2, scan, lease, retryLimit, stallOn } = scenario;
  const stepCount = steps.length;
  const stall = Math.min(1, stepCount * typicalRatio(kk3));
  const stallShift = workflows * stepCount * spreadOf(kk3);
  const stallVariance = workflows * stall + stallShift ** 2;
  const isFinal = stallOn === "every-attempt" || retryLimit === 1;
  const failed = workflows * kk2 * (1 - kk2) + (isFinal && retryLimit < 3 ? stallVariance : 0);
  const variances = [
    Math.min(workflows / 4, workflows * (kk2 + stall)) + stallShift ** 2,
    failed,
    failed,
    failed * meanSquare(stepCount),
    workflows * kk2 * retryLimit ** 2 + stallVariance,
    stallVariance,
    failed * meanSquare(stepCount - 1),
  ];
  const counts = variances.map((variance) => {
    const sd = Math.sqrt(variance);
    // As far out as about one day lies.
    const reach = Math.sqrt(2 * Math.log(Math.max(Math.E, days / (1 + 2.5 * sd))));
    return Math.min(days, 1 + 2 * reach * sd);
  });
  const maxima = Math.min(days, 4 * stepCount) + Math.min(days, 2 * stepCount) + scan + Math.min(lease, 2);
  return counts.reduce((sum, count) => sum + count, 0) + maxima;
}

/** Mean square of a number of steps that is uniform from 1 to `most`. */
function meanSquare(most: number): number {
  return ((most + 1) * (2 * most + 1)) / 6;
}

/** About how far the ratio of a day lies from the typical one. */
function spreadOf(ratio: Ratio): number {
  if (typeof ratio === "number") return 0;
  const [low, high] = [ratio.parameters[0], ratio.parameters.at(-1) as number];
  return ratio.kind === "uniform" || ratio.kind === "triangular" ? (high - low) / 4 : typicalRatio(ratio) / 2;
}
