// The result of a run, wherever it was simulated: its files, and what is printed of it.
import { keyFiguresOf } from "../experiment/effects.js";
import type { DaysOfBlock, RunResult } from "../experiment/simulate.js";
import { type CsvDialect, csvHeader, csvPieces, toCsv } from "../report/csv.js";
import { describePackage, provenanceOf } from "../report/datapackage.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder } from "../report/folder.js";
import { showRun } from "../report/run-table.js";
import { summaryJson } from "../report/summary-json.js";
import {
  daysTable,
  distributionRows,
  distributionTable,
  summaryRows,
  summaryTable,
} from "../report/tables.js";
import { Doubts, describeDoubts } from "../report/warnings.js";
import type { Printing, Writing } from "./output.js";
import { writePackage } from "./package.js";
import { note, print, styleOfStdout } from "./terminal.js";

/** Begins days.csv. */
export async function startDaysOfRun(folder: ResultFolder, dialect: CsvDialect): Promise<void> {
  await folder.append(`${daysTable.name}.csv`, csvHeader(daysTable, dialect));
}

/** Adds days to days.csv, which begins with the first of them. */
export async function appendDaysOfRun(
  folder: ResultFolder,
  days: DaysOfBlock,
  dialect: CsvDialect,
): Promise<void> {
  if (days.block.begin === 0) await startDaysOfRun(folder, dialect);
  for (const lines of daysLines(1, days, dialect)) await folder.append(`${daysTable.name}.csv`, lines);
}

/** Writes all files but days.csv, which grows while days are simulated. @returns a warning, where there is one */
export async function writeRun(
  folder: ResultFolder,
  result: RunResult,
  { daysCsv, csvDialect, xlsx }: Writing,
): Promise<string | undefined> {
  const scenario = numbered(result);
  await folder.write("summary.csv", toCsv(summaryTable, summaryRows(scenario, result.metrics), csvDialect));
  await folder.append("distribution.csv", csvHeader(distributionTable, csvDialect));
  const rows = distributionRows(scenario, result.metrics);
  for (const lines of csvPieces(distributionTable, rows, csvDialect)) {
    await folder.append("distribution.csv", lines);
  }
  await folder.finishAppended();
  const tables = [summaryTable, distributionTable, ...(daysCsv ? [daysTable] : [])];
  const provenance = { ...provenanceOf(result), scenarios: [result.scenario] };
  return writePackage(folder, describePackage("run", tables, provenance, csvDialect), xlsx);
}

/** Prints a result. */
export async function printRun(
  result: RunResult,
  { format, color }: Printing,
  dialect: CsvDialect,
): Promise<void> {
  switch (format) {
    case "table":
      return print(showRun(result, styleOfStdout(color)));
    case "json":
      return print(`${JSON.stringify(summaryJson(result), null, 2)}\n`);
    case "csv":
      return print(toCsv(summaryTable, summaryRows(numbered(result), result.metrics), dialect));
  }
}

/** Says what of a result needs a second look. */
export function noteDoubtsOfRun(result: RunResult): void {
  const doubts = new Doubts();
  doubts.add(1, { ...result, figures: keyFiguresOf(result.metrics) });
  for (const line of describeDoubts(doubts.toData(), result.days, true)) note(line);
}

function numbered({ scenario }: RunResult) {
  return { number: 1, scenario };
}
