// datapackage.json: what every column of a result folder means, as a Data Package (v2), and how to get it again.
import { formatRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { version } from "../version.js";
import type { Column, Table } from "./column.js";
import { type CsvDialect, dialectMarks } from "./csv.js";

/** The content of datapackage.json. */
export interface PackageDescriptor {
  readonly name: string;
  readonly [property: string]: unknown;
}

/** What a result depends on. */
export interface Provenance {
  readonly scenarios: readonly Scenario[];
  /** Undefined where the result is not of so many days. */
  readonly days: number | undefined;
  readonly seed: string;
}

/** The data package of a result folder; the same for the same settings, wherever and however it was computed. */
export function describePackage(
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: the rows of each table are of another type
  tables: readonly Table<any>[],
  { scenarios, days, seed }: Provenance,
  dialect: CsvDialect,
): PackageDescriptor {
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: `redrive-${name}`,
    title: "Half-finished jobs and wasted steps, simulated by redrive",
    resources: tables.map((table) => describeTable(table, dialect)),
    redrive: {
      version,
      days,
      seed,
      scenarios: scenarios.map((scenario, i) => ({
        scenario: i + 1,
        ...scenario,
        kk3: typeof scenario.kk3 === "number" ? scenario.kk3 : formatRatio(scenario.kk3),
      })),
    },
  };
}

function describeTable({ name, meaning, columns }: Table<never>, dialect: CsvDialect): object {
  const { delimiter, decimal } = dialectMarks[dialect];
  return {
    name,
    type: "table",
    path: `${name}.csv`,
    description: meaning,
    format: "csv",
    mediatype: "text/csv",
    encoding: "utf-8",
    dialect: { delimiter, lineTerminator: "\r\n" },
    schema: { fields: columns.map((column) => describeColumn(column, decimal)), missingValues: [""] },
  };
}

function describeColumn({ name, type, unit, meaning }: Column<never>, decimal: string): object {
  return {
    name,
    type,
    description: meaning,
    ...(unit !== undefined && { unit }),
    ...(type === "number" && decimal !== "." && { decimalChar: decimal }),
  };
}
