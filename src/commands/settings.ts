// The settings of a command, from the command line and a config file together; all that is wrong is said at once.
import {
  checkSettings,
  SettingsError,
  type SettingTable,
  type SettingValues,
  suggestion,
} from "../model/settings.js";
import type { TypedOptions } from "./options.js";

/**
 * Checks what was typed, and the config file that it may name, against a table of settings.
 *
 * @param alsoWrong - further problems, found from the settings that do fit
 * @throws SettingsError with one line for each thing wrong
 */
export async function gatherSettings<Table extends SettingTable>(
  table: Table,
  { given: { config, ...given }, unknown, flagOf, flags }: TypedOptions,
  alsoWrong: (values: Partial<SettingValues<Table>>) => Promise<readonly string[]> = async () => [],
): Promise<Partial<SettingValues<Table>>> {
  const typed = checkSettings(table, given, (setting = "") => flagOf(setting));
  let problems = [...describeUnknown(unknown, flags), ...typed.problems];
  let values = typed.values;
  if (typeof config === "string") {
    const { readJson } = await import("./json-file.js");
    const file = await readJson(config, "--config");
    if ("problems" in file) {
      problems = [...problems, ...file.problems];
    } else {
      const configured = checkSettings(
        table,
        file.value,
        (setting = "the content") => `${setting} in ${config}`,
      );
      problems = [...problems, ...configured.problems];
      values = { ...configured.values, ...values };
    }
  }
  problems = [...problems, ...(await alsoWrong(values))];
  if (problems.length > 0) throw new SettingsError(problems);
  return values;
}

/** A line for each word that is no option; a word behind an unknown option is taken for its value. */
function describeUnknown(words: readonly string[], flags: readonly string[]): string[] {
  const isFlag = (word: string | undefined) => word?.startsWith("-") === true && word !== "-";
  return words.flatMap((word, i) => {
    if (isFlag(word)) {
      const [name, value] = word.split("=");
      if (flags.includes(name)) return [`${name} takes no value, got ${value}`];
      return [`${name} is no option of this command${suggestion(name, flags)}`];
    }
    return isFlag(words[i - 1]) ? [] : [`${word} is not expected here; options begin with --`];
  });
}
