// The results of a benchmark as text for people: tables, and what should be known before they are believed.
import type { Scenario } from "../src/model/scenario.js";
import { bold, dim, renderTable, type Style, showNumber, type TextRow } from "../src/report/terminal.js";
import { type Comparison, type ComparisonResult, isDifferent } from "./compare.js";
import type { Environment } from "./environment.js";
import { describeParameters, showCount } from "./parameters.js";
import { type CaseResult, type Flag, flags } from "./result.js";
import { suites } from "./suites.js";

/** The figures of all cases, suite by suite. */
export function showBench(
  results: readonly CaseResult[],
  scenario: Scenario,
  { cpu, cores, node, power }: Environment,
  style: Style,
): string {
  const supply = power === "unknown" ? "power source unknown" : `on ${power}`;
  return [
    bold("How fast redrive is on this machine", style),
    dim(`${cpu}, ${cores} ${cores === 1 ? "core" : "cores"}, Node ${node}, ${supply}`, style),
    dim(describeParameters(scenario), style),
    "",
    renderTable(
      ["", "us per day", "+/- %", "days/s", "M workflows/s", "x baseline", ""],
      rowsBySuite(results, scenario, (each) => [
        showRounded(each.mean / 1000),
        showRounded(each.rme, 2),
        showRounded(each.daysPerSecond),
        showRounded(each.workflowsPerSecond / 1e6),
        showRounded(each.baselineRatio),
        each.flags.join(", "),
      ]),
      style,
    ),
    dim("us per day: mean time of one unit of work, all of them something done to one day.", style),
    dim("x baseline: how many times as fast as the baseline at the same work.", style),
    "",
  ].join("\n");
}

/** How each case compares with an earlier result. */
export function showComparison(
  { comparisons }: ComparisonResult,
  scenario: Scenario,
  path: string,
  style: Style,
): string {
  return [
    "",
    bold(`Compared with ${path}`, style),
    "",
    comparisons.length === 0
      ? "No case is in both results: they are of other scenarios or other suites."
      : renderTable(
          ["", "us then", "us now", "x as fast", "99 % interval", ""],
          rowsBySuite(comparisons, scenario, ({ earlierNs, nowNs, ratio, low, high, verdict }) => [
            showRounded(earlierNs / 1000),
            showRounded(nowNs / 1000),
            showRounded(ratio),
            `${showRounded(low)} - ${showRounded(high)}`,
            isDifferent(verdict) ? bold(verdict, style) : verdict,
          ]),
          style,
        ),
    "",
  ].join("\n");
}

/** Other programs that keep more of the cores busy than this are in the way. */
const busyShare = 0.3;

/** What speaks against the figures, one line each. */
export function describeDoubts(
  results: readonly CaseResult[],
  { power, loadAverage = 0, cores }: Environment,
): string[] {
  const count = (flag: Flag) => results.filter((each) => each.flags.includes(flag)).length;
  const noisy = count(flags.noisy);
  const tooFast = count(flags.tooFast);
  const of = `of ${showCount(results.length, "case")}`;
  return [
    ...(power === "battery" ? ["on battery power, many machines are slower than on mains"] : []),
    ...(loadAverage > busyShare * cores
      ? [`other programs kept ${showRounded(loadAverage)} of ${showCount(cores, "core")} busy at the start`]
      : []),
    ...(noisy > 0 ? [`rounds differ much in ${noisy} ${of}; close other programs or give --time more`] : []),
    ...(tooFast > 0 ? [`${tooFast} ${of} took less time than the work can take`] : []),
  ];
}

/** What speaks against a comparison, one line each. */
export function describeComparisonDoubts(
  { comparisons, newCount, machineRatio }: ComparisonResult,
  changes: readonly string[],
): string[] {
  const noisy = comparisons.filter(({ verdict }) => verdict === "too noisy").length;
  return [
    ...changes,
    ...(machineRatio !== undefined
      ? [
          `the baseline, whose code stays as it is, is ${showRounded(machineRatio)} times as fast as then, so no smaller difference counts`,
        ]
      : []),
    ...(noisy > 0 ? [`no verdict on ${noisy} of ${showCount(comparisons.length, "case")}: too noisy`] : []),
    ...(newCount > 0 ? [`${showCount(newCount, "case")} not in the earlier result`] : []),
  ];
}

/** Rows under the titles of their suites. */
function rowsBySuite<Row extends Pick<Comparison, "suite" | "name">>(
  rows: readonly Row[],
  scenario: Scenario,
  cells: (row: Row) => readonly string[],
): TextRow[] {
  return suites.flatMap(({ name, title }): TextRow[] => {
    const own = rows.filter(({ suite }) => suite === name);
    if (own.length === 0) return [];
    const shorten = shortener(
      own.map(({ name }) => name),
      scenario,
    );
    return [title, ...own.map((row) => [`  ${shorten(row.name)}`, ...cells(row)])];
  });
}

/** Leaves out of a name the parameters that all names share and that stand above the table. */
function shortener(names: readonly string[], scenario: Scenario): (name: string) => string {
  const above = describeParameters(scenario).split(", ");
  const shared = above.filter((part) => names.every((name) => name.split(", ").includes(part)));
  return (name) =>
    name
      .split(", ")
      .filter((part) => !shared.includes(part))
      .join(", ");
}

/** A number as far as it can be relied on. */
function showRounded(value: number | undefined, digits = 3): string {
  return showNumber(value === undefined ? undefined : Number(value.toPrecision(digits)));
}
