// The folder of a shard: its tallies, its days where they are wanted, and shard.json, which says what they are a part of.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Grid } from "../experiment/grid.js";
import type { Part } from "../experiment/merge.js";
import type { Precision } from "../experiment/precision.js";
import type { Shard } from "../experiment/shard.js";
import type { Scenario } from "../model/scenario.js";
import { version } from "../version.js";
import { hasCheckpoint } from "./checkpoint.js";
import type { CsvDialect } from "./csv.js";
import { describeFileError, isMissing } from "./file-error.js";
import type { ResultFolder } from "./folder.js";
import { parsePart } from "./part-json.js";

/** Names of the files of a shard. */
export const shardName = "shard.json";
export const talliesName = "tallies.jsonl";
/** Lines of days.csv without its header. */
export const daysName = "days-part.csv";

/** What marks shard.json as one of ours. */
export const shardPackage = "redrive-shard";

/** The whole that a shard is a part of; with the shard's files all that is needed to put it together. */
export interface Whole {
  readonly command: "run" | "sweep";
  /** What the result depends on, as texts by the name of the setting. */
  readonly identity: Readonly<Record<string, string>>;
  /** The scenario of a run, or the grid of a sweep. */
  readonly scenarios: Scenario | Grid;
  readonly days: number;
  readonly seed: string;
  readonly precision?: Precision | undefined;
  readonly writing: { readonly daysCsv: boolean; readonly csvDialect: CsvDialect; readonly xlsx: boolean };
}

/** How long a file is, and its SHA-256. */
interface FileMark {
  readonly bytes: number;
  readonly sha256: string;
}

/** The content of shard.json. */
interface ShardFile extends Whole {
  readonly name: typeof shardPackage;
  readonly redrive: string;
  /** Part `shard` of `of`, from 1. */
  readonly shard: number;
  readonly of: number;
  readonly files: Readonly<Record<string, FileMark>>;
  /** Of all the rest. */
  readonly sha256: string;
}

/** A shard that is complete and unharmed. */
export interface FoundShard extends Shard {
  readonly path: string;
  readonly whole: Whole;
  readonly files: ShardFile["files"];
}

/** Writes shard.json for files that are complete. They are read again, which takes long where they are large. */
export async function writeShard(
  folder: ResultFolder,
  whole: Whole,
  shard: Shard,
  signal: AbortSignal,
): Promise<void> {
  const files: Record<string, FileMark> = {};
  for (const name of [talliesName, ...(whole.writing.daysCsv ? [daysName] : [])]) {
    files[name] = await markOf(folder.pathBeforePublished(name), signal);
  }
  const content: Omit<ShardFile, "sha256"> = {
    name: shardPackage,
    redrive: version,
    shard: shard.number,
    of: shard.count,
    ...whole,
    files,
  };
  await folder.write(shardName, `${JSON.stringify({ ...content, sha256: checksumOf(content) }, null, 2)}\n`);
  folder.supersede([daysName]);
}

/** Something that is no shard, or not a whole one. */
export interface NoShard {
  readonly problem: string;
  /** Which one it would be, where that is known. */
  readonly number?: number;
}

/** Reads and checks a shard. @throws the reason of the signal once it is aborted */
export async function findShard(path: string, signal: AbortSignal): Promise<FoundShard | NoShard> {
  const text = await readFile(join(path, shardName), "utf8").catch((error: Error) => error);
  if (typeof text !== "string") return { problem: await describeLack(path, text) };
  const content = parse(text);
  if (content === undefined) return { problem: `${shardName} is not as it was written` };
  const { shard: number } = content;
  if (content.redrive !== version) {
    return { problem: `it is of version ${content.redrive}, this is ${version}`, number };
  }
  if (!isIntact(content)) return { problem: `${shardName} is not as it was written`, number };
  for (const [name, mark] of Object.entries(content.files)) {
    const harm = await findHarm(path, name, mark, signal);
    if (harm !== undefined) return { problem: harm, number };
  }
  const { shard: _, of, name: __, redrive: ___, sha256: ____, files, ...whole } = content;
  return { path, number, count: of, whole, files };
}

/** The parts in a shard, in order. @throws Error at the end where the shard has changed since it was found */
export async function* readParts(shard: FoundShard): AsyncGenerator<Part> {
  let line: string[] = [];
  for await (const text of readUnchanged(shard, talliesName)) {
    const [end, ...begins] = text.split("\n");
    line.push(end);
    for (const begin of begins) {
      yield parsePart(line.join(""));
      line = [begin];
    }
  }
}

/** The lines of days in a shard, in pieces. @throws Error at the end where the shard has changed since it was found */
export function readDays(shard: FoundShard): AsyncGenerator<string> {
  return readUnchanged(shard, daysName);
}

/** The text of a file, in pieces; it must still be what was checked, since somebody may make the shard anew meanwhile. */
async function* readUnchanged({ path, files }: FoundShard, name: string): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const decoder = new TextDecoder();
  for await (const piece of createReadStream(join(path, name)) as AsyncIterable<Buffer>) {
    hash.update(piece);
    yield decoder.decode(piece, { stream: true });
  }
  if (hash.digest("hex") !== files[name].sha256) {
    throw new Error(`${join(path, name)} has changed while it was read; merge again`);
  }
}

async function describeLack(path: string, error: Error): Promise<string> {
  const names = await readdir(path).catch(() => undefined);
  if (names !== undefined && hasCheckpoint(names)) {
    return "it is unfinished; its command with --resume goes on with it";
  }
  if (!isMissing(error)) return describeUnreadable(shardName, error);
  if (names === undefined) return "there is no such folder";
  const holdsShards = names.some((name) => /^\d+-of-\d+$/.test(name));
  return `it has no ${shardName}${holdsShards ? `; name the shards in it, such as ${join(path, "*-of-8")}` : ""}`;
}

function describeUnreadable(name: string, error: unknown): string {
  return `${name} cannot be read (${describeFileError(error)})`;
}

/** The content of a shard.json; undefined where it is none. */
function parse(text: string): ShardFile | undefined {
  try {
    const content = JSON.parse(text);
    return content.name === shardPackage ? content : undefined;
  } catch {
    return undefined;
  }
}

function isIntact({ sha256, ...content }: ShardFile): boolean {
  return sha256 === checksumOf(content);
}

function checksumOf(content: Omit<ShardFile, "sha256">): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

async function markOf(path: string, signal: AbortSignal): Promise<FileMark> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path, { signal })) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** What is wrong with a file of a shard; undefined for nothing. */
async function findHarm(
  folder: string,
  name: string,
  mark: FileMark,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const path = join(folder, name);
    const { size } = await stat(path);
    if (size !== mark.bytes) return `${name} has ${size} bytes of ${mark.bytes}`;
    const { sha256 } = await markOf(path, signal);
    return sha256 === mark.sha256 ? undefined : `${name} is not as it was written`;
  } catch (error) {
    signal.throwIfAborted();
    return isMissing(error) ? `${name} is missing` : describeUnreadable(name, error);
  }
}
