// The tables of the deterministic model: the lesson's three, and those of fixtures.
import { runFixture } from "../engine/fixture.js";
import type { Outcome } from "../engine/outcome.js";
import type { Fixture } from "../model/fixture.js";
import {
  estimateFirstOrder,
  referenceModel,
  referenceScans,
  referenceStallRatios,
} from "../model/reference.js";
import { defaultScenario } from "../model/scenario.js";
import type { Cell, Table } from "./column.js";
import { bold, renderTable, type Style } from "./terminal.js";

/** The lesson's tables as data. */
export interface LessonTables {
  readonly unsupervised: Outcome;
  readonly supervised: Outcome;
  readonly scans: readonly {
    readonly scan: number;
    readonly averageRecovery: number;
    readonly outcome: Outcome;
  }[];
  readonly firstOrder: readonly ({
    readonly workflows: number;
    readonly steps: number;
    readonly kk2: number;
    readonly retryLimit: number;
    readonly kk3: number;
  } & ReturnType<typeof estimateFirstOrder>)[];
  /** Wasted re-drives as a share of all re-drives of the reference model. */
  readonly wastedRedriveRatio: number;
}

/** Computes the lesson's three tables from the model. */
export function computeLessonTables(): LessonTables {
  const supervised = runFixture(referenceModel());
  const { workflows, steps, kk2, retryLimit } = defaultScenario;
  return {
    unsupervised: runFixture(referenceModel({ supervisor: false })),
    supervised,
    scans: referenceScans.map((scan) => {
      const outcome = runFixture(referenceModel({ scan }));
      return { scan, averageRecovery: outcome.recoverySum / outcome.redriven, outcome };
    }),
    firstOrder: referenceStallRatios.map((kk3) => ({
      workflows,
      steps: steps.length,
      kk2,
      retryLimit,
      kk3,
      ...estimateFirstOrder({ workflows, stepCount: steps.length, kk3, kk2, retryLimit }),
    })),
    wastedRedriveRatio: supervised.wasted / supervised.redriven,
  };
}

/** The measures of the lesson's first table, in its order. */
const measures = [
  ["completed", "completed jobs"],
  ["stepsRun", "steps run"],
  ["redriven", "steps re-driven"],
  ["wasted", "wasted steps"],
  ["compensatedJobs", "compensated jobs"],
  ["compensatedSteps", "compensated steps"],
  ["halfFinished", "half-finished jobs"],
  ["lastRound", "last job round"],
] as const satisfies readonly (readonly [keyof Outcome, string])[];

/** The lesson's three tables for people. */
export function showLessonTables(tables: LessonTables, style: Style): string {
  const { unsupervised, supervised, scans, firstOrder, wastedRedriveRatio } = tables;
  const { steps, policy } = referenceModel();
  const { scan, lease, retryLimit } = policy;
  return [
    bold("The reference model: 12 jobs of 4 steps", style),
    `Stalls at S2 ${steps[1]}, S5 ${steps[0]}, S9 ${steps[2]}; S7 never passes ${steps[1]}.`,
    "",
    renderTable(
      ["measure", "no supervisor", `supervisor (scan ${scan}, lease ${lease}, retry limit ${retryLimit})`],
      measures.map(([name, label]) => [label, `${unsupervised[name]}`, `${supervised[name]}`]),
      style,
    ),
    bold("The scan interval: recovery in rounds, and what it costs", style),
    "",
    renderTable(
      ["scan", "completed", "avg recovery", "worst", "last round", "records read"],
      scans.map(({ scan, averageRecovery, outcome }) => [
        `${scan}`,
        `${outcome.completed}`,
        averageRecovery.toFixed(2),
        `${outcome.recoveryWorst}`,
        `${outcome.lastRound}`,
        `${outcome.recordsRead}`,
      ]),
      style,
    ),
    bold(
      `The first-order estimate for a day of ${firstOrder[0].workflows.toLocaleString("en-US")} workflows, ` +
        `KK2 ${firstOrder[0].kk2}; wasted re-drive ratio ${wastedRedriveRatio.toFixed(3)}`,
      style,
    ),
    "",
    renderTable(
      ["KK3", "stalled steps", "re-drives", "wasted", "half-finished, no supervisor", "share of jobs"],
      firstOrder.map((estimate) => [
        estimate.kk3.toFixed(3),
        `${estimate.stalled}`,
        `${estimate.redriven}`,
        `${estimate.wasted}`,
        `${estimate.halfFinishedUnsupervised}`,
        `${(100 * estimate.jobShare).toFixed(2)} %`,
      ]),
      style,
    ),
  ].join("\n");
}

