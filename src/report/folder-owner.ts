// Whose files a folder holds: a result replaces a result, and nothing else.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpointName } from "./checkpoint.js";

/**
 * A file that a result would overwrite although it belongs to none, or undefined. A folder belongs to a result if its
 * datapackage.json has one of these names, or if it holds a checkpoint: then some files may have got their names already.
 * A folder that cannot be read has no such file.
 *
 * @param names - files that a result may have
 * @param owners - names of packages that it may replace
 */
export async function findForeignFile(
  folder: string,
  names: readonly string[],
  owners: readonly string[],
): Promise<string | undefined> {
  const present = await readdir(folder).catch((): string[] => []);
  const found = names.find((name) => present.includes(name));
  if (found === undefined || present.includes(checkpointName)) return undefined;
  return owners.includes((await readPackageName(folder)) ?? "") ? undefined : found;
}

async function readPackageName(folder: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(join(folder, "datapackage.json"), "utf8"));
    return name;
  } catch {
    return undefined;
  }
}
