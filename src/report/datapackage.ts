// datapackage.json: what every column of a result folder means, as a Data Package (v2), and how to get it again.
import { type Grid, sizeOfProduct } from "../experiment/grid.js";
import type { Precision } from "../experiment/precision.js";
import type { Simulation } from "../experiment/settings.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio, type Ratio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { version } from "../version.js";
import type { Column, Table } from "./column.js";
import { type CsvDialect, dialectMarks } from "./csv.js";

/** A column of a file: a field of Table Schema. */
export interface Field {
  readonly name: string;
  readonly type: "integer" | "number" | "string";
  readonly description: string;
  readonly unit?: string;
  /** Where it is not a point. */
  readonly decimalChar?: string;
}

/** A CSV file. */
export interface Resource {
  readonly name: string;
  readonly type: "table";
  readonly path: string;
  readonly description: string;
  readonly dialect: { readonly delimiter: string; readonly lineTerminator: string };
  readonly schema: { readonly fields: readonly Field[]; readonly missingValues: readonly string[] };
  readonly [property: string]: unknown;
}

/** The workbook that holds the same rows. */
interface WorkbookResource {
  readonly name: string;
  readonly type?: undefined;
  readonly path: string;
  readonly [property: string]: unknown;
}

/** The content of datapackage.json. */
export interface PackageDescriptor {
  readonly name: string;
  readonly title: string;
  readonly resources: readonly (Resource | WorkbookResource)[];
  /** What the result depends on. */
  readonly redrive: Readonly<Record<string, unknown>>;
  readonly [property: string]: unknown;
}

/** What a result depends on. */
export interface Provenance {
  readonly scenarios: readonly Scenario[] | Grid;
  /** Undefined where the result is not of so many days. */
  readonly days: number | undefined;
  /** Undefined where nothing was drawn. */
  readonly seed: string | undefined;
  /** What was to be precise, where the number of days follows from that. */
  readonly precision?: Precision | undefined;
}

/** What of a simulation its results depend on. */
export function provenanceOf({ exact, days, seed, precision }: Simulation): Omit<Provenance, "scenarios"> {
  return { days: exact ? undefined : days, seed: exact ? undefined : seed, precision };
}

/** The data package of a result folder; the same for the same settings, wherever and however it was computed. */
export function describePackage(
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: the rows of each table are of another type
  tables: readonly Table<any>[],
  { scenarios, days, seed, precision }: Provenance,
  dialect: CsvDialect,
): PackageDescriptor {
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: `redrive-${name}`,
    title: "Half-finished jobs and wasted steps, simulated by redrive",
    resources: tables.map((table) => describeTable(table, dialect, typeOfRatios(scenarios))),
    redrive: {
      version,
      days,
      seed,
      ...(precision && { precision: describePrecision(precision) }),
      ...(isGrid(scenarios)
        ? { grid: describeGrid(scenarios) }
        : { scenarios: describeScenarios(scenarios) }),
    },
  };
}

export const workbookName = "workbook.xlsx";

/** The descriptor of a folder that has the workbook as well. */
export function addWorkbook(descriptor: PackageDescriptor): PackageDescriptor {
  const workbook = {
    name: "workbook",
    path: workbookName,
    description: "the rows of the CSV files as the sheets of a workbook, and what they mean",
    format: "xlsx",
    mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  };
  return { ...descriptor, resources: [...descriptor.resources, workbook] };
}

/** A column of ratios holds numbers, or text as soon as one of them is a distribution. */
function typeOfRatios(scenarios: Provenance["scenarios"]): "number" | "string" {
  const ratios = isGrid(scenarios)
    ? scenarios.flatMap(({ axes }) => axes.kk3)
    : scenarios.map(({ kk3 }) => kk3);
  return ratios.every((ratio) => typeof ratio === "number") ? "number" : "string";
}

function describeScenarios(scenarios: readonly Scenario[]): object[] {
  return scenarios.map((scenario, i) => ({ scenario: i + 1, ...scenario, kk3: plainRatio(scenario.kk3) }));
}

/** Each product of lists: its scenarios are numbered from `firstScenario` on, its last parameter varies fastest. */
function describeGrid(grid: Grid): object[] {
  let firstScenario = 1;
  return grid.map((product) => {
    const { name, axes } = product;
    const scenarios = sizeOfProduct(product);
    const described = { name, firstScenario, scenarios, ...axes, kk3: axes.kk3.map(plainRatio) };
    firstScenario += scenarios;
    return described;
  });
}

function describePrecision({ share, criteria }: Precision): object {
  const columns = new Map<string, string>(
    [...metrics, recoveryDelay].map(({ name, column }) => [name, column]),
  );
  const of = criteria.map(
    ({ metric, statistic }) => `${columns.get(metric)}${statistic === "mean" ? "" : `:${statistic}`}`,
  );
  return { share, of };
}

function isGrid(scenarios: readonly Scenario[] | Grid): scenarios is Grid {
  return scenarios.length > 0 && "axes" in scenarios[0];
}

function plainRatio(ratio: Ratio): number | string {
  return typeof ratio === "number" ? ratio : formatRatio(ratio);
}

function describeTable(
  { name, meaning, columns }: Table<never>,
  dialect: CsvDialect,
  ratioType: Field["type"],
): Resource {
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
    schema: {
      fields: columns.map((column) => describeColumn(column, decimal, ratioType)),
      missingValues: [""],
    },
  };
}

function describeColumn(
  { name, type: given, unit, meaning }: Column<never>,
  decimal: string,
  ratioType: Field["type"],
): Field {
  const type = given === "ratio" ? ratioType : given;
  return {
    name,
    type,
    description: meaning,
    ...(unit !== undefined && { unit }),
    ...(type === "number" && decimal !== "." && { decimalChar: decimal }),
  };
}
