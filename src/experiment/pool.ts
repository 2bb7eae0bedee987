// Worker threads. The one file that knows piscina.
import { Piscina } from "piscina";
import type { BlockResult, Experiment } from "./block.js";
import type { Block } from "./plan.js";
import type { BlockTask } from "./worker.js";

/** Blocks handed out ahead of the results, per thread: no thread waits, and memory does not grow with the run. */
const aheadPerThread = 3;

/**
 * Runs blocks on worker threads and yields their results in order.
 *
 * @param threads - at least 1
 * @throws what a block or a thread failed with
 */
export async function* runBlocks(
  experiment: Experiment,
  blocks: Iterable<Block>,
  threads: number,
): AsyncGenerator<BlockResult> {
  const pool = new Piscina<BlockTask, BlockResult>({
    filename: new URL("./worker.js", import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    recordTiming: false,
  });
  // A thread that cannot even load fails the pool, not a task.
  const failure = new Promise<never>((_, reject) => pool.once("error", reject));
  failure.catch(() => {});
  const pending: Promise<BlockResult>[] = [];
  const takeFirst = () => Promise.race([pending.shift() as Promise<BlockResult>, failure]);
  try {
    for (const block of blocks) {
      const result = pool.run({ experiment, block });
      // A failure is reported when its turn comes; until then it is not unhandled.
      result.catch(() => {});
      pending.push(result);
      if (pending.length >= aheadPerThread * threads) yield await takeFirst();
    }
    while (pending.length > 0) yield await takeFirst();
  } finally {
    await pool.destroy();
  }
}
