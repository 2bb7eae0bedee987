// A shard of a run or sweep: simulated into a folder of its own, for redrive merge.
import { scenariosOf } from "../experiment/grid.js";
import { threadsFor } from "../experiment/plan.js";
import type { Simulation } from "../experiment/settings.js";
import { planShard, type Shard, type ShardPlan } from "../experiment/shard.js";
import { renderStudies } from "../experiment/studies.js";
import type { Study } from "../experiment/study.js";
import type { TallyData } from "../experiment/tally.js";
import { SettingsError } from "../model/settings.js";
import { daysLines } from "../report/days-text.js";
import type { ResultFolder } from "../report/folder.js";
import { describeMaking } from "../report/manifest.js";
import { daysName, findShard, talliesName, type Whole, writeShard } from "../report/shard-folder.js";
import { type PartText, renderingOfPart } from "../report/shard-text.js";
import { compareIdentities, type Identity, identityOf } from "./identity.js";
import { noteWritten, produce, type Steps } from "./produce.js";
import { note, type Progress, startProgress } from "./terminal.js";

/** What a shard needs to go on. */
interface ShardState {
  /** Parts of scenarios that are done. */
  readonly parts: number;
  /** Days of these parts. */
  readonly days: number;
  /** What is known of the part after them, where some of its days are done. */
  readonly tally: TallyData | undefined;
}

/** What a shard is a part of, and how it is made. */
export interface Sharding {
  readonly whole: Whole;
  readonly simulation: Simulation;
  readonly shard: Shard;
  readonly resume: boolean;
  readonly quiet: boolean;
  readonly flagOf: (setting: string) => string;
}

/** What the shards of a result have in common. */
export function describeWhole(
  command: Whole["command"],
  simulation: Simulation,
  scenarios: Whole["scenarios"],
  writing: Whole["writing"],
): Whole {
  const { days, seed, precision } = simulation;
  const identity = identityOf(simulation, scenarios, { command, ...writing });
  return { command, identity, scenarios, days, seed, precision, writing };
}

/** Where a shard goes by default, beside where the whole would go. */
export function nameShardFolder(out: string, shard: Shard | undefined): string {
  return shard === undefined ? out : `${out}-shards/${shard.number}-of-${shard.count}`;
}

/** Lines where a result cannot be divided, or is to be printed by one who has a part of it. */
export function checkShard(
  shard: Shard | undefined,
  {
    engine,
    precision,
    format,
    isOfOne,
  }: {
    readonly engine?: string | undefined;
    readonly precision?: unknown;
    readonly format?: string | undefined;
    /** Whether there is but one scenario. */
    readonly isOfOne: boolean;
  },
  nameOf: (setting: string) => string,
): readonly string[] {
  if (shard === undefined) return [];
  const leftOut = (reason: string) => `${nameOf("shard")} must be left out ${reason}`;
  return [
    ...(engine === "exact" ? [leftOut(`with ${nameOf("engine")} exact, which simulates no days`)] : []),
    ...(precision !== undefined && isOfOne
      ? [
          leftOut(
            `with ${nameOf("precision")}, which needs the days of one scenario in order; give ${nameOf("days")}`,
          ),
        ]
      : []),
    ...(format !== undefined
      ? [`${nameOf("format")} must be left out with ${nameOf("shard")}; redrive merge prints the result`]
      : []),
  ];
}

