// CSV files as rows of text. The one file that knows csv-parse.
import { createReadStream } from "node:fs";
import { parse as parseStream } from "csv-parse";
import { parse } from "csv-parse/sync";
import { parseNumber } from "../model/ratio.js";
import type { Cell } from "./column.js";
import type { Resource } from "./datapackage.js";

/** A file with a longer row, in bytes, is no result; it may have no end. */
const longestRow = 1_000_000;

/** A row by the names of its columns, and the line in which it ends, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** How the cells of a file are separated. */
export interface CsvMarks {
  readonly delimiter: string;
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: Record<string, string>;
}

/**
 * Reads a text with a header line; a byte order mark and empty lines do not count.
 *
 * @throws Error that says what is wrong with the text
 */
export function parseCsv(
  text: string,
  { delimiter }: CsvMarks = { delimiter: "," },
): { readonly header: readonly string[]; readonly rows: readonly CsvRow[] } {
  let header: readonly string[] = [];
  const columns = (names: string[]) => {
    header = names;
    return names;
  };
  const options = { bom: true, columns, delimiter, info: true, skip_empty_lines: true } as const;
  const rows = parse(text, options) as unknown as readonly Parsed[];
  return { header, rows: rows.map(({ info, record }) => ({ line: info.lines, cells: record })) };
}

/**
 * Reads a file row by row, however large it is.
 *
 * @throws what the file system says, or Error that says what is wrong with the text
 */
export async function* readCsv(path: string, { delimiter }: CsvMarks): AsyncGenerator<CsvRow> {
  const file = createReadStream(path);
  const options = {
    bom: true,
    columns: true,
    delimiter,
    info: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  } as const;
  const rows = file.pipe(parseStream(options));
  file.on("error", (error) => rows.destroy(error));
  for await (const { info, record } of rows as AsyncIterable<Parsed>) {
    yield { line: info.lines, cells: record };
  }
}

/**
 * Reads the rows of a file by its description: numbers where a column has numbers, text elsewhere.
 *
 * @throws what the file system says; Error where a cell is not of its column's type
 */
export async function* readRows(path: string, { dialect, schema }: Resource): AsyncGenerator<Cell[]> {
  // The same few texts stand in many rows; each is kept once.
  const texts = new Map<string, string>();
  const keep = (text: string): string => {
    const kept = texts.get(text);
    if (kept === undefined) texts.set(text, text);
    return kept ?? text;
  };
  for await (const { cells } of readCsv(path, dialect)) {
    yield schema.fields.map(({ name, type, decimalChar = "." }): Cell => {
      const text = cells[name];
      if (text === "") return undefined;
      if (type === "string") return keep(text);
      const value = parseNumber(text.replace(decimalChar, "."));
      if (value === undefined) throw new Error(`${name} in ${path} must be a number, got ${text}`);
      return value;
    });
  }
}
