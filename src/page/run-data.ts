// The result of a run as its files say it, and the exact distributions of its scenario.
import type { ExactMetrics } from "../exact/metrics.js";
import { deriveExact } from "../exact/metrics.js";
import { checkScenario, type Scenario, type ScenarioSettings } from "../model/scenario.js";
import { SettingsError } from "../model/settings.js";
import { foreign, type Result, type Row } from "./result.js";
import { metricWords } from "./words.js";

/** The columns of summary.csv that hold statistics. */
export const statistics = [
  "n",
  "mean",
  "mean_ci95_low",
  "mean_ci95_high",
  "sd",
  "min",
  "p01",
  "p05",
  "p25",
  "p50",
  "p75",
  "p95",
  "p99",
  "p999",
  "max",
  "exact_mean",
  "exact_sd",
  "first_order",
] as const;

export type Statistic = (typeof statistics)[number];

/** The figures of one metric. */
export type Figures = Readonly<Record<Statistic, number | undefined>>;

/** How a metric was distributed: values in ascending order and the share of each. */
export interface Shares {
  readonly values: number[];
  readonly shares: number[];
}

/** The result of a run; metrics by their name. */
export interface RunData {
  readonly scenario: Scenario;
  /** Undefined where nothing was simulated. */
  readonly seed: string | undefined;
  readonly days: number | undefined;
  readonly figures: ReadonlyMap<string, Figures>;
  readonly shares: ReadonlyMap<string, Shares>;
  readonly exact: ExactMetrics;
}

/** @throws SettingsError where the folder lacks something */
export async function readRun(result: Result): Promise<RunData> {
  const { path, settings } = result;
  const scenario = readScenario(path, settings.scenarios);
  const names = new Map([...metricWords].map(([name, { column }]) => [column, name]));
  const figures = new Map<string, Figures>();
  for await (const row of result.rows("summary.csv")) {
    const name = names.get(row.text("metric"));
    if (name !== undefined) figures.set(name, readFigures(row));
  }
  const missing = [...metricWords].filter(([name]) => !figures.has(name)).map(([, { column }]) => column);
  if (missing.length > 0) throw foreign(path, `its summary.csv is without ${missing.join(", ")}`);
  const shares = new Map<string, Shares>(
    [...metricWords.keys()].map((name) => [name, { values: [], shares: [] }]),
  );
  for await (const row of result.rows("distribution.csv")) {
    const of = shares.get(names.get(row.text("metric")) ?? "");
    const value = row.number("value");
    const share = row.number("share");
    if (of === undefined || value === undefined || share === undefined) continue;
    of.values.push(value);
    of.shares.push(share);
  }
  return {
    scenario,
    seed: typeof settings.seed === "string" ? settings.seed : undefined,
    days: figures.get("wasted")?.n,
    figures,
    shares,
    exact: deriveExact(scenario),
  };
}

export function readFigures(row: Row): Figures {
  return Object.fromEntries(statistics.map((name) => [name, row.number(name)])) as Figures;
}

function readScenario(path: string, scenarios: unknown): Scenario {
  const [{ scenario: _, ...settings } = { scenario: 1 }] = Array.isArray(scenarios) ? scenarios : [];
  try {
    return checkScenario(settings as ScenarioSettings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw foreign(path, `datapackage.json: ${error.problems[0]}`);
  }
}
