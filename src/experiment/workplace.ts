// Where tasks are done: on this thread alone, or on several.
import { setImmediate } from "node:timers/promises";
import { type Task, type TaskResult, TaskRunner } from "./task.js";

/** Does tasks and yields their results in order. */
export interface Workplace {
  /** Does the tasks of this thread. */
  readonly runner: TaskRunner;
  run(tasks: Iterable<Task>): AsyncGenerator<TaskResult<unknown>>;
  close(): Promise<void>;
}

/** @param threads - this one included; 0 or 1 where it is alone */
export async function openWorkplace(threads: number): Promise<Workplace> {
  const runner = new TaskRunner();
  if (threads > 1) {
    const { Pool } = await import("./pool.js");
    return new Pool(threads, runner);
  }
  return {
    runner,
    /** Timers and signals have their turn between tasks. */
    async *run(tasks) {
      for (const task of tasks) {
        yield await runner.run(task);
        await setImmediate();
      }
    },
    async close() {},
  };
}
