// The summary of a run as JSON, for programs: the same words as summary.csv, in camelCase.
import type { RunResult } from "../experiment/simulate.js";
import { formatRatio } from "../model/ratio.js";
import type { Column } from "./column.js";
import { summaryRows, summaryTable } from "./tables.js";

/** The scenario and one object per metric; a missing value is null. */
export function summaryJson({ scenario, exact, days, seed, metrics }: RunResult): object {
  const fromMetric = summaryTable.columns.findIndex(({ name }) => name === "metric");
  const columns = summaryTable.columns.slice(fromMetric);
  return {
    scenario: {
      ...scenario,
      kk3: typeof scenario.kk3 === "number" ? scenario.kk3 : formatRatio(scenario.kk3),
    },
    days: exact ? null : days,
    seed: exact ? null : seed,
    metrics: summaryRows({ number: 1, scenario }, metrics).map((row) => ({
      ...rowJson(columns, row),
      metric: row.result.metric,
    })),
  };
}

/** A row as an object: its keys are the columns in camelCase, a missing value is null. */
export function rowJson<Row>(columns: readonly Column<Row>[], row: Row): object {
  return Object.fromEntries(columns.map(({ name, cell }) => [toCamelCase(name), cell(row) ?? null]));
}

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
