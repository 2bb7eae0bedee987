// The result of a verification: as rows for programs, and as a table for people.
import type { EngineName } from "../engine/engine.js";
import { falseAlarm, type MetricTest, thresholdOf } from "../experiment/verification.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { inOneLine } from "../model/settings.js";
import type { Column, Table } from "./column.js";
import { rowJson } from "./summary-json.js";
import { type NumberedScenario, parameters, scenarioNumber } from "./tables.js";
import { bold, dim, renderTable, type Style, showNumber, type TextRow } from "./terminal.js";

/** A scenario that was simulated by an engine, and what came of each metric. */
export interface Check extends NumberedScenario {
  readonly name: string;
  readonly engine: EngineName;
  readonly days: number;
  readonly tests: readonly MetricTest[];
}

/** All that was checked in one go. */
export interface Verification {
  readonly seed: string;
  readonly checks: readonly Check[];
  /** Metrics that were tested, over all checks. */
  readonly testCount: number;
  /** A p-value below this is a disagreement. */
  readonly threshold: number;
  readonly agrees: boolean;
}

interface TestRow extends Check {
  readonly result: MetricTest;
  readonly threshold: number;
}

const described = new Map<string, { readonly column: string; readonly label: string }>([
  ...metrics.map((metric) => [metric.name, metric] as const),
  [recoveryDelay.name, recoveryDelay],
  // Its name alone is that of another metric too.
  [
    "halfFinishedUnsupervised",
    { column: "half_finished_unsupervised", label: "half-finished, no supervisor" },
  ],
]);

/** Gathers what was checked and judges it as a whole. */
export function judge(seed: string, checks: readonly Check[]): Verification {
  const tests = checks.flatMap(({ tests }) => tests);
  const testCount = tests.filter(({ pValue }) => pValue !== undefined).length;
  const threshold = thresholdOf(testCount);
  return { seed, checks, testCount, threshold, agrees: tests.every((test) => agrees(test, threshold)) };
}

function agrees({ pValue = 1 }: MetricTest, threshold: number): boolean {
  return pValue >= threshold;
}

/** One row per scenario, engine and metric. */
const verifyTable: Table<TestRow> = {
  name: "verify",
  meaning: "simulated distributions against exact ones",
  columns: [
    scenarioNumber,
    ...(parameters as readonly Column<TestRow>[]),
    {
      name: "engine",
      type: "string",
      meaning: "engine that simulated the days",
      cell: ({ engine }) => engine,
    },
    { name: "days", type: "integer", meaning: "days simulated", cell: ({ days }) => days },
    {
      name: "metric",
      type: "string",
      meaning: "name of the metric",
      cell: ({ result }) => described.get(result.metric)?.column,
    },
    {
      name: "test",
      type: "string",
      meaning:
        "what was tested: its distribution and mean, its mean alone, its range of values alone, or none",
      cell: ({ result }) => result.test,
    },
    {
      name: "chi_square",
      type: "number",
      meaning: "chi-square of the distribution over pooled cells",
      cell: ({ result }) => result.chiSquare,
    },
    {
      name: "degrees",
      type: "integer",
      meaning: "its degrees of freedom",
      cell: ({ result }) => result.degrees,
    },
    {
      name: "mean_deviation",
      type: "number",
      meaning: "how far the mean is from the exact one, in standard errors",
      cell: ({ result }) => result.meanDeviation,
    },
    {
      name: "p_value",
      type: "number",
      meaning: "lowest chance, of the tests that were made, of a result at least as far off",
      cell: ({ result }) => result.pValue,
    },
    {
      name: "agrees",
      type: "integer",
      meaning: "1, or 0 where the p-value is below the threshold; empty where nothing was tested",
      cell: ({ result, threshold }) =>
        result.pValue === undefined ? undefined : Number(agrees(result, threshold)),
    },
  ],
};

/** The table for {@link toCsv} and its rows. */
export function verificationRows({ checks, threshold }: Verification) {
  const rows = checks.flatMap((check) => check.tests.map((result) => ({ ...check, result, threshold })));
  return { table: verifyTable, rows };
}

/** The same as JSON: the verdict, and one object per scenario and engine. */
export function verificationJson(verification: Verification): object {
  const { seed, checks, testCount, threshold } = verification;
  const columns = verifyTable.columns.slice(verifyTable.columns.findIndex(({ name }) => name === "metric"));
  return {
    agrees: verification.agrees,
    seed,
    falseAlarm,
    tests: testCount,
    threshold,
    checks: checks.map((check) => ({
      name: check.name,
      scenario: {
        ...check.scenario,
        kk3: typeof check.scenario.kk3 === "number" ? check.scenario.kk3 : formatRatio(check.scenario.kk3),
      },
      engine: check.engine,
      days: check.days,
      metrics: check.tests.map((result) => ({
        ...rowJson(columns, { ...check, result, threshold }),
        metric: result.metric,
        agrees: result.pValue === undefined ? null : agrees(result, threshold),
      })),
    })),
  };
}

