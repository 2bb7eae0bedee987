// redrive sweep: simulates a grid of scenarios, prints what it comes to and writes the files.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { type MainEffect, MainEffects } from "../experiment/effects.js";
import { estimateSweep } from "../experiment/estimate.js";
import { mostScenarios, sizeOf } from "../experiment/grid.js";
import type { DaysOfBlock } from "../experiment/simulate.js";
import { chooseSweepThreads, simulateSweep } from "../experiment/sweep.js";
import { resolveSweep, type Sweep, sweepSettings } from "../experiment/sweep-settings.js";
import type { Table } from "../report/column.js";
import { type CsvDialect, csvHeader } from "../report/csv.js";
import { describePackage, provenanceOf } from "../report/datapackage.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder } from "../report/folder.js";
import { describeRun } from "../report/manifest.js";
import { renderingOfText, type ScenarioText } from "../report/scenario-text.js";
import { announceSweep } from "../report/sweep-announcement.js";
import { isShown, type ShownScenario, showSweep } from "../report/sweep-answer.js";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../report/tables.js";
import type { TypedOptions } from "./options.js";
import { type WrittenPackage, writePackage } from "./package.js";
import {
  checkDays,
  checkFolder,
  type Format,
  gatherSettings,
  openFolder,
  outputSettings,
} from "./settings.js";
import { note, print, startProgress, styleOfStdout } from "./terminal.js";

/** What is kept of a sweep whose scenarios go to the files; only `json` grows with their number. */
interface Answer {
  readonly shown: readonly ShownScenario[];
  readonly effects: readonly MainEffect[];
  /** Rows of sweep.csv as JSON, where they are asked for. */
  readonly json: readonly string[];
  /** Numbers of the first scenarios that are not as precise as was asked, and how many there are. */
  readonly imprecise: readonly number[];
  readonly impreciseCount: number;
}

/** @throws SettingsError before anything is simulated or written; anything else if the sweep fails */
export async function sweep(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const defaultOut = "results/sweep";
  const typed = Object.keys(options.given);
  const values = await gatherSettings(
    { ...sweepSettings, ...outputSettings },
    options,
    async ({ out = defaultOut, format, daysCsv, ...values }) => {
      const { sweep, problems } = resolveSweep(values, typed, options.flagOf);
      const size = sizeOf(sweep.grid);
      return [
        ...problems,
        ...checkDays(values, daysCsv, options.flagOf),
        ...(format === "json" && size > mostJson && size <= mostScenarios
          ? [`${options.flagOf("format")} must be table or csv for more than ${mostJson} scenarios, got json`]
          : []),
        ...(await checkFolder(out, options.flagOf("out"))),
      ];
    },
  );
  const {
    out = defaultOut,
    format = "table",
    daysCsv = false,
    csvDialect = "rfc4180",
    xlsx = false,
    quiet = false,
    color,
  } = values;
  const tables = [sweepTable, summaryTable, distributionTable, ...(daysCsv ? [daysTable] : [])];
  const { sweep: settings } = resolveSweep(values, typed, options.flagOf);
  const estimate = estimateSweep(settings);
  const isUpTo = settings.precision !== undefined;
  for (const line of quiet ? [] : announceSweep(estimate, isUpTo, daysCsv)) note(line);
  const folder = await openFolder(out, options.flagOf("out"));
  const progress = await startProgress(estimate.scenarios, estimate.workNs, quiet, "scenarios");
  const start = new Date();
  const startMs = performance.now();
  let answer: Answer;
  let written: WrittenPackage;
  let elapsedMs: number;
  try {
    answer = await simulateInto(folder, settings, {
      dialect: csvDialect,
      tables,
      json: format === "json",
      signal,
      onProgress: (done) => progress.update(done),
    });
    await folder.finishAppended();
    elapsedMs = performance.now() - startMs;
    written = await writePackage(
      folder,
      describePackage(
        "sweep",
        tables,
        { ...provenanceOf(settings), scenarios: settings.grid, ...(isUpTo && { days: undefined }) },
        csvDialect,
      ),
      xlsx,
    );
    const threads = Math.max(1, chooseSweepThreads(settings));
    const manifest = describeRun(start, elapsedMs, threads, settings);
    await folder.write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
    await folder.publish();
  } catch (error) {
    await folder.abandon();
    throw error;
  } finally {
    progress.stop();
  }
  await printAnswer(settings, answer, folder, { format, color });
  if (!quiet) {
    const names = [...tables.map(({ name }) => `${name}.csv`), ...written.names, "manifest.json"];
    if (written.warning !== undefined) note(written.warning);
    note(`\nWritten to ${folder.path}: ${names.join(", ")} (${(elapsedMs / 1000).toFixed(2)} s)`);
    if (answer.impreciseCount > 0) note(describeImprecise(answer, settings.days));
  }
}

/** Simulates the scenarios and adds each one's lines to the files as soon as those before it are written. */
async function simulateInto(
  folder: ResultFolder,
  settings: Sweep,
  {
    dialect,
    tables,
    json: isJson,
    signal,
    onProgress,
  }: {
    readonly dialect: CsvDialect;
    // biome-ignore lint/suspicious/noExplicitAny: the rows of each table are of another type
    readonly tables: readonly Table<any>[];
    readonly json: boolean;
    readonly signal: AbortSignal;
    readonly onProgress: (scenariosDone: number) => void;
  },
): Promise<Answer> {
  const { grid } = settings;
  const effects = new MainEffects(grid);
  const shown: ShownScenario[] = [];
  const json: string[] = [];
  const imprecise: number[] = [];
  let impreciseCount = 0;
  for (const table of tables) await folder.append(`${table.name}.csv`, csvHeader(table, dialect));
  const appendDays = async (number: number, days: DaysOfBlock) => {
    for (const lines of daysLines(number, days, dialect)) await folder.append(`${daysTable.name}.csv`, lines);
  };
  const rendering = renderingOfText({ dialect, json: isJson });
  const onDays = tables.some(({ name }) => name === daysTable.name) ? appendDays : undefined;
  for await (const { gridScenario, content } of simulateSweep<ScenarioText>(
    settings,
    rendering,
    signal,
    onDays,
  )) {
    const { number, scenario } = gridScenario;
    for (const [name, text] of Object.entries(content.csv)) await folder.append(`${name}.csv`, text);
    effects.add(scenario, content.figures);
    if (isShown(number, grid)) {
      shown.push({ ...gridScenario, days: content.days, figures: content.figures });
    }
    if (content.json !== undefined) json.push(content.json);
    if (!content.isPrecise && ++impreciseCount <= mostNamed) imprecise.push(number);
    onProgress(number);
  }
  return { shown, effects: effects.describe(), json, imprecise, impreciseCount };
}

async function printAnswer(
  { grid, ...simulation }: Sweep,
  { shown, effects, json }: Answer,
  folder: ResultFolder,
  { format, color }: { readonly format: Format; readonly color: boolean | undefined },
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

/** Scenarios that are printed as JSON at most: their rows are kept in memory until all are done. */
const mostJson = 100_000;

/** Scenarios that a warning names. */
const mostNamed = 10;

function describeImprecise({ imprecise, impreciseCount }: Answer, days: number): string {
  const more = impreciseCount > imprecise.length ? " and others" : "";
  return (
    `warning: ${impreciseCount} scenario${impreciseCount === 1 ? " is" : "s are"} not as precise as asked ` +
    `after ${days.toLocaleString("en-US")} days (${imprecise.join(", ")}${more}); raise --max-days`
  );
}
