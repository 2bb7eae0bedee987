// Golden days: what a seed means must never change unnoticed, on any machine and any version of Node.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newDayColumns } from "../src/engine/day-columns.js";
import { newEngine } from "../src/engine/engine.js";
import { checkRun, type RunSettings } from "../src/experiment/settings.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";

interface GoldenDays {
  readonly settings: RunSettings;
  /** By the number of the day, from 1: every column of that day. */
  readonly days: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const golden: readonly GoldenDays[] = JSON.parse(
  readFileSync(new URL("golden/days.json", import.meta.url), "utf8"),
);

test.each(golden)("a day simulated alone is the same as ever: $settings", ({ settings, days }) => {
  const { scenario, seed } = checkRun(settings);
  for (const name of ["table", "event"] as const) {
    for (const [day, expected] of Object.entries(days)) {
      const sampler = newFateSampler(scenario, deriveKey(seed));
      const columns = newDayColumns(1);
      sampler.draw(Number(day) - 1);
      newEngine(name, scenario).simulate(sampler, columns);
      const row = Object.fromEntries(Object.entries(columns).map(([column, [value]]) => [column, value]));
      expect(row, `day ${day}, ${name} engine`).toEqual(expected);
    }
  }
});
