// redrive merge: puts the shards of a run or sweep together, as if it had never been divided.
import { availableParallelism } from "node:os";
import { type Grid, scenarioAt, sizeOf } from "../experiment/grid.js";
import { runSettings } from "../experiment/settings.js";
import { estimateDescribingNs } from "../experiment/task-plan.js";
import { SettingsError } from "../model/settings.js";
import type { Whole } from "../report/shard-folder.js";
import { type Merge, stepsOfMergedRun, stepsOfMergedSweep } from "./merge-steps.js";
import { splitWords, type TypedOptions } from "./options.js";
import { outputSettings, resolveOutput } from "./output.js";
import { noteWritten, produce } from "./produce.js";
import { checkStudyFolder, openFolder } from "./result-folder.js";
import { noteDoubtsOfRun, printRun } from "./run-result.js";
import { gatherSettings } from "./settings.js";
import { gatherShards } from "./shard-set.js";
import { checkJson, noteDoubtsOfSweep, printSweep } from "./sweep-result.js";
import { startProgress } from "./terminal.js";

const { daysCsv: _, csvDialect: __, ...mergeOutputSettings } = outputSettings;
const mergeSettings = { ...mergeOutputSettings, threads: runSettings.threads };

/** @throws SettingsError before anything is written; anything else if the merge fails */
export async function merge(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const { flagOf } = options;
  const { named: paths, unknown } = splitWords(options.unknown);
  const values = await gatherSettings(mergeSettings, { ...options, unknown }, async () =>
    paths.length > 0
      ? []
      : [
          "the folders of the shards must be named, got none; such as redrive merge results/run-shards/*-of-8",
        ],
  );
  const shards = await gatherShards(paths, signal);
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
  const [size, example] = isGrid(scenarios)
    ? [sizeOf(scenarios), scenarioAt(scenarios, 1).scenario]
    : [1, scenarios];
  const workNs = size * estimateDescribingNs(example);
  const progress = await startProgress(size, workNs, quiet, "scenarios");
  const task: Merge = {
    shards,
    simulation: { exact: false, engine: "table", days, seed, precision, threads },
    writing: { ...whole.writing, xlsx: whole.writing.xlsx || xlsx },
    workNs,
    signal,
  };
  const making = { identity, resume: false, quiet, flagOf, progress };
  if (isGrid(scenarios)) {
    const sweep = { grid: scenarios, ...task.simulation };
    const steps = stepsOfMergedSweep(folder, sweep, task, format === "json", progress);
    const produced = await produce(folder, making, steps);
    await printSweep(sweep, produced.result, folder, output);
    if (quiet) return;
    noteWritten(folder, produced);
    noteDoubtsOfSweep(produced.result, sweep);
  } else {
    const run = { scenario: scenarios, ...task.simulation };
    const produced = await produce(folder, making, stepsOfMergedRun(folder, run, task));
    await printRun(produced.result, output, task.writing.csvDialect);
    if (quiet) return;
    noteDoubtsOfRun(produced.result);
    noteWritten(folder, produced);
  }
}

function isGrid(scenarios: Whole["scenarios"]): scenarios is Grid {
  return !("workflows" in scenarios);
}
