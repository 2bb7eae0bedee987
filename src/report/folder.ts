// A result folder: checked before the work, filled after it. Each file appears whole or not at all.
import { readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Checkpoint, readCheckpoints, removeCheckpoints, writeCheckpoint } from "./checkpoint.js";
import { CheckpointClock } from "./checkpoint-clock.js";
import type { PackageDescriptor } from "./datapackage.js";
import { syncFolder, writeThrough } from "./durable.js";
import { isMissing } from "./file-error.js";
import { GrowingFiles } from "./growing-files.js";
import { FolderLock } from "./lock.js";
import { makeFolder } from "./site.js";

/** What an unfinished result depends on, and what is known of it so far. */
export type Standing = Pick<Checkpoint, "identity" | "state">;

/** Packages of which one replaces the other. */
export const studyPackages: readonly string[] = ["redrive-run", "redrive-sweep"];

/** A folder that receives the files of one result, which this process alone writes to. */
export class ResultFolder {
  readonly path: string;
  readonly #lock: FolderLock;
  /** Folders that were made for this result, the outermost first. */
  readonly #made: readonly string[];
  readonly #written: string[] = [];
  /** Files of an earlier result that this one lacks. */
  #stale: readonly string[] = [];
  readonly #growing = new GrowingFiles((name) => this.#partial(name));
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
      if (checkpoint.publishing !== undefined || (await this.#growing.reach(checkpoint.lengths)))
        return checkpoint;
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
    await this.#growing.goOn(lengths);
    this.#written.push(...lengths.keys());
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
    if (await this.#growing.append(name, text)) this.#written.push(name);
  }

  /** Says that what was appended so far belongs together. */
  mark(): void {
    this.#growing.mark();
  }

  /** Whether it is time for a checkpoint: now and then, and never so often that it would cost much. */
  get isCheckpointDue(): boolean {
    return this.#clock.isDue;
  }

  /** Writes a checkpoint of what was marked. */
  async saveCheckpoint(standing: Standing): Promise<void> {
    const lengths = this.#growing.marked ?? new Map<string, number>();
    await this.#clock.measure(async () => {
      await this.#growing.sync();
      await writeCheckpoint(this.path, { ...standing, lengths });
    });
  }

  /** Ends the files that were written bit by bit. */
  async finishAppended(): Promise<void> {
    await this.#growing.sync();
    await this.#growing.close();
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
      await writeCheckpoint(this.path, {
        ...standing,
        lengths: this.#growing.marked ?? new Map(),
        publishing,
      });
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
    const { marked } = this.#growing;
    if (standing !== undefined && marked !== undefined && saved?.publishing === undefined) {
      try {
        // Makes room on a full disk.
        await this.#removePartials((name) => !marked.has(name));
        await this.#growing.goOn(marked);
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
      await this.#growing.cut(kept.lengths).catch(() => {});
    }
    await this.#growing.close();
    this.#lock.release();
    return kept;
  }

  /** Leaves the folder as it is to others. */
  release(): void {
    this.#lock.release();
  }

  /** Removes what is unfinished, and the folder where it was made for this result and is empty. */
  async abandon(): Promise<void> {
    await this.#growing.close().catch(() => {});
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

  async #removePartials(isWanted: (name: string) => boolean): Promise<void> {
    for (const entry of await readdir(this.path)) {
      const name = partialName.exec(entry)?.[1];
      if (name === undefined || !isWanted(name)) continue;
      await this.#growing.drop(name);
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

/** Runs and sweeps replace each other. */
function isStudy(packageName: string): boolean {
  return studyPackages.includes(packageName);
}
