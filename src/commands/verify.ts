// redrive verify: simulates, compares every metric with its exact distribution, and fails where they disagree.
import { type EngineName, engineNames } from "../engine/engine.js";
import { checkDay } from "../experiment/day-limits.js";
import { estimateDayNs } from "../experiment/plan.js";
import { generalSettings, resolveRun } from "../experiment/settings.js";
import { simulateRun } from "../experiment/simulate.js";
import {
  chooseDays,
  defaultDaysOfOne,
  defaultDaysOfSpread,
  type NamedScenario,
  spread,
} from "../experiment/spread.js";
import { testMetrics } from "../experiment/verification.js";
import { scenarioSettings } from "../model/scenario.js";
import { toCsv } from "../report/csv.js";
import {
  type Check,
  describeDisagreements,
  judge,
  showVerification,
  type Verification,
  verificationJson,
  verificationRows,
} from "../report/verify-tables.js";
import type { TypedOptions } from "./options.js";
import { type Format, outputSettings } from "./output.js";
import { gatherSettings } from "./settings.js";
import { note, print, startProgress, styleOfStdout } from "./terminal.js";

const verifySettings = {
  ...scenarioSettings,
  ...generalSettings,
  format: outputSettings.format,
  quiet: outputSettings.quiet,
  color: outputSettings.color,
};

/** How long the event engine may take, unless it was asked for: in a spread of scenarios, and for a single one. */
const longestOfSpreadNs = 300e6;
const longestOfOneNs = 3e9;

/**
 * Prints the result; the exit status is 1 where something disagrees.
 *
 * @throws SettingsError before anything is simulated
 */
export async function verify(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const values = await gatherSettings(verifySettings, options, async (values) => {
    const run = resolveRun(values);
    return checkDay(run.scenario, run);
  });
  const { format = "table", quiet = false, color, engine = "auto" } = values;
  const { scenario, seed, threads } = resolveRun(values);
  const isOne = Object.keys(scenarioSettings).some((name) => Object.hasOwn(values, name));
  const { days = isOne ? defaultDaysOfOne : defaultDaysOfSpread } = values;
  const scenarios: readonly NamedScenario[] = isOne ? [{ name: "the scenario", scenario }] : spread;
  const engines: readonly EngineName[] = engine === "auto" ? engineNames : [engine];
  const longestNs = engine === "event" ? Infinity : isOne ? longestOfOneNs : longestOfSpreadNs;
  const planned = scenarios.flatMap((named, i) =>
    engines.map((engine) => ({
      ...named,
      number: i + 1,
      engine,
      days: chooseDays(named.scenario, engine, days, longestNs),
    })),
  );
  const runs = planned.filter(({ days }) => days > 0);
  const costs = runs.map(({ scenario, engine, days }) => days * estimateDayNs(scenario, engine));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const progress = await startProgress(100, total / threads, quiet, "parts of the work");
  const checks: Check[] = [];
  try {
    let done = 0;
    for (const [i, run] of runs.entries()) {
      const { metrics } = await simulateRun(
        {
          scenario: run.scenario,
          days: run.days,
          seed,
          threads,
          engine: run.engine,
          exact: false,
          precision: undefined,
        },
        {
          signal,
          onProgress: (daysDone) =>
            progress.update(Math.floor((100 * (done + (daysDone / run.days) * costs[i])) / total)),
        },
      );
      checks.push({ ...run, tests: testMetrics(metrics) });
      done += costs[i];
    }
  } finally {
    progress.stop();
  }
  const verification = judge(seed, checks);
  await print(formatVerification(verification, format, color));
  if (verification.agrees) return;
  process.exitCode = 1;
  for (const line of describeDisagreements(verification)) note(`redrive: ${line}`);
}

function formatVerification(verification: Verification, format: Format, color: boolean | undefined): string {
  switch (format) {
    case "table":
      return showVerification(verification, styleOfStdout(color));
    case "json":
      return `${JSON.stringify(verificationJson(verification), null, 2)}\n`;
    case "csv": {
      const { table, rows } = verificationRows(verification);
      return toCsv(table, rows, "rfc4180");
    }
  }
}
