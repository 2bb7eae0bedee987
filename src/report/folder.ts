// A result folder: checked before the work, filled after it. Each file appears whole or not at all.
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  truncate,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Checkpoint, readCheckpoints, removeCheckpoints, writeCheckpoint } from "./checkpoint.js";
import { CheckpointClock } from "./checkpoint-clock.js";
import type { PackageDescriptor } from "./datapackage.js";
import { syncFolder, writeThrough } from "./durable.js";
import { FolderLock } from "./lock.js";

/** What an unfinished result depends on, and what is known of it so far. */
export type Standing = Pick<Checkpoint, "identity" | "state">;

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

/** Packages of which one replaces the other. */
export const studyPackages: readonly string[] = ["redrive-run", "redrive-sweep"];

/** A file that is written bit by bit. */
interface Growing {
  readonly file: FileHandle;
  /** Bytes that were written. */
  length: number;
}

/** A folder that receives the files of one result, which this process alone writes to. */
export class ResultFolder {
  readonly path: string;
  readonly #lock: FolderLock;
  /** Folders that were made for this result, the outermost first. */
  readonly #made: readonly string[];
  readonly #written: string[] = [];
  /** Files of an earlier result that this one lacks. */
  #stale: readonly string[] = [];
  readonly #growing = new Map<string, Growing>();
  /** Lengths of the growing files when what they hold was last complete. */
  #marked: ReadonlyMap<string, number> | undefined;
  readonly #clock = new CheckpointClock();
  /** Whether the result may have checkpoints; those of another one are left alone. */
  #hasCheckpoints = false;

  private constructor(path: string, made: readonly string[], lock: FolderLock) {
    this.path = path;
    this.#made = made;
    this.#lock = lock;
  }

  /**
   * Makes the folder where there is none and takes its lock, which also shows that it can be written.
   *
   * @throws FolderInUseError while another process writes to it, else what the file system says
   */
  static async open(path: string): Promise<ResultFolder> {
    const made = await makeFolder(resolve(path));
    try {
      return new ResultFolder(path, made, await FolderLock.take(path));
    } catch (error) {
      for (const folder of made.toReversed()) await rmdir(folder).catch(() => {});
      throw error;
    }
  }

