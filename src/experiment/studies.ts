// Simulates studies one after the other, all on one pool, and yields what came of them in order.
import type { BlockResult } from "./block.js";
import { type Block, chooseBlockLength, planBlocks } from "./plan.js";
import { isPreciseEnough, looks } from "./precision.js";
import type { Study, StudyResult } from "./study.js";
import { Tally, type TallyData } from "./tally.js";
import type { Rendering, Task, TaskResult, Workplace } from "./task.js";
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
  /** Called after {@link onBlock} with all blocks of the study so far. */
  readonly onTally?: ((tally: Tally, study: Study) => void | Promise<void>) | undefined;
  /** What is known of the first study already: it is gone on with from there. */
  readonly begun?: TallyData | undefined;
  /** Ends the simulation early: it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Simulates a study in blocks. */
export async function simulateStudy(
  study: Study,
  workplace: Workplace,
  hooks: Omit<StudyHooks, "threads">,
): Promise<StudyResult> {
  return await goOn(study, tallyOf(hooks.begun), workplace, hooks);
}

/** Simulates studies and yields what the rendering makes of their results. */
export async function* renderStudies<Rendered>(
  studies: Iterable<Study>,
  rendering: Rendering,
  hooks: StudyHooks,
): AsyncGenerator<Rendered> {
  const workplace = await openWorkplace(hooks.threads, hooks.signal);
  try {
    yield* doStudies(studies, rendering, workplace, hooks) as AsyncGenerator<Rendered>;
  } finally {
    await workplace.close();
  }
}

/** Yields what the rendering makes of results that are there already. */
export async function* renderResults<Rendered>(
  results: AsyncIterable<StudyResult>,
  rendering: Rendering,
  { threads, signal }: Pick<StudyHooks, "threads" | "signal">,
): AsyncGenerator<Rendered> {
  const workplace = await openWorkplace(threads, signal);
  try {
    for await (const done of workplace.run(tasksOfResults(results, rendering))) {
      signal?.throwIfAborted();
      yield* contentsOf(done) as Generator<Rendered>;
    }
  } finally {
    await workplace.close();
  }
}

async function* doStudies(
  studies: Iterable<Study>,
  rendering: Rendering,
  workplace: Workplace,
  hooks: StudyHooks,
): AsyncGenerator<unknown> {
  const finish = async function* (study: Study, tally: Tally) {
    const result = await goOn(study, tally, workplace, hooks);
    yield* contentsOf(await workplace.doOne({ result, rendering }));
  };
  const workNsPerThread = (hooks.workNs ?? 0) / Math.max(1, hooks.threads);
  const rest = studies[Symbol.iterator]();
  if (hooks.begun !== undefined) {
    const { value: first } = rest.next();
    yield* finish(first as Study, tallyOf(hooks.begun));
  }
  // Of the study whose blocks are coming in.
  let tally = new Tally();
  for await (const result of workplace.run(
    untilAborted(planTasks({ [Symbol.iterator]: () => rest }, rendering, workNsPerThread), hooks),
  )) {
    hooks.signal?.throwIfAborted();
    if ("rendered" in result) {
      for (const part of result.rendered) {
        if ("content" in part) yield part.content;
        else yield* finish(part.study, tallyOf(part.tally));
      }
    } else {
      const { study, block } = result;
      await addBlock(tally, block, study, hooks);
      if (tally.days < plannedDays(study)) continue;
      const whole = tally;
      tally = new Tally();
      yield* finish(study, whole);
    }
  }
}

/** Simulates a study further, from one look at its precision to the next, until it is precise or has all its days. */
async function goOn(
  study: Study,
  tally: Tally,
  workplace: Workplace,
  hooks: Omit<StudyHooks, "threads">,
): Promise<StudyResult> {
  const { scenario, engine, begin, days, precision } = study;
  const conclude = (isPrecise: boolean) => ({
    ...study,
    tally: tally.toData(),
    isPrecise,
    columns: undefined,
  });
  for (const length of precision === undefined ? [days] : looks(days)) {
    if (length < tally.days) continue;
    const blocks = planBlocks(begin + length, chooseBlockLength(scenario, engine), begin + tally.days);
    for await (const result of workplace.run(untilAborted(tasksOf(study, blocks), hooks))) {
      hooks.signal?.throwIfAborted();
      if ("block" in result) await addBlock(tally, result.block, study, hooks);
    }
    if (precision !== undefined && isPreciseEnough(precision, tally.toData())) {
      return conclude(true);
    }
  }
  return conclude(precision === undefined);
}

/** Hands a block on, then adds it: a block that cannot be handed on is not part of the tally. */
async function addBlock(
  tally: Tally,
  block: BlockResult,
  study: Study,
  hooks: Pick<StudyHooks, "onBlock" | "onTally">,
): Promise<void> {
  await hooks.onBlock?.(block, study);
  tally.merge(block.tally);
  await hooks.onTally?.(tally, study);
}

function tallyOf(begun: TallyData | undefined): Tally {
  const tally = new Tally();
  if (begun !== undefined) tally.merge(begun);
  return tally;
}

function* tasksOf(study: Study, blocks: Iterable<Block>): Generator<Task> {
  for (const block of blocks) yield { study, block };
}

async function* tasksOfResults(
  results: AsyncIterable<StudyResult>,
  rendering: Rendering,
): AsyncGenerator<Task> {
  for await (const result of results) yield { result, rendering };
}

/** What was rendered of results that were complete. */
function* contentsOf(done: TaskResult<unknown>): Generator<unknown> {
  if ("rendered" in done) for (const part of done.rendered) if ("content" in part) yield part.content;
}

/** The tasks, until they are not wanted any more; a result may not be due for a while. */
function* untilAborted(tasks: Iterable<Task>, { signal }: Pick<StudyHooks, "signal">): Generator<Task> {
  for (const task of tasks) {
    signal?.throwIfAborted();
    yield task;
  }
}
