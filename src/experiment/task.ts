// What a thread does at a time: a few small studies from their first day to their text, or a block of a large one.
import type { DayColumns } from "../engine/day-columns.js";
import type { ExactMetrics } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { type BlockResult, BlockRunner } from "./block.js";
import { groupStudies } from "./group.js";
import { type Block, estimateDayNs } from "./plan.js";
import { isPreciseEnough, looks } from "./precision.js";
import { answerStudy, concludeStudy, type Study, type StudyResult } from "./study.js";
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

/** More days of a study than take this long are worth several threads. */
const largestAloneNs = 200e6;

/** Does tasks; keeps what it learned of the study that it met last. */
export class TaskRunner {
  #study: Study | undefined;
  #runner: BlockRunner | undefined;
  #rendering: { readonly module: string; readonly render: Render<unknown> } | undefined;

  async run(task: Task): Promise<TaskResult<unknown>> {
    if ("block" in task) {
      const [block] = this.#runnerOf(task.study).run(task.block);
      return { study: task.study, block };
    }
    const { studies, rendering } = task;
    const render = await this.load(rendering);
    const rendered: ({ readonly content: unknown } | Unfinished)[] = [];
    const finish = (result: StudyResult) => {
      rendered.push({ content: render(result, rendering.options as never) });
    };
    const conclude = (study: Study, tally: TallyData, isPrecise: boolean, columns?: DayColumns) =>
      finish(concludeStudy(study, tally, isPrecise, columns));
    for (const group of groupStudies(studies)) {
      if (group[0].exact) {
        finish(answerStudy(group[0]));
      } else if (group.length > 1) {
        const results = new BlockRunner(group).run({ begin: 0, end: group[0].days });
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
      const [{ tally, days: columns }] = runner.run({ begin: 0, end: days });
      return { tally, isDone: true, isPrecise: true, columns };
    }
    const tally = new Tally();
    let begin = 0;
    for (const end of looks(days)) {
      const isLong = begin > 0 && (end - begin) * estimateDayNs(scenario, engine) > largestAloneNs;
      if (isLong) return { tally: tally.toData(), isDone: false, isPrecise: false };
      tally.merge(runner.run({ begin, end })[0].tally);
      begin = end;
      if (isPreciseEnough(precision, tally.toData())) {
        return { tally: tally.toData(), isDone: true, isPrecise: true };
      }
    }
    return { tally: tally.toData(), isDone: true, isPrecise: false };
  }

  #runnerOf(study: Study): BlockRunner {
    if (this.#runner === undefined || this.#study?.number !== study.number) {
      this.#runner = new BlockRunner([study]);
      this.#study = study;
    }
    return this.#runner;
  }
}

/** Does tasks and yields their results in order. */
export interface Workplace {
  /** Does the tasks of this thread. */
  readonly runner: TaskRunner;
  run(tasks: Iterable<Task>): AsyncGenerator<TaskResult<unknown>>;
  /** The exact results of a scenario, without keeping this thread for long. */
  exactOf(scenario: Scenario): Promise<ExactMetrics>;
  close(): Promise<void>;
}
