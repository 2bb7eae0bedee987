// What surrounds the making of a result: it goes on with an unfinished one, leaves checkpoints, and ends whole or early.
import { SettingsError } from "../model/settings.js";
import type { Checkpoint } from "../report/checkpoint.js";
import type { ResultFolder, Standing } from "../report/folder.js";
import { compareIdentities, type Identity } from "./identity.js";
import { note, type Progress } from "./terminal.js";

/** A command that ended early; its cause says why. */
export class EndedEarly extends Error {
  override readonly name = "EndedEarly";
  /** What is kept, and how to go on; undefined for nothing. */
  readonly kept: string | undefined;

  constructor(cause: unknown, kept: string | undefined) {
    super("ended early", { cause });
    this.kept = kept;
  }
}

/** The steps of a result whose `State` is what it needs to go on. */
export interface Steps<State, Result> {
  /**
   * Computes it.
   *
   * @param begun - where to go on
   * @param stand - called when what was appended to the folder so far is what this state stands for
   */
  readonly make: (begun: State | undefined, stand: (state: () => State) => Promise<void>) => Promise<Result>;
  /** Writes what has not been written yet. @returns a warning, where there is one */
  readonly write: (result: Result) => Promise<string | undefined>;
  /** The content of manifest.json. */
  readonly describeMaking: (result: Result, start: Date, elapsedMs: number) => object;
  /** Says how much of an unfinished result there is, such as "5 of 10 days are"; left out where --resume is no option. */
  readonly describeStanding?: (state: State) => string;
}

/** How a result is made. */
export interface Making {
  readonly identity: Identity;
  readonly resume: boolean;
  readonly quiet: boolean;
  readonly flagOf: (setting: string) => string;
  /** Stopped at the end, however that comes. */
  readonly progress: Progress;
}

/** A result that is in its folder. */
export interface Produced<Result> {
  readonly result: Result;
  readonly elapsedMs: number;
  readonly warning: string | undefined;
  /** Its files. */
  readonly names: readonly string[];
}

interface Elapsed {
  readonly start: Date;
  readonly elapsedMs: number;
}

/**
 * Makes a result and publishes it in the folder.
 *
 * @throws EndedEarly where it comes to no end; SettingsError where the unfinished result there is another one, with one
 *   line for each setting that differs
 */
export async function produce<State extends object, Result>(
  folder: ResultFolder,
  { identity, resume, quiet, flagOf, progress }: Making,
  { make, write, describeMaking, describeStanding }: Steps<State, Result>,
): Promise<Produced<Result>> {
  const checkpoint = await begin(folder, identity, { resume, quiet, flagOf }).catch((error) => {
    progress.stop();
    throw error;
  });
  const begun = checkpoint?.state as (State & Elapsed) | undefined;
  const start = begun?.start ?? new Date();
  const startMs = performance.now() - (begun?.elapsedMs ?? 0);
  let state = begun && ((): State => begun);
  const standing = () => ({
    identity,
    state: { ...state?.(), start, elapsedMs: performance.now() - startMs },
  });
  try {
    const result = await make(begun, async (now) => {
      state = now;
      folder.mark();
      if (folder.isCheckpointDue) await folder.saveCheckpoint(standing());
    });
    const elapsedMs = performance.now() - startMs;
    if (checkpoint?.publishing !== undefined) {
      await folder.completePublishing(checkpoint);
      return { result, elapsedMs, warning: undefined, names: checkpoint.publishing.names };
    }
    const warning = await write(result);
    const manifest = describeMaking(result, start, elapsedMs);
    await folder.write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
    return { result, elapsedMs, warning, names: await folder.publish(standing()) };
  } catch (error) {
    throw await endEarly(folder, state && standing(), describeStanding, error);
  } finally {
    progress.stop();
  }
}

/** Says where a result is. */
export function noteWritten(folder: ResultFolder, { warning, names, elapsedMs }: Produced<unknown>): void {
  if (warning !== undefined) note(warning);
  note(`\nWritten to ${folder.path}: ${names.join(", ")} (${(elapsedMs / 1000).toFixed(2)} s)`);
}

/** Prepares the folder. @returns where to go on with an unfinished result; undefined for the beginning */
async function begin(
  folder: ResultFolder,
  identity: Identity,
  { resume, quiet, flagOf }: Pick<Making, "resume" | "quiet" | "flagOf">,
): Promise<Checkpoint | undefined> {
  const found = await folder.findCheckpoint();
  if (found !== undefined && resume) {
    const differences = compareIdentities(found.identity as Identity, identity, flagOf);
    if (differences.length > 0) {
      folder.release();
      throw new SettingsError(
        differences.map(
          ({ name, one, other }) =>
            `${name} must be ${one} to go on with the unfinished result in ${folder.path}, got ${other}; ` +
            "leave out --resume to start anew",
        ),
      );
    }
    await folder.goOn(found);
    return found;
  }
  if (!quiet && resume) {
    note(`there is no unfinished result to go on with in ${folder.path}; starting from the beginning`);
  } else if (!quiet && found !== undefined && found.publishing === undefined) {
    note(`starting anew, over an unfinished result in ${folder.path}; --resume would have gone on with it`);
  }
  await folder.startAnew();
  return undefined;
}

/** Ends a result early and keeps what there is of it. */
async function endEarly<State>(
  folder: ResultFolder,
  standing: Standing | undefined,
  describeStanding: ((state: State) => string) | undefined,
  cause: unknown,
): Promise<EndedEarly | SettingsError> {
  if (cause instanceof SettingsError) {
    await folder.abandon();
    return cause;
  }
  const kept = await folder.keep(standing);
  if (kept === undefined) return new EndedEarly(cause, undefined);
  return new EndedEarly(
    cause,
    describeStanding === undefined
      ? `the finished files are kept in ${folder.path}, the same command puts them in place`
      : `${describeStanding(kept.state as State)} kept in ${folder.path}, ` +
          "the same command with --resume goes on from there",
  );
}
