// A worker thread: runs the blocks that it is sent.
import { type BlockResult, BlockRunner, type Experiment } from "./block.js";
import type { Block } from "./plan.js";

/** One block of an experiment; a pool runs one experiment only, so the first task says which. */
export interface BlockTask {
  readonly experiment: Experiment;
  readonly block: Block;
}

let runner: BlockRunner | undefined;

export default function runTask({ experiment, block }: BlockTask): BlockResult {
  runner ??= new BlockRunner(experiment);
  return runner.run(block);
}
