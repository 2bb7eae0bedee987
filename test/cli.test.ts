// The command line as a person uses it: built, in a process of its own.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { daysTable, distributionTable, summaryTable } from "../src/report/tables.js";

const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Done {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in the test's folder. */
function redrive(args: readonly string[], { env = {}, stdin = "" } = {}): Promise<Done> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...process.env, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.end(stdin);
  return new Promise((done) => child.on("close", (status) => done({ status, stdout, stderr })));
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");
const results = ["summary.csv", "distribution.csv", "datapackage.json"];

describe("redrive run", () => {
  test("prints a table and writes the files of a result", async () => {
    const { status, stdout, stderr } = await redrive(["run", "--days", "2000"]);
    expect(status).toBe(0);
    expect(stdout).toContain("2,000 days of 4,000 workflows with 4 steps");
    expect(stdout).toMatch(/half-finished jobs +15\d\.\d +157\.8 +160 /);
    expect(stdout).toMatch(/re-driven steps +3[12]\d(\.\d)? +319 +320 /);
    expect(stdout).toMatch(/wasted steps +7\d\.\d\d? +79 +80 /);
    expect(stderr).toContain("Written to results/run: summary.csv, distribution.csv, datapackage.json");
    expect(readdirSync(join(folder, "results/run")).sort()).toEqual([...results, "manifest.json"].sort());
  });

  test("prints what the README shows", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const shown = readme.split("```").find((block) => block.startsWith("\n100,000 days"));
    const { stdout } = await redrive(["run", "--out", "readme", "--quiet"]);
    expect(stdout.trim()).toBe(shown?.trim());
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("writes the columns in the order that spreadsheets rely on", async () => {
    await redrive(["run", "--days", "50", "--days-csv", "--out", "columns"]);
    const header = (name: string) => read("columns", name).split("\r\n")[0];
    expect(header("summary.csv")).toBe(
      "scenario,workflows,steps,kk3,kk2,scan_rounds,lease_rounds,retry_limit,rounds,stall_on,metric,unit,n,mean," +
        "mean_ci95_low,mean_ci95_high,sd,min,p01,p05,p25,p50,p75,p95,p99,p999,max,exact_mean,exact_sd,first_order",
    );
    expect(header("distribution.csv")).toBe("scenario,metric,value,count,share,cumulative_share,exact_share");
    expect(header("days.csv")).toBe(
      "scenario,day,kk3,half_finished_unsupervised,completed,compensated_jobs,half_finished,steps_run,redriven,wasted," +
        "compensated_steps,last_round,recovery_worst_rounds,records_read,recovery_mean_rounds",
    );
    const days = read("columns", "days.csv").trimEnd().split("\r\n");
    expect(days).toHaveLength(51);
    expect(days[50].split(",").slice(0, 3)).toEqual(["1", "50", "0.005"]);
    const summary = read("columns", "summary.csv").trimEnd().split("\r\n").slice(1);
    expect(summary.map((line) => line.split(",")[10])).toEqual([
      "half_finished_unsupervised",
      "completed",
      "compensated_jobs",
      "half_finished",
      "steps_run",
      "redriven",
      "wasted",
      "compensated_steps",
      "last_round",
      "recovery_worst_rounds",
      "records_read",
      "recovery_delay_rounds",
    ]);
  });

  test("sums, means and shares of its files agree with each other", async () => {
    await redrive(["run", "--days", "300", "--days-csv", "--out", "agree", "--kk3", "uniform(0.001,0.02)"]);
    const rows = (name: string) => {
      const [header, ...lines] = read("agree", name).trimEnd().split("\r\n").map(splitCsv);
      return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
    };
    const days = rows("days.csv");
    for (const { metric, n, mean, sd, min, max, exact_mean } of rows("summary.csv").slice(0, -1)) {
      const values = days.map((day) => Number(day[metric]));
      expect(Number(n)).toBe(300);
      expect(Number(mean)).toBeCloseTo(values.reduce((a, b) => a + b) / 300, 8);
      expect([Number(min), Number(max)]).toEqual([Math.min(...values), Math.max(...values)]);
      // KK3 is integrated over; six standard errors.
      expect(Math.abs(Number(mean) - Number(exact_mean))).toBeLessThanOrEqual(
        (6 * Number(sd)) / Math.sqrt(300),
      );
      const shares = rows("distribution.csv").filter((row) => row.metric === metric);
      expect(shares.at(-1)?.cumulative_share).toBe("1");
      for (const { value, count } of shares) {
        expect(values.filter((other) => other === Number(value))).toHaveLength(Number(count));
      }
    }
  });

  test("writes the same bytes for other threads, engines, time zones and locales", async () => {
    const settings = ["run", "--days", "8000", "--days-csv", "--quiet", "--seed", "bytes"];
    await redrive([...settings, "--out", "same"]);
    const others: [string[], object][] = [
      [["--threads", "1"], { TZ: "Asia/Tokyo", LC_ALL: "de_DE.UTF-8", LANG: "de_DE.UTF-8" }],
      [["--engine", "event", "--threads", "2"], {}],
      [["--engine", "event", "--threads", "7"], { TZ: "America/St_Johns" }],
    ];
    for (const [options, env] of others) {
      await redrive([...settings, ...options, "--out", "other"], { env });
      for (const name of [...results, "days.csv"])
        expect(read("other", name) === read("same", name), name).toBe(true);
    }
    expect(JSON.parse(read("other", "manifest.json"))).toMatchObject({ threads: 7, engine: "event" });
  });

  test("with --engine exact answers without simulating: the same files, without what counts observations", async () => {
    const { status, stdout } = await redrive(["run", "--engine", "exact", "--out", "exact", "--quiet"]);
    expect(status).toBe(0);
    expect(stdout).toContain("Exact, without simulation: days of 4,000 workflows with 4 steps");
    expect(stdout).toMatch(/wasted steps +79 +80 +65 +94 +100\n/);
    const rows = (name: string) => {
      const [header, ...lines] = read("exact", name).trimEnd().split("\r\n").map(splitCsv);
      return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
    };
    const summary = rows("summary.csv");
    expect(summary).toHaveLength(12);
    for (const row of summary) {
      const { n, mean, sd, exact_mean, exact_sd, min, max, mean_ci95_low } = row;
      expect([mean, sd]).toEqual([exact_mean, exact_sd]);
      expect([n, min, max, mean_ci95_low]).toEqual(["", "", "", ""]);
    }
    const wasted = rows("distribution.csv").filter(({ metric }) => metric === "wasted");
    for (const { count, share, exact_share } of wasted) expect([count, share]).toEqual(["", exact_share]);
    const below = (value: string) =>
      wasted.reduce((sum, row) => sum + (Number(row.value) < Number(value) ? Number(row.share) : 0), 0);
    // A quantile is the smallest value with at least that share at or below it.
    const { p05, p99 } = summary.find(({ metric }) => metric === "wasted") ?? {};
    for (const [value, share] of [
      [p05, 0.05],
      [p99, 0.99],
    ] as const) {
      expect(below(value)).toBeLessThan(share);
      expect(below(`${Number(value) + 1}`)).toBeGreaterThanOrEqual(share);
    }
    expect(Number(wasted.at(-1)?.cumulative_share)).toBeCloseTo(1, 9);
    const again = await redrive([
      "run",
      "--engine",
      "exact",
      "--out",
      "exact2",
      "--quiet",
      "--seed",
      "other",
      "--days",
      "7",
    ]);
    expect(again.stdout).toBe(stdout);
    for (const name of results) expect(read("exact2", name)).toBe(read("exact", name));
  });

  test("with --engine exact says what it cannot do, and the way out", async () => {
    const command = ["run", "--engine", "exact", "--out", "never"];
    const scenario = ["--workflows", "4e6", "--kk3", "uniform(0.002,0.02)"];
    const costly = await redrive([...command, ...scenario]);
    expect(costly.status).toBe(2);
    expect(costly.stderr.trimEnd()).toBe(
      "redrive: the scenario has distributions that are too costly to compute exactly; use engine table or event",
    );
    const wrong = await redrive([...command, "--days-csv", "--precision", "1%"]);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr.trimEnd().split("\n")).toEqual([
      "redrive: --precision must be given without --engine exact, which has no error",
      "redrive: --days-csv must be left out with --engine exact, which simulates no days",
    ]);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });

  test("prints JSON or CSV on stdout and nothing else", async () => {
    const json = await redrive(["run", "--days", "100", "--format", "json", "--out", "formats", "--quiet"]);
    const { scenario, days, seed, metrics } = JSON.parse(json.stdout);
    expect({ days, seed, kk3: scenario.kk3, steps: scenario.steps.length }).toEqual({
      days: 100,
      seed: "redrive",
      kk3: 0.005,
      steps: 4,
    });
    expect(metrics[0]).toMatchObject({
      metric: "halfFinishedUnsupervised",
      unit: "jobs",
      n: 100,
      firstOrder: 160,
    });
    expect(metrics[1].firstOrder).toBeNull();
    expect(json.stderr).toBe("");
    const csv = await redrive(["run", "--days", "100", "--format", "csv", "--out", "formats", "--quiet"]);
    expect(csv.stdout).toBe(read("formats", "summary.csv"));
  });

  test("writes semicolons, decimal commas and a byte order mark for a German spreadsheet", async () => {
    await redrive(["run", "--days", "10", "--out", "eu", "--csv-dialect", "excel-eu", "--quiet"]);
    const [header, first] = read("eu", "summary.csv").split("\r\n");
    expect(header.startsWith("\uFEFFscenario;workflows;")).toBe(true);
    expect(first).toContain("1;4000;4;0,005;0,02;2;2;3;80;first-attempt;");
    const { resources } = JSON.parse(read("eu", "datapackage.json"));
    expect(resources[0].dialect.delimiter).toBe(";");
    expect(resources[0].schema.fields.find(({ name }: { name: string }) => name === "mean").decimalChar).toBe(
      ",",
    );
  });

  test("describes every column of every file in the data package", async () => {
    await redrive(["run", "--days", "10", "--days-csv", "--out", "package", "--quiet", "--steps", "a,b"]);
    const { resources, redrive: made } = JSON.parse(read("package", "datapackage.json"));
    for (const [i, table] of [summaryTable, distributionTable, daysTable].entries()) {
      const { path, schema } = resources[i];
      const header = read("package", path).split("\r\n")[0].split(",");
      expect(schema.fields.map(({ name }: { name: string }) => name)).toEqual(header);
      expect(schema.fields.every(({ description }: { description: string }) => description.length > 3)).toBe(
        true,
      );
      expect(path).toBe(`${table.name}.csv`);
    }
    expect(made).toMatchObject({
      days: 10,
      seed: "redrive",
      scenarios: [{ scenario: 1, steps: ["a", "b"], kk2: 0.02 }],
    });
  });

  test("reads a config file, over which the command line wins", async () => {
    writeFileSync(
      join(folder, "config.json"),
      JSON.stringify({ days: 40, kk2: 0.5, steps: 2, out: "configured" }),
    );
    const { stdout } = await redrive(["run", "--config", "config.json", "--kk2", "0.25", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ days: 40, scenario: { kk2: 0.25, steps: ["0", "1"] } });
    expect(existsSync(join(folder, "configured/summary.csv"))).toBe(true);
  });

  test("removes what an earlier result left behind, and nothing else", async () => {
    await redrive(["run", "--days", "10", "--days-csv", "--out", "again"]);
    writeFileSync(join(folder, "again", "notes.csv"), "mine");
    await redrive(["run", "--days", "10", "--out", "again"]);
    expect(readdirSync(join(folder, "again")).sort()).toEqual(
      [...results, "manifest.json", "notes.csv"].sort(),
    );
  });

  test("says all that is wrong at once, exits with 2 and writes nothing", async () => {
    const wrong =
      "run --days 0 --kk3 1.5 --kk2 -1 --dayz 5 --retry-limit 0 --steps 17 --engine fast --out wrong extra";
    const { status, stdout, stderr } = await redrive(wrong.split(" "));
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      "redrive: --dayz is no option of this command; did you mean --days",
      "redrive: extra is not expected here; options begin with --",
      "redrive: --steps must be a count from 1 to 16, or as many different names, got 17",
      "redrive: --kk3 must be a number from 0 to 1 or one of uniform(...), triangular(...), beta(...), lognormal(...), got 1.5",
      "redrive: --kk2 must be a number from 0 to 1, got -1",
      "redrive: --retry-limit must be a whole number from 1 to 10000, got 0",
      "redrive: --days must be a whole number from 1 to 1000000000000, got 0",
      "redrive: --engine must be auto, table, event or exact, got fast",
    ]);
    expect(existsSync(join(folder, "wrong"))).toBe(false);
  });

  test("names what each wrong number of days is", async () => {
    for (const days of ["-5", "1.5", "abc", "", "10000000000000", "0x10", "Infinity"]) {
      const { status, stderr } = await redrive(["run", "--days", days]);
      expect(status).toBe(2);
      expect(stderr).toBe(
        `redrive: --days must be a whole number from 1 to 1000000000000, got ${days === "" ? "an empty text" : days}\n`,
      );
    }
    expect((await redrive(["run", "--days", "1e1", "--out", "exponent"])).status).toBe(0);
  });

  test("names what is wrong in a config file", async () => {
    writeFileSync(
      join(folder, "bad.json"),
      JSON.stringify({ dayz: 4, workflows: "4000", kk3: "uniform(0.5,0.1)" }),
    );
    const { status, stderr } = await redrive(["run", "--config", "bad.json", "--scan", "0"]);
    expect(status).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "redrive: --scan must be a whole number from 1 to 10000000, got 0",
      "redrive: dayz in bad.json is unknown; did you mean days",
      "redrive: workflows in bad.json must be a whole number from 1 to 100000000, got 4000",
      "redrive: kk3 in bad.json must be uniform(low,high) with 0 <= low <= high <= 1, got uniform(0.5,0.1)",
    ]);
    writeFileSync(join(folder, "text.json"), "{days: 3}");
    expect((await redrive(["run", "--config", "text.json"])).stderr).toMatch(
      /^redrive: --config must be a JSON file, got text\.json \(/,
    );
    expect((await redrive(["run", "--config", "none.json"])).stderr).toBe(
      "redrive: --config must be a file that can be read, got none.json (no such file or folder)\n",
    );
  });

  test("refuses an output folder that cannot be written before it simulates a day", async () => {
    writeFileSync(join(folder, "file"), "");
    const { status, stderr } = await redrive(["run", "--days", "1e12", "--out", "file/inside"]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      "redrive: --out must be a folder that can be written, got file/inside (a file is in the way)\n",
    );
  });

  test("refuses to overwrite files that are no result's, and replaces a result of either kind", async () => {
    mkdirSync(join(folder, "foreign"));
    writeFileSync(join(folder, "foreign/summary.csv"), "mine");
    for (const command of ["run", "sweep"]) {
      const { status, stderr } = await redrive([command, "--days", "10", "--out", "foreign"]);
      expect(status).toBe(2);
      expect(stderr).toBe(
        "redrive: --out must be a folder where summary.csv can be replaced, got foreign (it is not of such a result); choose another folder, or move the file\n",
      );
    }
    expect(read("foreign", "summary.csv")).toBe("mine");
    expect(readdirSync(join(folder, "foreign"))).toEqual(["summary.csv"]);
    await redrive(["sweep", "--scan", "1,2", "--days", "10", "--xlsx", "--out", "ours"]);
    expect((await redrive(["run", "--days", "10", "--out", "ours"])).status).toBe(0);
    expect(readdirSync(join(folder, "ours")).sort()).toEqual([...results, "manifest.json"].sort());
  });

  test("with --xlsx writes a workbook, the same bytes for other threads and engines", async () => {
    const args = ["run", "--days", "3000", "--xlsx"];
    const { stderr } = await redrive([...args, "--out", "book", "--threads", "1"]);
    expect(stderr).toContain("summary.csv, distribution.csv, workbook.xlsx, datapackage.json, manifest.json");
    await redrive([...args, "--out", "book2", "--threads", "2", "--engine", "event", "--quiet"]);
    const [book, book2] = ["book", "book2"].map((name) => readFileSync(join(folder, name, "workbook.xlsx")));
    expect(book2.equals(book)).toBe(true);
  });

  test.runIf(existsSync("/dev/full"))("fails with 1 when stdout is full", async () => {
    const command = `"${process.execPath}" "${cli}" run --days 10 --out full --format csv > /dev/full`;
    const child = spawn("sh", ["-c", command], { cwd: folder });
    expect(await new Promise((done) => child.on("close", done))).toBe(1);
  });
});

