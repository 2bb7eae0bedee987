// manifest.json: what may differ between two results of the same settings.
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { version } from "../version.js";

/** How a result came about, and whatever else is to be said of it. */
export function describeMaking(
  start: Date,
  elapsedMs: number,
  {
    threads,
    engine,
    exact = false,
    shards,
  }: {
    /** Threads that did the work; 0 where it was one alone. */
    readonly threads: number;
    readonly engine?: string;
    readonly exact?: boolean;
    /** Parts that were put together. */
    readonly shards?: number;
  },
): object {
  return {
    redrive: version,
    start: start.toISOString(),
    elapsedSeconds: elapsedMs / 1000,
    threads: Math.max(1, threads),
    engine: exact ? "exact" : engine,
    shards,
    node: process.version,
    machine: {
      platform: `${platform()} ${release()} ${arch()}`,
      cpu: cpus()[0]?.model.trim() ?? "unknown",
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    },
  };
}