/** One line for each scenario and engine, or for a single scenario one for each metric. */
export function showVerification(verification: Verification, style: Style): string {
  const { checks, seed } = verification;
  const isSingle = checks.every(({ number }) => number === checks[0].number);
  return [
    bold("Simulated distributions against exact ones", style),
    dim(`seed ${inOneLine(seed)}${isSingle ? `; ${describeScenario(checks[0].scenario)}` : ""}`, style),
    "",
    isSingle ? showMetrics(verification, style) : showChecks(verification, style),
    describeVerdict(verification),
    "",
  ].join("\n");
}

function showChecks({ checks, threshold }: Verification, style: Style): string {
  const rows = checks.map((check, i): TextRow => {
    const tested = check.tests.filter(({ pValue }) => pValue !== undefined);
    const isFirst = check.number !== checks[i - 1]?.number;
    if (tested.length === 0)
      return [isFirst ? check.name : "", check.engine, showNumber(check.days), "-", "not tested"];
    const lowest = Math.min(...tested.map(({ pValue = 1 }) => pValue));
    return [
      isFirst ? check.name : "",
      check.engine,
      showNumber(check.days),
      showChance(lowest),
      verdictOf(tested, threshold, style),
    ];
  });
  return renderTable(["", "engine", "days", "lowest p", ""], rows, style);
}

function showMetrics({ checks, threshold }: Verification, style: Style): string {
  const rows = checks.flatMap(({ engine, days, tests }): TextRow[] => [
    `${engine} engine, ${showNumber(days)} days`,
    ...tests.map((test): TextRow => {
      return [
        `  ${described.get(test.metric)?.label}`,
        test.chiSquare === undefined ? "" : showNumber(test.chiSquare),
        test.degrees === undefined ? "" : showNumber(test.degrees),
        test.meanDeviation === undefined ? "" : test.meanDeviation.toFixed(1),
        showChance(test.pValue),
        test.pValue === undefined ? "not tested" : verdictOf([test], threshold, style),
      ];
    }),
  ]);
  return renderTable(["", "chi-square", "degrees", "mean off", "p", ""], rows, style);
}

function verdictOf(tests: readonly MetricTest[], threshold: number, style: Style): string {
  return tests.every((test) => agrees(test, threshold)) ? "agrees" : bold("DISAGREES", style);
}

/** A sentence about the whole, and how far it can be trusted. */
function describeVerdict({ checks, testCount, threshold, agrees: all }: Verification): string {
  const tests = checks.flatMap((check) => check.tests);
  const wrong = tests.filter((test) => !agrees(test, threshold)).length;
  const verdict = all
    ? `All ${showNumber(testCount)} metrics agree.`
    : `${showNumber(wrong)} of ${showNumber(testCount)} metrics disagree.`;
  return [
    `${verdict} A metric disagrees if its p-value is below ${threshold.toPrecision(2)}:`,
    `of a million verifications of a correct program, one may find a disagreement.`,
  ].join("\n");
}

/** A line for each metric that disagrees. */
export function describeDisagreements({ checks, threshold }: Verification): string[] {
  return checks.flatMap(({ name, engine, tests }) =>
    tests
      .filter((test) => !agrees(test, threshold))
      .map(({ metric, test, pValue }) => {
        const { column } = described.get(metric) ?? { column: metric };
        return `${name}, ${engine} engine: ${column} disagrees with its exact distribution (${test}, p = ${showChance(pValue)})`;
      }),
  );
}

function describeScenario({
  workflows,
  steps,
  kk3,
  kk2,
  scan,
  lease,
  retryLimit,
  rounds,
  stallOn,
}: Scenario): string {
  return [
    `${showNumber(workflows)} workflows with ${steps.length} steps, KK3 ${formatRatio(kk3)} (${stallOn}),`,
    `KK2 ${kk2}, scan ${scan}, lease ${lease}, retry limit ${retryLimit}, ${showNumber(rounds)} rounds`,
  ].join("\n");
}

/** A p-value with two digits that count. */
function showChance(chance: number | undefined): string {
  if (chance === undefined) return "-";
  return chance >= 0.001 || chance === 0 ? String(Number(chance.toPrecision(2))) : chance.toExponential(0);
}
