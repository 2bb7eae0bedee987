// Where a folder is or will be: whether it can be written, how much room there is, and how it is made.
import { access, constants, mkdir, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeFileError, isMissing } from "./file-error.js";

/** Why results cannot be written to a folder, or undefined. Looks only; nothing is written. */
export async function findFolderProblem(folder: string): Promise<string | undefined> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      if (!(await stat(path)).isDirectory()) return `${path} is not a folder`;
      await access(path, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      if (!isMissing(error)) return describeFileError(error);
    }
  }
}

/** Bytes that are free where a folder is or will be; undefined where the system does not say. */
export async function findFreeBytes(folder: string): Promise<number | undefined> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch (error) {
      if (!isMissing(error) || dirname(path) === path) return undefined;
    }
  }
}

/**
 * Makes a folder and those above it, one by one: in /proc, Node's own recursive mkdir never returns.
 *
 * @returns the folders that were made, the outermost first
 */
export async function makeFolder(path: string): Promise<string[]> {
  const made: string[] = [];
  try {
    if ((await stat(path)).isDirectory()) return made;
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (dirname(path) !== path) made.push(...(await makeFolder(dirname(path))));
  }
  try {
    await mkdir(path);
  } catch (error) {
    // Shards that start at the same moment make the folder of all of them.
    const isThere = (await stat(path).catch(() => undefined))?.isDirectory();
    if (isThere) return made;
    throw error;
  }
  return [...made, path];
}
