// CSV text: what stands in a cell, and that pieces are the whole.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Cell, Table } from "../src/report/column.js";
import { csvHeader, csvPieces, csvRows, toCsv } from "../src/report/csv.js";
import { readCsv } from "../src/report/csv-reader.js";

const table: Table<Cell> = {
  name: "cells",
  meaning: "one cell a row",
  columns: [{ name: "cell", type: "string", meaning: "the row", cell: (row) => row }],
};
const cellOf = (cell: Cell) => csvRows(table, [cell], "rfc4180").slice(0, -2);

test("csvRows keeps texts from being formulas, and numbers numbers", () => {
  for (const text of ["=1+1", "@SUM(1)", "-a", "+b", "=cmd|' /C calc'!A0"])
    expect(cellOf(text)).toBe(`'${text}`);
  for (const text of ["\t=1", "\r=1"]) expect(cellOf(text)).toContain(`'${text}`);
  for (const number of [-1, -0.5, -1e-9]) expect(Number(cellOf(number))).toBe(number);
  expect(cellOf("-1")).toBe("-1");
  expect(cellOf("a=b")).toBe("a=b");
});

test("csvRows quotes what would end a cell or a line", () => {
  expect(cellOf('a "b", c')).toBe('"a ""b"", c"');
  expect(cellOf("a\nb")).toBe('"a\nb"');
  expect(csvRows(table, ["a;b"], "excel-eu")).toBe('"a;b"\r\n');
});

test("csvRows writes each number in full, and small ones of many digits with an exponent", () => {
  const numbers = [
    0.005,
    0.00001,
    1e-7,
    123456789.125,
    2 ** 53 - 1,
    0.1 + 0.2,
    1 / 3,
    -1 / 300,
    1 / 7e5,
    5e-324,
  ];
  for (const number of numbers) {
    expect(Number(cellOf(number))).toBe(number);
    expect(Number(csvRows(table, [number], "excel-eu").trim().replace(",", "."))).toBe(number);
  }
  expect(cellOf(0.005)).toBe("0.005");
  expect(cellOf(0.00001)).toBe("0.00001");
  expect(cellOf(0.001262619423353982)).toBe("1.262619423353982e-3");
  expect(cellOf(0.09101898359678384)).toBe("0.09101898359678384");
});

test("csvPieces are the rows of the whole, in pieces", () => {
  for (const length of [0, 1, 2048, 5000]) {
    const rows = Array.from({ length }, (_, i) => i);
    const pieces = [...csvPieces(table, rows, "rfc4180")];
    expect(pieces).toHaveLength(Math.ceil(length / 2048));
    expect(csvHeader(table, "rfc4180") + pieces.join("")).toBe(toCsv(table, rows, "rfc4180"));
  }
});

test("readCsv refuses a file with a line that does not end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redrive-csv-"));
  const path = join(folder, "endless.csv");
  writeFileSync(path, `cell\n${"x".repeat(3e6)}`);
  const rows = readCsv(path, { delimiter: "," });
  await expect(rows.next()).rejects.toThrow("Max Record Size");
  rmSync(folder, { recursive: true });
});
