// The workbook: typed sheets, safe texts, the same bytes again, a limit.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { readXlsx } from "hucre/xlsx";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { defaultScenario } from "../src/model/scenario.js";
import type { Cell, Table } from "../src/report/column.js";
import { toCsv } from "../src/report/csv.js";
import { describePackage } from "../src/report/datapackage.js";
import { makeWorkbook } from "../src/report/workbook.js";

type Row = readonly [name: string, count: number | undefined, mean: number];
const column = (name: string, type: "string" | "integer" | "number", i: number) => ({
  name,
  type,
  meaning: `meaning of ${name}`,
  cell: (row: Row): Cell => row[i],
});
const table = (name: string): Table<Row> => ({
  name,
  meaning: "a table",
  columns: [column("text", "string", 0), column("count", "integer", 1), column("exact_share", "number", 2)],
});
const rows: Row[] = [
  ["plain", 1, -0.5],
  ["second, with a comma", undefined, 1e-9],
  ["tab\tand line\nend", 12345, 0.1 + 0.2],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-workbook-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = ["days", "sweep", "summary"];
function make({
  steps = ["a"],
  seed = "s",
  dialect = "rfc4180" as "rfc4180" | "excel-eu",
  limits = undefined as { rows: number; cells: number } | undefined,
} = {}) {
  const tables = names.map(table);
  for (const each of tables) writeFileSync(join(folder, `${each.name}.csv`), toCsv(each, rows, dialect));
  const scenarios = [{ ...defaultScenario, steps }];
  const descriptor = describePackage("run", tables, { scenarios, days: 7, seed }, dialect);
  return makeWorkbook(descriptor, (name) => join(folder, name), limits);
}

async function contentOf(made: ReturnType<typeof make>): Promise<Uint8Array> {
  const workbook = await made;
  if ("problem" in workbook) throw new Error(workbook.problem);
  return workbook.content;
}

/** The parts of a zip file, by its central directory. */
function unzip(bytes: Uint8Array): Map<string, string> {
  const buffer = Buffer.from(bytes);
  const parts = new Map<string, string>();
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = buffer.readUInt32LE(end + 16);
  for (let i = 0; i < buffer.readUInt16LE(end + 10); i++) {
    const [method, size] = [buffer.readUInt16LE(at + 10), buffer.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => buffer.readUInt16LE(at + offset));
    const local = buffer.readUInt32LE(at + 42);
    const begin = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
    const part = buffer.subarray(begin, begin + size);
    const name = buffer.toString("utf8", at + 46, at + 46 + nameLength);
    parts.set(name, (method === 0 ? part : inflateRawSync(part)).toString("utf8"));
    at += 46 + nameLength + extra + comment;
  }
  return parts;
}

describe("makeWorkbook", () => {
  test("makes a sheet of each file, in a fixed order and without days, and one that says what they are", async () => {
    for (const dialect of ["rfc4180", "excel-eu"] as const) {
      const { sheets } = await readXlsx(await contentOf(make({ dialect })));
      expect(sheets.map(({ name }) => name)).toEqual(["summary", "sweep", "about"]);
      for (const { rows: read } of sheets.slice(0, 2)) {
        expect(read).toEqual([
          ["text", "count", "exact_share"],
          ...rows.map((row) => row.map((cell) => cell ?? null)),
        ]);
      }
      expect(sheets[2].rows).toContainEqual(["redrive", "seed", null, "s"]);
      expect(sheets[2].rows).toContainEqual(["scenario", "lease", null, "2"]);
      expect(sheets[2].rows).toContainEqual(["sweep", "count", null, "meaning of count"]);
    }
  });

  test("freezes the header, filters all columns, makes them wide enough and formats numbers by type", async () => {
    const parts = unzip(await contentOf(make()));
    const sheet = parts.get("xl/worksheets/sheet1.xml") ?? "";
    expect(sheet).toMatch(/<pane ySplit="1" topLeftCell="A2" state="frozen"/);
    expect(sheet).toContain('<autoFilter ref="A1:C4"/>');
    expect([...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([
      21, 10, 15,
    ]);
    const formats = new Map(
      [...(parts.get("xl/styles.xml") ?? "").matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(
        ([, id, code]) => [id, code],
      ),
    );
    const styles = [
      ...(parts.get("xl/styles.xml") ?? "").split("<cellXfs")[1].matchAll(/<xf numFmtId="(\d+)"/g),
    ];
    const formatOf = (cell: string) =>
      formats.get(styles[Number(new RegExp(`<c r="${cell}" s="(\\d+)"`).exec(sheet)?.[1])][1]);
    expect(formatOf("B2")).toBe("#,##0");
    expect(formatOf("C2")).toBe("0.000000");
    expect(sheet).not.toContain("mergeCell");
  });

  test("keeps texts that look like formulas as texts, and negative numbers as numbers", async () => {
    const steps = ["=1+1", "-2", "+3", "@SUM(1)", "bell\u0007", "half \ud800", "<b>&amp;"];
    const content = await contentOf(make({ steps, seed: '=HYPERLINK("http://example.com")' }));
    for (const [name, part] of unzip(content)) if (name.includes("sheet")) expect(part).not.toContain("<f");
    const { sheets } = await readXlsx(content);
    expect(sheets[0].rows[1][2]).toBe(-0.5);
    expect(sheets[2].rows).toContainEqual(["redrive", "seed", null, '=HYPERLINK("http://example.com")']);
    expect(sheets[2].rows).toContainEqual([
      "scenario",
      "steps",
      null,
      "=1+1, -2, +3, @SUM(1), bell\ufffd, half \ufffd, <b>&amp;",
    ]);
  });

  test("cuts a text that is too long for a cell", async () => {
    const { sheets } = await readXlsx(await contentOf(make({ seed: "x".repeat(40_000) })));
    expect(sheets[2].rows.find(([, name]) => name === "seed")?.[3]).toBe("x".repeat(32_767));
  });

  test("gives the same bytes again, later too", async () => {
    const first = await contentOf(make());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2100, 5, 15) });
    try {
      expect(Buffer.compare(first, await contentOf(make()))).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("says which file is too long for a sheet, or that all are too much", async () => {
    expect(await make({ limits: { rows: 3, cells: 18 } })).toHaveProperty("content");
    expect(await make({ limits: { rows: 2, cells: 18 } })).toEqual({
      problem: "summary.csv has more than 2 rows, the most that a sheet can hold",
    });
    expect(await make({ limits: { rows: 3, cells: 17 } })).toEqual({
      problem: "its sheets have more than 17 cells",
    });
  });
});
