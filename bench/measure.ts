// Measures one case in one go. The one file that knows tinybench.
import { Bench } from "tinybench";
import type { Call, Case } from "./case.js";

/** How long a case is measured, in milliseconds. */
export interface Timing {
  /** Measured time, at least. */
  readonly timeMs: number;
  /** Time before that, about, in which code is compiled and caches fill. */
  readonly warmUpMs: number;
}

/** What was measured in one go. */
export interface Sampling {
  /** Nanoseconds per unit of work, one entry per sample. */
  readonly samples: readonly number[];
  /** Their mean. */
  readonly meanNs: number;
}

/** A sample lasts this long, at least: the clock's own 30 ns, or its grain of 1 us on some systems, hardly count. */
const leastSampleMs = 0.2;

/** Calls in a sample, at most; reached only by work that takes no time. */
const mostCalls = 1 << 16;

/** Samples of a case that is not cold, at least. */
const leastSamples = 3;

/** Samples in a warm-up, at least, unless they take many times as long as it should: compilers go by calls as well. */
const leastWarmUpSamples = 10;
const longestWarmUp = 8;

/**
 * Measures a case.
 *
 * @param now - the clock, in milliseconds
 * @throws what the case throws
 */
export async function measureCase(
  { name, prepare, unitsPerCall, cold }: Pick<Case, "name" | "prepare" | "unitsPerCall" | "cold">,
  { timeMs, warmUpMs }: Timing,
  now = () => performance.now(),
): Promise<Sampling> {
  const call = prepare();
  const calls = cold ? 1 : warmUp(call, warmUpMs, now);
  // All that the calls return ends here and is looked at, so that no work is without a purpose.
  let sink = 0;
  const work = cold
    ? async () => {
        sink += await call();
      }
    : () => {
        sink += repeat(call, calls);
      };
  const bench = new Bench({
    time: cold ? 0 : timeMs,
    iterations: cold ? 1 : leastSamples,
    warmup: false,
    retainSamples: true,
    now,
  });
  // Left to itself, tinybench would find out by a call whether the work is asynchronous.
  bench.add(name, work, { async: cold });
  const [{ result }] = await bench.run();
  if (result.state === "errored") throw result.error;
  if (result.state !== "completed") throw new Error(`the measurement is ${result.state}`);
  if (!Number.isFinite(sink)) throw new Error("the work must return a number");
  const { samples, mean } = result.latency;
  const nsPerUnit = (ms: number) => (ms * 1e6) / (calls * unitsPerCall);
  return { samples: (samples ?? []).map(nsPerUnit), meanNs: nsPerUnit(mean) };
}

/** Warms up; returns how many calls make a sample. */
function warmUp(call: Call, warmUpMs: number, now: () => number): number {
  const begin = now();
  let calls = 1;
  for (let samples = 1; ; samples++) {
    const start = now();
    repeat(call, calls);
    const end = now();
    const elapsed = end - begin;
    if (end - start < leastSampleMs && calls < mostCalls) calls *= 2;
    else if (elapsed >= warmUpMs && samples >= leastWarmUpSamples) return calls;
    else if (elapsed >= longestWarmUp * warmUpMs) return calls;
  }
}

/** Only a cold case may return a promise. */
function repeat(call: Call, calls: number): number {
  let sum = 0;
  for (let i = 0; i < calls; i++) sum += call() as number;
  return sum;
}
