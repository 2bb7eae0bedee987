// Packs the package, installs it into an empty folder and uses it there: its command, its library and its types.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "redrive-package-"));
const shell = process.platform === "win32";
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: "utf8", shell, stdio: ["ignore", "pipe", "inherit"] });
const check = (holds, promise) => {
  if (!holds) throw new Error(`the package does not hold what it promises: ${promise}`);
  console.log(`ok: ${promise}`);
};

try {
  const [{ filename, files }] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder], root),
  );
  const paths = files.map(({ path }) => path);
  check(
    paths.includes("dist/src/cli.js") && paths.includes("LICENSE"),
    "it holds the built code and the license",
  );
  check(!paths.some((path) => /^(test|src|\.ci|\.github)\//.test(path)), "it holds no sources and no tests");

  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "elsewhere", private: true, type: "module" }),
  );
  run("npm", ["install", "--no-audit", "--no-fund", "--omit=dev", join(folder, filename)]);

  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  check(run("npx", ["redrive", "--version"]).trim() === version, "redrive --version names the version");
  check(
    run("npx", ["redrive", "model"]).includes("half-finished jobs"),
    "redrive model prints the lesson's tables",
  );
  run("npx", [
    "redrive",
    "run",
    "--days",
    "2000",
    "--engine",
    "event",
    "--threads",
    "2",
    "--out",
    "out",
    "--quiet",
  ]);
  check(
    readdirSync(join(folder, "out")).includes("summary.csv"),
    "redrive run writes its files, from worker threads",
  );

  run("npx", ["redrive", "report", "out", "--quiet"]);
  check(readFileSync(join(folder, "out/report.html"), "utf8").includes("<svg"), "redrive report draws them");

  run("npx", [
    "redrive",
    "sweep",
    "--scan",
    "1:40:1",
    "--days",
    "1000",
    "--threads",
    "2",
    "--out",
    "swept",
    "--quiet",
  ]);
  check(
    readFileSync(join(folder, "swept/sweep.csv"), "utf8").trimEnd().split("\n").length === 41,
    "redrive sweep writes its files, from worker threads",
  );

  writeFileSync(
    join(folder, "use.mjs"),
    'import { simulate } from "redrive";\nconst { metrics } = await simulate({ days: 100 });\nconsole.log(metrics.length);\n',
  );
  check(Number(run("node", ["use.mjs"])) === 12, "a program can import it");
  check(existsSync(join(folder, "node_modules/redrive/dist/src/index.d.ts")), "it has types");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
