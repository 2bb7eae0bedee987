// redrive sweep as a person uses it: built, in a process of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Grid, resolveProduct, scenariosOf } from "../src/experiment/grid.js";
import { announceSweep } from "../src/report/sweep-announcement.js";
import { isShown, showSweep } from "../src/report/sweep-answer.js";
import { sweepTable } from "../src/report/tables.js";

const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-sweep-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Done {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in the test's folder. */
function redrive(args: readonly string[]): Promise<Done> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  return new Promise((done) => child.on("close", (status) => done({ status, stdout, stderr })));
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");
const lines = (...path: string[]) =>
  read(...path)
    .trimEnd()
    .split("\r\n");
const files = ["sweep.csv", "summary.csv", "distribution.csv", "datapackage.json"];

describe("redrive sweep", () => {
  test("prints what the README shows", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const blocks = readme.split("```");
    const commands = blocks.flatMap((block, i) =>
      block.startsWith("\nredrive sweep")
        ? [{ command: block.replaceAll("\\\n", " ").trim(), shown: blocks[i + 2] }]
        : [],
    );
    expect(commands.length).toBeGreaterThan(1);
    for (const { command, shown } of commands) {
      const { stdout } = await redrive([...command.split(/\s+/).slice(1), "--quiet", "--out", "readme"]);
      expect(stdout.trim()).toBe(shown.trim());
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });

  test("says what it will be and writes rows in the order of the scenarios", async () => {
    const grid = ["--kk3", "0.001:0.003:0.001", "--scan", "4,1", "--days", "400", "--out", "order"];
    const { status, stderr } = await redrive(["sweep", ...grid]);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^6 scenarios of 400 days: 6 rows in sweep.csv, 72 in summary.csv, about [\d,]+ in distribution.csv\n/,
    );
    expect(stderr).toContain("Written to order: sweep.csv, summary.csv, distribution.csv, datapackage.json");
    expect(readdirSync(join(folder, "order")).sort()).toEqual([...files, "manifest.json"].sort());
    const [header, ...rows] = lines("order", "sweep.csv");
    expect(header).toBe(sweepTable.columns.map(({ name }) => name).join());
    expect(header).toMatch(
      /^scenario,workflows,steps,kk3,kk2,scan_rounds,lease_rounds,retry_limit,rounds,stall_on,half_finished_unsupervised_mean,half_finished_unsupervised_p50,half_finished_unsupervised_p95,half_finished_unsupervised_p99,completed_mean,.*,recovery_delay_rounds_p99$/,
    );
    expect(rows.map((row) => row.split(",").slice(0, 6).join())).toEqual([
      "1,4000,4,0.001,0.02,4",
      "2,4000,4,0.001,0.02,1",
      "3,4000,4,0.002,0.02,4",
      "4,4000,4,0.002,0.02,1",
      "5,4000,4,0.003,0.02,4",
      "6,4000,4,0.003,0.02,1",
    ]);
    for (const name of ["summary.csv", "distribution.csv"]) {
      const numbers = lines("order", name)
        .slice(1)
        .map((row) => Number(row.split(",")[0]));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(new Set(numbers).size).toBe(6);
    }
  });

  test("writes of each scenario what a run of it writes", async () => {
    const grid = ["--kk2", "0.01,0.03", "--lease", "2,5", "--days", "300", "--days-csv", "--quiet"];
    await redrive(["sweep", ...grid, "--out", "all"]);
    const one = ["--kk2", "0.03", "--lease", "5", "--days", "300", "--days-csv", "--quiet"];
    await redrive(["run", ...one, "--out", "one"]);
    for (const name of ["summary.csv", "distribution.csv", "days.csv"]) {
      const [header, ...rows] = lines("one", name);
      const [sweepHeader, ...sweepRows] = lines("all", name);
      expect(sweepHeader).toBe(header);
      expect(sweepRows.filter((row) => row.startsWith("4,"))).toEqual(
        rows.map((row) => row.replace(/^1,/, "4,")),
      );
    }
    const { metrics } = JSON.parse((await redrive(["run", ...one, "--format", "json"])).stdout);
    const last = lines("all", "sweep.csv").at(-1)?.split(",") ?? [];
    const mean = (name: string) => last[sweepTable.columns.findIndex((column) => column.name === name)];
    expect(Number(mean("half_finished_unsupervised_mean"))).toBe(metrics[0].mean);
    expect(Number(mean("wasted_p99"))).toBe(metrics[6].p99);
    expect(Number(mean("recovery_delay_rounds_mean"))).toBe(metrics[11].mean);
  });

  test("writes the same bytes for other threads and engines", async () => {
    const grid = ["sweep", "--kk3", "0.002,uniform(0,0.02)", "--scan", "1:2:1", "--workflows", "300,9000"];
    const settings = [...grid, "--days", "600", "--days-csv", "--quiet"];
    await redrive([...settings, "--threads", "1", "--out", "same"]);
    for (const options of [
      ["--threads", "2"],
      ["--threads", "5", "--engine", "event"],
    ]) {
      await redrive([...settings, ...options, "--out", "other"]);
      for (const name of [...files, "days.csv"])
        expect(read("other", name) === read("same", name), name).toBe(true);
    }
    expect(JSON.parse(read("other", "manifest.json"))).toMatchObject({ threads: 5, engine: "event" });
  });

  test("reads named scenarios from a config file, over which the command line wins", async () => {
    writeFileSync(
      join(folder, "named.json"),
      JSON.stringify({
        days: 50,
        kk3: 0.01,
        scenarios: [{ name: "often", scan: 1 }, { name: "seldom", scan: 8, lease: 4 }, { scan: "2:3:1" }],
      }),
    );
    const { stdout } = await redrive(["sweep", "--config", "named.json", "--kk3", "0.02", "--out", "named"]);
    expect(stdout).toMatch(/^4 scenarios of 50 days, seed redrive\n/);
    expect(stdout.split("\n").flatMap((line) => /^(often|seldom|3|4) {3,}/.exec(line)?.[1] ?? [])).toEqual([
      "often",
      "seldom",
      "3",
      "4",
    ]);
    expect(lines("named", "sweep.csv").map((line) => line.split(",").slice(3, 7).join())).toEqual([
      "kk3,kk2,scan_rounds,lease_rounds",
      "0.02,0.02,1,2",
      "0.02,0.02,8,4",
      "0.02,0.02,2,2",
      "0.02,0.02,3,2",
    ]);
    const { redrive: made } = JSON.parse(read("named", "datapackage.json"));
    expect(made.grid).toMatchObject([
      { name: "often", firstScenario: 1, scenarios: 1, kk3: [0.02], scan: [1] },
      { name: "seldom", firstScenario: 2, scenarios: 1, lease: [4] },
      { firstScenario: 3, scenarios: 2, scan: [2, 3] },
    ]);
  });

  test("prints JSON or sweep.csv on stdout and nothing else", async () => {
    const settings = ["sweep", "--scan", "1,2", "--days", "30", "--quiet", "--out", "formats", "--format"];
    const json = await redrive([...settings, "json"]);
    expect(json.stderr).toBe("");
    expect(JSON.parse(json.stdout)).toMatchObject([
      { scenario: 1, scanRounds: 1, kk3: 0.005 },
      { scenario: 2, scanRounds: 2, wastedMean: expect.any(Number), recoveryDelayRoundsP99: 2 },
    ]);
    expect((await redrive([...settings, "csv"])).stdout).toBe(read("formats", "sweep.csv"));
  });

  test("says all that is wrong with a grid at once, exits with 2 and writes nothing", async () => {
    writeFileSync(
      join(folder, "wrong.json"),
      JSON.stringify({ lease: [], scenarios: [{ name: "x", kk3: 2 }] }),
    );
    const args =
      "--kk3 1:0:0.1 --kk2 0.1:0.2:0 --scan 1,,2 --rounds 1:2 --threds 2 --config wrong.json --out wrong";
    const { status, stdout, stderr } = await redrive(["sweep", ...args.split(" ")]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      "redrive: --threds is no option of this command; did you mean --threads",
      "redrive: --kk3 must be a range with an end that is not below its start, got 1:0:0.1",
      "redrive: --kk2 must be a range with a step above 0, got 0.1:0.2:0",
      "redrive: --scan must be a whole number from 1 to 10000000, got an empty text",
      "redrive: --rounds must be a range start:end:step of three numbers, got 1:2",
      "redrive: lease in wrong.json must be at least one value, got []",
      "redrive: scenario 1 (x): kk3 must be a number from 0 to 1 or one of uniform(...), triangular(...), beta(...), lognormal(...), got 2",
    ]);
    expect(existsSync(join(folder, "wrong"))).toBe(false);
  });

  test("refuses a thousand million scenarios and memory that there cannot be", async () => {
    const thousand = "0.001:1:0.001";
    const grid = ["--kk3", thousand, "--kk2", thousand, "--scan", "1:1000:1", "--out", "wrong"];
    expect(await redrive(["sweep", ...grid])).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "redrive: the grid must be of at most 10000000 scenarios, got 1000000000; use fewer values or larger steps\n",
    });
    const wide = ["--kk3", "uniform(0,1)", "--workflows", "1e8", "--days", "1e12", "--out", "wrong"];
    const { status, stderr } = await redrive(["sweep", ...wide]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^redrive: the results in work must fit into .* of memory, got about /);
    expect(existsSync(join(folder, "wrong"))).toBe(false);
  });

  test("warns of scenarios that are not as precise as asked", async () => {
    const options = [
      "--precision",
      "0.01%",
      "--max-days",
      "1500",
      "--precision-of",
      "wasted",
      "--out",
      "vague",
    ];
    const { status, stdout, stderr } = await redrive(["sweep", "--kk3", "0,0.01", ...options]);
    expect(status).toBe(0);
    expect(stderr).toContain(
      "warning: 1 scenario is not as precise as asked after 1,500 days (2); raise --max-days",
    );
    expect(stdout).toMatch(/^0 .* 1,000\n0\.01 .* 1,500$/m);
    const { redrive: made } = JSON.parse(read("vague", "datapackage.json"));
    expect(made.precision).toEqual({ share: 0.0001, of: ["wasted"] });
    const together = await redrive(["run", "--precision", "1%", "--days", "10", "--out", "vague"]);
    expect(together.stderr).toBe(
      "redrive: --precision must be given without --days; --max-days limits the days\n",
    );
  });
});

