// redrive sweep: simulates a grid of scenarios, prints what it comes to and writes the files.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { type EffectsData, type MainEffect, MainEffects } from "../experiment/effects.js";
import { estimateSweep } from "../experiment/estimate.js";
import { mostScenarios, sizeOf } from "../experiment/grid.js";
import type { DaysOfBlock } from "../experiment/simulate.js";
import { chooseSweepThreads, simulateSweep } from "../experiment/sweep.js";
import { resolveSweep, type Sweep, sweepSettings } from "../experiment/sweep-settings.js";
import type { Tally, TallyData } from "../experiment/tally.js";
import type { Table } from "../report/column.js";
import { type CsvDialect, csvHeader } from "../report/csv.js";
import { describePackage, provenanceOf } from "../report/datapackage.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder, Standing } from "../report/folder.js";
import { describeRun } from "../report/manifest.js";
import { renderingOfText, type ScenarioText } from "../report/scenario-text.js";
import { announceSweep } from "../report/sweep-announcement.js";
import { isShown, type ShownScenario, showSweep } from "../report/sweep-answer.js";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../report/tables.js";
import { Doubts, type DoubtsData, describeDoubts } from "../report/warnings.js";
import type { TypedOptions } from "./options.js";
import { type WrittenPackage, writePackage } from "./package.js";
import {
  checkDays,
  checkFolder,
  checkSpace,
  type Format,
  gatherSettings,
  openFolder,
  outputSettings,
  resumeSettings,
} from "./settings.js";
import { note, print, startProgress, styleOfStdout } from "./terminal.js";
import { beginResult, type Elapsed, endEarly, identityOf } from "./unfinished.js";

/** What is kept of a sweep whose scenarios go to the files; only `json` grows with their number. */
interface Answer {
  readonly shown: readonly ShownScenario[];
  readonly effects: readonly MainEffect[];
  /** Rows of sweep.csv as JSON, where they are asked for. */
  readonly json: readonly string[];
  readonly doubts: DoubtsData;
}

/** How far a sweep is. */
interface SweepStanding extends Omit<Answer, "effects"> {
  /** Scenarios that are done. */
  readonly scenarios: number;
  /** What is known of the one after them, where some of its days are done. */
  readonly tally: Tally | undefined;
  readonly effects: EffectsData;
}

/** What a sweep needs to go on. */
interface SweepState extends Elapsed, Omit<SweepStanding, "tally"> {
  readonly tally: TallyData | undefined;
}

