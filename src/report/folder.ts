// A result folder: checked before the work, filled after it. Each file appears whole or not at all.
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import type { PackageDescriptor } from "./datapackage.js";

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

/** What a failed file operation means to a person, without the file's name. */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: "permission denied",
    EEXIST: "a file is in the way",
    EISDIR: "it is a folder",
    ENOENT: "no such file or folder",
    ENOSPC: "no space left on the device",
    ENOTDIR: "a file is in the way",
    EPERM: "not permitted",
    EROFS: "the file system is read-only",
  };
  return (code === undefined ? undefined : reasons[code]) ?? message;
}

/** A folder that receives the files of one result. */
export class ResultFolder {
  readonly path: string;
  readonly #written: string[] = [];
  /** Files of an earlier result that this one lacks. */
  #stale: readonly string[] = [];
  /** Files that are written bit by bit. */
  readonly #streams = new Map<string, WriteStream>();

  /** Folders that were made for this result, the outermost first. */
  readonly #made: readonly string[];

  private constructor(path: string, made: readonly string[]) {
    this.path = path;
    this.#made = made;
  }

  /**
   * Makes the folder where there is none and tries to write to it.
   *
   * @throws what the file system says where it cannot be written
   */
  static async open(path: string): Promise<ResultFolder> {
    const made = await makeFolder(resolve(path));
    const probe = join(path, `.redrive-${process.pid}`);
    await writeFile(probe, "");
    await rm(probe);
    return new ResultFolder(path, made);
  }

  /** Writes a file, which gets its name when the result is published. */
  async write(name: string, text: string): Promise<void> {
    this.#written.push(name);
    await writeFile(partial(join(this.path, name)), text, { flush: true });
  }

  /** Gives all files their names: from here on the folder holds this result. */
  async publish(): Promise<void> {
    for (const name of this.#written) await rename(partial(join(this.path, name)), join(this.path, name));
    for (const name of this.#stale) await rm(join(this.path, name), { force: true });
  }

  /** Gives the files of a report their names; those of an earlier report that this one lacks are removed. */
  async publishReport(): Promise<void> {
    this.#stale = (await this.#reportFiles()).filter((name) => !this.#written.includes(name));
    await this.publish();
  }

  /** Adds text to a file that is written bit by bit. Waits while the disk is behind. */
  async append(name: string, text: string): Promise<void> {
    let file = this.#streams.get(name);
    if (file === undefined) {
      file = openPartial(join(this.path, name));
      this.#streams.set(name, file);
      this.#written.push(name);
    }
    if (file.errored) throw file.errored;
    if (!file.write(text)) await once(file, "drain");
  }

  /** Ends the files that were written bit by bit. */
  async finishAppended(): Promise<void> {
    for (const file of this.#streams.values()) {
      file.end();
      await finished(file);
    }
    this.#streams.clear();
  }

  /** Removes what is unfinished, and the folder where it was made for this result and is empty. */
  async abandon(): Promise<void> {
    for (const file of this.#streams.values()) file.destroy();
    this.#streams.clear();
    for (const name of this.#written) await rm(partial(join(this.path, name)), { force: true });
    for (const folder of this.#made.toReversed()) await rmdir(folder).catch(() => {});
  }

  /** Writes the data package; files that an earlier result left here and this one does not have are removed. */
  async writePackage(descriptor: PackageDescriptor): Promise<void> {
    const stale = (await this.#filesOfEarlierResult(descriptor.name)).filter(
      (name) => !this.#written.includes(name),
    );
    await this.write("datapackage.json", `${JSON.stringify(descriptor, null, 2)}\n`);
    this.#stale = stale;
  }

  async #filesOfEarlierResult(ofPackage: string): Promise<string[]> {
    try {
      const { name, resources } = JSON.parse(await readFile(join(this.path, "datapackage.json"), "utf8"));
      if (name !== ofPackage) return [];
      const paths: unknown[] = resources.map(({ path }: { path: unknown }) => path);
      const tables = paths.filter((path) => typeof path === "string" && /^[a-z]+\.csv$/.test(path));
      return [...(tables as string[]), ...(await this.#reportFiles())];
    } catch {
      return [];
    }
  }

  /** The files of a report about an earlier result. */
  async #reportFiles(): Promise<string[]> {
    return (await readdir(this.path)).filter((name) => /^report(-[a-z0-9-]+\.svg|\.html)$/.test(name));
  }
}

/**
 * Makes a folder and those above it, one by one: in /proc, Node's own recursive mkdir never returns.
 *
 * @returns the folders that were made, the outermost first
 */
async function makeFolder(path: string): Promise<string[]> {
  const made: string[] = [];
  try {
    if ((await stat(path)).isDirectory()) return made;
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (dirname(path) !== path) made.push(...(await makeFolder(dirname(path))));
  }
  await mkdir(path);
  return [...made, path];
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** An error of the stream is thrown by whoever next waits for it, not by the event. */
function openPartial(path: string): WriteStream {
  return createWriteStream(partial(path)).on("error", () => {});
}

function partial(path: string): string {
  return `${path}.partial`;
}