test("isShown picks few scenarios, evenly, with both ends", () => {
  const numbersOf = (grid: Grid, size: number) =>
    Array.from({ length: size }, (_, i) => i + 1).filter((number) => isShown(number, grid));
  const line = (length: number) => [resolveProduct({ scan: Array.from({ length }, (_, i) => i + 1) })];
  expect(numbersOf(line(24), 24)).toHaveLength(24);
  expect(numbersOf(line(25), 25)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25]);
  const many = numbersOf(line(1000), 1000);
  expect(many.length).toBeLessThan(27);
  expect([many[0], many.at(-1)]).toEqual([1, 1000]);
  expect(numbersOf([resolveProduct({ scan: [1, 2], lease: [1, 2] })], 4)).toEqual([]);
});

test("announceSweep warns of files that no spreadsheet can hold", () => {
  const rows = { sweep: 100_000, summary: 1_200_000, distribution: 9e7 };
  const estimate = { scenarios: 100_000, exact: false, days: 10_000, workNs: 0, memoryBytes: 0, rows };
  expect(announceSweep(estimate, false, false, 2)).toEqual([
    "100,000 scenarios of 10,000 days: 100,000 rows in sweep.csv, 1,200,000 in summary.csv, about 90,000,000 in distribution.csv",
    "warning: summary.csv will not fit into a spreadsheet, which ends after 1,048,575 rows; use fewer values, or read it with a program",
    "warning: distribution.csv will not fit into a spreadsheet, which ends after 1,048,575 rows; use fewer values, or read it with a program",
  ]);
});

