// redrive --shard and redrive merge: a result divided among processes is the same, byte for byte.
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatherShards } from "../src/commands/shard-set.js";
import { ResultFolder } from "../src/report/folder.js";
import { findShard } from "../src/report/shard-folder.js";
import { until, Workshop } from "./command.js";

let shop: Workshop;
beforeAll(() => {
  shop = new Workshop();
});
afterAll(() => shop.close());

/** Makes all shards of a command, in some order; `changes` are options of each that must not matter. */
async function makeShards(
  command: readonly string[],
  out: string,
  count: number,
  changes: readonly (readonly string[])[] = [[]],
): Promise<string[]> {
  const folders: string[] = [];
  for (let i = count; i >= 1; i--) {
    const folder = `${out}-${i}-of-${count}`;
    const done = await shop.run([
      ...[...command, "--shard", `${i}/${count}`, "--out", folder, "--quiet"],
      ...changes[i % changes.length],
    ]);
    expect(done).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
    folders.push(folder);
  }
  return folders;
}

const config = {
  days: 700,
  workflows: 300,
  scenarios: [
    { name: '=many, "scans"', scan: [1, 2, 4] },
    { name: "late", lease: 9, kk3: "uniform(0, 0.1)" },
  ],
};

const commands: Readonly<Record<string, readonly [number, readonly string[]]>> = {
  "a run": [3, ["run", "--days", "100003", "--seed", "shard"]],
  "a run with its days and a workbook": [4, ["run", "--days", "3000", "--days-csv", "--xlsx"]],
  "a run of which some shards have no day": [5, ["run", "--days", "3", "--days-csv"]],
  "a run for Excel, with an uncertain KK3": [
    2,
    ["run", "--days", "5000", "--kk3", "beta(2,300)", "--csv-dialect", "excel-eu", "--days-csv"],
  ],
  "a sweep": [4, ["sweep", "--kk3", "0.001:0.005:0.001", "--scan", "1,2,7", "--days", "20000"]],
  "a sweep of large scenarios, with their days": [
    3,
    ["sweep", "--workflows", "2e6,1e5", "--kk3", "0.1", "--days", "6000", "--rounds", "9,80", "--days-csv"],
  ],
  "a sweep of named scenarios": [3, ["sweep", "--config", "sweep.json", "--days-csv"]],
  "a sweep with a precision": [
    2,
    ["sweep", "--precision", "2%", "--kk3", "0.001,0.1", "--workflows", "50,4000", "--max-days", "60000"],
  ],
};

describe("redrive merge gives the bytes of the undivided", () => {
  beforeAll(() => writeFileSync(join(shop.folder, "sweep.json"), JSON.stringify(config)));

  test.each(Object.entries(commands))(
    "%s",
    async (name, [count, command]) => {
      const expected = await shop.run([...command, "--out", `${name} whole`]);
      const shards = await makeShards(command, name, count, [
        ["--threads", "1"],
        ["--threads", "3"],
      ]);
      const merged = await shop.run(["merge", ...shards, "--out", `${name} merged`]);
      expect(merged.status).toBe(0);
      expect(merged.stdout).toBe(expected.stdout);
      expect(shop.names(`${name} merged`)).toEqual(shop.names(`${name} whole`));
      const [wanted, got] = [shop.result(`${name} whole`), shop.result(`${name} merged`)];
      for (const file of Object.keys(wanted)) expect(got[file] === wanted[file], file).toBe(true);
      const warnings = (text: string) => text.match(/^warning: .*$/gm);
      expect(warnings(merged.stderr)).toEqual(
        warnings(expected.stderr)?.filter((line) => !line.includes("spreadsheet")) ?? null,
      );
    },
    60_000,
  );

  test("with shards by other engines, in other formats", async () => {
    const command = ["run", "--days", "400", "--workflows", "500"];
    const shards = await makeShards(command, "engines", 3, [
      ["--engine", "event"],
      ["--engine", "table"],
    ]);
    for (const format of ["json", "csv"]) {
      const expected = await shop.run([...command, "--format", format, "--quiet"]);
      expect(await shop.run(["merge", ...shards, "--format", format, "--quiet"])).toEqual(expected);
    }
    const sweep = ["sweep", "--days", "400", "--workflows", "500,600"];
    const sweepShards = await makeShards(sweep, "sweep", 2);
    for (const format of ["json", "csv"]) {
      const expected = await shop.run([...sweep, "--format", format, "--quiet"]);
      expect(await shop.run(["merge", ...sweepShards, "--format", format, "--quiet"])).toEqual(expected);
    }
    expect(shop.names("results")).toEqual(["run", "sweep"]);
  });

  test("with a workbook that only the merge was asked for", async () => {
    const command = ["run", "--days", "300"];
    await shop.run([...command, "--xlsx", "--out", "book whole"]);
    const shards = await makeShards(command, "book", 2);
    await shop.run(["merge", ...shards, "--xlsx", "--out", "book merged"]);
    expect(shop.result("book merged")).toEqual(shop.result("book whole"));
  });
});