/** Makes a shard and writes it to its folder; a shard that is there already is left as it is by --resume. */
export async function produceShard(
  folder: ResultFolder,
  { whole, simulation, shard, resume, quiet, flagOf }: Sharding,
  signal: AbortSignal,
): Promise<void> {
  const say = (line: string) => {
    if (!quiet) note(line);
  };
  const identity = { ...whole.identity, shard: nameInSettings(shard) };
  const there = resume ? await findComplete(folder, signal) : undefined;
  if (there !== undefined) {
    folder.release();
    const differences = compareIdentities(there, identity, flagOf);
    if (differences.length === 0) return say(`${nameShard(shard)} is complete in ${folder.path}`);
    throw new SettingsError(
      differences.map(
        ({ name, one, other }) =>
          `${name} must be ${one} for the shard that is complete in ${folder.path}, got ${other}; ` +
          "leave out --resume to replace it",
      ),
    );
  }
  const { scenarios, writing } = whole;
  const scenariosFrom = (first: number) =>
    "workflows" in scenarios
      ? [{ number: 1, scenario: scenarios }].slice(first - 1)
      : scenariosOf(scenarios, first);
  const plan = planShard(simulation, scenariosFrom, shard, writing.daysCsv);
  say(`${nameShard(shard)}: ${describePlan(plan, whole)}`);
  const isUpTo = simulation.precision !== undefined;
  const progress = await startProgress(plan.days, plan.workNs, quiet, "days", isUpTo);
  const steps = stepsOf(folder, plan, { whole, simulation, shard }, progress, signal);
  const produced = await produce(folder, { identity, resume, quiet, flagOf, progress }, steps);
  if (!quiet) noteWritten(folder, produced);
}

function stepsOf(
  folder: ResultFolder,
  plan: ShardPlan,
  { whole, simulation, shard }: Pick<Sharding, "whole" | "simulation" | "shard">,
  progress: Progress,
  signal: AbortSignal,
): Steps<ShardState, { readonly threads: number }> {
  const { daysCsv, csvDialect: dialect } = whole.writing;
  return {
    async make(begun, stand) {
      const threads = threadsFor(plan.workNs, Number.POSITIVE_INFINITY, simulation.threads);
      if (begun === undefined) {
        for (const name of [talliesName, ...(daysCsv ? [daysName] : [])]) await folder.append(name, "");
      }
      let { parts, days } = begun ?? { parts: 0, days: 0 };
      const coming = plan.studies(parts);
      const texts = renderStudies<PartText>(plan.studies(parts), renderingOfPart({ dialect }), {
        threads,
        workNs: plan.workNs,
        signal,
        async onBlock({ block, days }, { number }) {
          if (days === undefined) return;
          for (const lines of daysLines(number, { block, days }, dialect))
            await folder.append(daysName, lines);
        },
        async onTally(tally) {
          await stand(() => ({ parts, days, tally: tally.toData() }));
          progress.update(days + tally.days);
        },
        begun: begun?.tally,
      });
      for await (const text of texts) {
        await folder.append(talliesName, text.tally);
        if (text.days !== undefined) await folder.append(daysName, text.days);
        parts++;
        days += (coming.next().value as Study).days;
        await stand(() => ({ parts, days, tally: undefined }));
        progress.update(days);
      }
      return { threads };
    },
    async write() {
      await folder.finishAppended();
      await writeShard(folder, whole, shard, signal);
      return undefined;
    },
    describeMaking: ({ threads }, start, elapsedMs) =>
      describeMaking(start, elapsedMs, { ...simulation, threads }),
    describeStanding: ({ days, tally }) =>
      `${count(days + (tally?.days ?? 0))} of ${count(plan.days)} days of ${nameShard(shard)} are`,
  };
}

/** What the shard depends on that is complete in a folder; undefined where there is none. */
async function findComplete(folder: ResultFolder, signal: AbortSignal): Promise<Identity | undefined> {
  if ((await folder.findCheckpoint()) !== undefined) return undefined;
  const found = await findShard(folder.path, signal);
  return "whole" in found ? { ...found.whole.identity, shard: nameInSettings(found) } : undefined;
}

function nameInSettings({ number, count }: Shard): string {
  return `${number}/${count}`;
}

function describePlan({ ends, days }: ShardPlan, { scenarios, days: daysOfAll }: Whole): string {
  if (ends === undefined) return "nothing to do, there are more shards than blocks of days";
  const [first, last] = ends;
  const [begin, end] = [count(first.begin + 1), count(last.begin + last.days)];
  if ("workflows" in scenarios) return `days ${begin} to ${end} of ${count(daysOfAll)}`;
  return `day ${begin} of scenario ${count(first.number)} to day ${end} of scenario ${count(last.number)}, ${count(days)} days`;
}

function nameShard({ number, count: of }: Shard): string {
  return `shard ${count(number)} of ${count(of)}`;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
