// The result of a sweep, aggregated while its rows are read: grows with the values of the parameters, not the scenarios.
import { type KeyMetric, keyMetrics } from "../experiment/effects.js";
import { type Parameter, parameters } from "../experiment/grid.js";
import { foreign, type Result } from "./result.js";
import { type Figures, readFigures } from "./run-data.js";
import { metricWords, parameterWords } from "./words.js";

/** A value of a parameter as summary.csv writes it, with the number that it is, if it is one. */
export interface AxisValue {
  readonly text: string;
  readonly number: number | undefined;
}

/** A parameter that has several values, and these: numbers in ascending order, else as they were given. */
export interface Axis {
  readonly parameter: Parameter;
  readonly values: readonly AxisValue[];
}

/** Means over scenarios of the mean, p5 and p95 of a metric; undefined where none of them has one. */
export interface Level {
  readonly mean: number | undefined;
  readonly p05: number | undefined;
  readonly p95: number | undefined;
}

/** A scenario that is kept on its own. */
export interface SweptScenario {
  readonly number: number;
  /** What the user calls it, and what is left of its parameters to tell it from others of that name. */
  readonly label: string;
  readonly text: (parameter: Parameter) => string;
  readonly figures: Map<KeyMetric, Figures>;
}

export interface SweepData {
  readonly scenarios: number;
  readonly seed: string | undefined;
  readonly days: number | undefined;
  /** Whether scenarios are a list of products, not one grid. */
  readonly isList: boolean;
  readonly axes: readonly Axis[];
  /** What does not vary, as text. */
  readonly fixed: ReadonlyMap<Parameter, string>;
  /** The first scenarios, {@link mostKept} at most. */
  readonly kept: readonly SweptScenario[];
  readonly overall: (metric: KeyMetric) => Level;
  /** Over all scenarios with a value of a parameter. */
  readonly at: (axis: Axis, value: AxisValue, metric: KeyMetric) => Level;
  /** The mean over all scenarios with values of two parameters that lie in two groups, see {@link groupValues}. */
  readonly inCell: (
    x: Axis,
    xGroup: number,
    y: Axis,
    yGroup: number,
    metric: KeyMetric,
  ) => number | undefined;
}

/** Scenarios whose figures are kept one by one. */
const mostKept = 100;

/** Groups of values along one side of a heat map, at most. */
export const mostGroups = 20;

/** Splits the values of an axis into groups of neighbours that are as equal in size as can be. */
export function groupValues(values: readonly AxisValue[], most: number): AxisValue[][] {
  const groups = Math.min(values.length, most);
  return Array.from({ length: groups }, (_, i) =>
    values.slice(Math.floor((i * values.length) / groups), Math.floor(((i + 1) * values.length) / groups)),
  );
}

/** @throws SettingsError where the folder lacks something */
export async function readSweep(result: Result): Promise<SweepData> {
  const { path, settings } = result;
  const products = readProducts(path, settings.grid);
  const { axes, fixed } = describeAxes(products);
  const overall = new Sums();
  const marginals = new Map(axes.map(({ parameter }) => [parameter, new Map<string, Sums>()]));
  const groups = axes.map(
    ({ values }) =>
      new Map(
        groupValues(values, mostGroups).flatMap((group, i) => group.map(({ text }) => [text, i] as const)),
      ),
  );
  const cells = new Map<string, Sums>();
  const kept: SweptScenario[] = [];
  const metricOf = new Map(keyMetrics.map((name) => [metricWords.get(name)?.column, name]));
  let scenarios = 0;
  for await (const row of result.rows("summary.csv")) {
    const metric = metricOf.get(row.text("metric"));
    if (metric === undefined) continue;
    const number = row.number("scenario") ?? 0;
    scenarios = Math.max(scenarios, number);
    const level = { mean: row.number("mean"), p05: row.number("p05"), p95: row.number("p95") };
    const text = (parameter: Parameter) => row.plain(parameterWords[parameter].column);
    overall.add(metric, level);
    const inGroups = axes.map(({ parameter }, i) => groups[i].get(text(parameter)) ?? 0);
    for (const [i, { parameter }] of axes.entries()) {
      addTo(marginals.get(parameter) as Map<string, Sums>, text(parameter), metric, level);
      for (let j = i + 1; j < axes.length; j++) {
        addTo(cells, `${i},${inGroups[i]},${j},${inGroups[j]}`, metric, level);
      }
    }
    if (number > mostKept) continue;
    let scenario = kept.at(-1);
    if (scenario?.number !== number) {
      scenario = { number, label: labelOf(number, products), text, figures: new Map() };
      kept.push(scenario);
    }
    scenario.figures.set(metric, readFigures(row));
  }
  if (scenarios === 0) throw foreign(path, "its summary.csv has no rows");
  const none: Level = { mean: undefined, p05: undefined, p95: undefined };
  const order = (axis: Axis) => axes.findIndex(({ parameter }) => parameter === axis.parameter);
  return {
    scenarios,
    seed: typeof settings.seed === "string" ? settings.seed : undefined,
    days: typeof settings.days === "number" ? settings.days : undefined,
    isList: products.length > 1,
    axes,
    fixed,
    kept,
    overall: (metric) => overall.level(metric),
    at: ({ parameter }, { text }, metric) => marginals.get(parameter)?.get(text)?.level(metric) ?? none,
    inCell: (x, xGroup, y, yGroup, metric) => {
      const [i, j] = [order(x), order(y)];
      const key = i < j ? `${i},${xGroup},${j},${yGroup}` : `${j},${yGroup},${i},${xGroup}`;
      return cells.get(key)?.level(metric).mean;
    },
  };
}

