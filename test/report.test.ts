// redrive report: what its page says equals the files of the result, and what it does with folders that hold none.
import { spawnSync } from "node:child_process";
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveExact } from "../src/exact/metrics.js";
import { defaultScenario } from "../src/model/scenario.js";
import { binShares, drawHistogram } from "../src/page/histogram-chart.js";
import { makeReport } from "../src/page/report.js";
import { openResult } from "../src/page/result.js";
import { outcomesOf } from "../src/page/run-charts.js";
import { readRun, statistics } from "../src/page/run-data.js";
import { badDay } from "../src/page/run-page.js";
import { readSweep } from "../src/page/sweep-data.js";
import { effectsOn } from "../src/page/sweep-effects.js";
import { logTicks, niceStep, niceTicks, thinTicks } from "../src/page/ticks.js";
import { cli, copyBench, readPlainCsv, redrive, writeWideSweep } from "./result-folder.js";

let folder: string;
const at = (...path: string[]) => join(folder, ...path);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-report-"));
  redrive(folder, "run", "--days", "3000", "--out", "run", "--quiet");
  redrive(
    folder,
    ...[
      "run",
      "--days",
      "500",
      "--rounds",
      "6",
      "--steps",
      "<script>alert(1)</script>,b",
      "--csv-dialect",
      "excel-eu",
    ],
    ...["--out", "short", "--quiet"],
  );
  redrive(folder, "run", "--engine", "exact", "--out", "exact", "--quiet");
  redrive(
    folder,
    ...["sweep", "--kk3", "0.005,0.01", "--scan", "1,2,4", "--days", "300", "--csv-dialect", "excel-eu"],
    ...["--out", "sweep", "--quiet"],
  );
  copyBench(at("bench"));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The text of a page, and the numbers in full of the table under its last heading, row by row. */
const made = new Map<string, ReturnType<typeof makeReport>>();
async function pageOf(name: string) {
  if (!made.has(name)) made.set(name, makeReport(at(name)));
  const files = (await made.get(name)) ?? [];
  const page = files.find((file) => file.name === "report.html")?.text ?? "";
  const rows = page.slice(page.lastIndexOf("<tbody>")).split("<tr>").slice(1);
  const numbers = rows.map((row) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(
      ([, cell]) => /value="([^"]*)"/.exec(cell)?.[1] ?? cell,
    ),
  );
  return { files, page, numbers };
}

/** A number of a file, where it may have an exponent, as JavaScript writes it. */
const inPlainDigits = (cell: string) => (cell === "" ? "" : String(Number(cell)));

