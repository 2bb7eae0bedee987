// A worker thread: does the tasks that it is sent.
import { SettingsError } from "../model/settings.js";
import { type Task, type TaskResult, TaskRunner } from "./task.js";

/** The result of a task, or what of its settings does not fit: errors lose their class between threads. */
export type WorkerResult = TaskResult<unknown> | { readonly problems: readonly string[] };

const runner = new TaskRunner();

export default async function runTask(task: Task): Promise<WorkerResult> {
  try {
    return await runner.run(task);
  } catch (error) {
    if (error instanceof SettingsError) return { problems: error.problems };
    throw error;
  }
}
