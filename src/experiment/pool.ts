// Worker threads. The one file that knows piscina.
import { setImmediate } from "node:timers/promises";
import { Piscina } from "piscina";
import { type BlockResult, BlockRunner, type Experiment } from "./block.js";
import type { Block } from "./plan.js";
import type { BlockTask } from "./worker.js";

/** Blocks that a worker has been handed ahead of time, so that it need not wait for this thread to hand out more. */
const aheadPerWorker = 3;

/** A block that was handed out; its result comes. */
interface Handed {
  readonly promise: Promise<BlockResult>;
  isDone: boolean;
}

/**
 * Runs blocks on this thread and on worker threads, and yields their results in order.
 *
 * This thread works as well: it has the engine warm before the first worker has loaded it.
 *
 * @param threads - at least 2, this one included
 * @throws what a block or a thread failed with
 */
export async function* runBlocks(
  experiment: Experiment,
  blocks: Iterable<Block>,
  threads: number,
): AsyncGenerator<BlockResult> {
  const workers = threads - 1;
  const pool = new Piscina<BlockTask, BlockResult>({
    filename: new URL("./worker.js", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: aheadPerWorker,
    recordTiming: false,
  });
  // A thread that cannot even load fails the pool, not a task: then the tasks are given up.
  let failure: unknown;
  pool.once("error", (error) => {
    failure = error;
    void pool.destroy();
  });
  const resultOf = ({ promise }: Handed) =>
    promise.catch((error: unknown) => {
      throw failure ?? error;
    });
  const runner = new BlockRunner(experiment);
  // In the order of the blocks; some of them are with the workers, the others are done.
  const pending: Handed[] = [];
  let outstanding = 0;

  const handOut = (block: Block): Handed => {
    outstanding++;
    const promise = pool.run({ experiment, block });
    const handed: Handed = { promise, isDone: false };
    const settle = () => {
      outstanding--;
      handed.isDone = true;
    };
    // A failure is thrown when its turn comes; until then it counts as handled.
    promise.then(settle, settle);
    return handed;
  };

  try {
    for (const block of blocks) {
      if (outstanding < aheadPerWorker * workers) {
        pending.push(handOut(block));
      } else {
        pending.push({ promise: Promise.resolve(runner.run(block)), isDone: true });
        await setImmediate();
      }
      while (pending[0]?.isDone || pending.length > 4 * aheadPerWorker * threads) {
        yield await resultOf(pending.shift() as Handed);
      }
    }
    while (pending.length > 0) yield await resultOf(pending.shift() as Handed);
  } finally {
    await pool.destroy();
  }
}
