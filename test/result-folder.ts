// Result folders for tests of the report: made by the built command line, or written as text.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { summaryTable } from "../src/report/tables.js";
import { version } from "../src/version.js";

export const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));

/** Runs a command that must succeed, and returns what it says on stdout. */
export function redrive(cwd: string, ...args: string[]): string {
  return execFileSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The committed benchmark. */
export function copyBench(folder: string): void {
  cpSync(new URL("../results/bench/reference", import.meta.url), folder, { recursive: true });
}

/** The rows of a CSV file without quoted cells, read without the code under test; decimal commas become points. */
export function readPlainCsv(path: string): Record<string, string>[] {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  const isEuropean = text.split("\r\n")[0].includes(";");
  const [head, ...lines] = text
    .trimEnd()
    .split("\r\n")
    .map((line) => (isEuropean ? line.replaceAll(",", ".").split(";") : line.split(",")));
  return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
}

/**
 * Writes the result of a sweep that nobody simulated: 100 values of KK3, 100 of scan.
 *
 * @param meanOf - the mean of wasted steps; its p5 is 1 below, its p95 2 above
 */
export function writeWideSweep(folder: string, meanOf: (kk3: number, scan: number) => number): void {
  mkdirSync(folder, { recursive: true });
  const kk3s = Array.from({ length: 100 }, (_, i) => (i + 1) / 1000);
  const scans = Array.from({ length: 100 }, (_, i) => i + 1);
  const names = summaryTable.columns.map(({ name }) => name);
  let csv = `${names.join(",")}\r\n`;
  let number = 0;
  for (const kk3 of kk3s) {
    for (const scan of scans) {
      number++;
      const mean = meanOf(kk3, scan);
      const cells: Record<string, unknown> = {
        scenario: number,
        kk3,
        scan_rounds: scan,
        metric: "wasted",
        mean,
        p05: mean - 1,
        p95: mean + 2,
      };
      csv += `${names.map((name) => cells[name] ?? "").join(",")}\r\n`;
    }
  }
  writeFileSync(join(folder, "summary.csv"), csv);
  const fixed = {
    workflows: [4000],
    steps: [["a"]],
    kk2: [0.02],
    lease: [2],
    retryLimit: [3],
    rounds: [80],
    stallOn: ["first-attempt"],
  };
  const fields = names.map((name) => ({ name }));
  const descriptor = {
    name: "redrive-sweep",
    resources: [{ path: "summary.csv", dialect: { delimiter: "," }, schema: { fields } }],
    redrive: {
      version,
      days: 10,
      seed: "s",
      grid: [{ firstScenario: 1, scenarios: 10_000, ...fixed, kk3: kk3s, scan: scans }],
    },
  };
  writeFileSync(join(folder, "datapackage.json"), JSON.stringify(descriptor));
}
