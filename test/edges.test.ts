// The edges of the command line: pipes, odd input, odd sizes, results with nothing in them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workshop } from "./command.js";

let shop: Workshop;
beforeAll(() => {
  shop = new Workshop();
});
afterAll(() => shop.close());

const isPosix = process.platform !== "win32";
const write = (name: string, text: string) => writeFileSync(join(shop.folder, name), text);
const lines = ({ stderr }: { readonly stderr: string }) => stderr.trimEnd().split("\n");

describe("pipes", () => {
  const sweep = "sweep --kk3 0.001:0.02:0.00005 --days 2 --workflows 20 --quiet --out";

  test.runIf(isPosix)("a reader that has seen enough ends the command quietly", async () => {
    const line = `redrive ${sweep} head --format csv | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await shop.shell(line);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^scenario,workflows,.*\r\n0\n$/);
  });

  test.runIf(isPosix)("a slow reader gets all of a long output", async () => {
    const { stdout } = await shop.shell(`redrive ${sweep} slow --format csv | (sleep 1; cat)`);
    expect(stdout.length).toBeGreaterThan(66_000);
    expect(stdout).toBe(shop.read("slow/sweep.csv"));
    const json = await shop.shell(`redrive ${sweep} slow --format json | (sleep 1; cat)`);
    expect(JSON.parse(json.stdout)).toHaveLength(381);
  });

  /** So much work by its estimate that a terminal gets a progress bar. */
  const worthABar = ["--days", "6e5", "--kk3", "uniform(0,0.01)"];

  test("get neither escape codes nor a progress bar", async () => {
    const { status, stdout, stderr } = await shop.run(["run", ...worthABar, "--out", "plain"]);
    expect(status).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toMatch(/^\nWritten to plain: .*\n$/);
  });

  // As a terminal would have it: the util-linux program `script` gives the command one.
  test.runIf(existsSync("/usr/bin/script"))(
    "a terminal gets color, unless it or its user wants none",
    async () => {
      const command = `"${process.execPath}" "${new URL("../dist/src/cli.js", import.meta.url).pathname}"`;
      const inTerminal = (env: string, options = "--days 10") =>
        shop.shell(`env -u NO_COLOR ${env} script -qec '${command} run --out tty ${options}' /dev/null`);
      expect((await inTerminal("TERM=xterm")).stdout).toContain("\u001b[1m");
      for (const env of ["TERM=xterm NO_COLOR=1", "TERM=dumb"]) {
        expect((await inTerminal(env)).stdout).not.toContain("\u001b");
      }
      expect((await inTerminal("TERM=xterm", "--days 10 --no-color")).stdout).not.toContain("\u001b");
      const bar = worthABar.join(" ").replace("(", "\\(").replace(")", "\\)");
      expect((await inTerminal("TERM=dumb", bar)).stdout).not.toContain("\u001b");
      expect((await inTerminal("TERM=xterm", bar)).stdout).toContain("days |");
    },
  );

  test.runIf(existsSync("/dev/full"))("a full disk behind stdout is an error that is named", async () => {
    for (const command of [
      "run --days 10 --out full --quiet",
      "model",
      "--help",
      "--version",
      "run --help",
    ]) {
      const { stdout, stderr } = await shop.shell(`redrive ${command} > /dev/full; echo $?`);
      expect({ command, stdout, stderr }).toEqual({
        command,
        stdout: "1\n",
        stderr: "redrive: failed: standard output: no space left on the device\n",
      });
    }
  });
});

describe("a config file", () => {
  const run = (name: string, ...args: string[]) =>
    shop.run(["run", "--config", name, "--days", "5", "--quiet", "--out", "config", ...args]);

  test("may begin with a byte order mark", async () => {
    write("bom.json", '\uFEFF{ "kk2": 0.5 }');
    const { status, stdout } = await run("bom.json");
    expect(status).toBe(0);
    expect(stdout).toContain("KK2 0.5,");
  });

  test("that is broken is refused with line and column", async () => {
    for (const [text, reason] of [
      ["", "line 1, column 1: unexpected end of input"],
      ["{days: 3}", "line 1, column 2: unexpected character 'd'"],
      ['{\n  "days": 3,\n}', "line 3, column 1: unexpected }"],
      ['{\n  "days": 3\n  "kk2": 0\n}', "line 3, column 3: unexpected text"],
      ['{ "days": 3 ', "line 1, column 12: unexpected end of input"],
      ['{ "days": 0x10 }', "line 1, column 12: unexpected character 'x'"],
    ]) {
      write("broken.json", text);
      const { status, stderr } = await run("broken.json");
      expect(status).toBe(2);
      expect(stderr).toBe(`redrive: --config must be a JSON file, got broken.json (${reason})\n`);
    }
  });

  test("is refused for names that occur twice, and for unknown ones with the nearest", async () => {
    write("twice.json", '{\n  "days": 3,\n  "kk2": 0.1,\n  "days": 4\n}');
    expect(lines(await run("twice.json"))).toEqual([
      "redrive: days in twice.json must be given once, got it again in line 4",
    ]);
    write("unknown.json", '{ "retrylimit": 3, "scann": 2, "qqq": 1, "__proto__": {} }');
    expect(lines(await run("unknown.json"))).toEqual([
      "redrive: retrylimit in unknown.json is unknown; did you mean retryLimit",
      "redrive: scann in unknown.json is unknown; did you mean scan",
      "redrive: qqq in unknown.json is unknown",
      "redrive: __proto__ in unknown.json is unknown",
    ]);
  });

  test("is refused for numbers that would be rounded", async () => {
    write("large.json", '{ "seed": 9007199254740993 }');
    expect(lines(await run("large.json"))).toEqual([
      "redrive: seed in large.json must be a number below 2^53, got 9007199254740993; as a seed, write it as text",
    ]);
    write("large.json", '{ "seed": "9007199254740993", "workflows": 10 }');
    expect((await run("large.json", "--format", "json")).stdout).toContain('"seed": "9007199254740993"');
  });

  test("may be as wrong as it likes: lines are few and short", async () => {
    write("many.json", `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}": 1`).join()}}`);
    const many = lines(await run("many.json"));
    expect(many).toHaveLength(51);
    expect(many[0]).toBe("redrive: k0 in many.json is unknown");
    expect(many[50]).toBe("redrive: and 149,950 more");
    write("long.json", `{ "kk2": [${"0.1,".repeat(1000)}0.1], "stallOn": "${"x".repeat(1e6)}" }`);
    const [list, text, ...others] = lines(await run("long.json"));
    expect(list).toMatch(
      /^redrive: kk2 in long\.json must be a number from 0 to 1, got \[0\.1,.{190,200}\.\.\.$/,
    );
    expect(text).toMatch(
      /^redrive: stallOn in long\.json must be first-attempt or every-attempt, got x{200}\.\.\.$/,
    );
    expect(others).toEqual([]);
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ]) {
      write("deep.json", `${open.repeat(1e5)}1${close.repeat(1e5)}`);
      expect(lines(await run("deep.json"))).toEqual([
        "redrive: --config must be a JSON file, got deep.json (it is nested too deeply)",
      ]);
    }
  });

  test.runIf(isPosix)("must have an end", async () => {
    const { stderr } = await shop.shell("redrive run --config /dev/zero");
    expect(stderr).toBe(
      "redrive: --config must be a file that can be read, got /dev/zero (it has more than 50 MB)\n",
    );
  });

  test("must be a file with an object", async () => {
    mkdirSync(join(shop.folder, "folder"));
    expect(lines(await run("folder"))).toEqual([
      "redrive: --config must be a file that can be read, got folder (it is a folder)",
    ]);
    write("list.json", "[1]");
    expect(lines(await run("list.json"))[0]).toMatch(/^redrive: the content in list\.json must be an object/);
  });
});

