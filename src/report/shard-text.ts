// The result of a part of a scenario's days as the line of it in a shard; loaded in the thread that simulated it.
import type { StudyResult } from "../experiment/study.js";
import type { TallyData } from "../experiment/tally.js";
import type { Rendering } from "../experiment/task.js";
import type { CsvDialect } from "./csv.js";
import { daysLines } from "./days-text.js";
import { formatPart } from "./part-json.js";

/** What a shard keeps of one part. */
export interface PartText {
  /** Its line of tallies.jsonl. */
  readonly tally: string;
  /** Its lines of days.csv, where days are wanted and it was simulated in one go. */
  readonly days: string | undefined;
}

interface Options {
  readonly dialect: CsvDialect;
}

/** How the threads of a shard turn results into text. */
export function renderingOfPart(options: Options): Rendering {
  return { module: import.meta.url, options };
}

export default function renderPart(
  { number, begin, tally, isPrecise, columns }: StudyResult,
  { dialect }: Options,
): PartText {
  const { days } = tally as TallyData;
  const block = { begin, end: begin + days };
  return {
    tally: `${formatPart({ number, begin, tally: tally as TallyData, isPrecise })}\n`,
    days: columns && [...daysLines(number, { block, days: columns }, dialect)].join(""),
  };
}
