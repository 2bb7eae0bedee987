// Where tasks are done: on this thread alone, or on several.
import { setImmediate } from "node:timers/promises";
import { TaskRunner, type Workplace } from "./task.js";
import { failureOf } from "./task-failure.js";

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
      for await (const task of tasks) {
        yield await runner.run(task).catch((error) => {
          throw failureOf(task, error);
        });
        await setImmediate();
      }
    },
    async close() {},
  };
}
