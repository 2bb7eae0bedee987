// What a sweep comes to, for people: the scenarios where they are few and differ in one thing, else what moves what.
import { type KeyFigures, type KeyMetric, keyMetrics, type MainEffect } from "../experiment/effects.js";
import { type Grid, type Parameter, sizeOf, varyingParameters } from "../experiment/grid.js";
import type { Simulation } from "../experiment/settings.js";
import { metrics, recoveryDelay } from "../model/metrics.js";
import { formatRatio, type Ratio } from "../model/ratio.js";
import type { Scenario } from "../model/scenario.js";
import { inOneLine } from "../model/settings.js";
import { bold, dim, renderTable, type Style, showNumber, type TextCell, type TextRow } from "./terminal.js";

/** A scenario that gets a line of its own. */
export interface ShownScenario {
  readonly number: number;
  readonly name: string | undefined;
  readonly scenario: Scenario;
  readonly days: number;
  readonly figures: KeyFigures;
}

/** How the parameters are called. */
const labels: Readonly<Record<Parameter, string>> = {
  workflows: "workflows",
  steps: "steps",
  kk3: "KK3",
  kk2: "KK2",
  scan: "scan",
  lease: "lease",
  retryLimit: "retry limit",
  rounds: "rounds",
  stallOn: "stalls on",
};

/** How the metrics are called in the head of the table, above their mean and p99. */
const shortNames: Readonly<Record<KeyMetric, string>> = {
  halfFinishedUnsupervised: "half-finished*",
  halfFinished: "half-finished",
  wasted: "wasted",
  recoveryDelayRounds: "recovery",
  recordsRead: "records read",
};

/** Scenarios beyond this number are not listed one by one. */
const mostLines = 24;

/** Whether a sweep is shown scenario by scenario: along one parameter, or as a list of named ones. */
function isListed(grid: Grid): boolean {
  return grid.length > 1 ? sizeOf(grid) <= mostLines : varyingParameters(grid).length <= 1;
}

/** Whether a scenario is among those that are shown: of many, some that are evenly spread, the last one included. */
export function isShown(number: number, grid: Grid): boolean {
  const size = sizeOf(grid);
  const step = Math.ceil(size / mostLines);
  return isListed(grid) && ((number - 1) % step === 0 || number === size);
}

/** The answer of a sweep. */
export function showSweep(
  grid: Grid,
  { exact, days, seed, precision }: Pick<Simulation, "exact" | "days" | "seed" | "precision">,
  shown: readonly ShownScenario[],
  effects: readonly MainEffect[],
  style: Style,
): string {
  const size = sizeOf(grid);
  const isUpTo = precision !== undefined;
  const extent = exact
    ? ", exact values, nothing simulated"
    : ` of ${isUpTo ? "up to " : ""}${count(days, "day")}, seed ${inOneLine(seed)}`;
  const title = `${count(size, "scenario")}${extent}`;
  const lines = [bold(title, style), ...describeFixed(grid).map((line) => dim(line, style)), ""];
  return [
    ...lines,
    ...(isListed(grid) ? showScenarios(grid, shown, isUpTo, style) : showEffects(effects, style)),
    "",
  ].join("\n");
}

/** The parameters that do not vary. */
function describeFixed(grid: Grid): string[] {
  const varying = varyingParameters(grid);
  const [{ axes }] = grid;
  const fixed = (Object.keys(labels) as Parameter[]).filter((parameter) => !varying.includes(parameter));
  const texts = fixed.map((parameter) => `${labels[parameter]} ${showValue(parameter, axes[parameter][0])}`);
  const half = Math.ceil(texts.length / 2);
  return [texts.slice(0, half).join(", "), texts.slice(half).join(", ")].filter((line) => line !== "");
}

