// redrive merge: puts the shards of a run or sweep together, as if it had never been divided.
import { availableParallelism } from "node:os";
import { type Grid, type GridScenario, scenariosOf, sizeOf } from "../experiment/grid.js";
import { mergeParts, type Part } from "../experiment/merge.js";
import { threadsFor } from "../experiment/plan.js";
import { type Run, runSettings, type Simulation } from "../experiment/settings.js";
import type { RunResult } from "../experiment/simulate.js";
import { renderResults } from "../experiment/studies.js";
import { describeStudy } from "../experiment/study.js";
import type { Sweep } from "../experiment/sweep-settings.js";
import { SettingsError } from "../model/settings.js";
import type { ResultFolder } from "../report/folder.js";
import { describeMaking } from "../report/manifest.js";
import { renderingOfText, type ScenarioText } from "../report/scenario-text.js";
import { type FoundShard, readDays, readParts, type Whole } from "../report/shard-folder.js";
import { daysTable } from "../report/tables.js";
import { splitWords, type TypedOptions } from "./options.js";
import { outputSettings, resolveOutput, type Writing } from "./output.js";
import { noteWritten, produce, type Steps } from "./produce.js";
import { checkStudyFolder, openFolder } from "./result-folder.js";
import { noteDoubtsOfRun, printRun, startDaysOfRun, writeRun } from "./run-result.js";
import { gatherSettings } from "./settings.js";
import { gatherShards } from "./shard-set.js";
import {
  type Answer,
  checkJson,
  noteDoubtsOfSweep,
  printSweep,
  SweepAnswer,
  startSweepFiles,
  writeSweep,
} from "./sweep-result.js";
import { type Progress, startProgress } from "./terminal.js";

const { daysCsv: _, csvDialect: __, ...mergeOutputSettings } = outputSettings;
const mergeSettings = { ...mergeOutputSettings, threads: runSettings.threads };

/** What it takes to describe a scenario, about. */
const describingNs = 8e6;

/** What is put together, and how. */
interface Merge {
  readonly shards: readonly FoundShard[];
  readonly simulation: Simulation;
  readonly writing: Writing;
  readonly signal: AbortSignal;
}

/** @throws SettingsError before anything is written; anything else if the merge fails */
export async function merge(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const { flagOf } = options;
  const { named: paths, unknown } = splitWords(options.unknown);
  const values = await gatherSettings(mergeSettings, { ...options, unknown }, async () =>
    paths.length > 0
      ? []
      : ["the folders of the shards must be named, got none; such as redrive merge results/run-shards/*"],
  );
  const shards = await gatherShards(paths);
  const [{ whole }] = shards;
  const { out = `results/${whole.command}`, threads = availableParallelism(), xlsx = false } = values;
  const problems = [
    ...(isGrid(whole.scenarios) ? checkJson(values.format, sizeOf(whole.scenarios), flagOf) : []),
    ...(await checkStudyFolder(out, undefined, flagOf("out"))),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  const { identity, scenarios, days, seed, precision } = whole;
  const folder = await openFolder(out, flagOf("out"));
  const output = resolveOutput(values);
  const { quiet, format } = output;
  const size = isGrid(scenarios) ? sizeOf(scenarios) : 1;
  const progress = await startProgress(size, size * describingNs, quiet, "scenarios");
  const task: Merge = {
    shards,
    simulation: { exact: false, engine: "table", days, seed, precision, threads },
    writing: { ...whole.writing, xlsx: whole.writing.xlsx || xlsx },
    signal,
  };
  const making = { identity, resume: false, quiet, flagOf, progress };
  if (isGrid(scenarios)) {
    const sweep = { grid: scenarios, ...task.simulation };
    const produced = await produce(
      folder,
      making,
      stepsOfSweep(folder, sweep, task, format === "json", progress),
    );
    await printSweep(sweep, produced.result, folder, output);
    if (quiet) return;
    noteWritten(folder, produced);
    noteDoubtsOfSweep(produced.result, sweep);
  } else {
    const run = { scenario: scenarios, ...task.simulation };
    const produced = await produce(folder, making, stepsOfRun(folder, run, task));
    await printRun(produced.result, output, task.writing.csvDialect);
    if (quiet) return;
    noteDoubtsOfRun(produced.result);
    noteWritten(folder, produced);
  }
}

function stepsOfRun(
  folder: ResultFolder,
  run: Run,
  { shards, writing, signal }: Merge,
): Steps<object, RunResult> {
  return {
    async make() {
      if (writing.daysCsv) {
        await startDaysOfRun(folder, writing.csvDialect);
        await copyDays(folder, shards, signal);
      }
      const numbered = [{ number: 1, scenario: run.scenario }];
      let metrics: RunResult["metrics"] = [];
      for await (const study of mergeParts(partsOf(shards), numbered, run.days)) {
        metrics = describeStudy(study);
      }
      return { ...run, isPrecise: true, metrics, threadsUsed: 0 };
    },
    write: (result) => writeRun(folder, result, writing),
    describeMaking: (_, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { threads: 0, shards: shards.length }),
    describeStanding: () => "",
  };
}

function stepsOfSweep(
  folder: ResultFolder,
  sweep: Sweep,
  { shards, writing, signal }: Merge,
  isJson: boolean,
  progress: Progress,
): Steps<object, Answer> {
  const { grid, days, precision } = sweep;
  const size = sizeOf(grid);
  const threads = threadsFor(size * describingNs, size, sweep.threads);
  return {
    async make() {
      const answer = new SweepAnswer(grid);
      await startSweepFiles(folder, writing);
      if (writing.daysCsv) await copyDays(folder, shards, signal);
      const results = mergeParts(
        partsOf(shards),
        scenariosOf(grid),
        precision === undefined ? days : undefined,
      );
      const rendering = renderingOfText({ dialect: writing.csvDialect, json: isJson });
      const scenarios = scenariosOf(grid);
      for await (const content of renderResults<ScenarioText>(results, rendering, { threads, signal })) {
        const gridScenario = scenarios.next().value as GridScenario;
        await answer.add(gridScenario, content, folder);
        progress.update(gridScenario.number);
      }
      return answer.describe();
    },
    write: () => writeSweep(folder, sweep, writing),
    describeMaking: (_, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { threads, shards: shards.length }),
    describeStanding: () => "",
  };
}

async function* partsOf(shards: readonly FoundShard[]): AsyncGenerator<Part> {
  for (const shard of shards) yield* readParts(shard);
}

/** Adds the days of all shards to days.csv. */
async function copyDays(
  folder: ResultFolder,
  shards: readonly FoundShard[],
  signal: AbortSignal,
): Promise<void> {
  for (const shard of shards) {
    for await (const lines of readDays(shard)) {
      signal.throwIfAborted();
      await folder.append(`${daysTable.name}.csv`, lines);
    }
  }
}

function isGrid(scenarios: Whole["scenarios"]): scenarios is Grid {
  return !("workflows" in scenarios);
}
