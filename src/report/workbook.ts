// The files of a result as one workbook of typed sheets. The one file that knows hucre, which it loads when it is called.
import { aboutFields, aboutRows } from "./about.js";
import type { Cell } from "./column.js";
import { readRows } from "./csv-reader.js";
import type { Field, PackageDescriptor, Resource } from "./datapackage.js";

/** Rows that a sheet can hold below its header. */
export const mostRows = 1_048_575;

/** Cells of a workbook at most; it is put together in memory, which takes 300 to 500 bytes for each of them. */
const mostCells = 8_000_000;

/** Characters that a cell can hold. */
const longestText = 32_767;

/** The sheets, in their order; other files of a result are not part of the workbook. */
const sheetNames = ["summary", "distribution", "sweep"];

/** A workbook has a date of its last change; this one never changes, so that the same rows give the same bytes. */
const neverChanged = new Date(Date.UTC(2000, 0, 1));

/** The writer's default font, in bold. */
const headerStyle = { font: { name: "Calibri", size: 11, bold: true } };

interface SheetContent {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly rows: readonly Cell[][];
}

/** How large a workbook may become. */
export interface WorkbookLimits {
  readonly rows: number;
  readonly cells: number;
}

/**
 * Makes a workbook of the files of a result and their description.
 *
 * @param pathOf - where a file is to be read
 * @returns the content of the workbook, or why there can be none
 */
export async function makeWorkbook(
  descriptor: PackageDescriptor,
  pathOf: (name: string) => string,
  limits: WorkbookLimits = { rows: mostRows, cells: mostCells },
): Promise<{ readonly content: Uint8Array } | { readonly problem: string }> {
  const sheets: SheetContent[] = [];
  let cells = 0;
  for (const resource of tablesOf(descriptor)) {
    const { name, path, schema } = resource;
    const rows: Cell[][] = [];
    for await (const row of readRows(pathOf(path), resource)) {
      cells += row.length;
      if (rows.push(row) > limits.rows) {
        return { problem: `${path} has more than ${show(limits.rows)} rows, the most that a sheet can hold` };
      }
      if (cells > limits.cells) {
        return { problem: `its sheets have more than ${show(limits.cells)} cells` };
      }
    }
    sheets.push({ name, fields: schema.fields, rows });
  }
  sheets.push({ name: "about", fields: aboutFields, rows: aboutRows(descriptor) });
  const { writeXlsx } = await import("hucre/xlsx");
  const content = await writeXlsx({ sheets: sheets.map(toSheet), properties: { modified: neverChanged } });
  return { content };
}

function tablesOf({ resources }: PackageDescriptor): Resource[] {
  return sheetNames.flatMap((sheet) =>
    resources.filter(
      (resource): resource is Resource => resource.type === "table" && resource.name === sheet,
    ),
  );
}

function toSheet({ name, fields, rows }: SheetContent) {
  return {
    name,
    rows: [fields.map((field) => field.name), ...rows.map((row) => row.map(toValue))],
    columns: fields.map((field, i) => ({ width: widthOf(field, rows, i), ...formatOf(field) })),
    cells: new Map(fields.map((_, i) => [`0,${i}`, { style: headerStyle }])),
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:${letterOf(fields.length - 1)}${rows.length + 1}` },
  };
}

function toValue(cell: Cell): string | number | null {
  return typeof cell === "string" ? toXmlText(cell).slice(0, longestText) : (cell ?? null);
}

/** A workbook is XML, which has no place for most control characters and for halves of characters. */
function toXmlText(text: string): string {
  return text.replace(/[\p{Surrogate}\p{Control}\ufffe\uffff]/gu, (character) =>
    "\t\r\n".includes(character) ? character : "\ufffd",
  );
}

/** Whole numbers by thousands, numbers that only name something as they are, shares with six decimals. */
function formatOf({ name, type }: Field): { readonly numFmt?: string } {
  if (type === "string" || /^kk[23]$/.test(name)) return {};
  if (name === "scenario") return { numFmt: "0" };
  if (type === "integer") return { numFmt: "#,##0" };
  return { numFmt: name.endsWith("share") ? "0.000000" : "#,##0.00" };
}

/** Wide enough for the header with its button, and for texts up to a limit; in characters. */
function widthOf({ name, type }: Field, rows: readonly Cell[][], column: number): number {
  const texts = type === "string" ? rows.slice(0, 1000).map((row) => String(row[column] ?? "").length) : [];
  return Math.min(100, Math.max(10, name.length + 4, ...texts.map((length) => length + 1)));
}

/** The name of a column of a sheet, from 0: A to Z, AA, AB and so on. */
function letterOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letterOf(Math.floor(column / 26) - 1) + last;
}

function show(n: number): string {
  return n.toLocaleString("en-US");
}