describe("redrive verify", () => {
  test("prints what the README shows", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const shown = readme.split("```").find((block) => block.startsWith("\nSimulated distributions"));
    const command = ["verify", "--scan", "4", "--days", "1e5", "--engine", "table"];
    expect(readme).toContain(`redrive ${command.join(" ")}`);
    const { status, stdout, stderr } = await redrive(command);
    expect(stdout.trim()).toBe(shown?.trim());
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("covers a spread of scenarios with both engines", async () => {
    const { status, stdout } = await redrive([
      "verify",
      "--days",
      "300",
      "--seed",
      "spread",
      "--format",
      "json",
    ]);
    const { agrees, checks, tests, threshold } = JSON.parse(stdout);
    expect({ status, agrees }).toEqual({ status: 0, agrees: true });
    expect(threshold).toBe(1e-6 / (3 * tests));
    const engines: string[] = checks.map(({ engine }: { engine: string }) => engine);
    expect(engines.filter((engine) => engine === "table")).toHaveLength(22);
    expect(engines.filter((engine) => engine === "event").length).toBeGreaterThan(18);
    const rules = checks.map(({ scenario }: { scenario: { stallOn: string } }) => scenario.stallOn);
    expect(new Set(rules)).toEqual(new Set(["first-attempt", "every-attempt"]));
  });

  test("prints a row for each metric and engine as CSV", async () => {
    const { stdout } = await redrive(["verify", "--kk3", "beta(2,398)", "--days", "2000", "--format", "csv"]);
    const [header, ...rows] = stdout.trimEnd().split("\r\n").map(splitCsv);
    expect(header.join(",")).toBe(
      "scenario,workflows,steps,kk3,kk2,scan_rounds,lease_rounds,retry_limit,rounds,stall_on,engine,days,metric," +
        "test,chi_square,degrees,mean_deviation,p_value,agrees",
    );
    expect(rows).toHaveLength(24);
    expect(rows.every((row) => row.at(-1) === "1")).toBe(true);
  });

  test("names everything that is wrong with its options", async () => {
    const { status, stderr } = await redrive(["verify", "--days", "0", "--engine", "fast", "--out", "x"]);
    expect(status).toBe(2);
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
    expect(stderr).toContain("--days must be a whole number from 1");
    expect(stderr).toContain("--out is no option of this command");
  });
});

describe("redrive model", () => {
  test("prints the lesson's three tables", async () => {
    const { status, stdout } = await redrive(["model"]);
    const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " | "));
    expect(status).toBe(0);
    for (const line of [
      "completed jobs | 8 | 11",
      "steps run | 36 | 45",
      "steps re-driven | 0 | 6",
      "wasted steps | 0 | 3",
      "compensated jobs | 0 | 1",
      "compensated steps | 0 | 1",
      "half-finished jobs | 4 | 0",
      "last job round | 5 | 8",
      "1 | 11 | 1.00 | 1 | 8 | 96",
      "2 | 11 | 1.33 | 2 | 8 | 48",
      "4 | 11 | 2.33 | 4 | 12 | 36",
      "8 | 11 | 5.67 | 7 | 24 | 36",
      "0.005 | 80 | 320 | 80 | 160 | 4.00 %",
      "0.010 | 160 | 400 | 160 | 240 | 6.00 %",
    ]) {
      expect(lines).toContain(line);
    }
    expect(stdout).toContain("wasted re-drive ratio 0.500");
  });

  test("runs fixtures from a file and from stdin, one or many", async () => {
    const path = fileURLToPath(new URL("golden/model-cases.json", import.meta.url));
    const cases = JSON.parse(readFileSync(path, "utf8")) as { name: string; expected: object }[];
    const many = await redrive(["model", "--fixture", path, "--format", "json"]);
    expect(JSON.parse(many.stdout)).toEqual(cases.map(({ name, expected }) => ({ name, ...expected })));
    const one = await redrive(["model", "--fixture", "-", "--format", "json"], {
      stdin: JSON.stringify(cases[0]),
    });
    expect(JSON.parse(one.stdout)).toEqual({ name: cases[0].name, ...cases[0].expected });
  });

  test("names what is wrong in a fixture", async () => {
    const fixtures = [
      { jobs: 2, steps: ["pack", "ship"], stalled: { 5: ["pack"], 0: ["shop"] }, persistent: { 1: "ship" } },
      { jobs: 0, steps: 1, policy: { scan: 0, leese: 2 } },
      { steps: 2 },
    ];
    const { status, stderr } = await redrive(["model", "--fixture", "-"], {
      stdin: JSON.stringify(fixtures),
    });
    expect(status).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "redrive: fixture 1: stalled.0 names the step shop, which is unknown; did you mean ship",
      "redrive: fixture 1: stalled names the job 5, which is unknown",
      "redrive: fixture 2: jobs must be a count from 1 to 1000000, or as many different names, got 0",
      "redrive: fixture 2: policy.scan must be a whole number from 1 to 10000000, got 0",
      "redrive: fixture 2: policy.leese is unknown; did you mean lease",
      "redrive: fixture 3: jobs is missing",
    ]);
  });
});

describe("redrive", () => {
  test("explains itself", async () => {
    const help = await redrive(["--help"]);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("run [options]");
    expect((await redrive(["run", "--help"])).stdout).toContain("--retry-limit <n>");
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect((await redrive(["--version"])).stdout).toBe(`${version}\n`);
  });

  test("exits with 2 for a command that it does not have, and for none", async () => {
    const unknown = await redrive(["runn"]);
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain("(Did you mean run?)");
    expect((await redrive([])).status).toBe(2);
    expect((await redrive(["run", "--days"])).status).toBe(2);
  });
});

/** The cells of a line that may hold a quoted one. */
function splitCsv(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain);
}
