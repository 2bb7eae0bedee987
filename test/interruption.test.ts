// Runs and sweeps that are interrupted, killed or run out of disk, and what --resume makes of them.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { later, until, Workshop } from "./command.js";

let shop: Workshop;
beforeAll(() => {
  shop = new Workshop();
});
afterAll(() => shop.close());

const isPosix = process.platform !== "win32";
const hasCheckpoint = (folder: string) => existsSync(join(shop.folder, folder, ".redrive-checkpoint"));

/** Whether a process works in a folder, or is over. */
const isLockedBy = (child: ChildProcess, folder: string) =>
  isOver(child) || tryRead(folder, ".redrive-lock").includes(`"pid":${child.pid},`);
const isOver = ({ exitCode }: ChildProcess) => exitCode !== null;
/** Another number for each checkpoint. */
const checkpointOf = (folder: string) => shop.tryMtime(folder, ".redrive-checkpoint");
const tryRead = (...path: string[]) => {
  try {
    return shop.read(...path);
  } catch {
    return "";
  }
};

/** Commands whose results come about in different ways. */
const commands = {
  "a run with its days": ["run", "--days", "1.5e5", "--days-csv", "--seed", "kill"],
  "a run until it is precise": ["run", "--precision", "0.1%"],
  "a sweep of small scenarios": ["sweep", "--kk3", "0.001:0.02:0.001", "--scan", "1,3", "--days", "2000"],
  "a sweep of large scenarios with their days": [
    "sweep",
    ...["--scan", "2,5", "--rounds", "9,80", "--kk3", "0.005,0.01", "--days", "12000"],
    "--days-csv",
  ],
};

describe.runIf(isPosix)("redrive that is killed", () => {
  // 52 kills in all, spread over start-up, simulation, checkpoints and publication.
  test.each(Object.entries(commands))(
    "%s ends, by --resume, with the bytes of an uninterrupted one",
    async (name, command) => {
      const [whole, broken] = [`${name} whole`, `${name} broken`];
      const expected = await shop.run([...command, "--quiet", "--out", whole]);
      expect(expected.status).toBe(0);
      let state = 7 + name.length;
      let kills = 0;
      let resumed = 0;
      for (let i = 0; kills < 13 && i < 30; i++) {
        // A fixed sequence of moments (Lehmer's generator).
        state = (state * 48271) % 2147483647;
        const moment = state;
        const before = checkpointOf(broken);
        if (before !== undefined) resumed++;
        const { signal } = await shop.run(
          [...command, "--quiet", "--out", broken, "--resume", "--threads", `${1 + (i % 3)}`],
          {
            meanwhile: async (child) => {
              // While it starts, at the beginning of its work, and about its checkpoints.
              if (i % 3 === 1) await until(() => isLockedBy(child, broken));
              if (i % 3 === 2) await until(() => isOver(child) || checkpointOf(broken) !== before);
              await later(moment % (i % 3 === 2 ? 80 : 200));
              child.kill("SIGKILL");
            },
          },
        );
        if (signal === "SIGKILL") kills++;
      }
      expect(kills).toBe(13);
      expect(resumed).toBeGreaterThan(4);
      const last = await shop.run([...command, "--quiet", "--out", broken, "--resume"]);
      expect(last).toEqual(expected);
      expect(shop.names(broken)).toEqual(shop.names(whole));
      const [wanted, got] = [shop.result(whole), shop.result(broken)];
      for (const file of Object.keys(wanted)) expect(got[file] === wanted[file], file).toBe(true);
    },
    180_000,
  );
});

