// The options of the commands, as typed. What a value must be is said by the settings; here is how it is written.
import type { Command } from "commander";
import { parseNumber } from "../model/ratio.js";

/** An option: the setting that it gives, how it is written, and what it means. */
interface OptionText {
  readonly setting: string;
  readonly flags: string;
  readonly help: string;
  /** Turns the text into what the same setting would be in a config file. */
  readonly read?: (text: string) => unknown;
}

/** A number where the text is one; other text stays, for the check to name it. */
const number = (text: string): unknown => parseNumber(text) ?? text;

const countOrNames = (text: string): unknown =>
  parseNumber(text) ?? text.split(",").map((name) => name.trim());

const scenarioOptions: readonly OptionText[] = [
  { setting: "workflows", flags: "--workflows <n>", read: number, help: "jobs per day (default: 4000)" },
  {
    setting: "steps",
    flags: "--steps <n|a,b,...>",
    read: countOrNames,
    help: "steps per job, as a count or as names (default: tariff,discount,invoice,notification)",
  },
  {
    setting: "kk3",
    flags: "--kk3 <x>",
    read: number,
    help:
      "stall ratio of a step, or a distribution drawn once per day: uniform(low,high), " +
      "triangular(low,mode,high), beta(a,b), lognormal(median,sigma), in quotes (default: 0.005)",
  },
  {
    setting: "kk2",
    flags: "--kk2 <x>",
    read: number,
    help: "persistent failure ratio of a workflow (default: 0.02)",
  },
  {
    setting: "scan",
    flags: "--scan <n>",
    read: number,
    help: "rounds between the supervisor's scans (default: 2)",
  },
  {
    setting: "lease",
    flags: "--lease <n>",
    read: number,
    help: "rounds after which a step without a result is re-driven (default: 2)",
  },
  {
    setting: "retryLimit",
    flags: "--retry-limit <n>",
    read: number,
    help: "executions of a step before its job is compensated (default: 3)",
  },
  {
    setting: "rounds",
    flags: "--rounds <n>",
    read: number,
    help: "length of a day, in rounds (default: 80)",
  },
  {
    setting: "stallOn",
    flags: "--stall-on <rule>",
    help: "first-attempt: only the first attempt of a step can stall, or every-attempt (default: first-attempt)",
  },
];

const runOptions: readonly OptionText[] = [
  {
    setting: "days",
    flags: "--days <n>",
    read: number,
    help: "days to simulate; 1e6 is accepted (default: 100000)",
  },
  {
    setting: "seed",
    flags: "--seed <text>",
    help: "any text; the same seed gives the same bytes (default: redrive)",
  },
  {
    setting: "threads",
    flags: "--threads <n>",
    read: number,
    help: "threads that share the work; never changes a result (default: all cores)",
  },
  {
    setting: "engine",
    flags: "--engine <name>",
    help: "table, event or auto; exact: no simulation, where the scenario allows (default: auto)",
  },
];

const precisionOptions: readonly OptionText[] = [
  {
    setting: "precision",
    flags: "--precision <p%>",
    help: "instead of --days: until the 95 % interval is within this percentage of the estimate, such as 1%",
  },
  {
    setting: "precisionOf",
    flags: "--precision-of <metric,...>",
    help:
      "what is to be so precise: metrics as in summary.csv, their mean, or with :p99 their p99 " +
      "(default: half_finished_unsupervised,wasted,recovery_delay_rounds,records_read)",
  },
  {
    setting: "maxDays",
    flags: "--max-days <n>",
    read: number,
    help: "days at most with --precision (default: 10000000)",
  },
];

const outputOptions: readonly OptionText[] = [
  { setting: "out", flags: "--out <folder>", help: "where the files go (default: results/run)" },
  {
    setting: "format",
    flags: "--format <name>",
    help: "what is printed: table, json or csv (default: table)",
  },
  { setting: "daysCsv", flags: "--days-csv", help: "also write one row per simulated day" },
  { setting: "csvDialect", flags: "--csv-dialect <name>", help: "rfc4180 or excel-eu (default: rfc4180)" },
  { setting: "xlsx", flags: "--xlsx", help: "also write a workbook: workbook.xlsx" },
  { setting: "quiet", flags: "--quiet", help: "print nothing but the result" },
  { setting: "color", flags: "--no-color", help: "print without color" },
];

const resumeOption = {
  setting: "resume",
  flags: "--resume",
  help: "go on with an interrupted run or sweep in the same folder",
};

const shardOption = {
  setting: "shard",
  flags: "--shard <i/n>",
  help: "only the i-th of n parts of the days, into a folder of its own, for redrive merge",
};

const configOption = {
  setting: "config",
  flags: "--config <file>",
  help: "the same settings as JSON, with camelCase keys; an option on the command line wins",
};

const fixtureOption = {
  setting: "fixture",
  flags: "--fixture <file>",
  help: "run a fixture, or an array of them, from a JSON file (- for stdin) instead of the lesson's tables",
};

const measuringOptions: readonly OptionText[] = [
  {
    setting: "suite",
    flags: "--suite <name,...>",
    help: "only these suites, and the baseline that they are compared with (default: all)",
  },
  { setting: "quick", flags: "--quick", help: "fewer rounds and less time: a first look" },
  {
    setting: "time",
    flags: "--time <ms>",
    read: number,
    help: "measured time per case, in milliseconds (default: 1000, or 250 with --quick)",
  },
  {
    setting: "baseline",
    flags: "--baseline <file>",
    help: "compare with the bench.csv of an earlier benchmark",
  },
];

