// What a thread does at a time: a few small studies from their first day to their text, or a block of a large one.
import type { DayColumns } from "../engine/day-columns.js";
import { type BlockResult, BlockRunner } from "./block.js";
import { drawTheSame, runGroup } from "./group.js";
import { type Block, chooseBlockLength, estimateDayNs, planBlocks } from "./plan.js";
import { firstLook, isPreciseEnough, looks } from "./precision.js";
import { concludeStudy, type Study, type StudyResult } from "./study.js";
import { Tally, type TallyData } from "./tally.js";

/** Where a result is turned into what its reader wants: in the thread that simulated it, by a module that it loads. */
export interface Rendering {
  /** Address of a module with a {@link Render} function as its default export. */
  readonly module: string;
  /** Handed to the function. */
  readonly options: unknown;
}

/** Makes plain data of a result, to be sent between threads. */
export type Render<Rendered> = (result: StudyResult, options: never) => Rendered;

/** Studies to be simulated whole and rendered, or one block of one. */
export type Task =
  | { readonly studies: readonly Study[]; readonly rendering: Rendering }
  | { readonly study: Study; readonly block: Block };

/** A study that needs so many more days that other threads should help; what is known so far. */
export interface Unfinished {
  readonly study: Study;
  readonly tally: TallyData;
}

/** What comes of a task: in the order of its studies what was made of them, or the block. */
export type TaskResult<Rendered> =
  | { readonly rendered: readonly ({ readonly content: Rendered } | Unfinished)[] }
  | { readonly study: Study; readonly block: BlockResult };

/** Small studies are gathered to tasks of about this much work. */
const taskNs = 60e6;

/** Share of a day's work that is left where its draws are made for another scenario already. */
const shareWithoutDraws = 0.3;

/** A study of more work than this is divided into blocks; its end may wait for the last of them. */
const largestWholeNs = 200e6;

/** What a study takes beside its days: tables, exact values, text. */
const studyNs = 8e6;

/**
 * About how long a study takes, in nanoseconds; with a precision, a guess.
 *
 * @param isShared - whether its days are drawn for another one as well
 */
export function estimateStudyNs({ scenario, engine, days, precision }: Study, isShared = false): number {
  const dayNs = estimateDayNs(scenario, engine) * (isShared && engine === "table" ? shareWithoutDraws : 1);
  return studyNs + dayNs * (precision === undefined ? days : Math.min(days, 20_000));
}

/** The days of a study that are sure to be simulated: all, or those until its precision is first looked at. */
export function plannedDays({ days, precision }: Study): number {
  return precision === undefined ? days : Math.min(days, firstLook);
}

/** Divides studies into tasks, in order; without a rendering, all of them into blocks. */
export function* planTasks(studies: Iterable<Study>, rendering: Rendering | undefined): Generator<Task> {
  let gathered: Study[] = [];
  let gatheredNs = 0;
  for (const study of studies) {
    const previous = gathered.at(-1);
    const isShared = previous !== undefined && areDrawnTogether(previous, study);
    const workNs = estimateStudyNs(study, isShared);
    const isWhole = rendering !== undefined && isSmall(study, workNs);
    if (rendering !== undefined && gathered.length > 0 && (!isWhole || gatheredNs + workNs > taskNs)) {
      yield { studies: gathered, rendering };
      gathered = [];
      gatheredNs = 0;
    }
    if (isWhole) {
      gathered.push(study);
      gatheredNs += workNs;
    } else {
      const length = chooseBlockLength(study.scenario, study.engine);
      for (const block of planBlocks(plannedDays(study), length)) yield { study, block };
    }
  }
  if (rendering !== undefined && gathered.length > 0) yield { studies: gathered, rendering };
}

/** Whether studies can be simulated in one go, each day drawn once for all of them. */
function areDrawnTogether(a: Study, b: Study): boolean {
  return a.precision === undefined && b.precision === undefined && a.days === b.days && drawTheSame(a, b);
}

/** Divides studies into groups of neighbors that are drawn together. */
function groupStudies(studies: readonly Study[]): Study[][] {
  const groups: Study[][] = [];
  for (const study of studies) {
    const group = groups.at(-1);
    if (group !== undefined && areDrawnTogether(group[0], study)) group.push(study);
    else groups.push([study]);
  }
  return groups;
}

/** Whether a study is simulated in one go. Days that are kept for days.csv must not pile up before their turn. */
function isSmall({ precision, keepDays }: Study, workNs: number): boolean {
  return precision === undefined ? workNs <= (keepDays ? taskNs : largestWholeNs) : !keepDays;
}

/** Does tasks; keeps what it learned of the study that it met last. */
export class TaskRunner {
  #study: Study | undefined;
  #runner: BlockRunner | undefined;
  #rendering: { readonly module: string; readonly render: Render<unknown> } | undefined;

  async run(task: Task): Promise<TaskResult<unknown>> {
    if ("block" in task) {
      return { study: task.study, block: this.#runnerOf(task.study).run(task.block) };
    }
    const { studies, rendering } = task;
    const render = await this.load(rendering);
    const rendered: ({ readonly content: unknown } | Unfinished)[] = [];
    const conclude = (study: Study, tally: TallyData, isPrecise: boolean, columns?: DayColumns) => {
      const result = concludeStudy(study, tally, isPrecise, columns);
      rendered.push({ content: render(result, rendering.options as never) });
    };
    for (const group of groupStudies(studies)) {
      if (group.length > 1) {
        const results = runGroup(group, { begin: 0, end: group[0].days });
        for (const [i, study] of group.entries()) conclude(study, results[i].tally, true, results[i].days);
      } else {
        const [study] = group;
        const { tally, isDone, isPrecise, columns } = this.#simulate(study);
        if (isDone) conclude(study, tally, isPrecise, columns);
        else rendered.push({ study, tally });
      }
    }
    return { rendered };
  }

  async load({ module }: Rendering): Promise<Render<unknown>> {
    if (this.#rendering?.module !== module) {
      const { default: render } = (await import(module)) as { default: Render<unknown> };
      this.#rendering = { module, render };
    }
    return this.#rendering.render;
  }

  /** Simulates a study to its end, or until going on is worth several threads. */
  #simulate(study: Study): {
    tally: TallyData;
    isDone: boolean;
    isPrecise: boolean;
    columns?: DayColumns | undefined;
  } {
    const { scenario, engine, days, precision } = study;
    const runner = this.#runnerOf(study);
    if (precision === undefined) {
      const { tally, days: columns } = runner.run({ begin: 0, end: days });
      return { tally, isDone: true, isPrecise: true, columns };
    }
    const tally = new Tally();
    let begin = 0;
    for (const end of looks(days)) {
      const isLong = begin > 0 && (end - begin) * estimateDayNs(scenario, engine) > largestWholeNs;
      if (isLong) return { tally: tally.toData(), isDone: false, isPrecise: false };
      tally.merge(runner.run({ begin, end }).tally);
      begin = end;
      if (isPreciseEnough(precision, tally.toData())) {
        return { tally: tally.toData(), isDone: true, isPrecise: true };
      }
    }
    return { tally: tally.toData(), isDone: true, isPrecise: false };
  }

  #runnerOf(study: Study): BlockRunner {
    if (this.#runner === undefined || this.#study?.number !== study.number) {
      this.#runner = new BlockRunner(study);
      this.#study = study;
    }
    return this.#runner;
  }
}
