// The folder of a result: what must hold of it before any work, and how it is opened.
import type { Simulation } from "../experiment/settings.js";
import type { Shard } from "../experiment/shard.js";
import { SettingsError } from "../model/settings.js";
import { workbookName } from "../report/datapackage.js";
import { describeFileError } from "../report/file-error.js";
import { ResultFolder, studyPackages } from "../report/folder.js";
import { findForeignFile } from "../report/folder-owner.js";
import { FolderInUseError } from "../report/lock.js";
import { shardName, shardPackage, talliesName } from "../report/shard-folder.js";
import { findFolderProblem, findFreeBytes } from "../report/site.js";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../report/tables.js";

/** A row of days.csv has at least about so many bytes. */
const bytesOfDay = 40;

/** A line where the days of so many scenarios, or a shard's part of them, cannot fit on the disk. */
export async function checkSpace(
  out: string,
  { days, precision }: Simulation,
  { scenarios, shard }: { readonly scenarios: number; readonly shard: Shard | undefined },
  nameOf: (setting: string) => string,
): Promise<readonly string[]> {
  if (precision !== undefined) return [];
  const needed = (scenarios * days * bytesOfDay) / (shard?.count ?? 1);
  // What is small needs no look at the disk.
  const free = needed < 1e6 ? undefined : await findFreeBytes(out);
  if (free === undefined || needed <= free) return [];
  const count = (n: number) => n.toLocaleString("en-US");
  const part = shard === undefined ? "" : `1/${count(shard.count)} of `;
  const extent = `${part}${scenarios > 1 ? `${count(scenarios)} scenarios of ` : ""}${count(days)} days`;
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

/** Files whose owner is to be known before they are replaced: their names, who may own them, and where that is said. */
export interface Ownership {
  readonly files: readonly string[];
  readonly owners: readonly string[];
  /** datapackage.json unless it is given. */
  readonly description?: string;
}

/** All files that a run or a sweep may write. */
const studyFiles: Ownership = {
  files: [
    ...[summaryTable, distributionTable, sweepTable, daysTable].map(({ name }) => `${name}.csv`),
    workbookName,
    "datapackage.json",
    "manifest.json",
  ],
  owners: studyPackages,
};

/** All files that a shard may write, or that would make a whole result of its folder. */
const shardFiles: Ownership = {
  files: [...studyFiles.files, shardName, talliesName],
  owners: [shardPackage],
  description: shardName,
};

/** The same for the folder of a run or sweep, or of a part of it. */
export async function checkStudyFolder(
  out: string,
  shard: Shard | undefined,
  nameOf: string,
): Promise<readonly string[]> {
  return checkFolder(out, nameOf, shard === undefined ? studyFiles : shardFiles);
}

/** A line where the folder cannot be written, as far as can be told without writing, or holds files of others. */
export async function checkFolder(
  out: string,
  nameOf: string,
  { files, owners, description }: Ownership,
): Promise<readonly string[]> {
  const problem = await findFolderProblem(out);
  if (problem !== undefined) return [folderProblem(out, nameOf, problem)];
  const foreign = await findForeignFile(out, files, owners, description);
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