describe.runIf(isPosix)("redrive that is interrupted", () => {
  const long = ["run", "--days", "5e7", "--days-csv"];

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("on %s keeps what is done, says how to go on and exits with %i", async (signal, status) => {
    const out = `on ${signal}`;
    const done = await shop.run([...long, "--out", out], {
      meanwhile: async (child) => {
        await until(() => hasCheckpoint(out));
        child.kill(signal);
      },
    });
    expect(done).toMatchObject({ status, stdout: "" });
    expect(done.stderr).toMatch(
      /^redrive: stopped; [\d,]+ of 50,000,000 days are kept in on SIG\w+, the same command with --resume goes on from there\n$/,
    );
    const kept = Number(/stopped; ([\d,]+)/.exec(done.stderr)?.[1].replaceAll(",", ""));
    // Whole lines, as many as days.
    const days = shop.read(out, "days.csv.partial");
    expect(days.endsWith("\r\n")).toBe(true);
    expect(days.split("\r\n")).toHaveLength(kept + 2);
    expect(shop.names(out).filter((name) => !name.startsWith(".redrive-checkpoint"))).toEqual([
      "days.csv.partial",
    ]);
    const again = await shop.run([...long, "--out", out, "--resume"], {
      meanwhile: async (child) => {
        await until(() => readFileSync(join(shop.folder, out, "days.csv.partial")).length > days.length);
        child.kill(signal);
      },
    });
    expect(again.status).toBe(status);
    expect(shop.read(out, "days.csv.partial").startsWith(days)).toBe(true);
  });

  test("before anything is done leaves nothing", async () => {
    const args = ["run", "--days", "10", "--workflows", "3e7", "--engine", "event", "--threads", "1"];
    const { status, stderr } = await shop.run([...args, "--out", "early"], {
      meanwhile: async (child) => {
        await until(() => existsSync(join(shop.folder, "early/.redrive-lock")));
        child.kill("SIGTERM");
      },
    });
    expect({ status, stderr }).toEqual({ status: 143, stderr: "redrive: stopped; nothing was written\n" });
    expect(existsSync(join(shop.folder, "early"))).toBe(false);
  });

  // Each takes minutes, or much memory, where nobody listens.
  const manyRedrives = [
    "--steps",
    "1",
    "--kk3",
    "1",
    "--stall-on",
    "every-attempt",
    "--retry-limit",
    "10000",
  ];
  const large = [
    "--workflows",
    "2e5",
    "--rounds",
    "1e7",
    "--engine",
    "event",
    ...manyRedrives,
    "--days",
    "9",
  ];
  test.each([
    ["a day that takes minutes, on one thread", ["run", ...large, "--threads", "1"]],
    ["days that take minutes, on several threads", ["run", ...large, "--threads", "2"]],
    ["such days of a sweep", ["sweep", ...large, "--scan", "1,2", "--threads", "2"]],
    [
      "exact results that take long",
      ["run", "--engine", "exact", ...manyRedrives, "--kk3", "0.999", "--rounds", "1e7"],
    ],
  ])("within %s stops at once", async (_, args) => {
    const { status, stderr } = await shop.run([...args, "--quiet", "--out", "within"], {
      meanwhile: async (child) => {
        await until(() => existsSync(join(shop.folder, "within/.redrive-lock")));
        await later(600);
        child.kill("SIGINT");
        await until(() => isOver(child));
        child.kill("SIGKILL");
      },
    });
    expect({ status, stderr }).toEqual({ status: 130, stderr: "redrive: stopped; nothing was written\n" });
    expect(existsSync(join(shop.folder, "within"))).toBe(false);
  });

  test("twice ends without waiting for what is kept", async () => {
    const { status, stderr } = await shop.run([...long, "--out", "twice"], {
      meanwhile: async (child) => {
        await until(() => hasCheckpoint("twice"));
        child.kill("SIGSTOP");
        child.kill("SIGINT");
        child.kill("SIGTERM");
        child.kill("SIGCONT");
      },
    });
    expect([130, 143]).toContain(status);
    expect(stderr).toBe("");
    expect(existsSync(join(shop.folder, "twice/.redrive-lock"))).toBe(false);
    expect(hasCheckpoint("twice")).toBe(true);
  });

  test("by a closed terminal, of which both shell and system tell, keeps what is done", async () => {
    const { status, stderr } = await shop.run([...long, "--out", "closed"], {
      meanwhile: async (child) => {
        await until(() => hasCheckpoint("closed"));
        child.kill("SIGHUP");
        await later(3);
        child.kill("SIGHUP");
      },
    });
    expect(status).toBe(129);
    expect(stderr).toContain("of 50,000,000 days are kept in closed");
    expect(existsSync(join(shop.folder, "closed/.redrive-lock"))).toBe(false);
  });

  // A terminal of the util-linux program `script`, which goes away with it.
  test.runIf(existsSync("/usr/bin/script"))("ends in order where its terminal is gone", async () => {
    const { cli } = await import("./command.js");
    const command = `exec "${process.execPath}" "${cli}" ${long.join(" ")} --out gone 2> gone.txt`;
    const terminal = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: shop.folder,
      stdio: ["pipe", "ignore", "ignore"],
    });
    await until(() => hasCheckpoint("gone"));
    terminal.kill("SIGKILL");
    await until(() => tryRead("gone.txt") !== "");
    await later(100);
    expect(shop.read("gone.txt")).toMatch(
      /^redrive: stopped; [\d,]+ of 50,000,000 days are kept in gone, .*\n$/,
    );
    expect(existsSync(join(shop.folder, "gone/.redrive-lock"))).toBe(false);
  });

  test("leaves an earlier result as it was until the new one is complete", async () => {
    const small = ["sweep", "--scan", "1,2", "--days", "20", "--quiet", "--out", "kept"];
    await shop.run(small);
    const before = shop.result("kept");
    const large = ["sweep", "--kk2", "0.01:0.05:0.00002", "--days", "1e4", "--out", "kept"];
    const stopped = await shop.run(large, {
      meanwhile: async (child) => {
        await until(() => hasCheckpoint("kept"));
        child.kill("SIGINT");
      },
    });
    expect(stopped.status).toBe(130);
    expect(stopped.stderr).toMatch(/stopped; [\d,]+ of 2,001 scenarios are kept in kept/);
    expect(shop.result("kept")).toMatchObject(before);
    // Another result takes the place of the unfinished one.
    const anew = await shop.run(small.filter((word) => word !== "--quiet"));
    expect(anew.stderr).toContain(
      "starting anew, over an unfinished result in kept; --resume would have gone on with it\n",
    );
    expect(shop.result("kept")).toEqual(before);
  });
});

