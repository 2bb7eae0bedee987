// redrive bench: measures cases, prints and writes their figures, and compares them with earlier ones.
import type { Case, Subject } from "../../bench/case.js";
import { compareCases } from "../../bench/compare.js";
import { type Earlier, readEarlier } from "../../bench/earlier.js";
import { describeChanges, readEnvironment } from "../../bench/environment.js";
import {
  type Findings,
  findingsCsv,
  findingsJson,
  showFindings,
  writeFindings,
} from "../../bench/findings.js";
import { measureApart } from "../../bench/isolate.js";
import type { Sampling } from "../../bench/measure.js";
import { showCount } from "../../bench/parameters.js";
import { describeComparisonDoubts, describeDoubts } from "../../bench/printout.js";
import { describeCases } from "../../bench/result.js";
import { measureInRounds } from "../../bench/rounds.js";
import { listCases, selectCases } from "../../bench/selection.js";
import { suites } from "../../bench/suites.js";
import { benchTable, comparisonTable } from "../../bench/tables.js";
import { generalSettings, resolveRun } from "../experiment/settings.js";
import { scenarioSettings } from "../model/scenario.js";
import { flag, parsed, type SettingValues, suggestion, text, whole } from "../model/settings.js";
import { describeFileError } from "../report/file-error.js";
import type { TypedOptions } from "./options.js";
import { type Format, outputSettings } from "./output.js";
import { checkFolder, type Ownership, openFolder } from "./result-folder.js";
import { gatherSettings } from "./settings.js";
import { note, print, startProgress, styleOfStdout } from "./terminal.js";

const benchSettings = {
  ...scenarioSettings,
  ...generalSettings,
  suite: parsed("names of suites, with commas between them", readNames),
  quick: flag(),
  time: whole(1, 3_600_000),
  baseline: text(),
  out: outputSettings.out,
  format: outputSettings.format,
  quiet: outputSettings.quiet,
  color: outputSettings.color,
};

type BenchValues = Partial<SettingValues<typeof benchSettings>>;

const benchFiles: Ownership = {
  files: [
    ...[benchTable, comparisonTable].map(({ name }) => `${name}.csv`),
    "environment.json",
    "datapackage.json",
  ],
  owners: ["redrive-bench"],
};

/** How much is measured: the milliseconds are per case, over all rounds. */
const thorough = { rounds: 5, timeMs: 1000, warmUpMs: 300 };
const quickly = { rounds: 3, timeMs: 250, warmUpMs: 150 };

/** @throws SettingsError before anything is measured; Error that names the case if one fails */
export async function bench(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const defaultOut = "results/bench";
  const files: { earlier?: Earlier } = {};
  const values = await gatherSettings(benchSettings, options, async (values) => [
    ...findSuiteProblems(values, options.flagOf("suite")),
    ...(await checkFolder(values.out ?? defaultOut, options.flagOf("out"), benchFiles)),
    ...(await openEarlier(values.baseline, options.flagOf("baseline"), files)),
  ]);
  const { out = defaultOut, format = "table", quiet = false, color } = values;
  const { earlier } = files;
  const subject = resolveSubject(values);
  const cases = chooseCases(subject, values);
  const folder = await openFolder(out, options.flagOf("out"));
  const environment = await readEnvironment();
  let findings: Findings;
  let names: string[];
  try {
    const results = describeCases(cases, await measureAll(cases, subject, values, signal));
    const comparison = earlier && { ...compareCases(results, earlier.cases), path: earlier.path };
    findings = { subject, environment, results, comparison };
    names = await writeFindings(folder, findings);
  } catch (error) {
    await folder.abandon();
    throw error;
  }
  const { results, comparison } = findings;
  await print(formatFindings(findings, format, color));
  if (quiet) return;
  const doubts = [
    ...describeDoubts(results, environment),
    ...(comparison
      ? describeComparisonDoubts(comparison, describeChanges(earlier?.environment, environment))
      : []),
  ];
  for (const doubt of doubts) note(`Note: ${doubt}`);
  note(`Written to ${folder.path}: ${names.join(", ")}`);
}

function formatFindings(findings: Findings, format: Format, color: boolean | undefined): string {
  switch (format) {
    case "table":
      return showFindings(findings, styleOfStdout(color));
    case "json":
      return `${JSON.stringify(findingsJson(findings), null, 2)}\n`;
    case "csv":
      return findingsCsv(findings);
  }
}

/** Measures each case in a thread of its own, round by round. */
async function measureAll(
  cases: readonly Case[],
  subject: Subject,
  { quick = false, quiet = false, time }: BenchValues,
  signal: AbortSignal,
): Promise<Sampling[][]> {
  const { rounds, timeMs, warmUpMs } = quick ? quickly : thorough;
  const timing = { timeMs: (time ?? timeMs) / rounds, warmUpMs };
  if (!quiet) note(`Measuring ${showCount(cases.length, "case")} in turn, ${rounds} times each`);
  const progress = await startProgress(
    cases.length * rounds,
    Number.POSITIVE_INFINITY,
    quiet,
    "measurements",
  );
  try {
    return await measureInRounds(
      cases,
      rounds,
      (each) => measureApart(each, subject, timing, signal),
      (done) => progress.update(done),
    );
  } finally {
    progress.stop();
  }
}

function resolveSubject({ days, engine = "auto", ...values }: BenchValues): Subject {
  const { scenario, seed, threads } = resolveRun(values);
  return { scenario, seed, days, threads, engine };
}

function chooseCases(subject: Subject, { suite = suites.map(({ name }) => name) }: BenchValues): Case[] {
  return selectCases(listCases(subject), suite);
}

/** A line for each name that is no suite's; otherwise one if the suites have no case. */
function findSuiteProblems(values: BenchValues, nameOf: string): string[] {
  const { suite = [] } = values;
  const names = suites.map(({ name }) => name);
  const unknown = suite.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return unknown.map(
      (name) => `${nameOf} must be one or more of ${names.join(", ")}, got ${name}${suggestion(name, names)}`,
    );
  }
  return chooseCases(resolveSubject(values), values).length > 0
    ? []
    : [`${nameOf} must be suites that have cases for this scenario and engine, got ${suite.join(",")}`];
}

/** Puts the earlier result into `files`; a line where that cannot be done. */
async function openEarlier(
  path: string | undefined,
  nameOf: string,
  files: { earlier?: Earlier },
): Promise<string[]> {
  if (path === undefined) return [];
  try {
    files.earlier = await readEarlier(path);
    return [];
  } catch (error) {
    return [
      `${nameOf} must be the bench.csv of an earlier benchmark, got ${path} (${describeFileError(error)})`,
    ];
  }
}

function readNames(input: unknown): string[] | undefined {
  const names = typeof input === "string" ? input.split(",") : input;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return undefined;
  const given = names.map((name) => name.trim()).filter((name) => name !== "");
  return given.length > 0 ? given : undefined;
}
