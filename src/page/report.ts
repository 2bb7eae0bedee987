// From a result folder to its page and pictures.
import { version } from "../version.js";
import { readBench } from "./bench-data.js";
import { benchReport } from "./bench-page.js";
import type { Figure } from "./figure.js";
import { type DrawnFigure, renderPage, type Section } from "./page.js";
import type { Report } from "./report-content.js";
import { openResult, type Result } from "./result.js";
import { readRun } from "./run-data.js";
import { runReport } from "./run-page.js";
import { readSweep } from "./sweep-data.js";
import { sweepReport } from "./sweep-page.js";

/** A file of a report. */
export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a result and draws its page and pictures; nothing is simulated.
 *
 * @throws SettingsError where the folder holds no result that can be read; the signal's reason if it is aborted
 */
export async function makeReport(path: string, signal?: AbortSignal): Promise<ReportFile[]> {
  const result = await openResult(path, signal);
  const report = await readReport(result);
  // Vega is large; a folder that holds no result has been named by now.
  const { drawForFile, drawForPage } = await import("./picture.js");
  const drawFigure = async (figure: Figure): Promise<DrawnFigure> => {
    const sizes = figure.shape === "small" ? (["small"] as const) : (["wide", "narrow"] as const);
    const pictures: string[] = [];
    for (const size of sizes) pictures.push(await drawForPage(figure, size));
    return { figure, pictures };
  };
  const figures = report.sections.flatMap(({ figures = [] }) => figures);
  const sections: Section[] = [];
  for (const { figures = [], ...section } of report.sections) {
    const drawn: DrawnFigure[] = [];
    for (const figure of figures) {
      signal?.throwIfAborted();
      drawn.push(await drawFigure(figure));
    }
    sections.push({ ...section, figures: drawn });
  }
  const footer = `${report.footer} Made by redrive ${version} from the files of redrive ${result.kind}; nothing is loaded from the network.`;
  const files: ReportFile[] = [{ name: "report.html", text: renderPage({ ...report, footer, sections }) }];
  for (const figure of figures) {
    files.push({ name: `report-${figure.name}.svg`, text: await drawForFile(figure) });
  }
  return files;
}

async function readReport(result: Result): Promise<Report> {
  switch (result.kind) {
    case "run":
      return runReport(await readRun(result));
    case "sweep":
      return sweepReport(await readSweep(result));
    case "bench":
      return benchReport(await readBench(result));
  }
}
