// Makes the results that are kept in results/: a run and a sweep, small enough to look through.
//   node scripts/reference-results.mjs [folder]
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));

/** The settings of each result, by its folder. */
export const referenceRecipes = {
  "reference-run": ["run", "--days", "1000", "--days-csv"],
  "reference-sweep": ["sweep", "--kk3", "0.005,0.01", "--scan", "1,2,4,8", "--days", "200"],
};

/** Makes a result without its manifest, which is different each time. */
export function makeResult(out, recipe, options = []) {
  execFileSync(process.execPath, [cli, ...recipe, ...options, "--xlsx", "--quiet", "--out", out], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  rmSync(join(out, "manifest.json"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL("../results", import.meta.url));
  for (const [name, recipe] of Object.entries(referenceRecipes)) makeResult(join(folder, name), recipe);
}
