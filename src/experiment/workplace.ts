// Where tasks are done: on this thread alone, or on several.
import { setImmediate } from "node:timers/promises";
import { deriveExact } from "../exact/metrics.js";
import type { Pool } from "./pool.js";
import { type Task, TaskRunner, type Workplace } from "./task.js";
import { failureOf } from "./task-failure.js";
import { isLongAnswer, isLongTask } from "./task-size.js";

/**
 * @param threads - this one included; 0 or 1 where it is alone
 * @param signal - whoever waits gets its reason as soon as it is aborted. For it to be heard, this thread does nothing that
 *   takes long where there is one
 */
export async function openWorkplace(threads: number, signal?: AbortSignal): Promise<Workplace> {
  const runner = new TaskRunner();
  const openPool = async (threads: number) => {
    const { Pool } = await import("./pool.js");
    return new Pool(threads, runner, { signal });
  };
  if (threads > 1) return openPool(threads);
  // One worker, which does what would keep this thread from hearing a signal; this one waits meanwhile.
  let deputy: Pool | undefined;
  const doOne = async (task: Task) => {
    if (signal !== undefined && isLongTask(task)) {
      deputy ??= await openPool(2);
      return await deputy.doInWorker(task);
    }
    return await runner.run(task).catch((error) => {
      throw failureOf(task, error);
    });
  };
  return {
    runner,
    doOne,
    /** Timers and signals have their turn between tasks. */
    async *run(tasks) {
      for await (const task of tasks) {
        yield await doOne(task);
        await setImmediate();
      }
    },
    async exactOf(scenario) {
      if (signal === undefined || !isLongAnswer(scenario)) return deriveExact(scenario);
      deputy ??= await openPool(2);
      return await deputy.exactOf(scenario);
    },
    async close() {
      await deputy?.close();
    },
  };
}
