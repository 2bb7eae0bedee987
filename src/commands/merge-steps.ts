// How shards become the result of the run or sweep that they are parts of.
import { type GridScenario, scenariosOf, sizeOf } from "../experiment/grid.js";
import { mergeParts, type Part } from "../experiment/merge.js";
import { threadsFor } from "../experiment/plan.js";
import type { Run, Simulation } from "../experiment/settings.js";
import type { RunResult } from "../experiment/simulate.js";
import { renderResults } from "../experiment/studies.js";
import { describeStudy } from "../experiment/study.js";
import type { Sweep } from "../experiment/sweep-settings.js";
import { openWorkplace } from "../experiment/workplace.js";
import type { ResultFolder } from "../report/folder.js";
import { describeMaking } from "../report/manifest.js";
import { renderingOfText, type ScenarioText } from "../report/scenario-text.js";
import { type FoundShard, readDays, readParts } from "../report/shard-folder.js";
import { daysTable } from "../report/tables.js";
import type { Writing } from "./output.js";
import type { Steps } from "./produce.js";
import { startDaysOfRun, writeRun } from "./run-result.js";
import { type Answer, SweepAnswer, startSweepFiles, writeSweep } from "./sweep-result.js";
import type { Progress } from "./terminal.js";

/** What is put together, and how. */
export interface Merge {
  /** In order. */
  readonly shards: readonly FoundShard[];
  readonly simulation: Simulation;
  readonly writing: Writing;
  /** About how much work it is to describe all scenarios. */
  readonly workNs: number;
  readonly signal: AbortSignal;
}

/** The steps of a run whose days were simulated apart. */
export function stepsOfMergedRun(
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
      const workplace = await openWorkplace(0, signal);
      try {
        const exact = await workplace.exactOf(run.scenario);
        let metrics: RunResult["metrics"] = [];
        for await (const study of mergeParts(partsOf(shards, signal), numbered, run.days)) {
          metrics = describeStudy(study, exact);
        }
        return { ...run, isPrecise: true, metrics, threadsUsed: 0 };
      } finally {
        await workplace.close();
      }
    },
    write: (result) => writeRun(folder, result, writing),
    describeMaking: (_, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { threads: 0, shards: shards.length }),
  };
}

/** The steps of a sweep whose days were simulated apart. */
export function stepsOfMergedSweep(
  folder: ResultFolder,
  sweep: Sweep,
  { shards, writing, workNs, signal }: Merge,
  isJson: boolean,
  progress: Progress,
): Steps<object, Answer> {
  const { grid, days, precision } = sweep;
  const threads = threadsFor(workNs, sizeOf(grid), sweep.threads);
  return {
    async make() {
      const answer = new SweepAnswer(grid);
      await startSweepFiles(folder, writing);
      if (writing.daysCsv) await copyDays(folder, shards, signal);
      const results = mergeParts(
        partsOf(shards, signal),
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
  };
}

async function* partsOf(shards: readonly FoundShard[], signal: AbortSignal): AsyncGenerator<Part> {
  for (const shard of shards) {
    signal.throwIfAborted();
    yield* readParts(shard);
  }
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