test("announceSweep says how long it takes where that is long", () => {
  const rows = { sweep: 1, summary: 1, distribution: 1 };
  const lineFor = (seconds: number, threads = 2) => {
    const workNs = seconds * 1e9 * threads;
    const estimate = { scenarios: 2, exact: false, days: 10, workNs, memoryBytes: 0, rows };
    return announceSweep(estimate, false, false, threads)[1];
  };
  expect(lineFor(89)).toBeUndefined();
  expect(lineFor(90)).toBe("about 2 minutes on 2 threads");
  expect(lineFor(7200, 1)).toBe("about 2 hours on 1 thread; --shard divides it among machines");
  expect(lineFor(5 * 86_400)).toBe("about 5 days on 2 threads; --shard divides it among machines");
});

test("a scenario of a list is told from others of its name by what varies", () => {
  const grid = [resolveProduct({ kk3: [0.005, 0.01] }, "eager"), resolveProduct({ scan: [8] }, "patient")];
  const none = { mean: 1, p99: 1 };
  const figures = {
    halfFinishedUnsupervised: none,
    halfFinished: none,
    wasted: none,
    recoveryDelayRounds: none,
    recordsRead: none,
  };
  const shown = [...scenariosOf(grid)].map((scenario) => ({ ...scenario, days: 10, figures }));
  const simulation = { exact: false, days: 10, seed: "s", precision: undefined };
  const text = showSweep(grid, simulation, shown, [], { color: false, columns: undefined });
  expect(text).toMatch(/^eager, KK3 0\.005 .*\neager, KK3 0\.01 .*\npatient /m);
});