test("redrive merge says how to go on where files cannot get their names, and then does", async () => {
  const shards = await makeShards(["run", "--days", "300"], "names", 2);
  const merge = ["merge", ...shards, "--out", "names merged", "--quiet"];
  await shop.run(merge);
  const whole = shop.result("names merged");
  const inTheWay = join(shop.folder, "names merged/summary.csv");
  rmSync(inTheWay);
  mkdirSync(inTheWay);
  const failed = await shop.run(merge);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(
    /^redrive: failed: .*; the finished files are kept in names merged, the same command puts them in place\n$/,
  );
  rmSync(inTheWay, { recursive: true });
  expect((await shop.run(merge)).status).toBe(0);
  expect(shop.result("names merged")).toEqual(whole);
});

describe("redrive --shard", () => {
  test("says which days it takes, and where they are", async () => {
    const run = await shop.run(["run", "--days", "1000", "--shard", "2/2"]);
    expect(run).toMatchObject({ status: 0, stdout: "" });
    expect(run.stderr).toMatch(
      /^shard 2 of 2: days 513 to 1,000 of 1,000\n\nWritten to results\/run-shards\/2-of-2: tallies\.jsonl, shard\.json, manifest\.json \([\d.]+ s\)\n$/,
    );
    const sweep = await shop.run(["sweep", "--scan", "1,2", "--days", "1000", "--shard", "1/1"]);
    expect(sweep.stderr).toContain(
      "shard 1 of 1: day 1 of scenario 1 to day 1,000 of scenario 2, 2,000 days\n",
    );
    expect(sweep.stderr).toContain("\nWritten to results/sweep-shards/1-of-1: ");
  });

  test("is refused where a result cannot be divided, and where it would be printed", async () => {
    const options = ["--shard", "1/2", "--out", "refused", "--format", "json"];
    const exact = await shop.run(["sweep", ...options, "--engine", "exact"]);
    const precise = await shop.run(["run", ...options, "--precision", "1%"]);
    expect([exact.status, precise.status]).toEqual([2, 2]);
    expect(exact.stderr).toBe(
      "redrive: --shard must be left out with --engine exact, which simulates no days\n" +
        "redrive: --format must be left out with --shard; redrive merge prints the result\n",
    );
    expect(precise.stderr).toContain("--shard must be left out with --precision");
  });

  test("neither replaces a whole result nor is replaced by one", async () => {
    await shop.run(["run", "--days", "10", "--out", "taken"]);
    const shard = await shop.run(["run", "--days", "10", "--shard", "1/2", "--out", "taken"]);
    expect(shard.status).toBe(2);
    expect(shard.stderr).toMatch(/^redrive: --out must be a folder where summary\.csv can be replaced/);
    await shop.run(["run", "--days", "10", "--days-csv", "--shard", "1/2", "--out", "part"]);
    const whole = await shop.run(["run", "--days", "10", "--out", "part"]);
    expect(whole.status).toBe(2);
    expect(whole.stderr).toMatch(/^redrive: --out must be a folder where manifest\.json can be replaced/);
    // Another shard may; of the one before nothing is left.
    await shop.run(["run", "--days", "10", "--shard", "2/2", "--out", "part"]);
    expect(shop.names("part")).toEqual(["manifest.json", "shard.json", "tallies.jsonl"]);
  });

  test("may start at the same moment as the others, which make the folder above as well", async () => {
    const open = (i: number) => ResultFolder.open(join(shop.folder, `at/once-shards/${i}-of-4`));
    const folders = await Promise.all([1, 2, 3, 4].map(open));
    expect(shop.names("at/once-shards")).toEqual(["1-of-4", "2-of-4", "3-of-4", "4-of-4"]);
    for (const folder of folders) await folder.abandon();
  });

  test("with --resume goes on where it was killed, and leaves alone what is complete", async () => {
    const command = ["run", "--days", "6e5", "--days-csv", "--shard", "2/3", "--quiet", "--out"];
    await shop.run([...command, "unbroken"]);
    let kills = 0;
    for (let i = 0; i < 6; i++) {
      const { signal } = await shop.run([...command, "broken", "--resume"], {
        meanwhile: async (child) => {
          const count = () => shop.tryMtime("broken", ".redrive-checkpoint");
          const before = count();
          await until(() => child.exitCode !== null || count() !== before);
          child.kill("SIGKILL");
        },
      });
      if (signal === "SIGKILL") kills++;
    }
    expect(kills).toBeGreaterThan(2);
    const notThisOne = await shop.run([...command, "broken", "--resume", "--shard", "1/3"]);
    expect(notThisOne.status).toBe(2);
    expect(notThisOne.stderr).toMatch(
      /^redrive: --shard must be 2\/3 to go on with the unfinished result in broken, got 1\/3; /,
    );
    expect((await shop.run(["merge", "broken"])).stderr).toMatch(
      /^redrive: broken must be a whole shard: it is unfinished; its command with --resume goes on with it\n$/,
    );
    expect((await shop.run([...command, "broken", "--resume"])).status).toBe(0);
    expect(shop.result("broken")).toEqual(shop.result("unbroken"));
    const ofFour = await shop.run([...command, "broken", "--resume", "--shard", "2/4"]);
    expect(ofFour).toMatchObject({
      status: 2,
      stderr:
        "redrive: --shard must be 2/3 for the shard that is complete in broken, got 2/4; " +
        "leave out --resume to replace it\n",
    });
    const typo = await shop.run([...command, "broken", "--resume", "--seed", "typo"]);
    expect(typo.status).toBe(2);
    expect(typo.stderr).toMatch(
      /^redrive: --seed must be redrive for the shard that is complete in broken, got typo; /,
    );
    expect(shop.result("broken")).toEqual(shop.result("unbroken"));
    await shop.run([...command, "broken", "--shard", "2/4"]);
    expect(JSON.parse(shop.read("broken", "shard.json"))).toMatchObject({ shard: 2, of: 4 });
    await shop.run([...command, "broken"]);
    const manifest = shop.read("broken", "manifest.json");
    const again = await shop.run([...command.filter((word) => word !== "--quiet"), "broken", "--resume"]);
    expect(again).toMatchObject({ status: 0, stderr: "shard 2 of 3 is complete in broken\n" });
    expect(shop.read("broken", "manifest.json")).toBe(manifest);
  }, 60_000);
});

