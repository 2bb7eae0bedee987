// Worker threads. The one file that knows piscina.
import { setImmediate } from "node:timers/promises";
import { Piscina } from "piscina";
import type { Task, TaskResult, TaskRunner, Workplace } from "./task.js";

/** Tasks that a worker has been handed ahead of time, so that it need not wait for this thread to hand out more. */
const aheadPerWorker = 3;

/** A task that was handed out; its result comes. */
interface Handed {
  readonly promise: Promise<TaskResult<unknown>>;
  isDone: boolean;
}

/**
 * Does tasks on this thread and on worker threads, and yields their results in order.
 *
 * This thread works as well: it has the engine warm before the first worker has loaded it.
 */
export class Pool implements Workplace {
  readonly runner: TaskRunner;
  readonly #workers: number;
  readonly #piscina: Piscina<Task, TaskResult<unknown>>;
  /** A thread that cannot even load fails the pool, not a task: then the tasks are given up. */
  #failure: unknown;
  #outstanding = 0;

  /** @param threads - at least 2, this one included */
  constructor(threads: number, runner: TaskRunner) {
    this.runner = runner;
    this.#workers = threads - 1;
    this.#piscina = new Piscina<Task, TaskResult<unknown>>({
      filename: new URL("./worker.js", import.meta.url).href,
      minThreads: this.#workers,
      maxThreads: this.#workers,
      concurrentTasksPerWorker: aheadPerWorker,
      recordTiming: false,
    });
    this.#piscina.once("error", (error) => {
      this.#failure = error;
      void this.#piscina.destroy();
    });
  }

  /**
   * Does the tasks; while its results wait to be taken, others may be done in between.
   *
   * @throws what a task or a thread failed with
   */
  async *run(tasks: Iterable<Task>): AsyncGenerator<TaskResult<unknown>> {
    // In the order of the tasks; some of them are with the workers, the others are done.
    const pending: Handed[] = [];
    const mostPending = 4 * aheadPerWorker * (this.#workers + 1);
    for (const task of tasks) {
      if (this.#outstanding < aheadPerWorker * this.#workers) {
        pending.push(this.#handOut(task));
      } else {
        const result = await this.runner.run(task);
        pending.push({ promise: Promise.resolve(result), isDone: true });
        await setImmediate();
      }
      while (pending[0]?.isDone || pending.length > mostPending) {
        yield await this.#resultOf(pending.shift() as Handed);
      }
    }
    while (pending.length > 0) yield await this.#resultOf(pending.shift() as Handed);
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }

  #handOut(task: Task): Handed {
    this.#outstanding++;
    const promise = this.#piscina.run(task);
    const handed: Handed = { promise, isDone: false };
    const settle = () => {
      this.#outstanding--;
      handed.isDone = true;
    };
    // A failure is thrown when its turn comes; until then it counts as handled.
    promise.then(settle, settle);
    return handed;
  }

  #resultOf({ promise }: Handed): Promise<TaskResult<unknown>> {
    return promise.catch((error: unknown) => {
      throw this.#failure ?? error;
    });
  }
}
