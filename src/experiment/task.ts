// What a thread does at a time: a few small studies from their first day to their text, or a block of a large one.
import type { ExactMetrics } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { type BlockResult, BlockRunner } from "./block.js";
import { type Group, groupStudies } from "./group.js";
import { type Block, estimateDayNs } from "./plan.js";
import { isPreciseEnough, looks, type Precision } from "./precision.js";
import type { Study, StudyResult } from "./study.js";
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

/** Studies to be simulated whole and rendered, or one block of one, or a result that is only to be rendered. */
export type Task =
  | { readonly studies: readonly Study[]; readonly rendering: Rendering }
  | { readonly result: StudyResult; readonly rendering: Rendering }
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
      const [block] = this.#runnerOf([task.study]).run(task.block);
      return { study: task.study, block };
    }
    const { rendering } = task;
    const render = await this.load(rendering);
    if ("result" in task) return { rendered: [{ content: render(task.result, rendering.options as never) }] };
    const { studies } = task;
    const rendered: ({ readonly content: unknown } | Unfinished)[] = [];
    const finish = (result: StudyResult) => {
      rendered.push({ content: render(result, rendering.options as never) });
    };
    for (const group of groupStudies(studies)) {
      const [study] = group;
      if (study.exact) {
        finish({ ...study, tally: undefined, isPrecise: true, columns: undefined });
      } else if (study.precision !== undefined) {
        const { tally, isPrecise } = this.#simulateUntil(study.precision, study);
        if (isPrecise !== undefined) finish({ ...study, tally, isPrecise, columns: undefined });
        else rendered.push({ study, tally });
      } else {
        const results = this.#runnerOf(group).run({ begin: study.begin, end: study.begin + study.days });
        for (const [i, { tally, days }] of results.entries()) {
          finish({ ...group[i], tally, isPrecise: true, columns: days });
        }
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

  /**
   * Simulates a study until it is precise, or has all its days, or going on is worth several threads.
   *
   * @returns whether it is precise; undefined where it should be gone on with
   */
  #simulateUntil(precision: Precision, study: Study): { tally: TallyData; isPrecise: boolean | undefined } {
    const { scenario, engine, days } = study;
    const runner = this.#runnerOf([study]);
    const tally = new Tally();
    let begin = 0;
    for (const end of looks(days)) {
      const isLong = begin > 0 && (end - begin) * estimateDayNs(scenario, engine) > largestAloneNs;
      if (isLong) return { tally: tally.toData(), isPrecise: undefined };
      tally.merge(runner.run({ begin, end })[0].tally);
      begin = end;
      if (isPreciseEnough(precision, tally.toData())) return { tally: tally.toData(), isPrecise: true };
    }
    return { tally: tally.toData(), isPrecise: false };
  }

  #runnerOf(group: Group): BlockRunner {
    const isKnown = group.length === 1 && this.#study?.number === group[0].number;
    if (this.#runner === undefined || !isKnown) {
      this.#runner = new BlockRunner(group);
      this.#study = group.length === 1 ? group[0] : undefined;
    }
    return this.#runner;
  }
}

/** Does tasks and yields their results in order. */
export interface Workplace {
  /** Does the tasks of this thread. */
  readonly runner: TaskRunner;
  run(tasks: Iterable<Task> | AsyncIterable<Task>): AsyncGenerator<TaskResult<unknown>>;
  /** Does a task at once: on this thread, unless that would keep it from hearing a signal. */
  doOne(task: Task): Promise<TaskResult<unknown>>;
  /** The exact results of a scenario, without keeping this thread for long. */
  exactOf(scenario: Scenario): Promise<ExactMetrics>;
  close(): Promise<void>;
}
