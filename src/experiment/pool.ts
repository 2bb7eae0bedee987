// Worker threads. The one file that knows piscina.
import { setImmediate } from "node:timers/promises";
import { Piscina } from "piscina";
import { deriveExact, type ExactMetrics } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { SettingsError } from "../model/settings.js";
import { type ExactData, fromExactData } from "./exact-data.js";
import type { Task, TaskResult, TaskRunner, Workplace } from "./task.js";
import { failureOf, reasonOf } from "./task-failure.js";
import { estimateTaskNs, isLongAnswer, isLongTask } from "./task-size.js";
import type { ExactTask, WorkerResult } from "./worker.js";

/** Tasks that a worker has been handed ahead of time, so that it need not wait for this thread to hand out more. */
const aheadPerWorker = 3;

/** How often a task is tried before it is given up. */
const mostTries = 3;

/** A task may take so much longer than its estimate before its worker counts as hanging, and at least so long. */
const patience = 100;
const leastPatienceMs = 60_000;

/** Exact results take no longer than about this. */
const longestExactNs = 10e9;

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
  /** Whoever waits for a worker gets its reason as soon as it is aborted; with it, this thread does nothing that takes long. */
  readonly signal?: AbortSignal | undefined;
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
 * This thread works as well: it has the engine warm before the first worker has loaded it. Only what takes long is left
 * to workers, to one more of them where the others are busy, so that this thread always hears its signals.
 *
 * A task whose worker throws, exits, runs out of memory or hangs is tried again, a few times.
 */
export class Pool implements Workplace {
  readonly runner: TaskRunner;
  readonly #workers: number;
  readonly #options: PoolOptions;
  #piscina: Piscina<Task | ExactTask, WorkerResult>;
  /** Does, in a worker of its own, what would take this thread too long. */
  #deputy: Pool | undefined;
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
        const result = await this.doOne(task);
        pending.push({ task, promise: Promise.resolve(result), isDone: true });
        await setImmediate();
      }
      while (pending[0]?.isDone || pending.length > mostPending) {
        yield await this.#wait((pending.shift() as Handed).promise);
      }
    }
    while (pending.length > 0) yield await this.#wait((pending.shift() as Handed).promise);
  }

  /** Does a task in a worker. */
  async doInWorker(task: Task): Promise<TaskResult<unknown>> {
    return await this.#wait(this.#handOut(task).promise);
  }

  async doOne(task: Task): Promise<TaskResult<unknown>> {
    if (this.#options.signal !== undefined && isLongTask(task)) {
      this.#deputy ??= new Pool(2, this.runner, this.#options);
      return await this.#deputy.doInWorker(task);
    }
    return await this.runner.run(task).catch((error) => {
      throw failureOf(task, error);
    });
  }

  async exactOf(scenario: Scenario): Promise<ExactMetrics> {
    if (this.#options.signal === undefined || !isLongAnswer(scenario)) return deriveExact(scenario);
    const result = await this.#wait(this.#try({ exactOf: scenario }));
    return fromExactData((result as { readonly exact: ExactData }).exact);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#deputy?.close(), this.#piscina.destroy()]);
  }

  /** Waits for a worker, unless the signal comes first. */
  async #wait<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#options;
    if (signal === undefined) return await work;
    // What fails after the signal fails for nobody.
    work.catch(() => {});
    signal.throwIfAborted();
    let stop = () => {};
    const stopped = new Promise<never>((_, fail) => {
      stop = () => fail(signal.reason);
      signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #startWorkers(): Piscina<Task | ExactTask, WorkerResult> {
    const { worker = new URL("./worker.js", import.meta.url).href, memoryMb } = this.#options;
    const piscina = new Piscina<Task | ExactTask, WorkerResult>({
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
    const promise = this.#try(task) as Promise<TaskResult<unknown>>;
    const handed: Handed = { task, promise, isDone: false };
    const settle = () => {
      this.#outstanding--;
      handed.isDone = true;
    };
    // A failure is thrown when its turn comes; until then it counts as handled.
    promise.then(settle, settle);
    return handed;
  }

  async #try(task: Task | ExactTask): Promise<Exclude<WorkerResult, { problems: unknown }>> {
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
  async #runInWorker(task: Task | ExactTask): Promise<WorkerResult> {
    const piscina = this.#piscina;
    const taskNs = "exactOf" in task ? longestExactNs : estimateTaskNs(task);
    const estimateMs = (taskNs / 1e6) * patience * aheadPerWorker;
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