/** @throws SettingsError before anything is simulated or written; anything else if the sweep fails */
export async function sweep(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const defaultOut = "results/sweep";
  const typed = Object.keys(options.given);
  const values = await gatherSettings(
    { ...sweepSettings, ...outputSettings, ...resumeSettings },
    options,
    async ({ out = defaultOut, format, daysCsv, resume, ...values }) => {
      const { sweep, problems } = resolveSweep(values, typed, options.flagOf);
      const size = sizeOf(sweep.grid);
      return [
        ...problems,
        ...checkDays(values, daysCsv, options.flagOf),
        ...(format === "json" && size > mostJson && size <= mostScenarios
          ? [`${options.flagOf("format")} must be table or csv for more than ${mostJson} scenarios, got json`]
          : []),
        ...(await checkFolder(out, options.flagOf("out"))),
        ...(await checkSpace(out, sweep, size, daysCsv === true && resume !== true, options.flagOf)),
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
    resume = false,
  } = values;
  const { flagOf } = options;
  const tables = [sweepTable, summaryTable, distributionTable, ...(daysCsv ? [daysTable] : [])];
  const { sweep: settings } = resolveSweep(values, typed, options.flagOf);
  const estimate = estimateSweep(settings);
  const isUpTo = settings.precision !== undefined;
  for (const line of quiet ? [] : announceSweep(estimate, isUpTo, daysCsv)) note(line);
  const folder = await openFolder(out, flagOf("out"));
  const json = format === "json";
  const identity = identityOf(settings, settings.grid, {
    command: "sweep",
    daysCsv,
    csvDialect,
    xlsx,
    format: json ? "json" : "table or csv",
  });
  const checkpoint = await beginResult(folder, identity, { resume, quiet, flagOf });
  const before = checkpoint?.state as SweepState | undefined;
  const progress = await startProgress(estimate.scenarios, estimate.workNs, quiet, "scenarios");
  const start = before?.start ?? new Date();
  const startMs = performance.now() - (before?.elapsedMs ?? 0);
  let state: SweepStanding | undefined;
  const standing = () =>
    state && {
      identity,
      state: {
        ...state,
        tally: state.tally?.toData(),
        start,
        elapsedMs: performance.now() - startMs,
      } satisfies SweepState,
    };
  let answer: Answer;
  let written: WrittenPackage | undefined;
  let elapsedMs: number;
  try {
    answer = await simulateInto(folder, settings, {
      dialect: csvDialect,
      tables,
      json,
      signal,
      onProgress: (done) => progress.update(done),
      onStand: async (done) => {
        state = done;
        folder.mark();
        if (folder.isCheckpointDue) await folder.saveCheckpoint(standing() as Standing);
      },
      before,
    });
    elapsedMs = performance.now() - startMs;
    if (checkpoint?.publishing !== undefined) {
      await folder.completePublishing(checkpoint);
    } else {
      await folder.finishAppended();
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
      await folder.publish(standing() ?? checkpoint);
    }
  } catch (error) {
    const describe = ({ scenarios }: SweepState) =>
      `${scenarios.toLocaleString("en-US")} of ${estimate.scenarios.toLocaleString("en-US")} scenarios are`;
    throw await endEarly(folder, standing(), describe, error);
  } finally {
    progress.stop();
  }
  await printAnswer(settings, answer, folder, { format, color });
  if (!quiet) {
    const names = checkpoint?.publishing?.names ?? [
      ...tables.map(({ name }) => `${name}.csv`),
      ...(written?.names ?? []),
      "manifest.json",
    ];
    if (written?.warning !== undefined) note(written.warning);
    note(`\nWritten to ${folder.path}: ${names.join(", ")} (${(elapsedMs / 1000).toFixed(2)} s)`);
    for (const line of describeDoubts(answer.doubts, settings.days)) note(line);
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
    onStand,
    before,
  }: {
    readonly dialect: CsvDialect;
    // biome-ignore lint/suspicious/noExplicitAny: the rows of each table are of another type
    readonly tables: readonly Table<any>[];
    readonly json: boolean;
    readonly signal: AbortSignal;
    readonly onProgress: (scenariosDone: number) => void;
    /** Called when what the files hold is complete up to some scenario, or some days of the next one. */
    readonly onStand: (done: SweepStanding) => Promise<void>;
    readonly before: SweepState | undefined;
  },
): Promise<Answer> {
  const { grid } = settings;
  const effects = new MainEffects(grid, before?.effects);
  const shown = [...(before?.shown ?? [])];
  const json = [...(before?.json ?? [])];
  const doubts = new Doubts(before?.doubts);
  let scenarios = before?.scenarios ?? 0;
  const stand = (tally?: Tally) =>
    onStand({ scenarios, tally, effects: effects.toData(), shown, json, doubts: doubts.toData() });
  if (before === undefined) {
    for (const table of tables) await folder.append(`${table.name}.csv`, csvHeader(table, dialect));
  }
  const appendDays = async (number: number, days: DaysOfBlock) => {
    for (const lines of daysLines(number, days, dialect)) await folder.append(`${daysTable.name}.csv`, lines);
  };
  const rendering = renderingOfText({ dialect, json: isJson });
  for await (const { gridScenario, content } of simulateSweep<ScenarioText>(settings, rendering, {
    signal,
    onDays: tables.some(({ name }) => name === daysTable.name) ? appendDays : undefined,
    onTally: stand,
    begun: before,
  })) {
    const { number, scenario } = gridScenario;
    for (const [name, text] of Object.entries(content.csv)) await folder.append(`${name}.csv`, text);
    effects.add(scenario, content.figures);
    if (isShown(number, grid)) {
      shown.push({ ...gridScenario, days: content.days, figures: content.figures });
    }
    if (content.json !== undefined) json.push(content.json);
    doubts.add(number, content);
    scenarios = number;
    await stand();
    onProgress(number);
  }
  return { shown, effects: effects.describe(), json, doubts: doubts.toData() };
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
