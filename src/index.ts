// What a program imports from "redrive".
export type { DayColumns } from "./engine/day-columns.js";
export type { EngineName } from "./engine/engine.js";
export { runFixture } from "./engine/fixture.js";
export type { Outcome } from "./engine/outcome.js";
export type { Distribution, ExactDistribution, Moments } from "./exact/distribution.js";
export type { ExactMetric, ExactMetrics } from "./exact/metrics.js";
export {
  type KeyFigures,
  type KeyMetric,
  keyMetrics,
  type MainEffect,
  type MarginalMean,
} from "./experiment/effects.js";
export { computeExact } from "./experiment/exact.js";
export type { Grid, Parameter, Product } from "./experiment/grid.js";
export type { Criterion, Precision } from "./experiment/precision.js";
export type { MetricResult } from "./experiment/result.js";
export type { Run, RunSettings, Simulation, SimulationSettings } from "./experiment/settings.js";
export { type DaysOfBlock, type RunHooks, type RunResult, simulate } from "./experiment/simulate.js";
export type { MetricData } from "./experiment/study-data.js";
export {
  type SweepHooks,
  type SweepResult,
  type SweepScenario,
  sweep,
} from "./experiment/sweep.js";
export type { Axis, AxisSettings, Sweep, SweepSettings } from "./experiment/sweep-settings.js";
export { type Fixture, type FixtureInput, type FixturePolicy, resolveFixture } from "./model/fixture.js";
export { type Metric, type MetricName, metrics, recoveryDelay } from "./model/metrics.js";
export type { Ratio, RatioDistribution } from "./model/ratio.js";
export { estimateFirstOrder, type FirstOrder, referenceModel } from "./model/reference.js";
export type { Policy, Scenario, ScenarioSettings } from "./model/scenario.js";
export { SettingsError } from "./model/settings.js";
export type { ValueCounts } from "./stats/histogram.js";
export type { QuantileName, Summary } from "./stats/summary.js";
