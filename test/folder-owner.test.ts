// A result replaces a result, and no file of anybody else.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findForeignFile } from "../src/report/folder-owner.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "redrive-owner-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
/** A folder with these files. */
function fill(files: Record<string, string>): string {
  const path = join(folder, String(++made));
  mkdirSync(path);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

describe("findForeignFile", () => {
  const find = (path: string) => findForeignFile(path, ["summary.csv", "datapackage.json"], ["redrive-run"]);

  test("finds nothing where there is no folder, none of the files, or a result", async () => {
    expect(await find(join(folder, "none"))).toBeUndefined();
    expect(await find(fill({ "notes.csv": "mine" }))).toBeUndefined();
    const package_ = JSON.stringify({ name: "redrive-run", redrive: { version: "0.0.1" } });
    expect(await find(fill({ "summary.csv": "", "datapackage.json": package_ }))).toBeUndefined();
  });

  test("finds nothing beside a checkpoint, since a crash may have come between two names", async () => {
    expect(await find(fill({ "summary.csv": "", ".redrive-checkpoint": "" }))).toBeUndefined();
  });

  test("finds a file beside no package, a broken one or that of somebody else", async () => {
    expect(await find(fill({ "summary.csv": "mine" }))).toBe("summary.csv");
    expect(await find(fill({ "datapackage.json": "{" }))).toBe("datapackage.json");
    expect(await find(fill({ "datapackage.json": "null" }))).toBe("datapackage.json");
    const other = JSON.stringify({ name: "sales" });
    expect(await find(fill({ "summary.csv": "mine", "datapackage.json": other }))).toBe("summary.csv");
  });
});
