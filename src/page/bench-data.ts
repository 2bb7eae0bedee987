// The result of a benchmark as its files say it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { foreign, type Result } from "./result.js";

/** A case of bench.csv. */
export interface BenchCase {
  readonly suite: string;
  readonly name: string;
  readonly engine: string;
  readonly workflows: number;
  readonly threads: number;
  readonly unit: string;
  readonly meanNs: number;
  readonly daysPerSecond: number;
  readonly ratio: number | undefined;
  readonly flags: string;
}

export interface BenchData {
  readonly cases: readonly BenchCase[];
  /** What is known of the machine: short texts. */
  readonly machine: readonly string[];
}

/** @throws SettingsError where the folder lacks something */
export async function readBench(result: Result): Promise<BenchData> {
  const cases: BenchCase[] = [];
  for await (const { text, number } of result.rows("bench.csv")) {
    const need = (column: string) => {
      const value = number(column);
      if (value === undefined) throw foreign(result.path, `a case of its bench.csv has no ${column}`);
      return value;
    };
    cases.push({
      suite: text("suite"),
      name: text("case"),
      engine: text("engine"),
      workflows: need("workflows"),
      threads: need("threads"),
      unit: text("unit"),
      meanNs: need("ns_mean"),
      daysPerSecond: need("days_per_second"),
      ratio: number("ratio_to_baseline"),
      flags: text("flags"),
    });
  }
  if (cases.length === 0) throw foreign(result.path, "its bench.csv has no cases");
  return { cases, machine: await readMachine(result.path) };
}

async function readMachine(path: string): Promise<string[]> {
  try {
    const { cpu, cores, node, os } = JSON.parse(await readFile(join(path, "environment.json"), "utf8"));
    return [cpu, `${cores} cores`, `Node ${node}`, os].filter((text) => typeof text === "string");
  } catch {
    return [];
  }
}