/** A figure of the lesson's tables, for CSV. */
export interface LessonFigure {
  readonly table: string;
  readonly row: string;
  readonly measure: string;
  readonly value: number;
}

/** The lesson's tables in long form: one row per figure. */
export const lessonTable: Table<LessonFigure> = {
  name: "model",
  meaning: "the figures of the lesson's three tables",
  columns: [
    { name: "table", type: "string", meaning: "policy, scan or first_order", cell: ({ table }) => table },
    { name: "row", type: "string", meaning: "the policy, the scan interval or KK3", cell: ({ row }) => row },
    { name: "measure", type: "string", meaning: "what is measured", cell: ({ measure }) => measure },
    { name: "value", type: "number", meaning: "the figure", cell: ({ value }) => value },
  ],
};

/** The rows of the lesson's tables in long form. */
export function lessonFigures({ unsupervised, supervised, scans, firstOrder }: LessonTables): LessonFigure[] {
  const figures = (table: string, row: string, values: object): LessonFigure[] =>
    Object.entries(values).map(([measure, value]) => ({ table, row, measure: toSnakeCase(measure), value }));
  return [
    ...figures("policy", "no supervisor", unsupervised),
    ...figures("policy", "supervisor", supervised),
    ...scans.flatMap(({ scan, averageRecovery, outcome }) =>
      figures("scan", `${scan}`, { ...outcome, averageRecovery }),
    ),
    ...firstOrder.flatMap((estimate) => figures("first_order", `${estimate.kk3}`, estimate)),
  ];
}

/** A fixture and what came of it. */
export interface FixtureResult {
  readonly name: string;
  readonly outcome: Outcome;
}

const outcomeNames: readonly (keyof Outcome)[] = [
  "completed",
  "stepsRun",
  "redriven",
  "wasted",
  "compensatedJobs",
  "compensatedSteps",
  "halfFinished",
  "lastRound",
  "recordsRead",
  "recoverySum",
  "recoveryWorst",
];

/** Fixture results, one row each. */
export const fixtureTable: Table<FixtureResult> = {
  name: "fixtures",
  meaning: "the outcome of each fixture",
  columns: [
    { name: "name", type: "string", meaning: "the fixture's name or number", cell: ({ name }) => name },
    ...outcomeNames.map((name) => ({
      name: toSnakeCase(name),
      type: "integer" as const,
      meaning: name,
      cell: ({ outcome }: FixtureResult): Cell => outcome[name],
    })),
  ],
};

/** Runs fixtures; one without a name is called by its number, from 1. */
export function computeFixtures(fixtures: readonly Fixture[]): FixtureResult[] {
  return fixtures.map((fixture, i) => ({ name: fixture.name ?? `${i + 1}`, outcome: runFixture(fixture) }));
}

/** Fixture results for people: one fixture as a list, several as a table. */
export function showFixtures(results: readonly FixtureResult[], style: Style): string {
  if (results.length === 1) {
    const [{ name, outcome }] = results;
    return renderTable(
      ["measure", name === "1" ? "" : name],
      outcomeNames.map((key) => [key, `${outcome[key]}`]),
      style,
    );
  }
  const [, ...columns] = fixtureTable.columns;
  return renderTable(
    fixtureTable.columns.map(({ name }) => name.replaceAll("_", " ")),
    results.map((result) => [result.name, ...columns.map(({ cell }) => `${cell(result)}`)]),
    style,
  );
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
