// One scenario to be simulated, how far, and what comes of it.
import type { DayColumns } from "../engine/day-columns.js";
import type { ExactMetrics } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import type { Experiment } from "./block.js";
import { answerExactly } from "./exact.js";
import type { Precision } from "./precision.js";
import { describeTally, type MetricResult } from "./result.js";
import type { TallyData } from "./tally.js";

/** An experiment, its number among those that are done together, and how many days it gets. */
export interface Study extends Experiment {
  /** From 1. */
  readonly number: number;
  /** Whether the exact results are the answer and nothing is simulated. */
  readonly exact: boolean;
  /** Days to simulate; with a precision, at most so many. */
  readonly days: number;
  /** What is precise enough; undefined where the number of days is given. */
  readonly precision: Precision | undefined;
}

/** What came of a study. */
export interface StudyResult {
  readonly number: number;
  readonly scenario: Scenario;
  /** Days that were simulated. */
  readonly days: number;
  /** Whether the result is as precise as was asked; true where nothing was. */
  readonly isPrecise: boolean;
  /** One entry per metric, then the recovery delay. */
  readonly metrics: readonly MetricResult[];
  /** All days, where they are wanted and were simulated in one block; otherwise each block was handed on by itself. */
  readonly columns: DayColumns | undefined;
}

/** Answers a study without simulation. */
export function answerStudy({ number, scenario }: Study): StudyResult {
  const metrics = answerExactly(scenario, `scenario ${number}`);
  return { number, scenario, days: 0, isPrecise: true, metrics, columns: undefined };
}

/** Describes the tally of all days of a study. */
export function concludeStudy(
  { number, scenario }: Study,
  tally: TallyData,
  isPrecise: boolean,
  columns?: DayColumns,
  exact?: ExactMetrics,
): StudyResult {
  const metrics = describeTally(scenario, tally, exact);
  return { number, scenario, days: tally.days, isPrecise, metrics, columns };
}
