// What a result depends on, as texts that people can compare.
import { createHash } from "node:crypto";
import { type Grid, parameters } from "../experiment/grid.js";
import type { Simulation } from "../experiment/settings.js";
import { formatRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { inOneLine } from "../model/settings.js";
import { version } from "../version.js";

/** What a result depends on: the text of each setting, by its name. */
export type Identity = Readonly<Record<string, string>>;

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

/** A setting by which two results differ: how a person calls it, and its texts. */
export interface Difference {
  readonly name: string;
  readonly one: string;
  readonly other: string;
}

/** What is no setting. */
const namesOfOthers: Readonly<Record<string, string>> = {
  redrive: "the version of redrive",
  command: "the command",
};

/** The settings by which two results differ. */
export function compareIdentities(
  one: Identity,
  other: Identity,
  nameOf: (setting: string) => string = (setting) => setting,
): Difference[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => {
    if (one[name] === other[name]) return [];
    return [
      {
        name: namesOfOthers[name] ?? nameOf(name),
        one: shown(one[name], "left out"),
        other: shown(other[name], "nothing"),
      },
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
