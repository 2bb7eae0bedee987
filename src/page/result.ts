// What a result folder holds: its kind, its settings, and its files row by row. Reads only.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseNumber } from "../model/ratio.js";
import { SettingsError } from "../model/settings.js";
import { type CsvRow, readCsv } from "../report/csv-reader.js";
import { describeFileError } from "../report/file-error.js";
import { version } from "../version.js";

export const kinds = ["run", "sweep", "bench"] as const;

export type Kind = (typeof kinds)[number];

/** A row of a file of the result. */
export interface Row {
  /** The text in a column; "" where it is missing. */
  readonly text: (column: string) => string;
  /** The same, but a number as JavaScript writes it, whatever the dialect. */
  readonly plain: (column: string) => string;
  /**
   * The number in a column; undefined where it is missing.
   *
   * @throws SettingsError where there is something else
   */
  readonly number: (column: string) => number | undefined;
}

/** A folder that holds a result of this version. */
export interface Result {
  readonly path: string;
  readonly kind: Kind;
  /** What the data package says of the settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * The rows of a file.
   *
   * @throws SettingsError where it cannot be read
   */
  readonly rows: (file: string) => AsyncGenerator<Row>;
}

interface Resource {
  readonly path: string;
  readonly dialect: { readonly delimiter: string };
  readonly schema: { readonly fields: readonly { readonly name: string; readonly decimalChar?: string }[] };
}

/**
 * @param signal - ends the reading of rows
 * @throws SettingsError that says what the folder is instead, and what to do
 */
export async function openResult(path: string, signal?: AbortSignal): Promise<Result> {
  const descriptor = await readDescriptor(path);
  const kind = kinds.find((kind) => descriptor.name === `redrive-${kind}`);
  const { redrive: settings, resources } = descriptor;
  if (kind === undefined) throw foreign(path, `its data package is ${describeName(descriptor.name)}`);
  if (!isObject(settings)) throw foreign(path, "its datapackage.json has no settings");
  if (settings.version !== version) {
    throw new SettingsError([
      `the folder must be a result of redrive ${version}, got ${path} (of redrive ${settings.version ?? "unknown"}); ` +
        `make it again with redrive ${kind}`,
    ]);
  }
  return { path, kind, settings, rows: (file) => readRows(path, file, resources, signal) };
}

async function readDescriptor(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    if (!(await stat(path)).isDirectory()) throw foreign(path, "it is a file");
    text = await readFile(join(path, "datapackage.json"), "utf8");
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    throw foreign(path, isThere ? `datapackage.json: ${describeFileError(error)}` : describeFileError(error));
  }
  let descriptor: unknown;
  try {
    descriptor = JSON.parse(text);
  } catch {
    throw foreign(path, "its datapackage.json is no JSON");
  }
  if (!isObject(descriptor)) throw foreign(path, "its datapackage.json is no data package");
  return descriptor;
}

async function* readRows(
  path: string,
  file: string,
  resources: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row> {
  const resource = (Array.isArray(resources) ? resources : []).find((resource) => resource?.path === file);
  if (!isResource(resource)) throw foreign(path, `its datapackage.json does not describe ${file}`);
  const { dialect, schema } = resource;
  const decimal = schema.fields.find(({ decimalChar }) => decimalChar !== undefined)?.decimalChar ?? ".";
  try {
    for await (const row of readCsv(join(path, file), dialect)) {
      signal?.throwIfAborted();
      yield toRow(row, decimal, (reason) => foreign(path, `${file}: ${reason}`));
    }
  } catch (error) {
    if (error instanceof SettingsError || signal?.aborted) throw error;
    throw foreign(path, `${file}: ${describeFileError(error)}`);
  }
}

function toRow({ line, cells }: CsvRow, decimal: string, problem: (reason: string) => SettingsError): Row {
  const text = (column: string) => cells[column] ?? "";
  const parse = (cell: string) => parseNumber(decimal === "." ? cell : cell.replace(decimal, "."));
  return {
    text,
    plain: (column) => String(parse(text(column)) ?? text(column)),
    number: (column) => {
      const cell = text(column);
      if (cell === "") return undefined;
      const value = parse(cell);
      if (value === undefined) throw problem(`${column} in line ${line} is ${cell}`);
      return value;
    },
  };
}

/** The error for a folder that holds something else. */
export function foreign(path: string, reason: string): SettingsError {
  return new SettingsError([
    `the folder must hold the result of a run, sweep or bench, got ${path} (${reason}); ` +
      "name one that redrive run, sweep or bench has written, such as results/run",
  ]);
}

function isResource(resource: unknown): resource is Resource {
  return (
    isObject(resource) &&
    isObject(resource.dialect) &&
    typeof resource.dialect.delimiter === "string" &&
    isObject(resource.schema) &&
    Array.isArray(resource.schema.fields)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describeName(name: unknown): string {
  return typeof name === "string" ? name : "without a name";
}
