// What is printed and written of a result: settings, and what they come to.
import { flag, oneOf, parsed, type SettingTable, type SettingValues } from "../model/settings.js";
import { type CsvDialect, csvDialects } from "../report/csv.js";

export const formats = ["table", "json", "csv"] as const;

export type Format = (typeof formats)[number];

/** Settings of what is printed and written. */
export const outputSettings = {
  out: parsed("the name of a folder", (input) =>
    typeof input === "string" && input.trim() !== "" ? input : undefined,
  ),
  format: oneOf(...formats),
  daysCsv: flag(),
  csvDialect: oneOf(...csvDialects),
  xlsx: flag(),
  quiet: flag(),
  color: flag(),
} satisfies SettingTable;

/** Settings of commands that can go on with an unfinished result. */
export const resumeSettings = { resume: flag() } satisfies SettingTable;

/** Which files are written, and how. */
export interface Writing {
  readonly daysCsv: boolean;
  readonly csvDialect: CsvDialect;
  readonly xlsx: boolean;
}

/** How a result is printed. */
export interface Printing {
  readonly format: Format;
  /** undefined where the terminal decides. */
  readonly color: boolean | undefined;
}

/** The settings of output, complete but for the folder. */
export interface Output extends Printing {
  readonly writing: Writing;
  readonly quiet: boolean;
}

/** Fills in the defaults. */
export function resolveOutput({
  format = "table",
  daysCsv = false,
  csvDialect = "rfc4180",
  xlsx = false,
  quiet = false,
  color,
}: Partial<SettingValues<typeof outputSettings>>): Output {
  return { format, color, quiet, writing: { daysCsv, csvDialect, xlsx } };
}

/** A line where days are to be written and none is simulated. */
export function checkDays(
  { engine }: { readonly engine?: string | undefined },
  daysCsv: boolean | undefined,
  nameOf: (setting: string) => string,
): readonly string[] {
  if (engine !== "exact" || daysCsv !== true) return [];
  return [`${nameOf("daysCsv")} must be left out with ${nameOf("engine")} exact, which simulates no days`];
}