describe.runIf(isPosix)("--resume", () => {
  const settings = ["--days", "1e7", "--threads", "1"];

  beforeAll(async () => {
    for (const [out, command] of [
      ["other", ["run"]],
      ["others", ["sweep", "--scan", "1,2"]],
    ] as const) {
      await shop.run([...command, ...settings, "--out", out], {
        meanwhile: async (child) => {
          await until(() => hasCheckpoint(out));
          child.kill("SIGINT");
        },
      });
    }
  });

  test("refuses other settings and shows each difference", async () => {
    const before = shop.names("other");
    const other = [
      "--seed",
      "b",
      "--kk3",
      "uniform(0,0.1)",
      "--steps",
      "a,b",
      "--days-csv",
      "--threads",
      "2",
    ];
    const { status, stderr } = await shop.run(["run", ...settings, ...other, "--out", "other", "--resume"]);
    expect(status).toBe(2);
    const rest = (got: string) =>
      `to go on with the unfinished result in other, got ${got}; leave out --resume to start anew`;
    expect(stderr.trimEnd().split("\n")).toEqual([
      `redrive: --steps must be ["tariff","discount","invoice","notification"] ${rest('["a","b"]')}`,
      `redrive: --kk3 must be 0.005 ${rest("uniform(0,0.1)")}`,
      `redrive: --seed must be redrive ${rest("b")}`,
      `redrive: --days-csv must be false ${rest("true")}`,
    ]);
    expect(shop.names("other")).toEqual(before);
    const sweep = await shop.run([
      "sweep",
      "--scan",
      "1,4",
      ...settings,
      "--quiet",
      "--out",
      "others",
      "--resume",
    ]);
    expect(sweep.status).toBe(2);
    expect(sweep.stderr).toMatch(/^redrive: --scan must be 1,2 to go on with .*, got 1,4; .*\n$/);
  });

  test("refuses another command and another version", async () => {
    const { status, stderr } = await shop.run(["sweep", ...settings, "--out", "other", "--resume"]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      "redrive: the command must be run to go on with the unfinished result in other, got sweep;",
    );
    const { readCheckpoints, writeCheckpoint } = await import("../src/report/checkpoint.js");
    const folder = join(shop.folder, "other");
    const [checkpoint] = await readCheckpoints(folder);
    await writeCheckpoint(folder, { ...checkpoint, identity: { ...checkpoint.identity, redrive: "0.0.9" } });
    const older = await shop.run(["run", ...settings, "--out", "other", "--resume"]);
    expect(older.status).toBe(2);
    expect(older.stderr).toMatch(/^redrive: the version of redrive must be 0\.0\.9 to go on .*, got \d/);
    await writeCheckpoint(folder, checkpoint);
  });

  test("notices a damaged checkpoint and uses the one before", async () => {
    const file = join(shop.folder, "others/.redrive-checkpoint");
    const days = async () => {
      const args = ["sweep", "--scan", "1,2", ...settings, "--out", "others", "--resume"];
      const { stderr } = await shop.run(args, {
        meanwhile: async (child) => {
          await until(() => isLockedBy(child, "others"));
          await later(200);
          child.kill("SIGINT");
        },
      });
      return stderr;
    };
    const { length } = readFileSync(file);
    truncateSync(file, length - 1);
    expect(await days()).toMatch(/0 of 2 scenarios( and [\d,]+ days of the next one)? are kept in others/);
    const whole = readFileSync(file);
    whole[whole.length >> 1] ^= 1;
    writeFileSync(file, whole);
    expect(await days()).toMatch(/0 of 2 scenarios( and [\d,]+ days of the next one)? are kept in others/);
    writeFileSync(file, "");
    writeFileSync(`${file}.previous`, "redrive");
    expect(await days()).toContain("there is no unfinished result to go on with in others");
  });

  test("starts from the beginning where there is nothing to go on with", async () => {
    const { status, stderr } = await shop.run(["run", "--days", "10", "--out", "fresh", "--resume"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^there is no unfinished result to go on with in fresh; starting from the beginning\n/,
    );
  });

  test("completes a result of which only some files have their names", async () => {
    const args = ["run", "--days", "300", "--days-csv", "--quiet", "--out"];
    const expected = await shop.run([...args, "half"]);
    const before = shop.result("half");
    await shop.run([...args, "whole"]);
    // As a crash between two renames leaves it.
    const { writeCheckpoint } = await import("../src/report/checkpoint.js");
    const { identityOf } = await import("../src/commands/identity.js");
    const { checkRun } = await import("../src/experiment/settings.js");
    const { simulateRun } = await import("../src/experiment/simulate.js");
    const run = checkRun({ days: 300, threads: 1 });
    let tally: object | undefined;
    await simulateRun(run, {
      onTally: (done) => {
        tally = done.toData();
      },
    });
    const folder = join(shop.folder, "half");
    const names = ["days.csv", "summary.csv", "distribution.csv", "datapackage.json", "manifest.json"];
    for (const name of names.slice(2)) renameSync(join(folder, name), join(folder, `${name}.partial`));
    const output = { command: "run", daysCsv: true, csvDialect: "rfc4180", xlsx: false };
    await writeCheckpoint(folder, {
      identity: identityOf(run, run.scenario, output),
      lengths: new Map(),
      state: { tally, start: new Date(), elapsedMs: 5 },
      publishing: { names, stale: [] },
    });
    expect(await shop.run([...args, "half", "--resume"])).toEqual(expected);
    expect(shop.result("half")).toEqual(before);
    expect(shop.names("half")).toEqual([...names].sort());
  });
});

describe.runIf(isPosix)("two processes on one folder", () => {
  test("the second refuses, and writes nothing", async () => {
    let second: Awaited<ReturnType<Workshop["run"]>> | undefined;
    await shop.run(["run", "--days", "1e9", "--out", "shared"], {
      meanwhile: async (child) => {
        await until(() => hasCheckpoint("shared"));
        second = await shop.run(["run", "--days", "10", "--out", "shared"]);
        child.kill("SIGINT");
      },
    });
    expect(second).toMatchObject({ status: 2, stdout: "" });
    expect(second?.stderr).toMatch(
      /^redrive: --out must be a folder that no other process writes to, got shared \(process \d+ has been writing to it since 20[-\dT:.]+Z\)\n$/,
    );
    expect(shop.names("shared")).toEqual([".redrive-checkpoint", ".redrive-checkpoint.previous"]);
  });

  test("a lock of a dead process, or of one that has its number now, counts for nothing", async () => {
    let deadPid = 0;
    await shop.run(["--version"], {
      meanwhile: ({ pid = 0 }) => {
        deadPid = pid;
      },
    });
    for (const holder of [
      JSON.stringify({ pid: deadPid, host: hostname(), since: "x" }),
      JSON.stringify({ pid: process.pid, host: hostname(), since: "x", birth: "an earlier boot 1" }),
      "",
    ]) {
      mkdirSync(join(shop.folder, "locked"), { recursive: true });
      writeFileSync(join(shop.folder, "locked/.redrive-lock"), holder);
      const { status } = await shop.run(["run", "--days", "10", "--out", "locked"]);
      expect(status).toBe(0);
      expect(existsSync(join(shop.folder, "locked/.redrive-lock"))).toBe(false);
    }
    const elsewhere = JSON.stringify({ pid: 1, host: "elsewhere", since: "noon" });
    writeFileSync(join(shop.folder, "locked/.redrive-lock"), elsewhere);
    const { status, stderr } = await shop.run(["run", "--days", "10", "--out", "locked"]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      "process 1 on elsewhere has been writing to it since noon; if it no longer runs, remove the file .redrive-lock",
    );
  });
});

/** A file system of a few megabytes; undefined where it cannot be made. */
function mountSmall(folder: string, size: string): boolean {
  try {
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "redrive", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("a full disk", () => {
  test("is named, keeps what is done and can be gone on from", async ({ skip }) => {
    const disk = join(shop.folder, "disk");
    if (!mountSmall(disk, "4m")) skip("tmpfs cannot be mounted here");
    try {
      for (const command of [
        ["run", "--days", "1e5", "--seed", "full"],
        ["sweep", "--scan", "1,2,4,8", "--days", "25000", "--seed", "full"],
        ["sweep", "--scan", "1:100:1", "--days", "1000", "--seed", "full"],
      ]) {
        const args = [...command, "--days-csv", "--quiet", "--out"];
        const { status, stdout, stderr } = await shop.run([...args, "disk/out"]);
        expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
        expect(stderr).toMatch(
          /^redrive: failed: disk\/out\/[a-z.]+: no space left on the device; [\d,]+ of [\d,]+ (days|scenarios) are kept in disk\/out, the same command with --resume goes on from there\n$/,
        );
        const partial = shop.names("disk/out").filter((name) => !name.startsWith(".redrive-checkpoint"));
        expect(partial.every((name) => name.endsWith(".csv.partial"))).toBe(true);
        expect(shop.read("disk/out/days.csv.partial").endsWith("\r\n")).toBe(true);
        const still = await shop.run([...args, "disk/out", "--resume"]);
        expect(still.status).toBe(1);
        expect(still.stderr).toContain("no space left on the device");
        execFileSync("mount", ["-o", "remount,size=64m", disk]);
        const expected = await shop.run([...args, "roomy"]);
        expect(await shop.run([...args, "disk/out", "--resume"])).toEqual(expected);
        expect(shop.result("disk/out")).toEqual(shop.result("roomy"));
        execFileSync("rm", ["-r", join(disk, "out")]);
        execFileSync("mount", ["-o", "remount,size=4m", disk]);
      }
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});
