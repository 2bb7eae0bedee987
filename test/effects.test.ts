// Main effects against a grid whose answer is worked out by hand.
import { expect, test } from "vitest";
import { type KeyFigures, keyMetrics, MainEffects } from "../src/experiment/effects.js";
import { resolveProduct, scenariosOf } from "../src/experiment/grid.js";

const figures = (wasted: number | undefined): KeyFigures => ({
  ...(Object.fromEntries(keyMetrics.map((name) => [name, { mean: 7, p99: 9 }])) as unknown as KeyFigures),
  wasted: { mean: wasted, p99: 0 },
});

test("MainEffects averages over all other parameters and sorts by how far a parameter moves the mean", () => {
  const grid = [resolveProduct({ kk3: [0.01, 0.02, 0.03], scan: [1, 2] })];
  const effects = new MainEffects(grid);
  // kk3:            0.01    0.02    0.03      mean
  // scan 1            1       5       9         5
  // scan 2            2       6      13         7
  // mean            1.5     5.5      11         6
  const wasted = [1, 2, 5, 6, 9, 13];
  for (const { number, scenario } of scenariosOf(grid)) effects.add(scenario, figures(wasted[number - 1]));
  const described = effects.describe();
  expect(described.filter(({ metric }) => metric === "wasted")).toEqual([
    {
      metric: "wasted",
      parameter: "kk3",
      lowest: { value: 0.01, mean: 1.5 },
      highest: { value: 0.03, mean: 11 },
      range: 9.5,
      relative: 9.5 / 6,
    },
    {
      metric: "wasted",
      parameter: "scan",
      lowest: { value: 1, mean: 5 },
      highest: { value: 2, mean: 7 },
      range: 2,
      relative: 2 / 6,
    },
  ]);
  expect(described).toHaveLength(2 * keyMetrics.length);
  expect(described.filter(({ metric }) => metric !== "wasted").every(({ range }) => range === 0)).toBe(true);
});

test("MainEffects leaves out scenarios in which a metric was not observed", () => {
  const grid = [resolveProduct({ scan: [1, 2, 4] })];
  const effects = new MainEffects(grid);
  const wasted = [3, undefined, 5];
  for (const { number, scenario } of scenariosOf(grid)) effects.add(scenario, figures(wasted[number - 1]));
  expect(effects.describe().find(({ metric }) => metric === "wasted")).toMatchObject({
    lowest: { value: 1, mean: 3 },
    highest: { value: 4, mean: 5 },
    relative: 0.5,
  });
});