/** A product of the grid as datapackage.json describes it, its values as summary.csv writes them. */
interface Product {
  readonly name: string | undefined;
  readonly firstScenario: number;
  readonly scenarios: number;
  readonly axes: Readonly<Record<Parameter, readonly string[]>>;
}

function readProducts(path: string, grid: unknown): Product[] {
  if (!Array.isArray(grid) || grid.length === 0) throw foreign(path, "its datapackage.json has no grid");
  return grid.map((product) => {
    const axes = parameters.map((parameter) => {
      const values: unknown = product?.[parameter];
      if (!Array.isArray(values)) throw foreign(path, `its datapackage.json has no values of ${parameter}`);
      return [parameter, values.map((value) => String(Array.isArray(value) ? value.length : value))] as const;
    });
    return {
      name: typeof product.name === "string" ? product.name : undefined,
      firstScenario: Number(product.firstScenario),
      scenarios: Number(product.scenarios),
      axes: Object.fromEntries(axes) as unknown as Product["axes"],
    };
  });
}

function describeAxes(products: readonly Product[]): { axes: Axis[]; fixed: Map<Parameter, string> } {
  const axes: Axis[] = [];
  const fixed = new Map<Parameter, string>();
  for (const parameter of parameters) {
    const texts = [...new Set(products.flatMap(({ axes }) => axes[parameter]))];
    if (texts.length === 1) {
      fixed.set(parameter, texts[0]);
      continue;
    }
    const values = texts.map((text) => ({
      text,
      number: Number.isFinite(Number(text)) ? Number(text) : undefined,
    }));
    const areNumbers = values.every(({ number }) => number !== undefined);
    if (areNumbers) values.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
    axes.push({ parameter, values });
  }
  return { axes, fixed };
}

function labelOf(number: number, products: readonly Product[]): string {
  const product = products.findLast(({ firstScenario }) => firstScenario <= number);
  if (product === undefined) return `${number}`;
  const name = product.name ?? `scenario ${number}`;
  if (product.name === undefined || product.scenarios === 1) return name;
  // The last parameter varies fastest.
  let index = number - product.firstScenario;
  const differing: string[] = [];
  for (const parameter of parameters.toReversed()) {
    const values = product.axes[parameter];
    if (values.length > 1) {
      differing.unshift(`${parameterWords[parameter].label} ${values[index % values.length]}`);
    }
    index = Math.floor(index / values.length);
  }
  return `${name}, ${differing.join(", ")}`;
}

/** Sums of levels over scenarios, by metric. */
class Sums {
  readonly #sums = new Map<
    KeyMetric,
    { count: number; mean: number; p05: number; p95: number; quantiles: number }
  >();

  /** Adds a scenario; one without a mean does not count. */
  add(metric: KeyMetric, { mean, p05, p95 }: Level): void {
    if (mean === undefined) return;
    const sum = this.#sums.get(metric) ?? { count: 0, mean: 0, p05: 0, p95: 0, quantiles: 0 };
    sum.count++;
    sum.mean += mean;
    if (p05 !== undefined && p95 !== undefined) {
      sum.quantiles++;
      sum.p05 += p05;
      sum.p95 += p95;
    }
    this.#sums.set(metric, sum);
  }

  level(metric: KeyMetric): Level {
    const sum = this.#sums.get(metric);
    if (sum === undefined) return { mean: undefined, p05: undefined, p95: undefined };
    const hasQuantiles = sum.quantiles > 0;
    return {
      mean: sum.mean / sum.count,
      p05: hasQuantiles ? sum.p05 / sum.quantiles : undefined,
      p95: hasQuantiles ? sum.p95 / sum.quantiles : undefined,
    };
  }
}

function addTo(sums: Map<string, Sums>, key: string, metric: KeyMetric, level: Level): void {
  let sum = sums.get(key);
  if (sum === undefined) {
    sum = new Sums();
    sums.set(key, sum);
  }
  sum.add(metric, level);
}
