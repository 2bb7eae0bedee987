// Histograms of block characters, and where redrive run shows them.
import { describe, expect, test } from "vitest";
import { resolveRun } from "../src/experiment/settings.js";
import { simulateRun } from "../src/experiment/simulate.js";
import { drawBlocks } from "../src/report/blocks.js";
import { showRun } from "../src/report/run-table.js";

describe("drawBlocks", () => {
  test("draws heights in eighths of the highest, one character per whole number", () => {
    expect(drawBlocks({ values: [3, 4, 6], weights: [8, 4, 1] }, 16)).toBe("█▄ ▁");
  });

  test("shows what is rare by the lowest block, and nothing without values", () => {
    expect(drawBlocks({ values: [0, 1], weights: [1e9, 1] }, 16)).toBe("█▁");
    expect(drawBlocks({ values: [], weights: [] }, 16)).toBe("");
  });

  test("draws equal weights as equal heights, also where cells hold different counts of values", () => {
    const values = Array.from({ length: 23 }, (_, i) => 100 + i);
    expect(drawBlocks({ values, weights: values.map(() => 5) }, 16)).toBe("█".repeat(16));
  });
});

describe("showRun", () => {
  const shown = async (columns: number | undefined, values = {}) =>
    showRun(await simulateRun(resolveRun({ days: 300, ...values })), { color: false, columns });

  test("shows histograms beside the numbers on a wide terminal, in lines that fit", async () => {
    const text = await shown(100);
    expect(text).toMatch(/wasted steps .* \d+ {2}[▁▂▃▄▅▆▇█ ]{16}\n/);
    expect(text).toMatch(/ {2}half-finished jobs +0 .* 0 {2}█\n/);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("shows them below the numbers on a narrow one, between their ends", async () => {
    const text = await shown(80);
    expect(text).toMatch(/\n {2}wasted steps +\d+ {2}[▁▂▃▄▅▆▇█ ]{16} {2}\d+\n/);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("shows none where it is no terminal", async () => {
    expect(await shown(undefined)).not.toMatch(/[▁▂▃▄▅▆▇█]/);
  });

  test("shows exact distributions where nothing is simulated", async () => {
    expect(await shown(120, { days: undefined, engine: "exact" })).toMatch(
      /wasted steps .* {2}▁[▁▂▃▄▅▆▇█]{14}▁\n/,
    );
  });
});
