// manifest.json: what may differ between two runs of the same settings.
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import type { Simulation } from "../experiment/settings.js";
import { version } from "../version.js";

/** How a result came about. */
export function describeRun(
  start: Date,
  elapsedMs: number,
  threads: number,
  { exact, engine }: Pick<Simulation, "exact" | "engine">,
): object {
  return {
    redrive: version,
    start: start.toISOString(),
    elapsedSeconds: elapsedMs / 1000,
    threads,
    engine: exact ? "exact" : engine,
    node: process.version,
    machine: {
      platform: `${platform()} ${release()} ${arch()}`,
      cpu: cpus()[0]?.model.trim() ?? "unknown",
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    },
  };
}
