// What a sweep will be, said before it starts.
import type { SweepEstimate } from "../experiment/estimate.js";

/** What a sweep will be, in one line, and warnings of what will not fit elsewhere. */
export function announceSweep(
  { scenarios, exact, days, workNs, rows }: SweepEstimate,
  upTo: boolean,
  withDays: boolean,
  threads: number,
): string[] {
  const spreadsheetRows = 1_048_575;
  const count = (n: number) => n.toLocaleString("en-US");
  const plural = (n: number, word: string) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
  const rounded = (n: number) => count(Number(n.toPrecision(2)));
  const limit = upTo ? "up to " : "";
  const files = {
    "sweep.csv": rows.sweep,
    "summary.csv": rows.summary,
    "distribution.csv": rows.distribution,
    ...(withDays && { "days.csv": scenarios * days }),
  };
  return [
    `${plural(scenarios, "scenario")} ${exact ? "without simulation" : `of ${limit}${plural(days, "day")}`}: ` +
      `${plural(rows.sweep, "row")} in sweep.csv, ${count(rows.summary)} in summary.csv, ` +
      `about ${rounded(rows.distribution)} in distribution.csv` +
      (withDays ? `, ${limit}${count(scenarios * days)} in days.csv` : ""),
    ...(upTo ? [] : describeTime(workNs / 1e9 / threads, plural(threads, "thread"))),
    ...Object.entries(files).flatMap(([name, n]) =>
      n > spreadsheetRows
        ? [
            `warning: ${name} will not fit into a spreadsheet, which ends after ${count(spreadsheetRows)} rows; use fewer values, or read it with a program`,
          ]
        : [],
    ),
  ];
}

/** A line where a sweep takes a while. */
function describeTime(seconds: number, threads: string): string[] {
  const units = { days: 86_400, hours: 3600, minutes: 60 };
  // From one and a half of a unit on, so that there is more than one of it.
  const unit = Object.entries(units).find(([, length]) => seconds >= 1.5 * length);
  if (unit === undefined) return [];
  const [name, length] = unit;
  const machines = name === "minutes" ? "" : "; --shard divides it among machines";
  return [`about ${Math.round(seconds / length).toLocaleString("en-US")} ${name} on ${threads}${machines}`];
}
