// redrive report: pictures and one page from a result folder.
import { splitWords, type TypedOptions } from "./options.js";
import { outputSettings } from "./output.js";
import { checkFolder, openFolder } from "./result-folder.js";
import { gatherSettings } from "./settings.js";
import { note } from "./terminal.js";

const reportSettings = { out: outputSettings.out, quiet: outputSettings.quiet };

/** @throws SettingsError where the folder holds no result; anything else if the files cannot be written */
export async function report(options: TypedOptions, signal: AbortSignal): Promise<void> {
  const {
    named: [named, ...more],
    unknown,
  } = splitWords(options.unknown);
  const { out = named as string, quiet = false } = await gatherSettings(
    reportSettings,
    { ...options, unknown: [...unknown, ...more] },
    async ({ out }) => [
      ...(named === undefined
        ? ["the result folder must be named, got none; such as redrive report results/run"]
        : []),
      ...(out === undefined ? [] : await checkFolder(out, options.flagOf("out"), { files: [], owners: [] })),
    ],
  );
  const startMs = performance.now();
  const { makeReport } = await import("../page/report.js");
  const files = await makeReport(named as string, signal);
  const folder = await openFolder(out, options.flagOf("out"));
  try {
    for (const { name, text } of files) await folder.write(name, text);
    signal.throwIfAborted();
    await folder.publishReport();
  } catch (error) {
    await folder.abandon();
    throw error;
  }
  if (quiet) return;
  const pictures = files.length - 1;
  const names = `report.html${pictures > 0 ? ` and ${pictures} pictures, report-*.svg` : ""}`;
  note(`Written to ${folder.path}: ${names} (${((performance.now() - startMs) / 1000).toFixed(2)} s)`);
}
