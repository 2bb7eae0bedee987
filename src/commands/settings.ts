// The settings of a command, from the command line and a config file together; all that is wrong is said at once.
import type { Simulation } from "../experiment/settings.js";
import {
  checkSettings,
  flag,
  oneOf,
  parsed,
  SettingsError,
  type SettingTable,
  type SettingValues,
  suggestion,
} from "../model/settings.js";
import { csvDialects } from "../report/csv.js";
import { workbookName } from "../report/datapackage.js";
import {
  describeFileError,
  findFolderProblem,
  findFreeBytes,
  ResultFolder,
  studyPackages,
} from "../report/folder.js";
import { findForeignFile } from "../report/folder-owner.js";
import { FolderInUseError } from "../report/lock.js";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../report/tables.js";
import type { TypedOptions } from "./options.js";

export const formats = ["table", "json", "csv"] as const;

export type Format = (typeof formats)[number];

/** Settings of what is printed and written. */
export const outputSettings = {
  out: parsed("the name of a folder", (input) =>
    typeof input === "string" && input.trim() !== "" ? input : undefined,
  ),
  format: oneOf(...formats),
  daysCsv: flag(),
  csvDialect: oneOf(...csvDialects),
  xlsx: flag(),
  quiet: flag(),
  color: flag(),
} satisfies SettingTable;

/** Settings of commands that can go on with an unfinished result. */
export const resumeSettings = { resume: flag() } satisfies SettingTable;

/**
 * Checks what was typed, and the config file that it may name, against a table of settings.
 *
 * @param alsoWrong - further problems, found from the settings that do fit
 * @throws SettingsError with one line for each thing wrong
 */
export async function gatherSettings<Table extends SettingTable>(
  table: Table,
  { given: { config, ...given }, unknown, flagOf, flags }: TypedOptions,
  alsoWrong: (values: Partial<SettingValues<Table>>) => Promise<readonly string[]> = async () => [],
): Promise<Partial<SettingValues<Table>>> {
  const typed = checkSettings(table, given, (setting = "") => flagOf(setting));
  const problems = [...describeUnknown(unknown, flags), ...typed.problems];
  let values = typed.values;
  if (typeof config === "string") {
    const { readJson } = await import("./json-file.js");
    const file = await readJson(config, "--config");
    if ("problems" in file) {
      problems.push(...file.problems);
    } else {
      const configured = checkSettings(
        table,
        file.value,
        (setting = "the content") => `${setting} in ${config}`,
      );
      problems.push(...configured.problems);
      values = { ...configured.values, ...values };
    }
  }
  problems.push(...(await alsoWrong(values)));
  if (problems.length > 0) throw new SettingsError(problems);
  return values;
}

/** A line where days are to be written and none is simulated. */
export function checkDays(
  { engine }: { readonly engine?: string | undefined },
  daysCsv: boolean | undefined,
  nameOf: (setting: string) => string,
): readonly string[] {
  if (engine !== "exact" || daysCsv !== true) return [];
  return [`${nameOf("daysCsv")} must be left out with ${nameOf("engine")} exact, which simulates no days`];
}

/** A row of days.csv has at least about so many bytes. */
const bytesOfDay = 40;

/** A line where the days of so many scenarios, from the first one on, cannot fit on the disk. */
export async function checkSpace(
  out: string,
  { days, precision }: Simulation,
  scenarios: number,
  daysCsv: boolean,
  nameOf: (setting: string) => string,
): Promise<readonly string[]> {
  if (!daysCsv || precision !== undefined) return [];
  const needed = scenarios * days * bytesOfDay;
  // What is small needs no look at the disk.
  const free = needed < 1e6 ? undefined : await findFreeBytes(out);
  if (free === undefined || needed <= free) return [];
  const count = (n: number) => n.toLocaleString("en-US");
  const extent = `${scenarios > 1 ? `${count(scenarios)} scenarios of ` : ""}${count(days)} days`;
  return [
    `${nameOf("daysCsv")} must be left out for ${extent}, which need about ${showBytes(needed)} ` +
      `where ${showBytes(free)} are free`,
  ];
}

function showBytes(bytes: number): string {
  const [size, unit] = (
    [
      [1e12, "TB"],
      [1e9, "GB"],
      [1e6, "MB"],
    ] as const
  ).find(([size]) => bytes >= size) ?? [1, "bytes"];
  return `${Number((bytes / size).toPrecision(2))} ${unit}`;
}

/** All files that a run or a sweep may write. */
const studyFiles = [
  ...[summaryTable, distributionTable, sweepTable, daysTable].map(({ name }) => `${name}.csv`),
  workbookName,
  "datapackage.json",
  "manifest.json",
];

/** A line where the folder cannot be written, as far as can be told without writing, or holds files of others. */
export async function checkFolder(
  out: string,
  nameOf: string,
  files: readonly string[] = studyFiles,
  owners = studyPackages,
): Promise<readonly string[]> {
  const problem = await findFolderProblem(out);
  if (problem !== undefined) return [folderProblem(out, nameOf, problem)];
  const foreign = await findForeignFile(out, files, owners);
  if (foreign === undefined) return [];
  return [
    `${nameOf} must be a folder where ${foreign} can be replaced, got ${out} (it is not of such a result); ` +
      "choose another folder, or move the file",
  ];
}

/** Opens the folder for the results before any of them is computed. */
export async function openFolder(out: string, nameOf: string): Promise<ResultFolder> {
  try {
    return await ResultFolder.open(out);
  } catch (error) {
    if (error instanceof FolderInUseError) {
      throw new SettingsError([
        `${nameOf} must be a folder that no other process writes to, got ${out} (${error.message})`,
      ]);
    }
    throw new SettingsError([folderProblem(out, nameOf, describeFileError(error))]);
  }
}

function folderProblem(out: string, nameOf: string, reason: string): string {
  return `${nameOf} must be a folder that can be written, got ${out} (${reason})`;
}

/** A line for each word that is no option; a word behind an unknown option is taken for its value. */
function describeUnknown(words: readonly string[], flags: readonly string[]): string[] {
  const isFlag = (word: string | undefined) => word?.startsWith("-") === true && word !== "-";
  return words.flatMap((word, i) => {
    if (isFlag(word)) {
      const [name, value] = word.split("=");
      if (flags.includes(name)) return [`${name} takes no value, got ${value}`];
      return [`${name} is no option of this command${suggestion(name, flags)}`];
    }
    return isFlag(words[i - 1]) ? [] : [`${word} is not expected here; options begin with --`];
  });
}
