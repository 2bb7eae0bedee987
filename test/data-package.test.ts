// datapackage.json is a Data Package, and every cell of every file is what it says.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PackageDescriptor, Resource } from "../src/report/datapackage.js";

const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));
const results = fileURLToPath(new URL("../results", import.meta.url));
const schema = JSON.parse(readFileSync(new URL("data-package-v2.json", import.meta.url), "utf8"));
const isPackage = new Ajv({ strict: false, formats: { uri: /^https:\/\// } }).compile(schema);

/** The profile that the standard publishes: from a file, or from where it is published; undefined without either. */
async function readProfile(): Promise<object | undefined> {
  const file = process.env.DATA_PACKAGE_PROFILE;
  if (file !== undefined) return JSON.parse(readFileSync(file, "utf8"));
  const address = "https://datapackage.org/profiles/2.0/datapackage.json";
  const response = await fetch(address, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as object) : undefined;
}

const profile = await readProfile();
const fitsProfile = profile && new Ajv({ strict: false, validateFormats: false }).compile(profile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-package-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isTable = (resource: PackageDescriptor["resources"][number]): resource is Resource =>
  resource.type === "table";

/** All that is wrong with a folder: with its descriptor, or with a cell of its files. */
function findFaults(path: string): string[] {
  const descriptor: PackageDescriptor = JSON.parse(readFileSync(join(path, "datapackage.json"), "utf8"));
  for (const isValid of [isPackage, ...(fitsProfile ? [fitsProfile] : [])]) {
    if (!isValid(descriptor)) return (isValid.errors ?? []).map((error) => JSON.stringify(error));
  }
  const described = descriptor.resources.map((resource) => resource.path);
  const files = readdirSync(path).filter((name) => /\.(csv|xlsx)$/.test(name));
  return [
    ...files.filter((name) => !described.includes(name)).map((name) => `${name} is not described`),
    ...described.filter((name) => !files.includes(name)).map((name) => `${name} is missing`),
    ...descriptor.resources.filter(isTable).flatMap((resource) => findCellFaults(path, resource)),
  ];
}

function findCellFaults(path: string, { path: name, dialect, schema: { fields } }: Resource): string[] {
  const text = readFileSync(join(path, name), "utf8");
  const [header, ...rows]: string[][] = parse(text, {
    bom: true,
    delimiter: dialect.delimiter,
    record_delimiter: dialect.lineTerminator,
  });
  if (header.join() !== fields.map((field) => field.name).join()) return [`${name} has other columns`];
  return rows.flatMap((row, i) =>
    fields.flatMap(({ name: column, type, decimalChar = "." }, j) => {
      // Numbers by the specification of Table Schema: digits, a point or the field's own, an exponent.
      const decimal = decimalChar === "." ? "\\." : decimalChar;
      const lexical = {
        integer: /^-?\d+$/,
        number: new RegExp(`^-?\\d+(${decimal}\\d+)?(e[+-]?\\d+)?$`),
        string: /^[^=+@\t\r-]/,
      }[type];
      return row[j] === "" || lexical.test(row[j])
        ? []
        : [`${column} in row ${i + 1} of ${name} is no ${type}: ${row[j]}`];
    }),
  );
}

/** A folder with the result of a command line. */
async function make(name: string, line: string): Promise<string> {
  const out = join(folder, name);
  await promisify(execFile)(process.execPath, [cli, ...line.split(" "), "--out", out, "--quiet"]);
  return out;
}

const typeOf = (path: string, file: string, column: string) => {
  const { resources }: PackageDescriptor = JSON.parse(readFileSync(join(path, "datapackage.json"), "utf8"));
  const resource = resources.filter(isTable).find(({ name }) => name === file);
  return resource?.schema.fields.find(({ name }) => name === column)?.type;
};

describe("datapackage.json describes every cell", () => {
  test("of a run, with days and a workbook, in both dialects", async () => {
    for (const dialect of ["rfc4180", "excel-eu"]) {
      const out = await make(dialect, `run --days 300 --days-csv --xlsx --csv-dialect ${dialect}`);
      expect(findFaults(out)).toEqual([]);
    }
  });

  test("of a run without simulation and of one without a re-drive, whose cells are partly empty", async () => {
    expect(findFaults(await make("exact", "run --engine exact --csv-dialect excel-eu"))).toEqual([]);
    expect(findFaults(await make("none", "run --days 1 --kk3 0 --kk2 0"))).toEqual([]);
  });

  test("of a sweep; KK3 is a number, or text in all rows once one of them is a distribution", async () => {
    const numbers = await make("numbers", "sweep --kk3 0,0.01 --scan 1,2 --days 60");
    expect(findFaults(numbers)).toEqual([]);
    expect(typeOf(numbers, "sweep", "kk3")).toBe("number");
    const mixed = await make("mixed", "sweep --kk3 0.01,uniform(0,0.02) --days 60 --csv-dialect excel-eu");
    expect(findFaults(mixed)).toEqual([]);
    expect(typeOf(mixed, "sweep", "kk3")).toBe("string");
    expect(typeOf(mixed, "summary", "kk3")).toBe("string");
  });

  test("of the results that are kept", () => {
    for (const kept of ["reference-run", "reference-sweep", "bench/reference"]) {
      expect(findFaults(join(results, kept))).toEqual([]);
    }
  });
});

test("the check finds a wrong type, a wrong descriptor and a file that nobody described", async () => {
  const broken = (change: (descriptor: { resources: Resource[] }) => object) =>
    isPackage(change(JSON.parse(readFileSync(join(results, "reference-run/datapackage.json"), "utf8"))));
  expect(broken((descriptor) => descriptor)).toBe(true);
  expect(broken(() => ({ name: "redrive-run" }))).toBe(false);
  expect(broken(({ resources: [{ path: _, ...first }] }) => ({ resources: [first] }))).toBe(false);
  expect(broken(({ resources: [{ schema: _, ...first }] }) => ({ resources: [first] }))).toBe(false);
  const resource = JSON.parse(readFileSync(join(results, "reference-run/datapackage.json"), "utf8"))
    .resources[0] as Resource;
  const fields = resource.schema.fields.map((field) => ({ ...field, type: "integer" as const }));
  const faults = findCellFaults(join(results, "reference-run"), {
    ...resource,
    schema: { ...resource.schema, fields },
  });
  expect(faults[0]).toBe("kk3 in row 1 of summary.csv is no integer: 0.005");
});

test.skipIf(fitsProfile === undefined)(
  "the published profile takes part in these checks, and refuses what is no data package " +
    "(skipped where datapackage.org cannot be reached and DATA_PACKAGE_PROFILE names no file)",
  () => {
    const kept: PackageDescriptor = JSON.parse(
      readFileSync(join(results, "reference-run/datapackage.json"), "utf8"),
    );
    const [{ path: _, ...pathless }] = kept.resources;
    expect(fitsProfile?.(kept)).toBe(true);
    expect(fitsProfile?.({ ...kept, resources: undefined })).toBe(false);
    expect(fitsProfile?.({ ...kept, resources: [] })).toBe(false);
    expect(fitsProfile?.({ ...kept, resources: [pathless] })).toBe(false);
  },
);

test("sweep.csv is ready for a pivot: one line of headers, then one row per scenario with numbers alone", () => {
  const text = readFileSync(join(results, "reference-sweep/sweep.csv"), "utf8");
  const [header, ...rows]: string[][] = parse(text);
  expect(new Set(header).size).toBe(header.length);
  expect(header.every((name) => /^[a-z][a-z0-9_]*$/.test(name))).toBe(true);
  expect(rows).toHaveLength(8);
  for (const row of rows) {
    expect(row).toHaveLength(header.length);
    expect(row.filter((_, i) => header[i] !== "stall_on").map(Number)).not.toContain(Number.NaN);
    expect(row).not.toContain("");
  }
});
