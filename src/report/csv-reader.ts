// CSV files read back. The one file that knows csv-parse.
import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import { parseNumber } from "../model/ratio.js";
import type { Cell } from "./column.js";
import type { Resource } from "./datapackage.js";

/**
 * Reads the rows of a file by its description, without the header: numbers where a column has numbers, text elsewhere.
 *
 * @throws what the file system says; Error where a cell is not of its column's type
 */
export async function* readRows(path: string, { dialect, schema }: Resource): AsyncGenerator<Cell[]> {
  const { delimiter, lineTerminator } = dialect;
  const records = parse({ bom: true, delimiter, from_line: 2, record_delimiter: lineTerminator });
  const file = createReadStream(path).on("error", (error) => records.destroy(error));
  file.pipe(records);
  // The same few texts stand in many rows; each is kept once.
  const texts = new Map<string, string>();
  const keep = (text: string): string => {
    const kept = texts.get(text);
    if (kept === undefined) texts.set(text, text);
    return kept ?? text;
  };
  for await (const record of records as AsyncIterable<string[]>) {
    yield record.map((text, i): Cell => {
      const { name, type, decimalChar = "." } = schema.fields[i];
      if (text === "") return undefined;
      if (type === "string") return keep(text);
      const value = parseNumber(text.replace(decimalChar, "."));
      if (value === undefined) throw new Error(`${name} in ${path} must be a number, got ${text}`);
      return value;
    });
  }
}

/** The lines of a CSV text by the names in its header; empty lines are left out. */
export function parseRecords<Name extends string>(
  csv: string,
): {
  readonly header: readonly string[];
  readonly lines: readonly { readonly line: number; readonly record: Readonly<Record<Name, string>> }[];
} {
  let header: readonly string[] = [];
  const parsed = parseAtOnce(csv, {
    bom: true,
    columns: (names: string[]) => {
      header = names;
      return names;
    },
    info: true,
    skip_empty_lines: true,
  }) as unknown as { readonly info: { readonly lines: number }; readonly record: Record<Name, string> }[];
  return { header, lines: parsed.map(({ info, record }) => ({ line: info.lines, record })) };
}
