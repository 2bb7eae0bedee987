// Opens results in every program found that reads them, and compares cell by cell what it read: npm run check-readers.
// The reference results, and two with exponents and with text among numbers, in both dialects and as workbooks.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { aboutFields, aboutRows } from "../dist/src/report/about.js";
import { readRows } from "../dist/src/report/csv-reader.js";
import { listReaders } from "./readers/readers.mjs";
import { makeResult, referenceRecipes } from "./reference-results.mjs";

const recipes = {
  ...referenceRecipes,
  exact: ["run", "--engine", "exact"],
  uncertain: [
    "sweep",
    "--kk3",
    "0.005,beta(2,398)",
    "--lease",
    "2,40",
    "--steps",
    "=1+1,-2,+3,@SUM(1)",
    "--rounds",
    "30",
    "--days",
    "50",
  ],
};
const scratch = mkdtempSync(join(tmpdir(), "redrive-readers-"));

/** The tables of a result: a header and rows each. */
async function tablesOf(folder, descriptor) {
  const tables = {};
  for (const resource of descriptor.resources.filter(({ type }) => type === "table")) {
    const rows = [];
    for await (const row of readRows(join(folder, resource.path), resource)) rows.push(row);
    tables[resource.name] = { fields: resource.schema.fields, rows };
  }
  return tables;
}

/** How what was read differs from a table: the first difference in words, how many there are, and lost last digits. */
function compare(name, { fields, rows }, read) {
  const found = { cells: 0, wrong: 0, rounded: 0, first: undefined };
  const differ = (line) => {
    found.wrong++;
    found.first ??= `${name}: ${line}`;
  };
  if (read === undefined) return { ...found, wrong: 1, first: `${name}: missing` };
  const [header, ...body] = read;
  if (header.join() !== fields.map((field) => field.name).join())
    differ(`header ${header.join().slice(0, 60)}`);
  if (body.length !== rows.length) differ(`${body.length} rows instead of ${rows.length}`);
  for (const [i, row] of rows.entries()) {
    for (const [j, { name: column }] of fields.entries()) {
      const [expected, got] = [row[j] ?? null, body[i]?.[j] ?? null];
      found.cells++;
      // A spreadsheet takes each cell for itself: a number in a column of texts is a number.
      if (got === expected || (typeof expected === "string" && got === Number(expected.replace(",", "."))))
        continue;
      const isClose =
        typeof got === "number" && typeof expected === "number" && Math.abs(got / expected - 1) < 1e-14;
      if (isClose) found.rounded++;
      else
        differ(`${column} in row ${i + 1} is ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
    }
  }
  return found;
}

function sum(parts) {
  return {
    cells: parts.reduce((total, { cells }) => total + cells, 0),
    wrong: parts.reduce((total, { wrong }) => total + wrong, 0),
    rounded: parts.reduce((total, { rounded }) => total + rounded, 0),
    first: parts.find(({ first }) => first !== undefined)?.first,
  };
}

function describe({ cells, wrong, rounded }) {
  const count = (n) => n.toLocaleString("en-US");
  if (wrong > 0) return `${count(wrong)} of ${count(cells)} cells differ`;
  if (rounded > 0) return `${count(cells)} cells agree, ${count(rounded)} to 14 digits only`;
  return `${count(cells)} cells agree`;
}

try {
  const results = [];
  for (const [name, recipe] of Object.entries(recipes)) {
    for (const dialect of ["rfc4180", "excel-eu"]) {
      const isKept = name in referenceRecipes && dialect === "rfc4180";
      const folder = isKept
        ? fileURLToPath(new URL(`../results/${name}`, import.meta.url))
        : join(scratch, `${name}-${dialect}`);
      if (!isKept) makeResult(folder, recipe, ["--csv-dialect", dialect]);
      const descriptor = JSON.parse(readFileSync(join(folder, "datapackage.json"), "utf8"));
      results.push({ dialect, folder, descriptor, tables: await tablesOf(folder, descriptor) });
    }
  }
  const lines = [];
  const missing = [];
  let failed = false;
  for (const reader of await listReaders(scratch)) {
    const { name, version, dialects, readCsv, readWorkbook } = reader;
    if (version === undefined) {
      missing.push(name);
      continue;
    }
    const outcome = async (what, parts) => {
      const total = sum(parts);
      lines.push(`| ${name} | ${version} | ${what} | ${describe(total)} |`);
      if (total.wrong > 0) console.error(`${name}, ${what}: ${total.first}`);
      failed ||= total.wrong > 0;
    };
    for (const dialect of dialects) {
      const parts = [];
      for (const { folder, tables } of results.filter((result) => result.dialect === dialect)) {
        const names = Object.keys(tables);
        const read = await readCsv(
          names.map((table) => join(folder, `${table}.csv`)),
          dialect,
        );
        parts.push(...names.map((table) => compare(`${folder}/${table}.csv`, tables[table], read[table])));
      }
      await outcome(`CSV, ${dialect}`, parts);
    }
    if (readWorkbook === undefined) continue;
    const parts = [];
    for (const { folder, descriptor, tables } of results.filter(({ dialect }) => dialect === "rfc4180")) {
      const read = await readWorkbook(join(folder, "workbook.xlsx"));
      const { days: _, ...sheets } = tables;
      const about = { fields: aboutFields, rows: aboutRows(descriptor) };
      for (const [sheet, table] of Object.entries({ ...sheets, about })) {
        parts.push(compare(`${folder}/workbook.xlsx, ${sheet}`, table, read[sheet]));
      }
    }
    await outcome("workbook", parts);
  }
  console.log(["| reader | version | file | outcome |", "|---|---|---|---|", ...lines].join("\n"));
  if (missing.length > 0) console.log(`\nNot found: ${missing.join("; ")}`);
  if (failed) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
