// The checkpoint of an unfinished result: what was computed so far and how long its files were then.
import { createHash } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { replaceFile } from "./durable.js";

/** The file that marks a folder as one with an unfinished result. */
const checkpointName = ".redrive-checkpoint";
const temporaryName = `${checkpointName}.partial`;
const previousName = `${checkpointName}.previous`;

/** What is known of an unfinished result. */
export interface Checkpoint {
  /** What the result depends on, by the name of the setting. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Bytes of each file that is written bit by bit. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Whatever the command needs to go on. */
  readonly state: unknown;
  /** Where all is computed and written: the files that get their names, and those of an earlier result that go. */
  readonly publishing?: { readonly names: readonly string[]; readonly stale: readonly string[] };
}

/** Puts a checkpoint in the place of the one before, which is kept beside it. */
export async function writeCheckpoint(folder: string, checkpoint: Checkpoint): Promise<void> {
  const path = join(folder, checkpointName);
  const content = serialize(checkpoint);
  // A checkpoint that is there is whole; should the disk have damaged it, the one before is used.
  await rename(path, join(folder, previousName)).catch(() => {});
  await replaceFile(path, join(folder, temporaryName), Buffer.concat([headerOf(content), content]));
}

/** The checkpoints of a folder that are whole, the newest first. */
export async function readCheckpoints(folder: string): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  for (const name of [checkpointName, previousName]) {
    const file = await readFile(join(folder, name)).catch(() => undefined);
    if (file === undefined) continue;
    const content = file.subarray(file.indexOf("\n") + 1);
    if (file.subarray(0, file.length - content.length).equals(headerOf(content))) {
      try {
        found.push(deserialize(content) as Checkpoint);
      } catch {
        // Written by a Node that this one does not understand.
      }
    }
  }
  return found;
}

/** Whether a folder has a checkpoint; while one is written there is only the one before. */
export function hasCheckpoint(names: readonly string[]): boolean {
  return names.includes(checkpointName) || names.includes(previousName);
}

/** Removes them, the newest last: until then it is the one that counts. */
export async function removeCheckpoints(folder: string): Promise<void> {
  for (const name of [temporaryName, previousName, checkpointName]) {
    await rm(join(folder, name), { force: true });
  }
}

/** A first line with a checksum. */
function headerOf(content: Uint8Array): Buffer {
  return Buffer.from(`redrive checkpoint 1 ${createHash("sha256").update(content).digest("hex")}\n`);
}
