// Reads the result of an earlier benchmark.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseNumber } from "../src/model/ratio.js";
import { parseCsv } from "../src/report/csv-reader.js";
import type { Measured } from "./compare.js";
import type { benchTable } from "./tables.js";

/** An earlier result. */
export interface Earlier {
  /** Its bench.csv. */
  readonly path: string;
  readonly cases: readonly Measured[];
  /** The environment.json beside it; undefined where there is none. */
  readonly environment: unknown;
}

/** The columns that are read; others may be there. */
const needed = [
  "suite",
  "case",
  "rounds",
  "round_ns",
  "round_log_sd",
] as const satisfies readonly ColumnName[];

type ColumnName = (typeof benchTable.columns)[number]["name"];

/**
 * Reads an earlier result.
 *
 * @param path - a bench.csv
 * @throws what the file system says, or Error that says why it is no bench.csv
 */
export async function readEarlier(path: string): Promise<Earlier> {
  return {
    path,
    cases: parseEarlier(await readFile(path, "utf8")),
    environment: await readEnvironmentBeside(path),
  };
}

/** @throws Error that says why the text is no bench.csv */
export function parseEarlier(csv: string): Measured[] {
  const { header, rows } = parseCsv(csv);
  const missing = needed.filter((name) => !header.includes(name));
  if (missing.length > 0) throw new Error(`without a column ${missing.join(", ")}`);
  if (rows.length === 0) throw new Error("without a case");
  return rows.map(({ line, cells }) => {
    const read = (name: (typeof needed)[number], least: number) => {
      const value = parseNumber(cells[name]);
      if (value !== undefined && value >= least) return value;
      throw new Error(`${name} in line ${line} is ${cells[name] || "empty"}`);
    };
    return {
      suite: cells.suite,
      name: cells.case,
      rounds: read("rounds", 2),
      roundNs: read("round_ns", Number.MIN_VALUE),
      roundLogSd: read("round_log_sd", 0),
    };
  });
}

async function readEnvironmentBeside(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(dirname(path), "environment.json"), "utf8"));
  } catch {
    return undefined;
  }
}
