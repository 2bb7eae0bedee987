// The results that are kept in results/ are what their settings give.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../scripts/reference-results.mjs", import.meta.url));
const kept = fileURLToPath(new URL("../results", import.meta.url));

test("npm run reference-results gives the kept results, byte for byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "redrive-reference-"));
  try {
    execFileSync(process.execPath, [script, folder]);
    expect(readdirSync(folder).sort()).toEqual(["reference-run", "reference-sweep"]);
    for (const result of readdirSync(folder)) {
      const files = readdirSync(join(folder, result));
      expect(readdirSync(join(kept, result)).sort()).toEqual(files.sort());
      for (const file of files) {
        const [made, expected] = [folder, kept].map((place) => readFileSync(join(place, result, file)));
        // Other versions of Node compress the same workbook to other bytes.
        if (file.endsWith(".xlsx")) expect(await readXlsx(made)).toEqual(await readXlsx(expected));
        else expect(made.equals(expected), `${result}/${file}`).toBe(true);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