  /** Where an unfinished result in the folder can be gone on with; undefined where there is none. */
  async findCheckpoint(): Promise<Checkpoint | undefined> {
    for (const checkpoint of await readCheckpoints(this.path)) {
      if (checkpoint.publishing !== undefined || (await this.#hasFilesOf(checkpoint))) return checkpoint;
    }
    return undefined;
  }

  /** Removes what an unfinished result left here; one that had come to its end is completed instead. */
  async startAnew(): Promise<void> {
    this.#hasCheckpoints = true;
    const publishing = (await this.findCheckpoint())?.publishing;
    if (publishing !== undefined) await this.#nameFiles(publishing);
    await removeCheckpoints(this.path);
    await this.#removePartials(() => true);
  }

  /** Opens the files of an unfinished result and cuts them to what the checkpoint covers. */
  async goOn({ lengths, publishing }: Checkpoint): Promise<void> {
    this.#hasCheckpoints = true;
    if (publishing !== undefined) return;
    await this.#removePartials((name) => !lengths.has(name));
    for (const [name, length] of lengths) {
      const file = await open(this.#partial(name), "r+");
      this.#growing.set(name, { file, length });
      this.#written.push(name);
    }
    this.#marked = lengths;
    await this.#cut(lengths);
  }

  /** Writes a file, which gets its name when the result is published. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    this.#written.push(name);
    await writeThrough(this.#partial(name), content);
  }

  /** Where a file of this result is to be read until it gets its name. */
  pathBeforePublished(name: string): string {
    return this.#partial(name);
  }

  /** Gives the files of a report their names; those of an earlier report that this one lacks are removed. */
  async publishReport(): Promise<void> {
    this.supersede(await this.#reportFiles());
    await this.publish();
  }

  /** Says which files an earlier result may have: those that this one has not written are removed when it is published. */
  supersede(names: readonly string[]): void {
    this.#stale = names.filter((name) => !this.#written.includes(name));
  }

  /** Adds text to a file that is written bit by bit. */
  async append(name: string, text: string): Promise<void> {
    let growing = this.#growing.get(name);
    if (growing === undefined) {
      growing = { file: await open(this.#partial(name), "w"), length: 0 };
      this.#growing.set(name, growing);
      this.#written.push(name);
    }
    const bytes = Buffer.from(text);
    for (let begin = 0; begin < bytes.length; ) {
      const { file, length } = growing;
      const { bytesWritten } = await file
        .write(bytes, begin, bytes.length - begin, length)
        .catch((error) => fail(error, this.#partial(name)));
      begin += bytesWritten;
      growing.length += bytesWritten;
    }
  }

  /** Says that what was appended so far belongs together. */
  mark(): void {
    this.#marked = new Map([...this.#growing].map(([name, { length }]) => [name, length]));
  }

  /** Whether it is time for a checkpoint: now and then, and never so often that it would cost much. */
  get isCheckpointDue(): boolean {
    return this.#clock.isDue;
  }

  /** Writes a checkpoint of what was marked. */
  async saveCheckpoint(standing: Standing): Promise<void> {
    const lengths = this.#marked ?? new Map<string, number>();
    await this.#clock.measure(async () => {
      for (const { file } of this.#growing.values()) await file.datasync();
      await writeCheckpoint(this.path, { ...standing, lengths });
    });
  }

  /** Ends the files that were written bit by bit. */
  async finishAppended(): Promise<void> {
    for (const { file } of this.#growing.values()) await file.sync();
    await this.#close();
  }

  /**
   * Gives all files their names: from here on the folder holds this result.
   *
   * @param standing - with it, names that are given only in part before a crash are given on the next occasion
   * @returns the names
   */
  async publish(standing?: Standing): Promise<readonly string[]> {
    const publishing = { names: this.#written, stale: this.#stale };
    if (standing !== undefined) {
      await writeCheckpoint(this.path, { ...standing, lengths: this.#marked ?? new Map(), publishing });
    }
    await this.#nameFiles(publishing);
    if (this.#hasCheckpoints) await removeCheckpoints(this.path);
    this.#lock.release();
    return publishing.names;
  }

  /** Completes a result that had come to its end. */
  async completePublishing({ publishing }: Checkpoint): Promise<void> {
    if (publishing !== undefined) await this.#nameFiles(publishing);
    await removeCheckpoints(this.path);
    this.#lock.release();
  }

  /**
   * Ends the work early, so that it can be gone on with: from what was marked last or, where that cannot be written,
   * from the last checkpoint. Temporary files beyond it are removed.
   *
   * @param standing - what was done when it was marked; undefined for nothing
   * @returns what is kept; undefined where that is nothing, and then the folder is as it was
   */
  async keep(standing: Standing | undefined): Promise<Checkpoint | undefined> {
    // Of a result that had come to its end, nothing is computed again.
    const saved = await this.findCheckpoint();
    if (standing !== undefined && this.#marked !== undefined && saved?.publishing === undefined) {
      try {
        // Makes room on a full disk.
        await this.#removePartials((name) => this.#marked?.has(name) !== true);
        await this.#reopen(this.#marked);
        await this.#cut(this.#marked);
        await this.saveCheckpoint(standing);
      } catch {
        // The last checkpoint counts.
      }
    }
    const kept = await this.findCheckpoint();
    if (kept === undefined) {
      await this.abandon();
      return undefined;
    }
    if (kept.publishing === undefined) {
      await this.#removePartials((name) => !kept.lengths.has(name));
      await this.#cut(kept.lengths).catch(() => {});
    }
    await this.#close();
    this.#lock.release();
    return kept;
  }

  /** Leaves the folder as it is to others. */
  release(): void {
    this.#lock.release();
  }

  /** Removes what is unfinished, and the folder where it was made for this result and is empty. */
  async abandon(): Promise<void> {
    await this.#close().catch(() => {});
    if (this.#hasCheckpoints) await removeCheckpoints(this.path);
    for (const name of this.#written) await rm(this.#partial(name), { force: true });
    this.#lock.release();
    for (const folder of this.#made.toReversed()) await rmdir(folder).catch(() => {});
  }

  /** Writes the data package; files that an earlier result left here and this one does not have are removed. */
  async writePackage(descriptor: PackageDescriptor): Promise<void> {
    this.supersede(await this.#filesOfEarlierResult(descriptor.name));
    await this.write("datapackage.json", `${JSON.stringify(descriptor, null, 2)}\n`);
  }

  async #nameFiles({ names, stale }: NonNullable<Checkpoint["publishing"]>): Promise<void> {
    for (const name of names) {
      await rename(this.#partial(name), join(this.path, name)).catch(async (error) => {
        // It has its name already.
        if (!isMissing(error)) throw error;
        await stat(join(this.path, name));
      });
    }
    for (const name of stale) await rm(join(this.path, name), { force: true });
    await syncFolder(this.path);
  }

  async #hasFilesOf({ lengths }: Checkpoint): Promise<boolean> {
    for (const [name, length] of lengths) {
      const found = await stat(this.#partial(name)).catch(() => undefined);
      if (found === undefined || found.size < length) return false;
    }
    return true;
  }

  /** Opens files again that were ended. */
  async #reopen(lengths: ReadonlyMap<string, number>): Promise<void> {
    for (const [name, length] of lengths) {
      if (this.#growing.has(name)) continue;
      this.#growing.set(name, { file: await open(this.#partial(name), "r+"), length });
    }
  }

  async #cut(lengths: ReadonlyMap<string, number>): Promise<void> {
    for (const [name, length] of lengths) {
      const growing = this.#growing.get(name);
      await (growing?.file.truncate(length) ?? truncate(this.#partial(name), length));
      if (growing !== undefined) growing.length = length;
    }
  }

  async #close(): Promise<void> {
    const growing = [...this.#growing.values()];
    this.#growing.clear();
    for (const { file } of growing) await file.close();
  }

  async #removePartials(isWanted: (name: string) => boolean): Promise<void> {
    for (const entry of await readdir(this.path)) {
      const name = partialName.exec(entry)?.[1];
      if (name === undefined || !isWanted(name)) continue;
      await this.#growing.get(name)?.file.close();
      this.#growing.delete(name);
      await rm(join(this.path, entry), { force: true });
    }
  }

  async #filesOfEarlierResult(ofPackage: string): Promise<string[]> {
    try {
      const { name, resources } = JSON.parse(await readFile(join(this.path, "datapackage.json"), "utf8"));
      const isReplaced = name === ofPackage || (isStudy(name) && isStudy(ofPackage));
      if (!isReplaced) return [];
      const paths: unknown[] = resources.map(({ path }: { path: unknown }) => path);
      const tables = paths.filter((path) => typeof path === "string" && /^[a-z]+\.(csv|xlsx)$/.test(path));
      return [...(tables as string[]), ...(await this.#reportFiles())];
    } catch {
      return [];
    }
  }

  /** The files of a report about an earlier result. */
  async #reportFiles(): Promise<string[]> {
    return (await readdir(this.path)).filter((name) => /^report(-[a-z0-9-]+\.svg|\.html)$/.test(name));
  }

  #partial(name: string): string {
    return join(this.path, `${name}.partial`);
  }
}

/** The temporary name of a file of a result. */
const partialName = /^([a-z0-9-]+\.(?:csv|jsonl?|xlsx|html|svg))\.partial$/;

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

/** Runs and sweeps replace each other. */
function isStudy(packageName: string): boolean {
  return studyPackages.includes(packageName);
}

/** @throws the error of an open file, with the name that it lacks */
function fail(error: Error, path: string): never {
  throw Object.assign(error, { path });
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
