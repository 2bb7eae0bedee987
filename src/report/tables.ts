// The tables of a result folder, column by column: their order, names and meaning are the interface to spreadsheets.
import type { MetricResult } from "../experiment/result.js";
import type { DaysOfBlock } from "../experiment/simulate.js";
import { metrics, recoveryDelay, recoveryMean } from "../model/metrics.js";
import { formatRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { type QuantileName, quantileShares } from "../stats/summary.js";
import type { Column, Table } from "./column.js";

/** A scenario and its number in the result, from 1. */
export interface NumberedScenario {
  readonly number: number;
  readonly scenario: Scenario;
}

/** A row of summary.csv. */
export interface SummaryRow extends NumberedScenario {
  readonly result: MetricResult;
}

/** A row of distribution.csv. */
export interface DistributionRow extends SummaryRow {
  readonly value: number;
  /** Observations of this value; undefined where nothing was simulated. */
  readonly count: number | undefined;
  /** Share of this value, and of all up to it. */
  readonly share: number;
  readonly cumulativeShare: number;
}

/** A row of sweep.csv. */
export interface SweepRow extends NumberedScenario {
  /** One entry per metric, then the recovery delay. */
  readonly results: readonly MetricResult[];
}

/** A row of days.csv. */
export interface DayRow extends DaysOfBlock {
  readonly number: number;
  /** The day's row in the columns. */
  readonly row: number;
}

export const scenarioNumber: Column<{ readonly number: number }> = {
  name: "scenario",
  type: "integer",
  meaning: "number of the scenario, from 1",
  cell: ({ number }) => number,
};

/** All parameters of a scenario. */
export const parameters: readonly Column<NumberedScenario>[] = [
  {
    name: "workflows",
    type: "integer",
    unit: "jobs",
    meaning: "jobs per day",
    cell: ({ scenario }) => scenario.workflows,
  },
  {
    name: "steps",
    type: "integer",
    unit: "steps",
    meaning: "steps per job",
    cell: ({ scenario }) => scenario.steps.length,
  },
  {
    name: "kk3",
    type: "ratio",
    meaning: "stall ratio of a step, as a number or as the distribution from which it is drawn each day",
    cell: ({ scenario }) => (typeof scenario.kk3 === "number" ? scenario.kk3 : formatRatio(scenario.kk3)),
  },
  {
    name: "kk2",
    type: "number",
    meaning: "persistent failure ratio of a workflow",
    cell: ({ scenario }) => scenario.kk2,
  },
  {
    name: "scan_rounds",
    type: "integer",
    unit: "rounds",
    meaning: "interval between the supervisor's scans",
    cell: ({ scenario }) => scenario.scan,
  },
  {
    name: "lease_rounds",
    type: "integer",
    unit: "rounds",
    meaning: "time after which a started step without a result is re-driven",
    cell: ({ scenario }) => scenario.lease,
  },
  {
    name: "retry_limit",
    type: "integer",
    unit: "executions",
    meaning: "executions of a step after which its job is compensated",
    cell: ({ scenario }) => scenario.retryLimit,
  },
  {
    name: "rounds",
    type: "integer",
    unit: "rounds",
    meaning: "length of the day",
    cell: ({ scenario }) => scenario.rounds,
  },
  {
    name: "stall_on",
    type: "string",
    meaning: "whether a stall hits the first attempt of a step only, or each attempt anew",
    cell: ({ scenario }) => scenario.stallOn,
  },
];

/** How a metric is called in a CSV file, and its unit. */
const described = new Map<string, { readonly column: string; readonly unit: string }>(
  [...metrics, recoveryDelay].map((metric) => [metric.name, metric]),
);

const metricName: Column<SummaryRow> = {
  name: "metric",
  type: "string",
  meaning: "name of the metric",
  cell: ({ result }) => described.get(result.metric)?.column,
};

/** One row per scenario and metric. */
export const summaryTable: Table<SummaryRow> = {
  name: "summary",
  meaning: "statistics of each metric over the simulated days, beside exact and first-order values",
  columns: [
    scenarioNumber,
    ...parameters,
    metricName,
    {
      name: "unit",
      type: "string",
      meaning: "unit of the metric, and of all columns that follow but n",
      cell: ({ result }) => described.get(result.metric)?.unit,
    },
    {
      name: "n",
      type: "integer",
      meaning: "observations: days, or re-drives for recovery_delay_rounds; empty without simulation",
      cell: ({ result }) => result.n,
    },
    { name: "mean", type: "number", meaning: "mean", cell: ({ result }) => result.mean },
    {
      name: "mean_ci95_low",
      type: "number",
      meaning:
        "lower end of the normal 95 % confidence interval of the mean; days are independent, re-drives of a day are not taken to be",
      cell: ({ result }) => result.meanCi95?.[0],
    },
    {
      name: "mean_ci95_high",
      type: "number",
      meaning: "upper end of that interval",
      cell: ({ result }) => result.meanCi95?.[1],
    },
    { name: "sd", type: "number", meaning: "sample standard deviation", cell: ({ result }) => result.sd },
    { name: "min", type: "integer", meaning: "smallest value", cell: ({ result }) => result.min },
    ...Object.entries(quantileShares).map(
      ([name, share]): Column<SummaryRow> => ({
        name,
        type: "integer",
        meaning: `smallest value with at least ${share} of the observations at or below it`,
        cell: ({ result }) => result.quantiles[name as QuantileName],
      }),
    ),
    { name: "max", type: "integer", meaning: "largest value", cell: ({ result }) => result.max },
    {
      name: "exact_mean",
      type: "number",
      meaning: "exact mean, where it can be computed",
      cell: ({ result }) => result.exactMean,
    },
    {
      name: "exact_sd",
      type: "number",
      meaning: "exact standard deviation, where it can be computed",
      cell: ({ result }) => result.exactSd,
    },
    {
      name: "first_order",
      type: "number",
      meaning: "the lesson's additive estimate of the mean, where it has one",
      cell: ({ result }) => result.firstOrder,
    },
  ],
};

/** One row per scenario, metric and value seen. */
export const distributionTable: Table<DistributionRow> = {
  name: "distribution",
  meaning: "how often each value of each metric was seen",
  columns: [
    scenarioNumber,
    metricName,
    {
      name: "value",
      type: "integer",
      meaning: "a value of the metric, in its unit",
      cell: ({ value }) => value,
    },
    {
      name: "count",
      type: "integer",
      meaning: "observations of this value",
      cell: ({ count }) => count,
    },
    {
      name: "share",
      type: "number",
      meaning: "count as a share of all observations",
      cell: ({ share }) => share,
    },
    {
      name: "cumulative_share",
      type: "number",
      meaning: "share of the observations at or below this value",
      cell: ({ cumulativeShare }) => cumulativeShare,
    },
    {
      name: "exact_share",
      type: "number",
      meaning: "exact probability of this value, where it can be computed",
      cell: ({ result, value }) => result.exactShareOf(value),
    },
  ],
};

/** The statistics of sweep.csv. */
const sweepStatistics = {
  mean: { type: "number", meaning: "mean", read: ({ mean }: MetricResult) => mean },
  p50: { type: "integer", meaning: "median", read: ({ quantiles }: MetricResult) => quantiles.p50 },
  p95: { type: "integer", meaning: "p95", read: ({ quantiles }: MetricResult) => quantiles.p95 },
  p99: { type: "integer", meaning: "p99", read: ({ quantiles }: MetricResult) => quantiles.p99 },
} as const;

/** One row per scenario, for pivot tables. */
export const sweepTable: Table<SweepRow> = {
  name: "sweep",
  meaning: "mean, median and high quantiles of each metric, one row per scenario",
  columns: [
    scenarioNumber,
    ...parameters,
    ...[...metrics, recoveryDelay].flatMap(({ column, unit, meaning }, i) =>
      Object.entries(sweepStatistics).map(
        ([name, { type, meaning: statistic, read }]): Column<SweepRow> => ({
          name: `${column}_${name}`,
          type,
          unit,
          meaning: `${statistic}: ${meaning}`,
          cell: ({ results }) => read(results[i]),
        }),
      ),
    ),
  ],
};

/** One row per simulated day. */
export const daysTable: Table<DayRow> = {
  name: "days",
  meaning: "the metrics of each simulated day",
  columns: [
    scenarioNumber,
    {
      name: "day",
      type: "integer",
      meaning: "number of the day, from 1",
      cell: ({ block, row }) => block.begin + row + 1,
    },
    {
      name: "kk3",
      type: "number",
      meaning: "stall ratio of a step on this day",
      cell: ({ days, row }) => days.kk3[row],
    },
    ...metrics.map(
      ({ name, column, unit, meaning }): Column<DayRow> => ({
        name: column,
        type: "integer",
        unit,
        meaning,
        cell: ({ days, row }) => days[name][row],
      }),
    ),
    {
      name: recoveryMean.column,
      type: "number",
      unit: recoveryMean.unit,
      meaning: recoveryMean.meaning,
      cell: ({ days, row }) =>
        days.redriven[row] > 0 ? days.recoverySum[row] / days.redriven[row] : undefined,
    },
  ],
};

/** The rows of summary.csv for one scenario. */
export function summaryRows(numbered: NumberedScenario, results: readonly MetricResult[]): SummaryRow[] {
  return results.map((result) => ({ ...numbered, result }));
}

/** Without simulation, values of a smaller probability have no row in distribution.csv. */
const leastShare = 1e-12;

/** The rows of distribution.csv for one scenario: the values seen or, without simulation, all that are not negligible. */
export function* distributionRows(
  numbered: NumberedScenario,
  results: readonly MetricResult[],
): Generator<DistributionRow> {
  for (const result of results) {
    const { number, scenario } = numbered;
    const { n, distribution, exactDistribution } = result;
    const isSimulated = n !== undefined;
    const { values } = isSimulated ? distribution : (exactDistribution ?? distribution);
    const parts = isSimulated ? distribution.counts : (exactDistribution?.probabilities ?? []);
    const total = n ?? 1;
    let cumulative = 0;
    for (let i = 0; i < values.length; i++) {
      cumulative += parts[i];
      if (!isSimulated && parts[i] < leastShare) continue;
      yield {
        number,
        scenario,
        result,
        value: values[i],
        count: isSimulated ? parts[i] : undefined,
        share: parts[i] / total,
        cumulativeShare: Math.min(1, cumulative / total),
      };
    }
  }
}
