// Writing that outlives a crash: a file is there whole, under its name, or not at all.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file and waits until it is on the disk. */
export async function writeThrough(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    // Of an open file, errors do not know the name.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
}

/**
 * Puts a file in place of another one in one step, by way of a temporary file beside it.
 *
 * @param temporary - its path, in the same folder; removed where anything fails
 */
export async function replaceFile(
  path: string,
  temporary: string,
  content: string | Uint8Array,
): Promise<void> {
  try {
    await writeThrough(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Waits until the names in a folder are on the disk, on systems where a folder can be opened. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"].includes(code)) throw error;
  }
}
