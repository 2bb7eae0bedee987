// Measures a case in a thread of its own: what other cases taught the compiler and left on the heap is not there.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Case, Subject } from "./case.js";
import type { Sampling, Timing } from "./measure.js";

/** What the thread is told. */
export interface Assignment {
  readonly subject: Subject;
  readonly suite: string;
  readonly name: string;
  readonly timing: Timing;
}

/** What it answers; errors are sent as text, since they do not all survive the way. */
export type Answer = { readonly sampling: Sampling } | { readonly problem: string };

/**
 * Measures a case of a subject.
 *
 * @throws what the case throws; the signal's reason once it is aborted
 */
export async function measureApart(
  { suite, name }: Case,
  subject: Subject,
  timing: Timing,
  signal: AbortSignal,
): Promise<Sampling> {
  signal.throwIfAborted();
  const workerData: Assignment = { subject, suite, name, timing };
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
  try {
    const ended = once(worker, "exit", { signal }).then(([code]): never => {
      throw new Error(`its thread ended with code ${code}`);
    });
    const [answer] = (await Promise.race([once(worker, "message", { signal }), ended])) as [Answer];
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.sampling;
  } finally {
    await worker.terminate();
  }
}
