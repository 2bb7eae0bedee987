// What a sweep comes to: the few figures of each scenario that people ask for, and which parameters move them.
import { type MetricName, recoveryDelay } from "../model/metrics.js";
import type { Scenario } from "../model/scenario.js";
import { type Grid, type Parameter, varyingParameters } from "./grid.js";
import type { MetricResult } from "./result.js";

/** The metrics that a sweep is asked about. */
export const keyMetrics = [
  "halfFinishedUnsupervised",
  "halfFinished",
  "wasted",
  recoveryDelay.name,
  "recordsRead",
] as const satisfies readonly (MetricName | typeof recoveryDelay.name)[];

export type KeyMetric = (typeof keyMetrics)[number];

/** Mean and p99 of each of these metrics; undefined without observations. */
export type KeyFigures = Readonly<
  Record<KeyMetric, { readonly mean: number | undefined; readonly p99: number | undefined }>
>;

/** The figures of one scenario. */
export function keyFiguresOf(
  results: readonly Pick<MetricResult, "metric" | "mean" | "quantiles">[],
): KeyFigures {
  const byName = new Map(results.map((result) => [result.metric, result]));
  return Object.fromEntries(
    keyMetrics.map((name) => [name, { mean: byName.get(name)?.mean, p99: byName.get(name)?.quantiles.p99 }]),
  ) as KeyFigures;
}

/** A value of a parameter and the mean of a metric over all scenarios that have it. */
export interface MarginalMean<Name extends Parameter = Parameter> {
  readonly value: Scenario[Name];
  readonly mean: number;
}

/** How far a parameter moves the mean of a metric, over all values of the others. */
export interface MainEffect {
  readonly metric: KeyMetric;
  readonly parameter: Parameter;
  /** The values at which the metric is lowest and highest on average. */
  readonly lowest: MarginalMean;
  readonly highest: MarginalMean;
  /** Highest minus lowest. */
  readonly range: number;
  /** The range as a share of the mean over the whole grid; 0 where that is 0. */
  readonly relative: number;
}

interface Average {
  sum: number;
  count: number;
}

/** Averages as plain data, to go on with later. */
export interface EffectsData {
  readonly overall: readonly Average[];
  readonly marginals: ReadonlyMap<
    Parameter,
    Map<string, { readonly value: Scenario[Parameter]; readonly averages: readonly Average[] }>
  >;
}

/** Averages of each metric for each value of each parameter; grows with the values, not with the scenarios. */
export class MainEffects {
  readonly #parameters: readonly Parameter[];
  readonly #overall: readonly Average[];
  /** By parameter and the text of its value. */
  readonly #marginals: EffectsData["marginals"];

  /** @param begun - what was added already */
  constructor(grid: Grid, begun?: EffectsData) {
    this.#parameters = varyingParameters(grid);
    this.#overall = begun?.overall ?? keyMetrics.map(newAverage);
    this.#marginals =
      begun?.marginals ?? new Map(this.#parameters.map((parameter) => [parameter, new Map()]));
  }

  /** What was added so far; more is added to it in place. */
  toData(): EffectsData {
    return { overall: this.#overall, marginals: this.#marginals };
  }

  /** Adds a scenario; metrics without a mean do not count. */
  add(scenario: Scenario, figures: KeyFigures): void {
    addFigures(this.#overall, figures);
    for (const [parameter, marginals] of this.#marginals) {
      const value = scenario[parameter];
      const key = JSON.stringify(value);
      let marginal = marginals.get(key);
      if (marginal === undefined) {
        marginal = { value, averages: keyMetrics.map(newAverage) };
        marginals.set(key, marginal);
      }
      addFigures(marginal.averages, figures);
    }
  }

  /** For each metric the effects of the parameters that vary, the largest first. */
  describe(): MainEffect[] {
    return keyMetrics.flatMap((metric, i) => {
      const overall = meanOf(this.#overall[i]) ?? 0;
      const effects = this.#parameters.flatMap((parameter): MainEffect[] => {
        const means = [...(this.#marginals.get(parameter)?.values() ?? [])].flatMap(({ value, averages }) => {
          const mean = meanOf(averages[i]);
          return mean === undefined ? [] : [{ value, mean }];
        });
        if (means.length === 0) return [];
        const lowest = means.reduce((a, b) => (b.mean < a.mean ? b : a));
        const highest = means.reduce((a, b) => (b.mean > a.mean ? b : a));
        const range = highest.mean - lowest.mean;
        return [{ metric, parameter, lowest, highest, range, relative: overall === 0 ? 0 : range / overall }];
      });
      return effects.sort((a, b) => b.range - a.range);
    });
  }
}

function newAverage(): Average {
  return { sum: 0, count: 0 };
}

function addFigures(averages: readonly Average[], figures: KeyFigures): void {
  for (const [i, name] of keyMetrics.entries()) {
    const { mean } = figures[name];
    if (mean === undefined) continue;
    averages[i].sum += mean;
    averages[i].count++;
  }
}

function meanOf({ sum, count }: Average): number | undefined {
  return count === 0 ? undefined : sum / count;
}
