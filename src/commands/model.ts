// redrive model: the lesson's tables, or fixtures of one's own.
import { type Fixture, resolveFixture } from "../model/fixture.js";
import { flag, oneOf, SettingsError, text } from "../model/settings.js";
import { toCsv } from "../report/csv.js";
import {
  computeFixtures,
  computeLessonTables,
  fixtureTable,
  lessonFigures,
  lessonTable,
  showFixtures,
  showLessonTables,
} from "../report/model-tables.js";
import type { Style } from "../report/terminal.js";
import { readJson } from "./json-file.js";
import type { TypedOptions } from "./options.js";
import { type Format, formats } from "./output.js";
import { gatherSettings } from "./settings.js";
import { print, styleOfStdout } from "./terminal.js";

const modelSettings = { fixture: text(), format: oneOf(...formats), color: flag() };

/** @throws SettingsError for options and fixtures that do not fit */
export async function model(options: TypedOptions): Promise<void> {
  const { fixture: path, format = "table", color } = await gatherSettings(modelSettings, options);
  const style = styleOfStdout(color);
  await print(path === undefined ? formatLesson(format, style) : await formatFixtures(path, format, style));
}

function formatLesson(format: Format, style: Style): string {
  const tables = computeLessonTables();
  switch (format) {
    case "table":
      return showLessonTables(tables, style);
    case "json":
      return toJson(tables);
    case "csv":
      return toCsv(lessonTable, lessonFigures(tables), "rfc4180");
  }
}

async function formatFixtures(path: string, format: Format, style: Style): Promise<string> {
  const { fixtures, single } = await readFixtures(path);
  const results = computeFixtures(fixtures);
  switch (format) {
    case "table":
      return showFixtures(results, style);
    case "json": {
      const named = results.map(({ outcome }, i) => ({
        ...(fixtures[i].name && { name: fixtures[i].name }),
        ...outcome,
      }));
      return toJson(single ? named[0] : named);
    }
    case "csv":
      return toCsv(fixtureTable, results, "rfc4180");
  }
}

/** One fixture or an array of them; what is wrong with any of them is said together. */
async function readFixtures(path: string): Promise<{ fixtures: Fixture[]; single: boolean }> {
  const file = await readJson(path, "--fixture");
  if ("problems" in file) throw new SettingsError(file.problems);
  const single = !Array.isArray(file.value);
  const inputs: unknown[] = single ? [file.value] : (file.value as unknown[]);
  let problems: readonly string[] = [];
  const fixtures = inputs.flatMap((input, i) => {
    try {
      return [resolveFixture(input, single ? "fixture" : `fixture ${i + 1}`)];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems = [...problems, ...error.problems];
      return [];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  return { fixtures, single };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
