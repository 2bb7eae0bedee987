// Tables as CSV text. The one file that knows csv-stringify.
import { type Options, stringify } from "csv-stringify/sync";
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

/** The first line of a CSV file, after the byte order mark where the dialect has one. */
export function csvHeader<Row>({ columns }: Table<Row>, dialect: CsvDialect): string {
  const header = columns.map(({ name }) => name);
  return stringify([header], { ...optionsOf(dialect), bom: dialectMarks[dialect].bom });
}

/** Lines of a CSV file, without its header. */
export function csvRows<Row>({ columns }: Table<Row>, rows: Iterable<Row>, dialect: CsvDialect): string {
  const { delimiter, decimal } = dialectMarks[dialect];
  // The same few texts stand in many rows; they are quoted once, where they need it.
  const quoted = new Map<string, string>();
  const quote = (text: string): string => {
    let cell = quoted.get(text);
    if (cell === undefined) {
      cell = stringify([[text]], { ...optionsOf(dialect), eof: false });
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

/** Shortest text that reads back to the same number. */
function showCell(value: number, decimal: string): string {
  const text = String(value);
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