/** What some options mean to `redrive bench`. */
const benchMeanings: Readonly<Record<string, string>> = {
  days: "days of a whole run (default: as many as take a few seconds at most)",
  seed: "any text; the same seed gives the same days (default: redrive)",
  threads: "most threads that are tried (default: all cores)",
  engine: "only cases of this engine: table, event or auto for both (default: auto)",
  out: "where the files go (default: results/bench)",
};

/** The options of `redrive bench`. */
export const benchCommandOptions = [
  ...measuringOptions,
  ...[
    ...scenarioOptions,
    ...runOptions,
    ...outputOptions.filter(({ setting }) => !["daysCsv", "csvDialect", "xlsx"].includes(setting)),
    configOption,
  ].map((option) => ({ ...option, help: benchMeanings[option.setting] ?? option.help })),
];

/** The options of `redrive run`. */
export const runCommandOptions = [
  ...scenarioOptions,
  ...runOptions,
  ...precisionOptions,
  ...outputOptions,
  resumeOption,
  shardOption,
  configOption,
];

/** What some options mean to `redrive sweep`. */
const sweepMeanings: Readonly<Record<string, string>> = {
  steps: "steps per job: counts, or the names of the steps (default: tariff,discount,invoice,notification)",
  days: "days of each scenario; 1e6 is accepted (default: 100000)",
  out: "where the files go (default: results/sweep)",
  format: "what is printed: table, json or csv, the rows of sweep.csv (default: table)",
  config: "the same settings as JSON, and named scenarios in a list; an option on the command line wins",
};

/** The options of `redrive sweep`: those of a scenario take lists and ranges, which are read as a whole. */
export const sweepCommandOptions: readonly OptionText[] = [
  ...scenarioOptions.map(({ read: _, flags, ...option }) => ({
    ...option,
    flags: option.setting === "stallOn" ? flags : flags.replace(/<.*>/, "<list>"),
  })),
  ...runOptions,
  ...precisionOptions,
  ...outputOptions,
  resumeOption,
  shardOption,
  configOption,
].map((option) => ({ ...option, help: sweepMeanings[option.setting] ?? option.help }));

/** What some options mean to `redrive verify`. */
const verifyMeanings: Readonly<Record<string, string>> = {
  days:
    "days to simulate by the table engine; the event engine, which is slow, does fewer " +
    "(default: 1e6, or 2e5 of each scenario of the spread)",
  engine: "only this engine: table or event, then for all days; auto for both (default: auto)",
};

/** The options of `redrive verify`. */
export const verifyCommandOptions = [
  ...scenarioOptions,
  ...runOptions,
  ...outputOptions.filter(({ setting }) => ["format", "quiet", "color"].includes(setting)),
  configOption,
].map((option) => ({ ...option, help: verifyMeanings[option.setting] ?? option.help }));

/** The options of `redrive model`. */
export const modelCommandOptions = [
  fixtureOption,
  ...outputOptions.filter(({ setting }) => ["format", "color"].includes(setting)),
];

/** The options of `redrive report`; the folder is an argument. */
export const reportCommandOptions: readonly OptionText[] = [
  { setting: "out", flags: "--out <folder>", help: "where the files go (default: the result folder)" },
  ...outputOptions.filter(({ setting }) => setting === "quiet"),
];

/** What some options mean to `redrive merge`. */
const mergeMeanings: Readonly<Record<string, string>> = {
  threads: "threads that describe the scenarios of a sweep; never changes a result (default: all cores)",
  out: "where the files go (default: results/run or results/sweep)",
  xlsx: "also write a workbook, whether or not the shards were to have one: workbook.xlsx",
};

/** The options of `redrive merge`; the shards are arguments. */
export const mergeCommandOptions: readonly OptionText[] = [
  ...runOptions.filter(({ setting }) => setting === "threads"),
  ...outputOptions.filter(({ setting }) => !["daysCsv", "csvDialect"].includes(setting)),
].map((option) => ({ ...option, help: mergeMeanings[option.setting] ?? option.help }));

/** Adds options to a command. Unknown ones are left to {@link readOptions}, which reports all problems at once. */
export function addOptions(command: Command, options: readonly OptionText[]): Command {
  for (const { flags, help } of options) command.option(flags, help);
  return command.allowUnknownOption().allowExcessArguments();
}

/** What was typed: the settings that were given, and words that belong to none. */
export interface TypedOptions {
  readonly given: Readonly<Record<string, unknown>>;
  readonly unknown: readonly string[];
  /** How a setting is written on the command line. */
  readonly flagOf: (setting: string) => string;
  readonly flags: readonly string[];
}

/** What was typed beside options: words that name something, and the rest. A word behind an unknown option is its value. */
export function splitWords(words: readonly string[]): {
  readonly named: readonly string[];
  readonly unknown: readonly string[];
} {
  const isFlag = (word: string | undefined) => word?.startsWith("-") === true;
  const isName = (word: string, i: number) => !isFlag(word) && !isFlag(words[i - 1]);
  return { named: words.filter(isName), unknown: words.filter((word, i) => !isName(word, i)) };
}

/** Reads what was typed for a command. */
export function readOptions(command: Command, options: readonly OptionText[]): TypedOptions {
  const given: Record<string, unknown> = {};
  for (const { setting, read } of options) {
    if (command.getOptionValueSource(setting) !== "cli") continue;
    const value = command.getOptionValue(setting);
    given[setting] = read !== undefined && typeof value === "string" ? read(value) : value;
  }
  const flags = new Map(options.map(({ setting, flags }) => [setting, flags.split(" ")[0]]));
  return {
    given,
    unknown: command.args,
    flagOf: (setting) => flags.get(setting) ?? setting,
    flags: [...flags.values(), "--help"],
  };
}
