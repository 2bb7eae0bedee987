// What a setting may be and how to say that it is something else. The one file that knows the validation library.
import { distance } from "fastest-levenshtein";
import * as v from "valibot";
import { expandRange, findRangeProblem, isRange, splitList } from "./axis.js";
import { describeRatio, parseNumber, parseRatio, type Ratio } from "./ratio.js";

/** The schema of one setting: takes anything, gives a `Value`, and its message completes "must be ...". */
export type Setting<Value> = v.GenericSchema<unknown, Value>;

/** A whole number from `low` to `high`, both included. */
export function whole(low: number, high: number): Setting<number> {
  const requirement = `a whole number from ${low} to ${high}`;
  return v.pipe(
    v.unknown(),
    v.number(requirement),
    v.integer(requirement),
    v.minValue(low, requirement),
    v.maxValue(high, requirement),
  );
}

/** A number from 0 to 1, both included. */
export function share(): Setting<number> {
  const requirement = "a number from 0 to 1";
  return v.pipe(
    v.unknown(),
    v.number(requirement),
    v.minValue(0, requirement),
    v.maxValue(1, requirement),
    v.transform(withoutSign),
  );
}

/** A number from 0 to 1 or the text of a distribution, see {@link parseRatio}. */
export function ratio(): Setting<Ratio> {
  return parsed(describeRatio, (input) => {
    const ratio = parseRatio(input);
    return typeof ratio === "number" ? withoutSign(ratio) : ratio;
  });
}

/** A zero has no sign, which would show. */
function withoutSign(value: number): number {
  return value === 0 ? 0 : value;
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Setting<Word> {
  const requirement = [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
  return v.pipe(v.unknown(), v.picklist(words, requirement));
}

/** true or false. */
export function flag(): Setting<boolean> {
  return v.pipe(v.unknown(), v.boolean("true or false"));
}

/** Any text, the empty one included; a number counts as its text. */
export function text(): Setting<string> {
  return parsed("text", (input) =>
    typeof input === "string" || typeof input === "number" ? String(input) : undefined,
  );
}

/** Names, all different: a list of them, or a count, with which the names are 0, 1, 2 and so on. */
export function names(low: number, high: number): Setting<readonly string[]> {
  return parsed(`a count from ${low} to ${high}, or as many different names`, (input) => {
    const list = Number.isInteger(input)
      ? (input as number) >= low &&
        (input as number) <= high &&
        Array.from({ length: input as number }, (_, i) => `${i}`)
      : input;
    const fits =
      Array.isArray(list) &&
      list.length >= low &&
      list.length <= high &&
      list.every((name) => typeof name === "string" && name.trim() !== "") &&
      new Set(list).size === list.length;
    return fits ? (list as string[]) : undefined;
  });
}

/**
 * The different values of a parameter, in the order in which they were given: one value that `one` takes, a list of
 * them, or text such as "1,2,4" or "1:8:1,12", whose numbers are read as numbers.
 *
 * @param entriesOf - the entries of what was given
 */
export function axis<Value>(
  one: Setting<Value>,
  entriesOf: (input: unknown) => readonly unknown[] = listEntries,
): Setting<readonly Value[]> {
  const entry = v.pipe(
    v.unknown(),
    v.check(
      (input) => !isRange(input) || findRangeProblem(input) === undefined,
      ({ input }) => findRangeProblem(input as string) as string,
    ),
  );
  return v.pipe(
    v.unknown(),
    v.check((input) => !Array.isArray(input) || input.length > 0, "at least one value"),
    v.transform((input) => [...entriesOf(input)]),
    v.array(entry),
    v.transform((entries) => entries.flatMap((input) => (isRange(input) ? expandRange(input) : [input]))),
    v.array(one),
    v.transform((values) => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]),
  );
}

/** A list of counts, see {@link axis}; any other list holds the names of {@link names}, and is one value. */
export function axisOfNames(low: number, high: number): Setting<readonly (readonly string[])[]> {
  return axis(names(low, high), (input) => {
    const entries = listEntries(input);
    const areCounts = entries.every((entry) => typeof entry !== "string" || isRange(entry));
    if (areCounts) return entries;
    return [typeof input === "string" ? splitList(input) : input];
  });
}

/** The entries of a list, or of one that is written as text; anything else is an entry itself. */
function listEntries(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input.flatMap(textEntries);
  return textEntries(input);
}

function textEntries(input: unknown): readonly unknown[] {
  if (typeof input !== "string") return [input];
  return splitList(input).map((entry) => parseNumber(entry) ?? entry);
}

/** Whatever `parse` makes of the input; undefined means that the input does not meet the requirement. */
export function parsed<Value>(
  requirement: string | ((input: unknown) => string),
  parse: (input: unknown) => Value | undefined,
): Setting<Value> {
  return v.pipe(
    v.unknown(),
    v.check(
      (input) => parse(input) !== undefined,
      ({ input }) => (typeof requirement === "string" ? requirement : requirement(input)),
    ),
    v.transform((input) => parse(input) as Value),
  );
}

/** Settings by name. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** What the settings of a table resolve to. */
export type SettingValues<Table extends SettingTable> = {
  -readonly [Name in keyof Table]: v.InferOutput<Table[Name]>;
};

/** Settings that do not fit; `problems` has one line for each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Checks the given settings against a table; those not given stay away.
 *
 * @param nameOf - how the user knows the setting, or all of them together, for the error texts
 * @returns the settings that fit, and one line for each that does not
 */
export function checkSettings<Table extends SettingTable>(
  table: Table,
  given: unknown,
  nameOf: (setting?: string) => string = (setting = "settings") => setting,
): { values: Partial<SettingValues<Table>>; problems: string[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return {
      values: {},
      problems: [`${nameOf()} must be an object of settings, got ${showValue(given)}`],
    };
  }
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [setting, input] of Object.entries(given)) {
    if (input === undefined) continue;
    if (!Object.hasOwn(table, setting)) {
      problems.push(`${inOneLine(nameOf(setting))} is unknown${suggestion(setting, Object.keys(table))}`);
      continue;
    }
    const result = v.safeParse(table[setting], input, { abortEarly: true });
    if (result.success) values[setting] = result.output;
    else {
      // Of a list, the entry that does not fit.
      const [{ message, input: wrong }] = result.issues;
      problems.push(`${nameOf(setting)} must be ${message}, got ${showValue(wrong)}`);
    }
  }
  return { values: values as Partial<SettingValues<Table>>, problems };
}

/** "; did you mean X", where one of the known names is near the given one; otherwise nothing. */
export function suggestion(given: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, edits: distance(name.toLowerCase(), given.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)[0];
  const isNear =
    near !== undefined && near.edits < given.length && near.edits <= Math.max(1, given.length / 3);
  return isNear ? `; did you mean ${near.name}` : "";
}

/** A text in one line: line breaks and other control characters as they are written in JSON. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
  });
}

/** Longer values are shown by their beginning. */
const longestShown = 200;

function showValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : shorten(inOneLine(value));
  return shorten(typeof value === "object" ? JSON.stringify(value) : String(value));
}

function shorten(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}
