// A worker thread: does the tasks that it is sent.
import { deriveExact } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { SettingsError } from "../model/settings.js";
import { type ExactData, toExactData } from "./exact-data.js";
import { type Task, type TaskResult, TaskRunner } from "./task.js";

/** A scenario whose exact results are wanted. */
export interface ExactTask {
  readonly exactOf: Scenario;
}

/** The result of a task, or what of its settings does not fit: errors lose their class between threads. */
export type WorkerResult =
  | TaskResult<unknown>
  | { readonly exact: ExactData }
  | { readonly problems: readonly string[] };

const runner = new TaskRunner();

export default async function runTask(task: Task | ExactTask): Promise<WorkerResult> {
  try {
    if ("exactOf" in task) return { exact: toExactData(deriveExact(task.exactOf)) };
    return await runner.run(task);
  } catch (error) {
    if (error instanceof SettingsError) return { problems: error.problems };
    throw error;
  }
}
