// All that a benchmark found out, as text for stdout and as files.
import { toCsv } from "../src/report/csv.js";
import { describePackage } from "../src/report/datapackage.js";
import type { ResultFolder } from "../src/report/folder.js";
import { rowJson } from "../src/report/summary-json.js";
import type { Style } from "../src/report/terminal.js";
import type { Subject } from "./case.js";
import type { ComparisonResult } from "./compare.js";
import type { Environment } from "./environment.js";
import { showBench, showComparison } from "./printout.js";
import type { CaseResult } from "./result.js";
import { benchTable, comparisonTable } from "./tables.js";

export interface Findings {
  readonly subject: Subject;
  readonly environment: Environment;
  readonly results: readonly CaseResult[];
  /** The comparison with an earlier result, and the file that holds that. */
  readonly comparison: (ComparisonResult & { readonly path: string }) | undefined;
}

/** Tables for people. */
export function showFindings({ subject, environment, results, comparison }: Findings, style: Style): string {
  const figures = showBench(results, subject.scenario, environment, style);
  return comparison === undefined
    ? figures
    : figures + showComparison(comparison, subject.scenario, comparison.path, style);
}

/** The same for programs: the rows of the CSV files, their keys in camelCase. */
export function findingsJson({ environment, results, comparison }: Findings): object {
  return {
    environment,
    cases: results.map((each) => rowJson(benchTable.columns, each)),
    ...(comparison && {
      comparison: comparison.comparisons.map((each) => rowJson(comparisonTable.columns, each)),
    }),
  };
}

/** bench.csv. */
export function findingsCsv({ results }: Findings): string {
  return toCsv(benchTable, results, "rfc4180");
}

/** Writes all files of the result; returns the names of those to look at. */
export async function writeFindings(folder: ResultFolder, findings: Findings): Promise<string[]> {
  const { subject, environment, comparison } = findings;
  await folder.write("bench.csv", findingsCsv(findings));
  if (comparison !== undefined) {
    await folder.write("comparison.csv", toCsv(comparisonTable, comparison.comparisons, "rfc4180"));
  }
  await folder.write("environment.json", `${JSON.stringify(environment, null, 2)}\n`);
  const tables = [benchTable, ...(comparison ? [comparisonTable] : [])];
  const { scenario, seed, days } = subject;
  await folder.writePackage({
    ...describePackage("bench", tables, { scenarios: [scenario], days, seed }, "rfc4180"),
    title: "How fast redrive is on one machine",
  });
  await folder.publish();
  return ["bench.csv", ...(comparison ? ["comparison.csv"] : []), "environment.json"];
}
