// Tables as CSV text. The one file that knows csv-stringify.
import { type Options, stringify } from "csv-stringify/sync";
import { parseNumber } from "../model/ratio.js";
import type { Table } from "./column.js";

export const csvDialects = ["rfc4180", "excel-eu"] as const;

/** rfc4180: commas and points; excel-eu: semicolons, decimal commas and a byte order mark. Lines end in CRLF. */
export type CsvDialect = (typeof csvDialects)[number];

/** How a dialect separates cells and writes a number. */
export const dialectMarks = {
  rfc4180: { delimiter: ",", decimal: ".", bom: false },
  "excel-eu": { delimiter: ";", decimal: ",", bom: true },
} as const satisfies Record<CsvDialect, unknown>;

/** A table's header and rows as CSV. */
export function toCsv<Row>(table: Table<Row>, rows: Iterable<Row>, dialect: CsvDialect): string {
  return csvHeader(table, dialect) + csvRows(table, rows, dialect);
}

/** Rows that are turned into text at a time. */
const rowsAtATime = 2048;

/** Lines of a CSV file, without its header, in pieces that take little memory. */
export function* csvPieces<Row>(
  table: Table<Row>,
  rows: Iterable<Row>,
  dialect: CsvDialect,
): Generator<string> {
  let piece: Row[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < rowsAtATime) continue;
    yield csvRows(table, piece, dialect);
    piece = [];
  }
  if (piece.length > 0) yield csvRows(table, piece, dialect);
}

/** The first line of a CSV file, after the byte order mark where the dialect has one. */
export function csvHeader<Row>({ columns }: Table<Row>, dialect: CsvDialect): string {
  const header = columns.map(({ name }) => name);
  return stringify([header], { ...optionsOf(dialect), bom: dialectMarks[dialect].bom });
}

/** Lines of a CSV file, without its header; text that begins like a formula gets an apostrophe before it. */
export function csvRows<Row>({ columns }: Table<Row>, rows: Iterable<Row>, dialect: CsvDialect): string {
  const { delimiter, decimal } = dialectMarks[dialect];
  // The same few texts stand in many rows; they are quoted once, where they need it.
  const quoted = new Map<string, string>();
  const quote = (text: string): string => {
    let cell = quoted.get(text);
    if (cell === undefined) {
      // A spreadsheet takes text that begins like a formula for one; an apostrophe before it says that it is text.
      const isNumber = parseNumber(text) !== undefined;
      cell = stringify([[text]], { ...optionsOf(dialect), eof: false, escape_formulas: !isNumber });
      quoted.set(text, cell);
    }
    return cell;
  };
  let lines = "";
  for (const row of rows) {
    for (let i = 0; i < columns.length; i++) {
      const cell = columns[i].cell(row);
      if (i > 0) lines += delimiter;
      if (typeof cell === "string") lines += quote(cell);
      else if (cell !== undefined) lines += showCell(cell, decimal);
    }
    lines += "\r\n";
  }
  return lines;
}

/**
 * Shortest text that reads back to the same number. Small numbers of many digits get an exponent, which is no longer,
 * since pandas counts leading zeros among the 17 digits that it reads.
 */
function showCell(value: number, decimal: string): string {
  const plain = String(value);
  const text = Math.abs(value) < 0.01 && plain.length > 18 ? value.toExponential() : plain;
  return decimal === "." ? text : text.replace(".", decimal);
}

function optionsOf(dialect: CsvDialect): Options {
  const { delimiter, decimal } = dialectMarks[dialect];
  return {
    delimiter,
    record_delimiter: "windows",
    // With this record delimiter a lone line feed would not be quoted.
    quoted_match: /[\r\n]/,
    cast: { number: (value) => showCell(value, decimal) },
  };
}