describe("the page of a run", () => {
  test.each(["run", "short", "exact"])("shows every statistic of summary.csv in full: %s", async (name) => {
    const { numbers } = await pageOf(name);
    const rows = readPlainCsv(at(name, "summary.csv"));
    const shown = statistics.filter((statistic) => rows.some((row) => row[statistic] !== ""));
    expect(numbers.map(([, unit, ...cells]) => [unit, ...cells])).toEqual(
      rows.map((row) => [row.unit, ...shown.map((statistic) => inPlainDigits(row[statistic]))]),
    );
  });

  test("has titles that state p99, the lesson's estimate and a bad day in words", async () => {
    const { page, files } = await pageOf("run");
    const of = (metric: string) =>
      readPlainCsv(at("run", "summary.csv")).find((row) => row.metric === metric);
    const stuck = of("half_finished_unsupervised");
    expect(page).toContain(`99 of 100 days end with at most ${stuck?.p99} half-finished jobs`);
    expect(page).toContain(`99 of 100 days waste at most ${of("wasted")?.p99} steps`);
    expect(page).toContain(`on 1 day in 1,000 it is ${stuck?.p999} half-finished jobs or more`);
    expect(page).toContain(`The worst of 3,000 days: ${stuck?.max} half-finished jobs.`);
    const svg = files.find((file) => file.name === "report-half-finished.svg")?.text;
    for (const mark of ["lesson 160", `p95 ${stuck?.p95}`, `p99 ${stuck?.p99}`, "mean 15"])
      expect(svg).toContain(mark);
  });

  test("says no more about rare days than so many days can tell", () => {
    const figures = new Map([["wasted", { mean: 5, p99: 9, p999: 9, max: 9 }]]) as never;
    const of = (days: number) => {
      const all = new Map([...(figures as Map<string, unknown>)]);
      for (const name of [
        "halfFinishedUnsupervised",
        "halfFinished",
        "compensatedJobs",
        "recoveryWorstRounds",
        "lastRound",
        "recordsRead",
      ])
        all.set(name, {});
      return badDay({ figures: all as never, days }).join(" ");
    };
    expect(of(50)).toBe("On an average day 5 steps are wasted. The worst of 50 days: 9 wasted steps.");
    expect(of(500)).not.toContain("1,000");
    expect(of(5000)).toContain("on 1 day in 1,000 it is 9 wasted steps or more");
  });

  test("accounts for all jobs that stay half-finished without a supervisor", async () => {
    for (const name of ["run", "short"]) {
      const data = await readRun(await openResult(at(name)));
      const [without, ...withOne] = outcomesOf(data);
      expect(withOne.reduce((sum, { jobs }) => sum + jobs, 0)).toBeCloseTo(without.jobs, 9);
      const completed = Number(
        readPlainCsv(at(name, "summary.csv")).find((row) => row.metric === "completed")?.mean,
      );
      // Without a supervisor a job is done or half-finished; those done beyond that were saved.
      expect(withOne[0].jobs).toBeCloseTo(completed - (4000 - without.jobs), 6);
    }
    expect(outcomesOf(await readRun(await openResult(at("short"))))[3].jobs).toBeGreaterThan(0);
  });

  test("says why jobs are half-finished with a supervisor", async () => {
    const why = "too early for it; their number depends on --rounds";
    expect((await pageOf("short")).page).toContain(why);
    expect((await pageOf("run")).page).not.toContain(why);
  });

  test("escapes names, loads nothing and needs no script", async () => {
    for (const name of ["run", "short", "sweep", "bench"]) {
      for (const { text } of (await pageOf(name)).files) {
        expect(text).not.toMatch(/<script/i);
        expect(text.replaceAll(/xmlns(:xlink)?="[^"]*"/g, "")).not.toMatch(
          /https?:|@import|<link|<img|<iframe/,
        );
      }
    }
    expect((await pageOf("short")).page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("is the same, byte for byte, each time", async () => {
    expect(await makeReport(at("run"))).toEqual((await pageOf("run")).files);
  });
});

describe("a histogram", () => {
  const bars = (spec: ReturnType<typeof drawHistogram>, layer: number) =>
    (spec.layer as { data: { values: { begin: number; end: number; share: number; middle: number }[] } }[])[
      layer
    ].data.values;

  test("has bars that equal distribution.csv and the exact distribution in the same bins over them", async () => {
    const data = await readRun(await openResult(at("run")));
    const { values, shares } = data.shares.get("wasted") ?? { values: [], shares: [] };
    const exact = deriveExact(defaultScenario).wasted?.distribution;
    const spec = drawHistogram(
      { values, shares, exact, marks: [], axis: "wasted", of: "days", isSimulated: true },
      780,
    );
    const rows = readPlainCsv(at("run", "distribution.csv")).filter(({ metric }) => metric === "wasted");
    const between = (begin: number, end: number, column: string) =>
      100 *
      rows
        .filter(({ value }) => Number(value) > begin && Number(value) < end)
        .reduce((sum, row) => sum + Number(row[column]), 0);
    for (const { begin, end, share } of bars(spec, 0))
      expect(share).toBeCloseTo(between(begin, end, "share"), 9);
    const tops = bars(spec, 1).filter(({ share }) => share > 1);
    expect(tops.length).toBeGreaterThan(10);
    // All values near the mode were seen, so that the file has the exact share of each of them.
    for (const { begin, end, share } of tops)
      expect(share).toBeCloseTo(between(begin, end, "exact_share"), 6);
  });

  test("binShares keeps every share, in bins that begin at multiples of their width", () => {
    const bins = binShares([3, 4, 5, 12], [0.1, 0.2, 0.3, 0.4], 5);
    expect(bins.map(({ begin, end }) => [begin, end])).toEqual([
      [0, 5],
      [5, 10],
      [10, 15],
    ]);
    expect(bins.map(({ share }) => share)).toEqual([0.1 + 0.2, 0.3, 0.4]);
  });

  test("has whole numbers along its axis", () => {
    expect(niceTicks(0, 2, 9, true)).toEqual([0, 1, 2]);
    expect(niceTicks(113, 211, 5, true)).toEqual([120, 140, 160, 180, 200]);
    expect(niceTicks(0, 0.003, 3)).toEqual([0, 0.001, 0.002, 0.003]);
    expect(logTicks(0.0003, 0.01)).toEqual([0.0005, 0.001, 0.002, 0.005, 0.01]);
    expect(thinTicks([0, 1, 50, 99, 100], 0.1)).toEqual([0, 50, 100]);
    expect(thinTicks([1, 2, 10, 90, 100], 0.2, Math.log)).toEqual([1, 10, 100]);
    expect(thinTicks([7], 0.2)).toEqual([7]);
    expect(niceStep(0.3, true)).toBe(1);
    expect([1, 1.1, 2.1, 5.1, 30].map((least) => niceStep(least))).toEqual([1, 2, 5, 10, 50]);
  });
});

describe("the page of a sweep", () => {
  test("shows the figures of sweep.csv in full, whatever the dialect", async () => {
    const { numbers } = await pageOf("sweep");
    const columns = [
      "half_finished_unsupervised",
      "half_finished",
      "wasted",
      "recovery_delay_rounds",
      "records_read",
    ];
    const rows = readPlainCsv(at("sweep", "sweep.csv"));
    expect(numbers.map(([number, kk3, scan, ...cells]) => [number, kk3, scan, ...cells])).toEqual(
      rows.map((row) => [
        ...[row.scenario, row.kk3, row.scan_rounds],
        ...columns.flatMap((column) =>
          ["mean", "p95", "p99"].map((statistic) => row[`${column}_${statistic}`]),
        ),
      ]),
    );
  });

  test("has each kind of picture", async () => {
    const names = (await pageOf("sweep")).files.map(({ name }) => name);
    for (const name of [
      "report-wasted-by-kk3.svg",
      "report-recovery-delay-by-scan.svg",
      "report-wasted-by-kk3-and-scan.svg",
      "report-trade-off.svg",
      "report-what-moves-wasted.svg",
    ])
      expect(names).toContain(name);
    const tradeOff = (await pageOf("sweep")).files.find(({ name }) => name === "report-trade-off.svg")?.text;
    for (const scan of [1, 2, 4]) expect(tradeOff).toContain(`>scan ${scan}<`);
  });

  test("averages 10,000 scenarios as a formula says, in a page of less than a megabyte", async () => {
    writeWideSweep(at("wide"), (kk3, scan) => 1000 * kk3 + 0.01 * scan);
    const data = await readSweep(await openResult(at("wide")));
    const [kk3, scan] = data.axes;
    const level = data.at(kk3, kk3.values[41], "wasted");
    expect(level.mean).toBeCloseTo(42 + 0.01 * 50.5, 9);
    expect(level.p05).toBeCloseTo(41 + 0.01 * 50.5, 9);
    expect(level.p95).toBeCloseTo(44 + 0.01 * 50.5, 9);
    // Groups of 5 values: the third of KK3 is 0.011 to 0.015, the second of scan 6 to 10.
    expect(data.inCell(kk3, 2, scan, 1, "wasted")).toBeCloseTo(13 + 0.08, 9);
    expect(data.inCell(scan, 1, kk3, 2, "wasted")).toBeCloseTo(13 + 0.08, 9);
    const [first, second] = effectsOn("wasted", data);
    expect([first.axis.parameter, second.axis.parameter]).toEqual(["kk3", "scan"]);
    expect(first.range).toBeCloseTo(99, 9);
    expect(second.range).toBeCloseTo(0.99, 9);
    expect((await pageOf("wide")).page.length).toBeLessThan(1_000_000);
  });
});

test("the page of a benchmark shows the figures of bench.csv", async () => {
  const { numbers, files } = await pageOf("bench");
  const csv = readFileSync(at("bench", "bench.csv"), "utf8").trimEnd().split("\r\n");
  // Names of cases hold commas, and are in quotes.
  const rows = csv.slice(1).map((line) => line.replace(/"[^"]*"/, "").split(","));
  const column = (name: string) => csv[0].split(",").indexOf(name);
  expect(numbers.map((cells) => [cells[4], cells[6]])).toEqual(
    rows.map((cells) => [cells[column("ns_mean")], cells[column("ratio_to_baseline")]]),
  );
  expect(files.map(({ name }) => name)).toEqual([
    "report.html",
    "report-time-per-day.svg",
    "report-threads.svg",
    "report-workflows.svg",
  ]);
});

describe("redrive report", () => {
  const report = (...args: string[]) =>
    spawnSync(process.execPath, [cli, "report", ...args], { cwd: folder, encoding: "utf8" });

  test("writes into the folder, and a new report or run removes what is left of the old one", () => {
    writeFileSync(at("run", "report-old.svg"), "");
    const { status, stdout, stderr } = report("run");
    expect(stderr).toMatch(/^Written to run: report\.html and 4 pictures, report-\*\.svg \(.* s\)\n$/);
    expect([status, stdout]).toEqual([0, ""]);
    expect(
      readdirSync(at("run"))
        .filter((name) => /report|partial/.test(name))
        .sort(),
    ).toEqual([
      "report-half-finished.svg",
      "report-recovery-delay.svg",
      "report-wasted.svg",
      "report-with-and-without.svg",
      "report.html",
    ]);
    redrive(folder, "run", "--days", "3000", "--out", "run", "--quiet");
    expect(readdirSync(at("run")).filter((name) => name.startsWith("report"))).toEqual([]);
  });

  test("writes elsewhere with --out, and nothing with --quiet", () => {
    const { status, stderr } = report("exact", "--out", "pages/exact", "--quiet");
    expect([status, stderr]).toEqual([0, ""]);
    expect(existsSync(at("pages", "exact", "report.html"))).toBe(true);
    expect(existsSync(at("exact", "report.html"))).toBe(false);
  });

  test.each([
    ["a folder that is not there", [], "nowhere", /got nowhere \(no such file or folder\); name one/],
    [
      "a folder without a data package",
      [["note.txt", ""]],
      "other",
      /got other \(datapackage\.json: no such file or folder\)/,
    ],
    [
      "a foreign data package",
      [["datapackage.json", '{"name":"weather"}']],
      "weather",
      /got weather \(its data package is weather\)/,
    ],
    ["no JSON", [["datapackage.json", "{"]], "broken", /got broken \(its datapackage\.json is no JSON\)/],
    [
      "another version",
      [["datapackage.json", '{"name":"redrive-run","redrive":{"version":"99.0.0"}}']],
      "newer",
      /must be a result of redrive [\d.]+, got newer \(of redrive 99\.0\.0\); make it again with redrive run/,
    ],
  ] as const)("says in one line what is wrong and what to do: %s", (_, files, name, expected) => {
    for (const [file, text] of files) {
      mkdirSync(at(name), { recursive: true });
      writeFileSync(at(name, file), text);
    }
    const { status, stdout, stderr } = report(name);
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([status, stdout]).toEqual([2, ""]);
  });

  test("names the file and the line that it cannot read, and writes nothing", () => {
    redrive(folder, "run", "--days", "20", "--out", "torn", "--quiet");
    const csv = readFileSync(at("torn", "summary.csv"), "utf8");
    writeFileSync(at("torn", "summary.csv"), csv.replace(/steps,20,[\d.]+/, "steps,20,many"));
    const { status, stderr } = report("torn");
    expect(stderr).toMatch(/got torn \(summary\.csv: mean in line \d+ is many\)/);
    expect(status).toBe(2);
    rmSync(at("torn", "summary.csv"));
    expect(report("torn").stderr).toMatch(/got torn \(summary\.csv: no such file or folder\)/);
    expect(readdirSync(at("torn")).filter((name) => /report|partial/.test(name))).toEqual([]);
  });

  test("reports all problems of the command line together", () => {
    const { status, stderr } = report("--outt", "x", "--out", "run/summary.csv");
    expect(stderr).toContain("the result folder must be named, got none; such as redrive report results/run");
    expect(stderr).toContain("--outt is no option of this command; did you mean --out");
    expect(stderr).toContain("--out must be a folder that can be written");
    expect(status).toBe(2);
  });
});

test("makeReport stops where its signal says so", async () => {
  await expect(makeReport(at("sweep"), AbortSignal.abort())).rejects.toThrow("aborted");
});

test("only one file knows Vega, and only a report loads it", () => {
  const root = new URL("../src/", import.meta.url);
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const matching = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(new URL(name, root), "utf8")));
  expect(matching(/from "vega/)).toEqual([join("page", "picture.ts")]);
  expect(matching(/from "\.(\.\/page)?\/picture\.js"/)).toEqual([]);
  expect(matching(/import\("\.\/picture\.js"\)/)).toEqual([join("page", "report.ts")]);
});
