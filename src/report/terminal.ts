// Text for a person at a terminal. Knows no results, only tables, numbers and emphasis.
import { styleText } from "node:util";
import CliTable from "cli-table3";

/** Whether emphasis is shown, and how wide the terminal is. */
export interface Style {
  readonly color: boolean;
  /** Characters of a line; undefined where it is no terminal that shows pictures made of characters. */
  readonly columns?: number | undefined;
}

/** Whether a stream gets color: a terminal does, unless NO_COLOR is set. */
export function hasColor(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

export function bold(text: string, { color }: Style): string {
  return color ? styleText("bold", text, { validateStream: false }) : text;
}

export function dim(text: string, { color }: Style): string {
  return color ? styleText("dim", text, { validateStream: false }) : text;
}

/** A cell, or one that runs over several columns. */
export type TextCell = string | { readonly text: string; readonly columns: number };

/** A row of cells, or a heading that runs over all columns. */
export type TextRow = readonly TextCell[] | string;

/** A table in plain columns: the first to the left, the others to the right. */
export function renderTable(head: readonly TextCell[], rows: readonly TextRow[], style: Style): string {
  const none = [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
  ];
  const lines = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"];
  const columnCount = head.reduce((sum, cell) => sum + (typeof cell === "string" ? 1 : cell.columns), 0);
  const table = new CliTable({
    colAligns: Array.from({ length: columnCount }, (_, i) => (i === 0 ? "left" : "right")),
    chars: Object.fromEntries([...none, ...lines].map((name) => [name, name === "middle" ? "  " : ""])),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(
    head.map((cell) =>
      toTableCell(typeof cell === "string" ? bold(cell, style) : { ...cell, text: bold(cell.text, style) }),
    ),
  );
  for (const row of rows) {
    if (typeof row === "string") table.push([{ content: bold(row, style), colSpan: columnCount }]);
    else table.push(row.map(toTableCell));
  }
  return `${table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}

function toTableCell(cell: TextCell) {
  if (typeof cell === "string") return cell;
  return { content: cell.text, colSpan: cell.columns, hAlign: "right" as const };
}

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

/** A number as a person reads it: four digits that count, thousands apart; a dash for a missing one. */
export function showNumber(value: number | undefined): string {
  if (value === undefined) return "-";
  return Math.abs(value) >= 1000 ? grouped.format(value) : precise.format(value);
}
