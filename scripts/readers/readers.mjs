// The programs that read results, and how each is asked for what it read: a header and rows of numbers, texts and
// nulls for each file. A program that is not installed has no version.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readXlsx } from "hucre/xlsx";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const tryOut = (command, args) => {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
};
const firstWorking = (commands, args) => commands.find((command) => tryOut(command, args) !== undefined);
const readJson = (command, args) =>
  JSON.parse(execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 30 }));
const byName = (read) =>
  Object.fromEntries(Object.entries(read).map(([path, rows]) => [basename(path, ".csv"), rows]));

/** LibreOffice without a window, in a profile of its own with this locale. */
function libreOffice(name, locale, dialects, scratch) {
  const command = firstWorking(["soffice", "libreoffice"], ["--version"]);
  const profile = join(scratch, `profile-${locale}`);
  // What it read is seen by what it saves: a workbook keeps 15 digits of a number, more than its other formats.
  const saved = join(scratch, "saved");
  const open = (path, options) => {
    if (!existsSync(profile)) setLocale(profile, locale);
    const args = [`-env:UserInstallation=${pathToFileURL(profile).href}`, "--headless", ...options];
    execFileSync(command, [...args, "--convert-to", "xlsx", "--outdir", saved, path], { stdio: "ignore" });
    return sheetsOf(readFileSync(join(saved, basename(path).replace(/\.\w+$/, ".xlsx"))));
  };
  return {
    name,
    version: command && tryOut(command, ["--version"])?.split(" ").slice(0, 2).join(" "),
    dialects,
    // Separator, quote, UTF-8, first line; the language and all else as the program has them.
    readCsv: async (paths, dialect) => {
      const filter = `Text - txt - csv (StarCalc):${dialect === "rfc4180" ? 44 : 59},34,76,1`;
      const read = {};
      for (const path of paths) [read[path]] = Object.values(await open(path, [`--infilter=${filter}`]));
      return byName(read);
    },
    readWorkbook: (path) => open(path, []),
  };
}

function setLocale(profile, locale) {
  mkdirSync(join(profile, "user"), { recursive: true });
  const item = (name) =>
    `<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="${name}" oor:op="fuse"><value>${locale}</value></prop></item>`;
  writeFileSync(
    join(profile, "user/registrymodifications.xcu"),
    `<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">${item("ooSetupSystemLocale")}</oor:items>`,
  );
}

/** The sheets of a workbook: what is kept in their cells. */
async function sheetsOf(workbook) {
  const { sheets } = await readXlsx(workbook);
  return Object.fromEntries(sheets.map(({ name, rows }) => [name, rows]));
}

function pandas() {
  const command = firstWorking(["python3", "/usr/bin/python3", "python"], ["-c", "import pandas"]);
  const script = beside("reader.py");
  return {
    name: "pandas",
    version: command && `pandas ${tryOut(command, ["-c", "import pandas; print(pandas.__version__)"])}`,
    dialects: ["rfc4180", "excel-eu"],
    readCsv: (paths, dialect) => byName(readJson(command, [script, dialect, ...paths])),
    readWorkbook:
      command && tryOut(command, ["-c", "import openpyxl"]) !== undefined
        ? (path) => readJson(command, [script, "xlsx", path])
        : undefined,
  };
}

function r() {
  const command = firstWorking(["Rscript"], ["--version"]);
  return {
    name: "R",
    version: command && tryOut(command, ["-e", "cat('R', format(getRversion()))"]),
    dialects: ["rfc4180", "excel-eu"],
    readCsv: (paths, dialect) =>
      byName(readJson(command, ["--vanilla", beside("reader.R"), dialect, ...paths])),
  };
}

async function duckdb() {
  const api = await import("@duckdb/node-api").catch(() => undefined);
  const connection = await (await api?.DuckDBInstance.create())?.connect();
  const quote = (text) => `'${text.replaceAll("'", "''")}'`;
  return {
    name: "DuckDB",
    version: api && `DuckDB ${api.version()}`,
    dialects: ["rfc4180", "excel-eu"],
    readCsv: async (paths, dialect) => {
      const options = dialect === "rfc4180" ? "" : ", decimal_separator = ','";
      const read = {};
      for (const path of paths) {
        const result = await connection.runAndReadAll(`select * from read_csv(${quote(path)}${options})`);
        const rows = result
          .getRows()
          .map((row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)));
        read[path] = [result.columnNames(), ...rows];
      }
      return byName(read);
    },
  };
}

/**
 * All readers, found or not.
 *
 * @param scratch - a folder for what they leave behind
 */
export async function listReaders(scratch) {
  return [
    libreOffice("LibreOffice, English", "en-US", ["rfc4180"], scratch),
    libreOffice("LibreOffice, German", "de-DE", ["excel-eu"], scratch),
    pandas(),
    r(),
    await duckdb(),
  ];
}
