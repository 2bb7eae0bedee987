// The suites: what is measured of a scenario, as data.
import { formatRatio, parseRatio, type Ratio } from "../src/model/ratio.js";
import type { Scenario } from "../src/model/scenario.js";
import { baselineWork } from "./baseline-work.js";
import { type Subject, units } from "./case.js";
import { baselineCase, blockCase, common, daysWorth, runCase, type SuiteCase } from "./recipes.js";
import * as work from "./work.js";

/** Cases of one kind. */
export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly cases: (subject: Subject) => readonly SuiteCase[];
}

/** Beside the scenario's own KK3. */
const uncertainRatios = ["beta(2,398)", "lognormal(0.005,0.5)"].map((text) => parseRatio(text) as Ratio);

const workflowCounts = [400, 4_000, 40_000, 400_000, 4_000_000];

/** The most jobs per day for which the slower ones are tried here. */
const mostBaselineWorkflows = 40_000;
const mostEventWorkflows = 400_000;

/** Days as files are written: so many at a time. */
const writtenDays = 2048;

export const suites: readonly Suite[] = [
  {
    name: "baseline",
    title: "The baseline: one object per job, as in a lesson",
    cases: ({ scenario, seed }) => [
      baselineCase("draw", scenario, units.drawn, () => baselineWork.drawing(scenario, seed)),
      baselineCase("supervised day", scenario, units.supervised, () =>
        baselineWork.supervising(scenario, seed),
      ),
      baselineCase("pair", scenario, units.pair, () => baselineWork.simulating(scenario, seed)),
      baselineCase("draw and pair", scenario, units.whole, () => baselineWork.whole(scenario, seed)),
    ],
  },
  {
    name: "draw",
    title: "Drawing a day",
    cases: ({ scenario, seed }) =>
      withUncertainty(scenario).map((scenario) => ({
        ...common("draw", scenario),
        unit: units.drawn,
        unitsPerCall: work.strip,
        prepare: () => work.drawing(scenario, seed),
      })),
  },
  {
    name: "parts",
    title: "Parts of drawing a day",
    cases: ({ scenario, seed }) => [
      {
        ...common("stream started", scenario),
        unit: units.seeded,
        unitsPerCall: work.strip,
        prepare: () => work.seeding(scenario, seed),
      },
      {
        ...common("the same days again", scenario),
        unit: units.drawn,
        unitsPerCall: work.strip,
        prepare: () => work.redrawing(scenario, seed),
      },
    ],
  },
  {
    name: "table",
    title: "The table engine",
    cases: ({ scenario, seed }) => [
      {
        ...common("engine alone", scenario),
        engine: "table",
        unit: units.pair,
        unitsPerCall: work.strip,
        prepare: () => work.simulating("table", scenario, seed, work.strip),
      },
      ...withUncertainty(scenario).map((scenario) =>
        blockCase("draw, engine and tally", "table", scenario, seed),
      ),
    ],
  },
  {
    name: "event",
    title: "The event engine",
    cases: ({ scenario, seed }) => {
      const longDay = { ...scenario, rounds: 86_400 };
      return [
        {
          ...common("supervised day", scenario),
          engine: "event",
          unit: units.supervised,
          unitsPerCall: 1,
          prepare: () => work.supervising(scenario, seed, 1),
        },
        ...[scenario, ...(scenario.rounds === longDay.rounds ? [] : [longDay])].map(
          (scenario): SuiteCase => ({
            ...common("pair", scenario),
            engine: "event",
            unit: units.pair,
            unitsPerCall: work.drawnDays,
            prepare: () => work.simulating("event", scenario, seed, work.drawnDays),
          }),
        ),
        blockCase("draw, engine and tally", "event", scenario, seed),
      ];
    },
  },
  {
    name: "tally",
    title: "Aggregation",
    cases: ({ scenario, seed }) => [
      {
        ...common("tally", scenario),
        unit: units.tallied,
        unitsPerCall: work.strip,
        prepare: () => work.tallying(scenario, seed),
      },
    ],
  },
  {
    name: "csv",
    title: "Writing CSV",
    cases: ({ scenario, seed }) => {
      const dayCount = Math.min(writtenDays, daysWorth(1e9, scenario, "table"));
      return [
        {
          ...common("days.csv", scenario),
          unit: units.written,
          unitsPerCall: dayCount,
          prepare: () => work.writingRows(scenario, seed, dayCount),
        },
      ];
    },
  },
  {
    name: "run",
    title: "A whole run on one thread, just started",
    cases: (subject) => [runCase({ ...subject, threads: 1 }, 100_000)],
  },
  {
    name: "threads",
    title: "A whole run on more and more threads, just started",
    cases: (subject) =>
      threadCounts(subject.threads).map((threads) =>
        runCase({ ...subject, threads }, Number.POSITIVE_INFINITY),
      ),
  },
  {
    name: "workflows",
    title: "The cost over workflows per day",
    cases: ({ scenario, seed }) => {
      const of = (workflows: number): Scenario => ({ ...scenario, workflows });
      return [
        ...workflowCounts
          .filter((workflows) => workflows <= mostBaselineWorkflows && workflows !== scenario.workflows)
          .map((workflows) =>
            baselineCase("baseline", of(workflows), units.whole, () =>
              baselineWork.whole(of(workflows), seed),
            ),
          ),
        ...workflowCounts.map((workflows) => blockCase("table", "table", of(workflows), seed)),
        ...workflowCounts
          .filter((workflows) => workflows <= mostEventWorkflows)
          .map((workflows) => blockCase("event", "event", of(workflows), seed)),
      ];
    },
  },
];

/** The scenario itself, and with a KK3 that is drawn each day. */
function withUncertainty(scenario: Scenario): Scenario[] {
  const others = uncertainRatios.filter((kk3) => formatRatio(kk3) !== formatRatio(scenario.kk3));
  return [scenario, ...others.map((kk3) => ({ ...scenario, kk3 }))];
}

/** 1, 2, 4 and so on, and the most. */
function threadCounts(most: number): number[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(most)) }, (_, i) => 2 ** i);
  return [...powers, most];
}
