// The CSV files of a benchmark, column by column: their order, names and meaning are what scripts rely on.
import type { Table } from "../src/report/column.js";
import type { Comparison } from "./compare.js";
import type { CaseResult } from "./result.js";

const suiteMeaning = "group of cases";
const caseMeaning = "what was measured, with its parameters";

/** One row per case. */
export const benchTable = {
  name: "bench",
  meaning: "how long each case takes per unit of work",
  columns: [
    { name: "suite", type: "string", meaning: suiteMeaning, cell: ({ suite }) => suite },
    { name: "case", type: "string", meaning: caseMeaning, cell: ({ name }) => name },
    {
      name: "engine",
      type: "string",
      meaning: "what simulates the days: table, event or baseline; empty where none are simulated",
      cell: ({ engine }) => engine,
    },
    {
      name: "workflows",
      type: "integer",
      unit: "jobs",
      meaning: "jobs per day",
      cell: ({ scenario }) => scenario.workflows,
    },
    { name: "threads", type: "integer", meaning: "threads at most", cell: ({ threads }) => threads },
    {
      name: "unit",
      type: "string",
      meaning: "what is done to one day: the unit of work of the times that follow",
      cell: ({ unit }) => unit,
    },
    {
      name: "rounds",
      type: "integer",
      meaning: "how often the case was measured, each time in a new thread and in turn with the others",
      cell: ({ rounds }) => rounds,
    },
    { name: "samples", type: "integer", meaning: "samples of all rounds", cell: ({ samples }) => samples },
    {
      name: "ns_p50",
      type: "number",
      unit: "nanoseconds",
      meaning: "median time per unit, over the samples of all rounds",
      cell: ({ p50 }) => p50,
    },
    {
      name: "ns_p75",
      type: "number",
      unit: "nanoseconds",
      meaning: "75 % quantile of it",
      cell: ({ p75 }) => p75,
    },
    {
      name: "ns_p99",
      type: "number",
      unit: "nanoseconds",
      meaning: "99 % quantile of it",
      cell: ({ p99 }) => p99,
    },
    {
      name: "ns_mean",
      type: "number",
      unit: "nanoseconds",
      meaning: "mean time per unit: the mean of the rounds' means",
      cell: ({ mean }) => mean,
    },
    {
      name: "rme_percent",
      type: "number",
      unit: "percent",
      meaning:
        "half the width of the 95 % confidence interval of ns_mean, from the rounds' means, relative to it",
      cell: ({ rme }) => rme,
    },
    {
      name: "days_per_second",
      type: "number",
      unit: "days per second",
      meaning: "units of work per second: 1e9 / ns_mean",
      cell: ({ daysPerSecond }) => daysPerSecond,
    },
    {
      name: "workflows_per_second",
      type: "number",
      unit: "jobs per second",
      meaning: "days_per_second times workflows",
      cell: ({ workflowsPerSecond }) => workflowsPerSecond,
    },
    {
      name: "ratio_to_baseline",
      type: "number",
      meaning:
        "how many times as fast as the baseline's case with the same unit on days of as many jobs, steps and rounds, by ns_mean; empty where there is none",
      cell: ({ baselineRatio }) => baselineRatio,
    },
    {
      name: "round_ns",
      type: "number",
      unit: "nanoseconds",
      meaning: "geometric mean of the rounds' median times per unit; what --baseline compares",
      cell: ({ roundNs }) => roundNs,
    },
    {
      name: "round_log_sd",
      type: "number",
      meaning: "sample standard deviation of the natural logarithms of those medians",
      cell: ({ roundLogSd }) => roundLogSd,
    },
    {
      name: "flags",
      type: "string",
      meaning:
        "noisy: the rounds' medians or means spread by more than 5 %; suspiciously fast: less than 5 ns per unit; both, with a semicolon; or empty",
      cell: ({ flags }) => flags.join(";") || undefined,
    },
  ],
} as const satisfies Table<CaseResult>;

/** One row per case that was measured before as well. */
export const comparisonTable: Table<Comparison> = {
  name: "comparison",
  meaning: "how each case compares with an earlier result",
  columns: [
    { name: "suite", type: "string", meaning: suiteMeaning, cell: ({ suite }) => suite },
    { name: "case", type: "string", meaning: caseMeaning, cell: ({ name }) => name },
    {
      name: "earlier_ns",
      type: "number",
      unit: "nanoseconds",
      meaning: "round_ns of the earlier result",
      cell: ({ earlierNs }) => earlierNs,
    },
    {
      name: "now_ns",
      type: "number",
      unit: "nanoseconds",
      meaning: "round_ns of this one",
      cell: ({ nowNs }) => nowNs,
    },
    {
      name: "ratio",
      type: "number",
      meaning: "how many times as fast as then: earlier_ns / now_ns",
      cell: ({ ratio }) => ratio,
    },
    {
      name: "ratio_ci99_low",
      type: "number",
      meaning: "lower end of the 99 % confidence interval of the ratio",
      cell: ({ low }) => low,
    },
    { name: "ratio_ci99_high", type: "number", meaning: "upper end of it", cell: ({ high }) => high },
    {
      name: "verdict",
      type: "string",
      meaning: "faster or slower, no difference, or too noisy",
      cell: ({ verdict }) => verdict,
    },
  ],
};
