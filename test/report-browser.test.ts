// The page of redrive report in a real browser. Skipped where there is no Chromium.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeReport } from "../src/page/report.js";
import { copyBench, readPlainCsv, redrive } from "./result-folder.js";

/** CHROMIUM, or a Chromium or Chrome on the PATH. */
const executablePath = [
  process.env.CHROMIUM ?? "",
  ...(process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name))),
].find((path) => path !== "" && existsSync(path));

if (executablePath === undefined) {
  console.warn(
    "report-browser: skipped, no Chromium here; install one (Debian: apt-get install chromium) or set CHROMIUM",
  );
}

const kinds = ["run", "sweep", "named", "bench"];

describe.skipIf(executablePath === undefined)("the page in Chromium", () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "redrive-browser-"));
    redrive(
      folder,
      "run",
      "--days",
      "2000",
      "--kk3",
      "0.01",

      "--steps",
      "a,<b>",
      "--out",
      "run",
      "--quiet",
    );
    redrive(
      folder,
      "sweep",
      "--kk3",
      "0.005,uniform(0,0.02)",
      "--scan",
      "1,2,4",
      "--days",
      "200",
      "--out",
      "sweep",
      "--quiet",
    );
    const config = JSON.stringify({
      days: 100,
      scenarios: [
        { name: "eager <i>", scan: 1 },
        { name: "a patient one with a long name", scan: 8 },
      ],
    });
    writeFileSync(join(folder, "named.json"), config);
    redrive(folder, "sweep", "--config", "named.json", "--out", "named", "--quiet");
    copyBench(join(folder, "bench"));
    for (const kind of kinds) {
      for (const { name, text } of await makeReport(join(folder, kind)))
        writeFileSync(join(folder, kind, name), text);
    }
    // In a container, root has no sandbox.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: executablePath as string, args });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page and collects what it says on the console and asks the network for. */
  async function open(kind: string, width: number, colorScheme: "light" | "dark" = "light") {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const noise: string[] = [];
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) =>
      noise.push(...(request.url().startsWith("file:") ? [] : [request.url()])),
    );
    await page.goto(pathToFileURL(join(folder, kind, "report.html")).href);
    return { page, noise };
  }

  /** Texts of pictures that stick out of their picture, or are too small to read; and how wide the page is. */
  const measure = (page: Page) =>
    page.evaluate(`(() => {
      const out = [];
      let shown = 0;
      for (const svg of document.querySelectorAll("figure svg")) {
        const box = svg.getBoundingClientRect();
        if (box.width === 0) continue;
        shown++;
        for (const text of svg.querySelectorAll("text")) {
          const { left, right, top, bottom, height } = text.getBoundingClientRect();
          const inside = left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
          if (text.textContent && (!inside || height < 9)) out.push(text.textContent);
        }
      }
      const figures = document.querySelectorAll("figure").length;
      return { out, shown, figures, width: document.documentElement.scrollWidth };
    })()`) as Promise<{ out: string[]; shown: number; figures: number; width: number }>;

  test.each(kinds.flatMap((kind) => [360, 1400].map((width) => ({ kind, width }))))(
    "renders without an error, and every text fits: $kind at $width px",
    async ({ kind, width }) => {
      const { page, noise } = await open(kind, width);
      const measured = await measure(page);
      expect(noise).toEqual([]);
      expect(measured.out).toEqual([]);
      expect(measured.figures).toBeGreaterThan(2);
      expect(measured.shown).toBe(measured.figures);
      expect(measured.width).toBeLessThanOrEqual(width);
      await page.close();
    },
  );

  test("shows the figures of summary.csv, in its table and in its pictures", async () => {
    const { page } = await open("run", 1400);
    const shown = (await page.evaluate(
      `[...document.querySelectorAll("main > section:last-child tbody tr")].map((row) => [...row.querySelectorAll("data")].map((cell) => cell.value))`,
    )) as string[][];
    const rows = readPlainCsv(join(folder, "run", "summary.csv"));
    expect(shown).toHaveLength(rows.length);
    for (const [i, { n, mean, min, p01, p99, p999, max }] of rows.entries()) {
      for (const value of [n, mean, min, p01, p99, p999, max]) expect(shown[i]).toContain(value);
    }
    const texts = (await page.evaluate(
      `[...document.querySelectorAll("#wasted svg.wide text")].map((text) => text.textContent)`,
    )) as string[];
    const wasted = rows.find(({ metric }) => metric === "wasted");
    expect(texts).toEqual(expect.arrayContaining([`p95 ${wasted?.p95}`, `p99 ${wasted?.p99}`]));
    await page.close();
  });

  test("is dark where the reader's system is, and light in print", async () => {
    const { page } = await open("run", 1400, "dark");
    const look = () =>
      page.evaluate(
        `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("svg.wide text")).fill]`,
      );
    expect(await look()).toEqual(["rgb(20, 24, 29)", "rgb(169, 180, 192)"]);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await look()).toEqual(["rgb(255, 255, 255)", "rgb(87, 96, 106)"]);
    await page.close();
  });
});
