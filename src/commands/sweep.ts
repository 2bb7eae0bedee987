// redrive sweep: simulates a grid of scenarios, prints what it comes to and writes the files.
import { estimateSweep } from "../experiment/estimate.js";
import { mostScenarios, sizeOf } from "../experiment/grid.js";
import { shardSetting } from "../experiment/shard.js";
import { chooseSweepThreads, simulateSweep } from "../experiment/sweep.js";
import { resolveSweep, type Sweep, sweepSettings } from "../experiment/sweep-settings.js";
import type { Tally, TallyData } from "../experiment/tally.js";
import type { ResultFolder } from "../report/folder.js";
import { describeMaking } from "../report/manifest.js";
import { renderingOfText, type ScenarioText } from "../report/scenario-text.js";
import { announceSweep } from "../report/sweep-announcement.js";
import { identityOf } from "./identity.js";
import type { TypedOptions } from "./options.js";
import { checkDays, outputSettings, resolveOutput, resumeSettings, type Writing } from "./output.js";
import { noteWritten, produce, type Steps } from "./produce.js";
import { checkSpace, checkStudyFolder, openFolder } from "./result-folder.js";
import { gatherSettings } from "./settings.js";
import { checkShard, describeWhole, nameShardFolder, produceShard } from "./shard.js";
import {
  type Answer,
  type AnswerData,
  appendDaysOfSweep,
  checkJson,
  noteDoubtsOfSweep,
  printSweep,
  SweepAnswer,
  startSweepFiles,
  writeSweep,
} from "./sweep-result.js";
import { note, type Progress, startProgress } from "./terminal.js";

/** What a sweep needs to go on. */
interface SweepState {
  /** Scenarios that are done. */
  readonly scenarios: number;
  /** What is known of the one after them, where some of its days are done. */
  readonly tally: TallyData | undefined;
  readonly answer: AnswerData;
}

/** @throws SettingsError before anything is simulated or written; anything else if the sweep fails */
export async function sweep(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const { flagOf } = options;
  const defaultOut = "results/sweep";
  const typed = Object.keys(options.given);
  const values = await gatherSettings(
    { ...sweepSettings, ...outputSettings, ...resumeSettings, shard: shardSetting() },
    options,
    async ({ shard, out = nameShardFolder(defaultOut, shard), daysCsv, resume, format, ...values }) => {
      const { sweep, problems } = resolveSweep(values, typed, flagOf);
      const scenarios = sizeOf(sweep.grid);
      return [
        ...problems,
        ...checkDays(values, daysCsv, flagOf),
        ...checkShard(shard, { ...values, format, isOfOne: false }, flagOf),
        ...checkJson(format, scenarios <= mostScenarios ? scenarios : 0, flagOf),
        ...(await checkStudyFolder(out, shard, flagOf("out"))),
        ...(daysCsv && !resume ? await checkSpace(out, sweep, { scenarios, shard }, flagOf) : []),
      ];
    },
  );
  const { shard, out = nameShardFolder(defaultOut, shard), resume = false } = values;
  const { sweep: settings } = resolveSweep(values, typed, flagOf);
  const output = resolveOutput(values);
  const { writing, quiet, format } = output;
  const identity = identityOf(settings, settings.grid, { command: "sweep", ...writing });
  const folder = await openFolder(out, flagOf("out"));
  if (shard !== undefined) {
    const whole = describeWhole("sweep", settings, settings.grid, writing);
    return produceShard(folder, { whole, simulation: settings, shard, resume, quiet, flagOf }, signal);
  }
  const estimate = estimateSweep(settings);
  const isUpTo = settings.precision !== undefined;
  for (const line of quiet ? [] : announceSweep(estimate, isUpTo, writing.daysCsv, settings.threads))
    note(line);
  const isJson = format === "json";
  const progress = await startProgress(estimate.scenarios, estimate.workNs, quiet, "scenarios");
  const steps = stepsOf(settings, folder, writing, isJson, progress, signal);
  // Rows for a program are kept beside the files: only a sweep that has them can go on for one.
  const ownIdentity = { ...identity, format: isJson ? "json" : "table or csv" };
  const produced = await produce(folder, { identity: ownIdentity, resume, quiet, flagOf, progress }, steps);
  await printSweep(settings, produced.result, folder, output);
  if (quiet) return;
  noteWritten(folder, produced);
  noteDoubtsOfSweep(produced.result, settings);
}

function stepsOf(
  settings: Sweep,
  folder: ResultFolder,
  writing: Writing,
  isJson: boolean,
  progress: Progress,
  signal: AbortSignal,
): Steps<SweepState, Answer> {
  return {
    async make(begun, stand) {
      const answer = new SweepAnswer(settings.grid, begun?.answer);
      if (begun === undefined) await startSweepFiles(folder, writing);
      let scenarios = begun?.scenarios ?? 0;
      const standAt = (tally?: Tally) =>
        stand(() => ({ scenarios, tally: tally?.toData(), answer: answer.toData() }));
      const rendering = renderingOfText({ dialect: writing.csvDialect, json: isJson });
      for await (const { gridScenario, content } of simulateSweep<ScenarioText>(settings, rendering, {
        signal,
        onDays: writing.daysCsv
          ? (number, days) => appendDaysOfSweep(folder, number, days, writing.csvDialect)
          : undefined,
        onTally: standAt,
        begun,
      })) {
        await answer.add(gridScenario, content, folder);
        scenarios = gridScenario.number;
        await standAt();
        progress.update(scenarios);
      }
      return answer.describe();
    },
    write: () => writeSweep(folder, settings, writing),
    describeMaking: (_, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { ...settings, threads: chooseSweepThreads(settings) }),
    describeStanding: ({ scenarios, tally }) => {
      const [done, all, days] = [scenarios, sizeOf(settings.grid), tally?.days ?? 0].map((n) =>
        n.toLocaleString("en-US"),
      );
      return `${done} of ${all} scenarios${tally === undefined ? "" : ` and ${days} days of the next one`} are`;
    },
  };
}
