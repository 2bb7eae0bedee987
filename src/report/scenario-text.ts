// The result of one scenario of a sweep as lines of each file; loaded in the thread that simulated it.
import { type KeyFigures, keyFiguresOf } from "../experiment/effects.js";
import { describeStudy, type StudyResult } from "../experiment/study.js";
import type { Rendering } from "../experiment/task.js";
import { type CsvDialect, csvRows } from "./csv.js";
import { daysLines } from "./days-text.js";
import { rowJson } from "./summary-json.js";
import { distributionRows, distributionTable, summaryRows, summaryTable, sweepTable } from "./tables.js";

/** The text of one scenario and the figures that are shown of it. */
export interface ScenarioText {
  /** Lines without a header, by name of the table. */
  readonly csv: Readonly<Record<"sweep" | "summary" | "distribution", string>> & {
    /** Where days are wanted and the scenario was simulated in one go. */
    readonly days?: string;
  };
  /** The row of sweep.csv as JSON, where it was asked for. */
  readonly json: string | undefined;
  readonly days: number;
  readonly isPrecise: boolean;
  readonly figures: KeyFigures;
}

interface Options {
  readonly dialect: CsvDialect;
  readonly json: boolean;
}

/** How the threads of a sweep turn results into text. */
export function renderingOfText(options: Options): Rendering {
  return { module: import.meta.url, options };
}

export default function renderScenario(result: StudyResult, { dialect, json }: Options): ScenarioText {
  const { number, scenario, tally, isPrecise, columns } = result;
  const numbered = { number, scenario };
  const metrics = describeStudy(result);
  const days = tally?.days ?? 0;
  const row = { ...numbered, results: metrics };
  return {
    csv: {
      sweep: csvRows(sweepTable, [row], dialect),
      summary: csvRows(summaryTable, summaryRows(numbered, metrics), dialect),
      distribution: csvRows(distributionTable, distributionRows(numbered, metrics), dialect),
      ...(columns && {
        days: [...daysLines(number, { block: { begin: 0, end: days }, days: columns }, dialect)].join(""),
      }),
    },
    json: json ? JSON.stringify(rowJson(sweepTable.columns, row)) : undefined,
    days,
    isPrecise,
    figures: keyFiguresOf(metrics),
  };
}
