// Results that are not finished: where a command goes on from, and what it leaves behind when it ends early.
import { createHash } from "node:crypto";
import { type Grid, parameters } from "../experiment/grid.js";
import type { Simulation } from "../experiment/settings.js";
import { formatRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { inOneLine, SettingsError } from "../model/settings.js";
import type { Checkpoint } from "../report/checkpoint.js";
import type { ResultFolder, Standing } from "../report/folder.js";
import { version } from "../version.js";
import { note } from "./terminal.js";

/** What a result depends on: the text of each setting, by its name. */
export type Identity = Readonly<Record<string, string>>;

/** What all commands that can go on keep of the time before. */
export interface Elapsed {
  readonly start: Date;
  readonly elapsedMs: number;
}

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

/** What the results of a run or sweep depend on. Threads and engine do not count. */
export function identityOf(
  { exact, days, seed, precision }: Simulation,
  scenarios: Scenario | Grid,
  output: Readonly<Record<string, unknown>>,
): Identity {
  const settings: Record<string, unknown> = {
    redrive: version,
    command: output.command,
    ...("workflows" in scenarios ? textsOf(scenarios) : textsOfGrid(scenarios)),
    engine: exact ? "exact" : "table or event",
    [precision === undefined ? "days" : "maxDays"]: days,
    seed,
    precision: precision?.share ?? "none",
    precisionOf:
      precision?.criteria.map(({ metric, statistic }) => `${metric}:${statistic}`).join() ?? "none",
    ...output,
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shorten(String(value))]));
}

/**
 * Prepares a folder for a result: to go on with the unfinished one there, or from the beginning.
 *
 * @returns where to go on, undefined for the beginning
 * @throws SettingsError with one line for each setting that differs from that of the unfinished result
 */
export async function beginResult(
  folder: ResultFolder,
  identity: Identity,
  { resume, quiet, flagOf }: { resume: boolean; quiet: boolean; flagOf: (setting: string) => string },
): Promise<Checkpoint | undefined> {
  const found = await folder.findCheckpoint();
  if (found !== undefined && resume) {
    const problems = findDifferences(found.identity as Identity, identity, folder.path, flagOf);
    if (problems.length > 0) {
      folder.release();
      throw new SettingsError(problems);
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

/**
 * Ends a command early and keeps what it has done.
 *
 * @param standing - what was done; undefined for nothing
 * @param describe - says how much of a checkpoint's work is done, such as "5 of 10 days are"
 */
export async function endEarly(
  folder: ResultFolder,
  standing: Standing | undefined,
  describe: (state: never) => string,
  cause: unknown,
): Promise<EndedEarly | SettingsError> {
  if (cause instanceof SettingsError) {
    await folder.abandon();
    return cause;
  }
  const kept = await folder.keep(standing);
  return new EndedEarly(
    cause,
    kept &&
      `${describe(kept.state as never)} kept in ${folder.path}, the same command with --resume goes on from there`,
  );
}

/** What is no setting. */
const namesOfOthers: Readonly<Record<string, string>> = {
  redrive: "the version of redrive",
  command: "the command",
};

function findDifferences(
  before: Identity,
  now: Identity,
  path: string,
  flagOf: (setting: string) => string,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    if (before[name] === now[name]) return [];
    const where = namesOfOthers[name] ?? flagOf(name);
    return [
      `${where} must be ${shown(before[name], "left out")} to go on with the unfinished result in ${path}, ` +
        `got ${shown(now[name], "nothing")}; leave out --resume to start anew`,
    ];
  });
}

function textsOf(scenario: Scenario): Record<string, string> {
  return Object.fromEntries(parameters.map((name) => [name, textOf(scenario[name])]));
}

function textsOfGrid(grid: Grid): Record<string, string> {
  const lists = grid.map(({ name, axes }) => ({
    ...(name !== undefined && { name }),
    ...Object.fromEntries(parameters.map((parameter) => [parameter, axes[parameter].map(textOf).join()])),
  }));
  return lists.length === 1 && grid[0].name === undefined
    ? (lists[0] as Record<string, string>)
    : { scenarios: JSON.stringify(lists) };
}

function textOf(value: Scenario[keyof Scenario]): string {
  if (typeof value !== "object") return String(value);
  return "kind" in value ? formatRatio(value) : JSON.stringify(value);
}

function shown(text: string | undefined, missing: string): string {
  return text === "" ? "an empty text" : inOneLine(text ?? missing);
}

/** Long texts are shown by their beginning and compared by a checksum. */
function shorten(text: string): string {
  if (text.length <= 200) return text;
  return `${text.slice(0, 60)}... (${createHash("sha256").update(text).digest("hex").slice(0, 16)})`;
}
