// Worker threads. The one file that knows piscina.
import { setImmediate } from "node:timers/promises";
import { Piscina } from "piscina";
import { SettingsError } from "../model/settings.js";
import { estimateDayNs } from "./plan.js";
import type { Task, TaskResult, TaskRunner, Workplace } from "./task.js";
import { failureOf, reasonOf } from "./task-failure.js";
import { estimateDescribingNs, estimateStudyNs } from "./task-plan.js";
import type { WorkerResult } from "./worker.js";

/** Tasks that a worker has been handed ahead of time, so that it need not wait for this thread to hand out more. */
const aheadPerWorker = 3;

/** How often a task is tried before it is given up. */
const mostTries = 3;

/** A task may take so much longer than its estimate before its worker counts as hanging, and at least so long. */
const patience = 100;
const leastPatienceMs = 60_000;

/** How piscina's error begins that reports the answer of a worker to a task that it no longer waits for. */
const lateAnswer = "Unexpected message from Worker";

/** How a pool treats its workers; for all but tests, the defaults are right. */
export interface PoolOptions {
  /** Address of the module that does the tasks. */
  readonly worker?: string;
  /** Memory of each worker, in megabytes. */
  readonly memoryMb?: number;
  /** Time without any result after which the workers count as hanging. */
  readonly patienceMs?: number;
}

/** A task that was handed out; its result comes. */
interface Handed {
  readonly task: Task;
  promise: Promise<TaskResult<unknown>>;
  isDone: boolean;
}

/**
 * Does tasks on this thread and on worker threads, and yields their results in order.
 *
 * This thread works as well: it has the engine warm before the first worker has loaded it.
 *
 * A task whose worker throws, exits, runs out of memory or hangs is tried again, a few times.
 */
export class Pool implements Workplace {
  readonly runner: TaskRunner;
  readonly #workers: number;
  readonly #options: PoolOptions;
  #piscina: Piscina<Task, WorkerResult>;
  /** A thread that cannot even load fails the pool, not a task: then the tasks are given up. */
  #failure: Error | undefined;
  #outstanding = 0;
  #isClosed = false;

  /** @param threads - at least 2, this one included */
  constructor(threads: number, runner: TaskRunner, options: PoolOptions = {}) {
    this.runner = runner;
    this.#workers = threads - 1;
    this.#options = options;
    this.#piscina = this.#startWorkers();
  }

  /**
   * Does the tasks; while its results wait to be taken, others may be done in between.
   *
   * @throws what a task or a thread failed with
   */
  async *run(tasks: Iterable<Task> | AsyncIterable<Task>): AsyncGenerator<TaskResult<unknown>> {
    // In the order of the tasks; some of them are with the workers, the others are done.
    const pending: Handed[] = [];
    const mostPending = 4 * aheadPerWorker * (this.#workers + 1);
    for await (const task of tasks) {
      if (this.#outstanding < aheadPerWorker * this.#workers) {
        pending.push(this.#handOut(task));
      } else {
        const result = await this.runner.run(task).catch((error) => {
          throw failureOf(task, error);
        });
        pending.push({ task, promise: Promise.resolve(result), isDone: true });
        await setImmediate();
      }
      while (pending[0]?.isDone || pending.length > mostPending) {
        yield await (pending.shift() as Handed).promise;
      }
    }
    while (pending.length > 0) yield await (pending.shift() as Handed).promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#piscina.destroy();
  }

  #startWorkers(): Piscina<Task, WorkerResult> {
    const { worker = new URL("./worker.js", import.meta.url).href, memoryMb } = this.#options;
    const piscina = new Piscina<Task, WorkerResult>({
      filename: worker,
      minThreads: this.#workers,
      maxThreads: this.#workers,
      concurrentTasksPerWorker: aheadPerWorker,
      recordTiming: false,
      ...(memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
    });
    // A worker that fails while it has no task could not even load. Late answers, to tasks that were given up, come here too.
    piscina.on("error", (error: Error) => {
      if (piscina !== this.#piscina || this.#isClosed || error.message.startsWith(lateAnswer)) return;
      this.#failure = new Error(`a worker thread cannot start: ${reasonOf(error)}`, { cause: error });
      void piscina.destroy();
    });
    return piscina;
  }

  #handOut(task: Task): Handed {
    this.#outstanding++;
    const promise = this.#try(task);
    const handed: Handed = { task, promise, isDone: false };
    const settle = () => {
      this.#outstanding--;
      handed.isDone = true;
    };
    // A failure is thrown when its turn comes; until then it counts as handled.
    promise.then(settle, settle);
    return handed;
  }

  async #try(task: Task): Promise<TaskResult<unknown>> {
    let last: unknown;
    for (let tries = 0; tries < mostTries; tries++) {
      try {
        const result = await this.#runInWorker(task);
        if ("problems" in result) throw new SettingsError(result.problems);
        return result;
      } catch (error) {
        if (error instanceof SettingsError || this.#isClosed) throw error;
        if (this.#failure !== undefined) throw this.#failure;
        last = error;
      }
    }
    throw failureOf(task, last, `a worker thread failed ${mostTries} times: `);
  }

  /** Hands a task to a worker; where no result comes in good time, the workers are replaced, whatever they do. */
  async #runInWorker(task: Task): Promise<WorkerResult> {
    const piscina = this.#piscina;
    const estimateMs = (estimateTaskNs(task) / 1e6) * patience * aheadPerWorker;
    const patienceMs = this.#options.patienceMs ?? Math.max(leastPatienceMs, estimateMs);
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<never>((_, fail) => {
      timer = setTimeout(() => {
        fail(new Error(`no result within ${Math.round(patienceMs / 1000)} s`));
        if (this.#piscina !== piscina || this.#isClosed) return;
        this.#piscina = this.#startWorkers();
        void piscina.destroy();
      }, patienceMs);
    });
    const result = piscina.run(task);
    // Replaced workers fail later than the clock.
    result.catch(() => {});
    try {
      return await Promise.race([result, hung]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function estimateTaskNs(task: Task): number {
  if ("result" in task) return estimateDescribingNs(task.result.scenario);
  if ("studies" in task) return task.studies.reduce((sum, study) => sum + estimateStudyNs(study), 0);
  const { study, block } = task;
  return (block.end - block.begin) * estimateDayNs(study.scenario, study.engine);
}