describe("seeds and names", () => {
  test("each seed is another one, and is written down as it is", async () => {
    const seen = new Map<string, string>();
    for (const seed of [
      "0",
      "",
      "-1",
      "00",
      "9007199254740993",
      "9007199254740992",
      "a\nb",
      "a\\nb",
      "=1+1",
      "🚂",
    ]) {
      const args = ["run", "--days", "40", "--seed", seed, "--out", "seed", "--quiet"];
      const { status, stdout, stderr } = await shop.run(args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.split("\n")[1]).toContain(", seed ");
      const text = readFileSync(join(shop.folder, "seed/datapackage.json"), "utf8");
      expect(JSON.parse(text).redrive.seed).toBe(seed);
      seen.set(shop.read("seed/distribution.csv"), seed);
    }
    expect(seen.size).toBe(10);
  });

  test("names of steps and scenarios may be anything, and stay in their line and cell", async () => {
    const steps = ["a,b", 'say "hi"', "two\nlines", "🚂", "=1+1", "\u001b[31mred"];
    write(
      "names.json",
      JSON.stringify({ days: 3, steps, scenarios: [{ name: "two\nlines" }, { name: "\u001b[31m,=" }] }),
    );
    const { status, stdout, stderr } = await shop.run(["sweep", "--config", "names.json", "--out", "names"]);
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain("\u001b");
    expect(stdout).toMatch(/^two\\nlines +\d/m);
    const { redrive } = JSON.parse(readFileSync(join(shop.folder, "names/datapackage.json"), "utf8"));
    expect(redrive.grid[1]).toMatchObject({ name: "\u001b[31m,=", steps: [steps] });
    expect(shop.read("names/sweep.csv").trimEnd().split("\r\n")).toHaveLength(3);
    write("wrong.json", JSON.stringify({ scenarios: [{ name: "two\nlines", kk2: "x\ny", "s\np": 1 }] }));
    expect(lines(await shop.run(["sweep", "--config", "wrong.json"]))).toEqual([
      "redrive: scenario 1 (two\\nlines): kk2 must be a number from 0 to 1, got x\\ny",
      "redrive: scenario 1 (two\\nlines): s\\np is unknown",
    ]);
  });
});

