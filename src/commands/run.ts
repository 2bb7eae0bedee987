// redrive run: simulates the days of one scenario, prints the table and writes the files.
import { checkDay } from "../experiment/day-limits.js";
import { keyFiguresOf } from "../experiment/effects.js";
import { estimateDayNs } from "../experiment/plan.js";
import type { MetricResult } from "../experiment/result.js";
import { findContradictions, resolveRun, runSettings } from "../experiment/settings.js";
import { type DaysOfBlock, type RunResult, simulateRun } from "../experiment/simulate.js";
import type { Tally, TallyData } from "../experiment/tally.js";
import type { CsvDialect } from "../report/csv.js";
import { csvHeader, csvPieces, toCsv } from "../report/csv.js";
import { describePackage, provenanceOf } from "../report/datapackage.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder, Standing } from "../report/folder.js";
import { describeRun } from "../report/manifest.js";
import { showRun } from "../report/run-table.js";
import { summaryJson } from "../report/summary-json.js";
import {
  daysTable,
  distributionRows,
  distributionTable,
  summaryRows,
  summaryTable,
} from "../report/tables.js";
import { Doubts, describeDoubts } from "../report/warnings.js";
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

/** What a run needs to go on. */
interface RunState extends Elapsed {
  readonly tally: TallyData;
}

/** @throws SettingsError before anything is simulated or written; anything else if the run fails */
export async function run(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const defaultOut = "results/run";
  const values = await gatherSettings(
    { ...runSettings, ...outputSettings, ...resumeSettings },
    options,
    async ({ out = defaultOut, daysCsv, resume, ...values }) => [
      ...findContradictions(values, options.flagOf),
      ...checkDay(resolveRun(values).scenario, resolveRun(values)),
      ...checkDays(values, daysCsv, options.flagOf),
      ...(await checkFolder(out, options.flagOf("out"))),
      ...(await checkSpace(out, resolveRun(values), 1, daysCsv === true && resume !== true, options.flagOf)),
    ],
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
  const settings = resolveRun(values);
  const folder = await openFolder(out, flagOf("out"));
  const identity = identityOf(settings, settings.scenario, { command: "run", daysCsv, csvDialect, xlsx });
  const checkpoint = await beginResult(folder, identity, { resume, quiet, flagOf });
  const before = checkpoint?.state as RunState | undefined;
  const estimatedNs = settings.days * estimateDayNs(settings.scenario, settings.engine);
  const progress = await startProgress(
    settings.days,
    estimatedNs,
    quiet,
    "days",
    settings.precision !== undefined,
  );
  const start = before?.start ?? new Date();
  const startMs = performance.now() - (before?.elapsedMs ?? 0);
  let tally: Tally | undefined;
  const standing = () => {
    const state = tally && { tally: tally.toData(), start, elapsedMs: performance.now() - startMs };
    return state && { identity, state: state satisfies RunState };
  };
  let result: RunResult;
  let written: WrittenPackage | undefined;
  let elapsedMs: number;
  try {
    result = await simulateRun(settings, {
      signal,
      onProgress: (done) => progress.update(done),
      ...(daysCsv && { onDays: (days) => appendDays(folder, days, csvDialect) }),
      onTally: async (done) => {
        tally = done;
        folder.mark();
        if (folder.isCheckpointDue) await folder.saveCheckpoint(standing() as Standing);
      },
      begun: before?.tally,
    });
    elapsedMs = performance.now() - startMs;
    if (checkpoint?.publishing !== undefined) {
      await folder.completePublishing(checkpoint);
    } else {
      written = await writeFiles(folder, result, { daysCsv, csvDialect, xlsx });
      const manifest = describeRun(start, elapsedMs, Math.max(1, result.threadsUsed), settings);
      await folder.write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
      await folder.publish(standing() ?? checkpoint);
    }
  } catch (error) {
    const describe = ({ tally: { days } }: RunState) =>
      `${days.toLocaleString("en-US")} of ${settings.days.toLocaleString("en-US")} days are`;
    throw await endEarly(folder, standing(), describe, error);
  } finally {
    progress.stop();
  }
  await print(formatResult(result, format, csvDialect, color));
  if (!quiet) {
    const names = checkpoint?.publishing?.names ?? [
      "summary.csv",
      "distribution.csv",
      ...(daysCsv ? ["days.csv"] : []),
      ...(written?.names ?? []),
      "manifest.json",
    ];
    if (written?.warning !== undefined) note(written.warning);
    const doubts = new Doubts();
    doubts.add(1, { ...result, figures: keyFiguresOf(result.metrics) });
    for (const line of describeDoubts(doubts.toData(), result.days, true)) note(line);
    note(`\nWritten to ${folder.path}: ${names.join(", ")} (${(elapsedMs / 1000).toFixed(2)} s)`);
  }
}

function formatResult(
  result: RunResult,
  format: Format,
  dialect: CsvDialect,
  color: boolean | undefined,
): string {
  switch (format) {
    case "table":
      return showRun(result, styleOfStdout(color));
    case "json":
      return `${JSON.stringify(summaryJson(result), null, 2)}\n`;
    case "csv":
      return toCsv(summaryTable, summaryRows(numbered(result), result.metrics), dialect);
  }
}

async function writeFiles(
  folder: ResultFolder,
  result: RunResult,
  {
    daysCsv,
    csvDialect,
    xlsx,
  }: { readonly daysCsv: boolean; readonly csvDialect: CsvDialect; readonly xlsx: boolean },
): Promise<WrittenPackage> {
  const scenario = numbered(result);
  const results: readonly MetricResult[] = result.metrics;
  await folder.write("summary.csv", toCsv(summaryTable, summaryRows(scenario, results), csvDialect));
  await folder.append("distribution.csv", csvHeader(distributionTable, csvDialect));
  for (const lines of csvPieces(distributionTable, distributionRows(scenario, results), csvDialect)) {
    await folder.append("distribution.csv", lines);
  }
  await folder.finishAppended();
  const tables = [summaryTable, distributionTable, ...(daysCsv ? [daysTable] : [])];
  const provenance = { ...provenanceOf(result), scenarios: [result.scenario] };
  return writePackage(folder, describePackage("run", tables, provenance, csvDialect), xlsx);
}

async function appendDays(folder: ResultFolder, days: DaysOfBlock, dialect: CsvDialect): Promise<void> {
  const name = `${daysTable.name}.csv`;
  if (days.block.begin === 0) await folder.append(name, csvHeader(daysTable, dialect));
  for (const lines of daysLines(1, days, dialect)) await folder.append(name, lines);
}

function numbered({ scenario }: RunResult) {
  return { number: 1, scenario };
}
