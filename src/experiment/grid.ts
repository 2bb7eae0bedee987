// The scenarios of a sweep: products of lists of values, numbered from 1. Made one by one, never all at once.
import { typicalRatio } from "../model/ratio.js";
import {
  type axisSettings,
  defaultScenario,
  resolveScenario,
  type Scenario,
  scenarioSettings,
} from "../model/scenario.js";
import type { SettingValues } from "../model/settings.js";

/** A parameter of a scenario. */
export type Parameter = keyof Scenario;

/** The parameters, in the order of the columns; the last one varies fastest. */
export const parameters = Object.keys(scenarioSettings) as readonly Parameter[];

/** Most scenarios of a sweep. */
export const mostScenarios = 10_000_000;

/** The product of the values of each parameter. */
export interface Product {
  /** What its scenarios are called, where they have a name. */
  readonly name: string | undefined;
  /** At least one value for each parameter. */
  readonly axes: Readonly<{ [Name in Parameter]: readonly Scenario[Name][] }>;
}

/** All scenarios of a sweep: those of one product after those of the other. */
export type Grid = readonly Product[];

/** A scenario of a sweep. */
export interface GridScenario {
  /** From 1. */
  readonly number: number;
  readonly name: string | undefined;
  readonly scenario: Scenario;
}

/** Fills in the defaults. */
export function resolveProduct(values: Partial<SettingValues<typeof axisSettings>>, name?: string): Product {
  const axes = Object.fromEntries(
    parameters.map((parameter) => [parameter, values[parameter] ?? [defaultScenario[parameter]]]),
  );
  return { name, axes: axes as unknown as Product["axes"] };
}

/** The number of scenarios of a product. */
export function sizeOfProduct({ axes }: Product): number {
  return parameters.reduce((size, parameter) => size * axes[parameter].length, 1);
}

/** The number of scenarios. */
export function sizeOf(grid: Grid): number {
  return grid.reduce((size, product) => size + sizeOfProduct(product), 0);
}

/** The scenario with this number, from 1 to the size of the grid. */
export function scenarioAt(grid: Grid, number: number): GridScenario {
  let index = number - 1;
  for (const product of grid) {
    const size = sizeOfProduct(product);
    if (index < size) return { number, name: product.name, scenario: scenarioOf(product, index) };
    index -= size;
  }
  throw new RangeError(`number must be from 1 to ${sizeOf(grid)}, got ${number}`);
}

/** All scenarios in order, from the one with this number on. */
export function* scenariosOf(grid: Grid, first = 1): Generator<GridScenario> {
  let begin = 1;
  for (const product of grid) {
    const end = begin + sizeOfProduct(product);
    for (let number = Math.max(first, begin); number < end; number++) {
      yield { number, name: product.name, scenario: scenarioOf(product, number - begin) };
    }
    begin = end;
  }
}

/** The parameters that have more than one value in the grid. */
export function varyingParameters(grid: Grid): Parameter[] {
  return parameters.filter(
    (parameter) =>
      new Set(grid.flatMap(({ axes }) => axes[parameter].map((value) => JSON.stringify(value)))).size > 1,
  );
}

/** A scenario whose days are at least as large as those of any scenario of the product; it need not be one of them. */
export function largestOf({ axes }: Product): Scenario {
  const largest = <Value>(values: readonly Value[], sizeOf: (value: Value) => number) =>
    values.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  const number = (value: number) => value;
  return {
    workflows: largest(axes.workflows, number),
    steps: largest(axes.steps, ({ length }) => length),
    kk3: largest(axes.kk3, typicalRatio),
    kk2: largest(axes.kk2, number),
    scan: largest(axes.scan, number),
    lease: largest(axes.lease, number),
    retryLimit: largest(axes.retryLimit, number),
    rounds: largest(axes.rounds, number),
    stallOn: largest(axes.stallOn, (rule) => (rule === "every-attempt" ? 1 : 0)),
  };
}

function scenarioOf({ axes }: Product, index: number): Scenario {
  const values: Partial<Record<Parameter, unknown>> = {};
  for (const parameter of parameters.toReversed()) {
    const list = axes[parameter];
    values[parameter] = list[index % list.length];
    index = Math.floor(index / list.length);
  }
  return resolveScenario(values as Scenario);
}
