// What a single day may be at most. It is simulated in one go, so absurd ones are refused before they start.
import { totalmem } from "node:os";
import type { EngineName } from "../engine/engine.js";
import type { Scenario } from "../model/scenario.js";
import { estimateDayBytes } from "./day-size.js";
import { type Grid, largestOf } from "./grid.js";
import { estimateDayNs } from "./plan.js";

/** How days are simulated. */
interface Work {
  readonly exact: boolean;
  readonly engine: EngineName;
  readonly threads: number;
  readonly days: number;
}

/** How long a day may take. */
const longestMinutes = 10;

/** Bytes of memory that this process may use, of this machine or of its container. */
export function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY);
}

/** A line where a day would take absurdly long, and one where the days in work would not fit into memory. */
export function checkDay(
  scenario: Scenario,
  { exact, engine, threads, days }: Work,
  availableBytes = availableMemory(),
): string[] {
  if (exact) return [];
  const causes = scenario.stallOn === "every-attempt" ? "workflows, steps or retries" : "workflows or steps";
  const minutes = estimateDayNs(scenario, engine) / 60e9;
  const bytes = estimateDayBytes(scenario, engine);
  const bytesInWork = Math.min(threads, days) * bytes;
  const problems: string[] = [];
  if (minutes > longestMinutes) {
    problems.push(
      `a day must take at most ${longestMinutes} minutes, got about ${rounded(minutes)}; use fewer ${causes}`,
    );
  }
  if (bytesInWork > availableBytes) {
    const threadsHelp = bytes <= availableBytes ? ", or fewer threads" : "";
    problems.push(
      `the days in work must fit into ${gigabytes(availableBytes)} of memory, got about ` +
        `${gigabytes(bytesInWork)}; use fewer ${causes}${threadsHelp}`,
    );
  }
  return problems;
}

/** The same for the largest day of a grid. */
export function checkDaysOfGrid(grid: Grid, work: Work): string[] {
  const availableBytes = availableMemory();
  return [...new Set(grid.flatMap((product) => checkDay(largestOf(product), work, availableBytes)))];
}

function gigabytes(bytes: number): string {
  return `${rounded(bytes / 1e9)} GB`;
}

function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en-US");
}
