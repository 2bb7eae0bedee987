// redrive run: simulates the days of one scenario, prints the table and writes the files.
import { checkDay } from "../experiment/day-limits.js";
import { estimateDayNs } from "../experiment/plan.js";
import { findContradictions, type Run, resolveRun, runSettings } from "../experiment/settings.js";
import { shardSetting } from "../experiment/shard.js";
import { type RunResult, simulateRun } from "../experiment/simulate.js";
import type { Tally, TallyData } from "../experiment/tally.js";
import type { ResultFolder } from "../report/folder.js";
import { describeMaking } from "../report/manifest.js";
import { identityOf } from "./identity.js";
import type { TypedOptions } from "./options.js";
import { checkDays, outputSettings, resolveOutput, resumeSettings, type Writing } from "./output.js";
import { noteWritten, produce, type Steps } from "./produce.js";
import { checkSpace, checkStudyFolder, openFolder } from "./result-folder.js";
import { appendDaysOfRun, noteDoubtsOfRun, printRun, writeRun } from "./run-result.js";
import { gatherSettings } from "./settings.js";
import { checkShard, describeWhole, nameShardFolder, produceShard } from "./shard.js";
import { type Progress, startProgress } from "./terminal.js";

/** What a run needs to go on. */
interface RunState {
  readonly tally: TallyData;
}

/** @throws SettingsError before anything is simulated or written; anything else if the run fails */
export async function run(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const { flagOf } = options;
  const defaultOut = "results/run";
  const values = await gatherSettings(
    { ...runSettings, ...outputSettings, ...resumeSettings, shard: shardSetting() },
    options,
    async ({ shard, out = nameShardFolder(defaultOut, shard), daysCsv, resume, ...values }) => {
      const run = resolveRun(values);
      return [
        ...findContradictions(values, flagOf),
        ...checkDay(run.scenario, run),
        ...checkDays(values, daysCsv, flagOf),
        ...checkShard(shard, { ...values, isOfOne: true }, flagOf),
        ...(await checkStudyFolder(out, shard, flagOf("out"))),
        ...(daysCsv && !resume ? await checkSpace(out, run, { scenarios: 1, shard }, flagOf) : []),
      ];
    },
  );
  const { shard, out = nameShardFolder(defaultOut, shard), resume = false } = values;
  const settings = resolveRun(values);
  const output = resolveOutput(values);
  const { writing, quiet } = output;
  const identity = identityOf(settings, settings.scenario, { command: "run", ...writing });
  const folder = await openFolder(out, flagOf("out"));
  if (shard !== undefined) {
    const whole = describeWhole("run", settings, settings.scenario, writing);
    return produceShard(folder, { whole, simulation: settings, shard, resume, quiet, flagOf }, signal);
  }
  const estimatedNs = settings.days * estimateDayNs(settings.scenario, settings.engine);
  const progress = await startProgress(
    settings.days,
    estimatedNs,
    quiet,
    "days",
    settings.precision !== undefined,
  );
  const steps = stepsOf(settings, folder, writing, progress, signal);
  const produced = await produce(folder, { identity, resume, quiet, flagOf, progress }, steps);
  await printRun(produced.result, output, writing.csvDialect);
  if (quiet) return;
  noteDoubtsOfRun(produced.result);
  noteWritten(folder, produced);
}

function stepsOf(
  settings: Run,
  folder: ResultFolder,
  writing: Writing,
  progress: Progress,
  signal: AbortSignal,
): Steps<RunState, RunResult> {
  return {
    make: (begun, stand) =>
      simulateRun(settings, {
        signal,
        onProgress: (done) => progress.update(done),
        ...(writing.daysCsv && { onDays: (days) => appendDaysOfRun(folder, days, writing.csvDialect) }),
        onTally: (tally: Tally) => stand(() => ({ tally: tally.toData() })),
        begun: begun?.tally,
      }),
    write: (result) => writeRun(folder, result, writing),
    describeMaking: ({ threadsUsed }, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { ...settings, threads: threadsUsed }),
    describeStanding: ({ tally: { days } }) =>
      `${days.toLocaleString("en-US")} of ${settings.days.toLocaleString("en-US")} days are`,
  };
}
