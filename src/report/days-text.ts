// Simulated days as lines of days.csv.
import type { DaysOfBlock } from "../experiment/simulate.js";
import { type CsvDialect, csvPieces } from "./csv.js";
import { type DayRow, daysTable } from "./tables.js";

/** The lines of a block of days of a scenario, in pieces. */
export function daysLines(
  number: number,
  { block, days }: DaysOfBlock,
  dialect: CsvDialect,
): Generator<string> {
  return csvPieces(daysTable, daysRows(number, { block, days }), dialect);
}

function* daysRows(number: number, { block, days }: DaysOfBlock): Generator<DayRow> {
  for (let row = 0; row < block.end - block.begin; row++) yield { number, block, days, row };
}