describe("absurd sizes", () => {
  test("days.csv that no disk holds is refused before a day is simulated", async () => {
    for (const args of [
      ["run", "--days", "1e12"],
      ["sweep", "--days", "1e9", "--kk3", "0:1:0.001"],
    ]) {
      const { status, stderr } = await shop.run([...args, "--days-csv", "--out", "absurd"]);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /^redrive: --days-csv must be left out for 1[\d,]* (days|scenarios of .* days), which need about [\d.]+ TB where .* are free\n$/,
      );
      expect(existsSync(join(shop.folder, "absurd"))).toBe(false);
    }
  });
});

describe("results with nothing in them", () => {
  const summary = (folder: string) =>
    shop
      .read(folder, "summary.csv")
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","));
  const strange = /NaN|Infinity|undefined|null/;

  /** Runs a scenario and checks that no file and no text has a cell without a value in words. */
  async function run(...args: string[]) {
    const done = await shop.run(["run", "--days-csv", "--out", "odd", ...args]);
    expect(done.status).toBe(0);
    expect(done.stdout).not.toMatch(strange);
    for (const text of Object.values(shop.result("odd"))) expect(text).not.toMatch(strange);
    return done;
  }

  test("without any fault there is no re-drive and no recovery delay", async () => {
    const { stderr } = await run("--kk3", "0", "--kk2", "0", "--days", "20");
    expect(stderr).toContain("warning: no step was re-driven; there is no recovery delay\n");
    const delay = summary("odd").at(-1) ?? [];
    expect(delay.slice(10, 13)).toEqual(["recovery_delay_rounds", "rounds", "0"]);
    expect(delay.slice(13).every((cell) => cell === "")).toBe(true);
    expect(shop.read("odd/days.csv").split("\r\n")[1].endsWith(",")).toBe(true);
  });

  test("a zero with a sign is a zero", async () => {
    const { stdout } = await run("--kk3", "-0", "--kk2", "-0", "--days", "20");
    expect(stdout).not.toContain("-0");
    expect(stdout).toContain("KK3 0 (");
  });

  test("one day has no spread", async () => {
    const { stderr } = await run("--days", "1");
    expect(stderr).toContain(
      "warning: one day has no standard deviation and no confidence interval; raise --days\n",
    );
    for (const cells of summary("odd").slice(0, -1)) expect(cells.slice(14, 17)).toEqual(["", "", ""]);
  });

  test("every job may be compensated", async () => {
    await run("--kk2", "1", "--kk3", "0", "--days", "20", "--workflows", "30");
    const means = Object.fromEntries(summary("odd").map((cells) => [cells[10], cells[13]]));
    expect(means).toMatchObject({ completed: "0", compensated_jobs: "30", wasted: "0", half_finished: "0" });
  });

  test("a day that ends too early for the supervisor is a warning", async () => {
    const { stderr } = await run("--rounds", "6", "--days", "20");
    expect(stderr).toContain(
      "warning: half-finished jobs remain with the supervisor because the day ends too early for it; " +
        "the result depends on --rounds, raise it\n",
    );
    const sweep = await shop.run([
      "sweep",
      "--rounds",
      "5,80",
      "--kk3",
      "0,0.01",
      "--kk2",
      "0",
      "--days",
      "20",
      "--out",
      "odds",
    ]);
    expect(lines(sweep).filter((line) => line.startsWith("warning"))).toEqual([
      "warning: 1 scenario is left with half-finished jobs because the day ends too early for the supervisor (3); the result depends on --rounds, raise it",
      "warning: 2 scenarios are without any re-driven step (1, 2); there is no recovery delay",
    ]);
    for (const text of Object.values(shop.result("odds"))) expect(text).not.toMatch(strange);
    const early = await run("--rounds", "1", "--days", "2");
    expect(early.stderr).toContain("half-finished jobs remain");
  });

  test("--quiet prints no warning", async () => {
    const { stderr } = await run("--rounds", "6", "--days", "1", "--quiet");
    expect(stderr).toBe("");
  });
});
