// Simulated days as lines of days.csv.
import type { DaysOfBlock } from "../experiment/simulate.js";
import { type CsvDialect, csvRows } from "./csv.js";
import { type DayRow, daysTable } from "./tables.js";

/** Rows that are turned into text at a time. */
const rowsAtATime = 2048;

/** The lines of a block of days of a scenario, in pieces. */
export function* daysLines(
  number: number,
  { block, days }: DaysOfBlock,
  dialect: CsvDialect,
): Generator<string> {
  const length = block.end - block.begin;
  for (let begin = 0; begin < length; begin += rowsAtATime) {
    const rows = Array.from(
      { length: Math.min(rowsAtATime, length - begin) },
      (_, i): DayRow => ({ number, block, days, row: begin + i }),
    );
    yield csvRows(daysTable, rows, dialect);
  }
}