function showScenarios(
  grid: Grid,
  shown: readonly ShownScenario[],
  withDays: boolean,
  style: Style,
): string[] {
  const [parameter] = varyingParameters(grid);
  const isNamed = grid.length > 1;
  const columns = keyMetrics.filter(
    (metric) => metric !== "halfFinished" || shown.some(({ figures }) => (figures[metric].mean ?? 0) > 0),
  );
  const over = (text: string): TextCell => ({ text, columns: 2 });
  const head = isNamed ? "scenario" : parameter === undefined ? "" : labels[parameter];
  const rows: TextRow[] = [
    [head, ...columns.flatMap(() => ["mean", "p99"]), ...(withDays ? [""] : [])],
    ...shown.map(({ number, name, scenario, days, figures }) => [
      isNamed
        ? nameScenario(grid, { number, name, scenario })
        : parameter === undefined
          ? ""
          : showValue(parameter, scenario[parameter]),
      ...columns.flatMap((metric) => [showNumber(figures[metric].mean), showNumber(figures[metric].p99)]),
      ...(withDays ? [days.toLocaleString("en-US")] : []),
    ]),
  ];
  const left = sizeOf(grid) - shown.length;
  return [
    renderTable(
      ["", ...columns.map((metric) => over(shortNames[metric])), ...(withDays ? ["days"] : [])],
      rows,
      style,
    ),
    ...[
      ...(left > 0 ? [`${count(left, "scenario")} more in sweep.csv`] : []),
      "half-finished*: jobs a day without a supervisor",
      ...(columns.includes("halfFinished")
        ? []
        : ["with one, no job is half-finished in any of these scenarios"]),
      "recovery: rounds, over all re-drives; all else is per day",
    ].map((line) => dim(line, style)),
  ];
}

/** The name or number of a scenario, and what tells it from others of the same name. */
function nameScenario(
  grid: Grid,
  { number, name, scenario }: Pick<ShownScenario, "number" | "name" | "scenario">,
): string {
  if (name === undefined) return `${number}`;
  const product = grid.filter((product) => product.name === name);
  const differences = varyingParameters(product).map(
    (parameter) => `${labels[parameter]} ${showValue(parameter, scenario[parameter])}`,
  );
  return [inOneLine(name), ...differences].join(", ");
}

function showEffects(effects: readonly MainEffect[], style: Style): string[] {
  const moved = keyMetrics.filter((metric) =>
    effects.some((effect) => effect.metric === metric && effect.range > 0),
  );
  const rows = moved.flatMap((metric): TextRow[] => [
    titleOf(metric),
    ...effects
      .filter((effect) => effect.metric === metric)
      .map(({ parameter, lowest, highest, range, relative }) => {
        const label = `  ${labels[parameter]}`;
        if (range === 0) return [label, "-", "", "-", "", "0", "0 %"];
        return [
          label,
          showNumber(lowest.mean),
          `at ${showValue(parameter, lowest.value)}`,
          showNumber(highest.mean),
          `at ${showValue(parameter, highest.value)}`,
          showNumber(range),
          `${showNumber(Number((100 * relative).toPrecision(3)))} %`,
        ];
      }),
  ]);
  const still = keyMetrics.filter((metric) => !moved.includes(metric));
  return [
    renderTable(["", "lowest", "", "highest", "", "range", "of mean"], rows, style),
    ...[
      "lowest, highest: mean over all scenarios with that value of the parameter",
      ...still.map((metric) => `${titleOf(metric)}: the same in all scenarios`),
    ].map((line) => dim(line, style)),
  ];
}

function titleOf(metric: KeyMetric): string {
  const { label, unit } = [...metrics, recoveryDelay].find(({ name }) => name === metric) ?? recoveryDelay;
  const title = `${label[0].toUpperCase()}${label.slice(1)}`;
  if (metric === "halfFinishedUnsupervised") return `${title} without a supervisor`;
  if (metric === "halfFinished") return `${title} with the supervisor`;
  return unit === "rounds" ? `${title}, rounds` : title;
}

function showValue(parameter: Parameter, value: Scenario[Parameter]): string {
  if (parameter === "steps") return `${(value as readonly string[]).length}`;
  if (parameter === "kk3") return formatRatio(value as Ratio);
  return parameter === "stallOn" ? String(value).replace("-", " ") : String(value);
}

function count(n: number, word: string): string {
  return `${n.toLocaleString("en-US")} ${word}${n === 1 ? "" : "s"}`;
}
