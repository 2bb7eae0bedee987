// Whose files a folder holds: a result replaces a result, and nothing else.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCheckpoint } from "./checkpoint.js";

/** The file that says whose files a folder holds, unless it is said otherwise. */
const packageName = "datapackage.json";

/**
 * A file that a result would overwrite although it belongs to none, or undefined. A folder belongs to a result if its
 * description has one of these names, or if it holds a checkpoint: then some files may have got their names already.
 * A folder that cannot be read has no such file.
 *
 * @param names - files that a result may have
 * @param owners - names of results that it may replace
 * @param description - the file with the name of the result
 */
export async function findForeignFile(
  folder: string,
  names: readonly string[],
  owners: readonly string[],
  description = packageName,
): Promise<string | undefined> {
  const present = await readdir(folder).catch((): string[] => []);
  const found = names.find((name) => present.includes(name));
  if (found === undefined || hasCheckpoint(present)) return undefined;
  return owners.includes((await readName(join(folder, description))) ?? "") ? undefined : found;
}

async function readName(path: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(path, "utf8"));
    return name;
  } catch {
    return undefined;
  }
}
