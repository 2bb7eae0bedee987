// Simulates studies one after the other, all on one pool, and yields what came of them in order.
import type { BlockResult } from "./block.js";
import { type Block, chooseBlockLength, planBlocks } from "./plan.js";
import { isPreciseEnough, looks } from "./precision.js";
import { concludeStudy, type Study, type StudyResult } from "./study.js";
import { Tally } from "./tally.js";
import type { Rendering, Task, Workplace } from "./task.js";
import { plannedDays, planTasks } from "./task-plan.js";
import { openWorkplace } from "./workplace.js";

/** How studies are simulated. */
export interface StudyHooks {
  /** Threads, this one included; 0 where it is alone. Never changes a result. */
  readonly threads: number;
  /** About how much work all studies are, for tasks of the right size. */
  readonly workNs?: number;
  /** Called with each block of a study that is divided, in order; the simulation waits for it. */
  readonly onBlock?: ((block: BlockResult, study: Study) => void | Promise<void>) | undefined;
  /** Ends the simulation early: it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Simulates studies and yields their results. */
export async function* simulateStudies(
  studies: Iterable<Study>,
  hooks: StudyHooks,
): AsyncGenerator<StudyResult> {
  const workplace = await openWorkplace(hooks.threads);
  try {
    yield* doStudies(studies, undefined, workplace, hooks) as AsyncGenerator<StudyResult>;
  } finally {
    await workplace.close();
  }
}

/** Simulates studies and yields what the rendering makes of their results. */
export async function* renderStudies<Rendered>(
  studies: Iterable<Study>,
  rendering: Rendering,
  hooks: StudyHooks,
): AsyncGenerator<Rendered> {
  const workplace = await openWorkplace(hooks.threads);
  try {
    yield* doStudies(studies, rendering, workplace, hooks) as AsyncGenerator<Rendered>;
  } finally {
    await workplace.close();
  }
}

async function* doStudies(
  studies: Iterable<Study>,
  rendering: Rendering | undefined,
  workplace: Workplace,
  hooks: StudyHooks,
): AsyncGenerator<unknown> {
  const render = rendering && (await workplace.runner.load(rendering));
  const finish = (result: StudyResult) => (render ? render(result, rendering?.options as never) : result);
  const workNsPerThread = (hooks.workNs ?? 0) / Math.max(1, hooks.threads);
  // Of the study whose blocks are coming in.
  let tally = new Tally();
  for await (const result of workplace.run(planTasks(studies, rendering, workNsPerThread))) {
    hooks.signal?.throwIfAborted();
    if ("rendered" in result) {
      for (const part of result.rendered) {
        if ("content" in part) {
          yield part.content;
        } else {
          const begun = new Tally();
          begun.merge(part.tally);
          yield finish(await goOn(part.study, begun, workplace, hooks));
        }
      }
    } else {
      const { study, block } = result;
      tally.merge(block.tally);
      await hooks.onBlock?.(block, study);
      const { end } = block.block;
      if (end < plannedDays(study)) continue;
      const whole = tally;
      tally = new Tally();
      yield finish(
        study.precision === undefined
          ? concludeStudy(study, whole.toData(), true)
          : await goOn(study, whole, workplace, hooks),
      );
    }
  }
}

/** Simulates a study further, from one look at its precision to the next, until it is precise or has all its days. */
async function goOn(
  study: Study,
  tally: Tally,
  workplace: Workplace,
  hooks: StudyHooks,
): Promise<StudyResult> {
  const { scenario, engine, days, precision } = study;
  for (const end of looks(days)) {
    if (end < tally.days) continue;
    const blocks = planBlocks(end, chooseBlockLength(scenario, engine), tally.days);
    for await (const result of workplace.run(tasksOf(study, blocks))) {
      hooks.signal?.throwIfAborted();
      if (!("block" in result)) continue;
      tally.merge(result.block.tally);
      await hooks.onBlock?.(result.block, study);
    }
    if (precision !== undefined && isPreciseEnough(precision, tally.toData())) {
      return concludeStudy(study, tally.toData(), true);
    }
  }
  return concludeStudy(study, tally.toData(), false);
}

function* tasksOf(study: Study, blocks: Iterable<Block>): Generator<Task> {
  for (const block of blocks) yield { study, block };
}