test("a shard of a sweep that is stopped after its first scenario says how far it came, and goes on there", async () => {
  const sweep = ["sweep", "--kk3", "0.001:0.01:0.001", "--days", "50000", "--days-csv", "--threads", "1"];
  const command = [...sweep, "--shard", "2/2", "--out"];
  await shop.run([...command, "sweep unbroken"]);
  const tallies = join(shop.folder, "sweep broken/tallies.jsonl.partial");
  const lengthOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const stopped = await shop.run([...command, "sweep broken"], {
    meanwhile: async (child) => {
      await until(() => child.exitCode !== null || lengthOf(tallies) > 0);
      child.kill("SIGINT");
    },
  });
  expect(stopped.status).toBe(130);
  const [, days] = /stopped; ([\d,]+) of 250,000 days of shard 2 of 2 are kept/.exec(stopped.stderr) ?? [];
  expect(Number(days?.replaceAll(",", ""))).toBeGreaterThanOrEqual(50_000);
  expect((await shop.run([...command, "sweep broken", "--resume"])).status).toBe(0);
  expect(shop.result("sweep broken")).toEqual(shop.result("sweep unbroken"));
}, 60_000);

describe("redrive merge refuses", () => {
  const command = ["run", "--days", "1000"];
  let good: string[];
  beforeAll(async () => {
    good = (await makeShards(command, "good", 3)).toReversed();
  });

  /** A copy of a shard with something done to it. */
  function harm(shard: string, name: string, change: (folder: string) => void): string {
    cpSync(join(shop.folder, shard), join(shop.folder, name), { recursive: true });
    change(join(shop.folder, name));
    return name;
  }
  const edit = (path: string, from: string | RegExp, to: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

  async function refuse(folders: readonly string[], ...lines: readonly string[]) {
    const done = await shop.run(["merge", ...folders, "--out", "refused"]);
    expect(done).toEqual({
      status: 2,
      signal: null,
      stdout: "",
      stderr: lines.map((line) => `redrive: ${line}\n`).join(""),
    });
    expect(() => shop.names("refused")).toThrow("ENOENT");
  }

  test("shards that are missing or double, and says which", async () => {
    await refuse(good.slice(1, 2), "all 3 shards must be given, missing 1, 3");
    await refuse(good.slice(2), "all 3 shards must be given, missing 1 to 2");
    await refuse(
      [good[0], good[0], good[2]],
      "shard 1 must be given once, got good-1-of-3 and good-1-of-3",
      "all 3 shards must be given, missing 2",
    );
    await refuse(
      [],
      "the folders of the shards must be named, got none; such as redrive merge results/run-shards/*-of-8",
    );
  });

  test("shards that are cut off or changed", async () => {
    const cut = harm(good[1], "cut", (folder) => truncateSync(join(folder, "tallies.jsonl"), 1000));
    const changed = harm(good[1], "changed", (folder) => edit(join(folder, "tallies.jsonl"), "4000", "4001"));
    const gone = harm(good[1], "gone", (folder) => rmSync(join(folder, "tallies.jsonl")));
    const edited = harm(good[1], "edited", (folder) =>
      edit(join(folder, "shard.json"), '"days": 1000', '"days": 1001'),
    );
    const torn = harm(good[1], "torn", (folder) => truncateSync(join(folder, "shard.json"), 300));
    const must = (name: string) => `${name} must be a whole shard: `;
    const { length } = readFileSync(join(shop.folder, good[1], "tallies.jsonl"));
    await refuse([good[0], cut, good[2]], `${must(cut)}tallies.jsonl has 1000 bytes of ${length}`);
    await refuse([good[0], changed, good[2]], `${must(changed)}tallies.jsonl is not as it was written`);
    await refuse([good[0], gone, good[2]], `${must(gone)}tallies.jsonl is missing`);
    await refuse([good[0], edited, good[2]], `${must(edited)}shard.json is not as it was written`);
    const missing = "all 3 shards must be given, missing 2";
    await refuse([good[0], torn, good[2]], `${must(torn)}shard.json is not as it was written`, missing);
  });

  test("folders that are no shards, all at once", async () => {
    await shop.run(["run", "--days", "10", "--out", "no shard"]);
    await refuse(
      [...good, "no shard", "nowhere"],
      "no shard must be a whole shard: it has no shard.json",
      "nowhere must be a whole shard: there is no such folder",
    );
    mkdirSync(join(shop.folder, "unreadable/shard.json"), { recursive: true });
    await refuse(
      [...good, "unreadable"],
      "unreadable must be a whole shard: shard.json cannot be read (it is a folder)",
    );
  });

  test("at most twenty lines of each kind, so that none hides another", async () => {
    const nowhere = Array.from({ length: 30 }, (_, i) => `nowhere-${i}`);
    await refuse(
      [good[0], good[0], ...nowhere],
      ...nowhere.slice(0, 20).map((name) => `${name} must be a whole shard: there is no such folder`),
      "and 10 more like these",
      "shard 1 must be given once, got good-1-of-3 and good-1-of-3",
      "all 3 shards must be given, missing 2 to 3",
    );
  });

  test("shards of other results and versions, and shows the difference", async () => {
    const [seed] = await makeShards([...command, "--seed", "b"], "seed", 3);
    const [fourth] = await makeShards(command, "fourth", 4);
    const [swept] = await makeShards(["sweep", "--days", "1000"], "swept", 3);
    const older = harm(good[2], "older", (folder) =>
      edit(join(folder, "shard.json"), /"redrive": "[\d.]+"/, '"redrive": "0.0.9"'),
    );
    const must = (name: string) => `${name} must be of the same result as good-1-of-3: `;
    const missing = "all 3 shards must be given, missing 3";
    const two = good.slice(0, 2);
    await refuse([...two, seed], `${must(seed)}seed is b, there redrive`, missing);
    // Where most are of one result, the others are the foreign ones, wherever they stand.
    await refuse([seed, ...two], `${must(seed)}seed is b, there redrive`, missing);
    await refuse([...two, fourth], `${must(fourth)}it is of 4 parts, there of 3`, missing);
    await refuse([...two, swept], `${must(swept)}the command is sweep, there run`, missing);
    const done = await shop.run(["merge", ...two, older]);
    expect(done.stderr).toMatch(
      /^redrive: older must be a whole shard: it is of version 0\.0\.9, this is [\d.]+\n$/,
    );
  });

  test("a shard that is made anew between its check and its turn", async () => {
    const { findShard, readParts } = await import("../src/report/shard-folder.js");
    const { signal } = new AbortController();
    const [one, other] = await makeShards(command, "anew", 2);
    const found = await findShard(join(shop.folder, one), signal);
    if (!("whole" in found)) throw new Error(found.problem);
    const readAll = async () => {
      const numbers = [];
      for await (const { number } of readParts(found)) numbers.push(number);
      return numbers;
    };
    expect(await readAll()).toEqual([1]);
    cpSync(join(shop.folder, other, "tallies.jsonl"), join(shop.folder, one, "tallies.jsonl"));
    await expect(readAll()).rejects.toThrow(/tallies\.jsonl has changed while it was read; merge again$/);
  });

  test("to write over its own shards or the files of others", async () => {
    const own = await shop.run(["merge", ...good, "--out", good[0]]);
    expect(own.status).toBe(2);
    expect(own.stderr).toMatch(/^redrive: --out must be a folder where manifest\.json can be replaced/);
  });

  test("to go on where it is asked to stop, however large the files that it checks", async () => {
    const stop = new AbortController();
    const found = findShard(join(shop.folder, good[0]), stop.signal);
    stop.abort();
    await expect(found).rejects.toBe(stop.signal.reason);
  });

  test("to keep for each shard what all of them say of their result", async () => {
    const shards = await gatherShards(
      good.map((folder) => join(shop.folder, folder)),
      new AbortController().signal,
    );
    expect(shards.map(({ number }) => number)).toEqual([1, 2, 3]);
    for (const { whole } of shards) expect(whole).toBe(shards[0].whole);
  });

  test("nothing where all is well: the shards may have been moved, and are left as they are", async () => {
    const moved = good.map((folder) => {
      renameSync(join(shop.folder, folder), join(shop.folder, `moved ${folder}`));
      return `moved ${folder}`;
    });
    const before = moved.map((folder) => shop.result(folder));
    expect((await shop.run(["merge", ...moved, "--out", "last", "--quiet"])).status).toBe(0);
    expect(moved.map((folder) => shop.result(folder))).toEqual(before);
  });
});
