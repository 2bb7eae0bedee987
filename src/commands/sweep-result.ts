// The result of a sweep, wherever its scenarios were simulated: its files, and what is printed of it.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { type EffectsData, type MainEffect, MainEffects } from "../experiment/effects.js";
import type { Grid, GridScenario } from "../experiment/grid.js";
import type { DaysOfBlock } from "../experiment/simulate.js";
import type { Sweep } from "../experiment/sweep-settings.js";
import type { Table } from "../report/column.js";
import { type CsvDialect, csvHeader } from "../report/csv.js";
import { describePackage, provenanceOf } from "../report/datapackage.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder } from "../report/folder.js";
import type { ScenarioText } from "../report/scenario-text.js";
import { isShown, type ShownScenario, showSweep } from "../report/sweep-answer.js";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../report/tables.js";
import { Doubts, type DoubtsData, describeDoubts } from "../report/warnings.js";
import type { Format, Printing, Writing } from "./output.js";
import { writePackage } from "./package.js";
import { note, print, styleOfStdout } from "./terminal.js";

/** What is kept of a sweep whose scenarios go to the files; only `json` grows with their number. */
export interface Answer {
  readonly shown: readonly ShownScenario[];
  readonly effects: readonly MainEffect[];
  /** Rows of sweep.csv as JSON, where they are asked for. */
  readonly json: readonly string[];
  readonly doubts: DoubtsData;
}

/** An answer to go on with, as plain data. */
export interface AnswerData extends Omit<Answer, "effects"> {
  readonly effects: EffectsData;
}

/** Takes the scenarios of a sweep, one after the other. */
export class SweepAnswer {
  readonly #grid: Grid;
  readonly #effects: MainEffects;
  readonly #shown: ShownScenario[];
  readonly #json: string[];
  readonly #doubts: Doubts;

  constructor(grid: Grid, begun?: AnswerData) {
    this.#grid = grid;
    this.#effects = new MainEffects(grid, begun?.effects);
    this.#shown = [...(begun?.shown ?? [])];
    this.#json = [...(begun?.json ?? [])];
    this.#doubts = new Doubts(begun?.doubts);
  }

  /** Adds the lines of a scenario to the files, and its figures to the answer. */
  async add(gridScenario: GridScenario, content: ScenarioText, folder: ResultFolder): Promise<void> {
    const { number, scenario } = gridScenario;
    for (const [name, text] of Object.entries(content.csv)) await folder.append(`${name}.csv`, text);
    this.#effects.add(scenario, content.figures);
    if (isShown(number, this.#grid)) {
      this.#shown.push({ ...gridScenario, days: content.days, figures: content.figures });
    }
    if (content.json !== undefined) this.#json.push(content.json);
    this.#doubts.add(number, content);
  }

  describe(): Answer {
    return { ...this.toData(), effects: this.#effects.describe() };
  }

  toData(): AnswerData {
    return {
      shown: this.#shown,
      effects: this.#effects.toData(),
      json: this.#json,
      doubts: this.#doubts.toData(),
    };
  }
}

/** Begins the files that grow with each scenario. */
export async function startSweepFiles(folder: ResultFolder, writing: Writing): Promise<void> {
  for (const table of tablesOf(writing)) {
    await folder.append(`${table.name}.csv`, csvHeader(table, writing.csvDialect));
  }
}

/** Adds days of a scenario to days.csv. */
export async function appendDaysOfSweep(
  folder: ResultFolder,
  number: number,
  days: DaysOfBlock,
  dialect: CsvDialect,
): Promise<void> {
  for (const lines of daysLines(number, days, dialect)) await folder.append(`${daysTable.name}.csv`, lines);
}

/** Ends the files. @returns a warning, where there is one */
export async function writeSweep(
  folder: ResultFolder,
  settings: Sweep,
  writing: Writing,
): Promise<string | undefined> {
  await folder.finishAppended();
  const provenance = {
    ...provenanceOf(settings),
    scenarios: settings.grid,
    ...(settings.precision !== undefined && { days: undefined }),
  };
  const descriptor = describePackage("sweep", tablesOf(writing), provenance, writing.csvDialect);
  return writePackage(folder, descriptor, writing.xlsx);
}

/** Prints what a sweep comes to. */
export async function printSweep(
  { grid, ...simulation }: Sweep,
  { shown, effects, json }: Answer,
  folder: ResultFolder,
  { format, color }: Printing,
): Promise<void> {
  switch (format) {
    case "table":
      await print(showSweep(grid, simulation, shown, effects, styleOfStdout(color)));
      break;
    case "json":
      for (const [i, row] of json.entries()) await print(`${i === 0 ? "[\n" : ",\n"}${row}`);
      await print("\n]\n");
      break;
    case "csv":
      for await (const text of createReadStream(join(folder.path, "sweep.csv"), "utf8")) await print(text);
  }
}

/** Says what of a result needs a second look. */
export function noteDoubtsOfSweep({ doubts }: Answer, { days }: Sweep): void {
  for (const line of describeDoubts(doubts, days)) note(line);
}

/** Scenarios that are printed as JSON at most: their rows are kept in memory until all are done. */
const mostJson = 100_000;

/** A line where so many scenarios cannot be printed in a format. */
export function checkJson(
  format: Format | undefined,
  scenarios: number,
  nameOf: (setting: string) => string,
): readonly string[] {
  if (format !== "json" || scenarios <= mostJson) return [];
  return [`${nameOf("format")} must be table or csv for more than ${mostJson} scenarios, got json`];
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of each table are of another type
function tablesOf({ daysCsv }: Writing): readonly Table<any>[] {
  return [sweepTable, summaryTable, distributionTable, ...(daysCsv ? [daysTable] : [])];
}
