// One scenario to be simulated, how far, and what comes of it.
import type { DayColumns } from "../engine/day-columns.js";
import type { ExactMetrics } from "../exact/metrics.js";
import type { Scenario } from "../model/scenario.js";
import type { Experiment } from "./block.js";
import { answerExactly } from "./exact.js";
import type { Precision } from "./precision.js";
import { describeTally, type MetricResult } from "./result.js";
import type { TallyData } from "./tally.js";

/** An experiment, its number among those that are done together, and which days it gets. */
export interface Study extends Experiment {
  /** From 1. */
  readonly number: number;
  /** Whether the exact results are the answer and nothing is simulated. */
  readonly exact: boolean;
  /** The first day, from 0; another one than 0 where this is a part of a scenario's days. */
  readonly begin: number;
  /** Days to simulate from there on; with a precision, at most so many. */
  readonly days: number;
  /** What is precise enough; undefined where the number of days is given. */
  readonly precision: Precision | undefined;
}

/** What came of a study, as plain data. */
export interface StudyResult {
  readonly number: number;
  readonly scenario: Scenario;
  /** The first day, from 0. */
  readonly begin: number;
  /** All days that were simulated; undefined where none was, since the exact results are the answer. */
  readonly tally: TallyData | undefined;
  /** Whether the result is as precise as was asked; true where nothing was. */
  readonly isPrecise: boolean;
  /** All days, where they are wanted and were simulated in one block; otherwise each block was handed on by itself. */
  readonly columns: DayColumns | undefined;
}

/**
 * One entry per metric, then the recovery delay.
 *
 * @param exact - where it is known already
 */
export function describeStudy(
  { number, scenario, tally }: Pick<StudyResult, "number" | "scenario" | "tally">,
  exact?: ExactMetrics,
): MetricResult[] {
  return tally === undefined
    ? answerExactly(scenario, `scenario ${number}`, exact)
    : describeTally(scenario, tally, exact);
}
