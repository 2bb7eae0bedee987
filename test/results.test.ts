// results/README.md describes the columns that the code writes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { daysTable, distributionTable, summaryTable, sweepTable } from "../src/report/tables.js";

test("results/README.md describes every column of every file", () => {
  const readme = readFileSync(new URL("../results/README.md", import.meta.url), "utf8");
  for (const { name, columns } of [summaryTable, distributionTable, sweepTable, daysTable]) {
    const rows = columns.map((column) => `| \`${column.name}\` | ${column.unit ?? ""} | ${column.meaning} |`);
    expect(readme).toContain(
      [`## ${name}.csv`, "", "| column | unit | meaning |", "|---|---|---|", ...rows].join("\n"),
    );
  }
});
