// The scripts for Slurm, without Slurm: what submit asks sbatch for, and what a task then asks redrive for.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StandIns } from "./stand-ins.js";

const scripts = fileURLToPath(new URL("../scripts/slurm", import.meta.url));
const script = (name: string) => join(scripts, name);

let programs: StandIns;
let redrive: string;
beforeAll(() => {
  programs = new StandIns();
  redrive = programs.add("redrive");
  // Numbers the jobs; a federation's answer has the cluster after it.
  programs.add(
    "sbatch",
    `n=$(cat "$0.n" 2>/dev/null || echo 40); echo $((n + 1)) >"$0.n"; echo "$((n + 1));here"`,
  );
  programs.add("scontrol", 'echo "MaxArraySize            = 101"');
});
afterAll(() => programs.close());

/** A call of sbatch: its options, the script, and the arguments of the script. */
function split(call: readonly string[]) {
  const at = call.findIndex((arg) => arg.endsWith(".sbatch"));
  return { options: call.slice(0, at), script: call[at], args: call.slice(at + 1) };
}

const submit = (...args: string[]) => {
  const { status, stdout, stderr } = programs.run(script("submit"), args, { REDRIVE: redrive });
  return { status, stdout, stderr, jobs: programs.take("sbatch").map(split) };
};

/** What the tasks of an array call redrive with. */
const runTask = (job: ReturnType<typeof split>, task: number, jobId = "7") => {
  const { status, stderr } = programs.run("bash", [job.script, ...job.args], {
    SLURM_ARRAY_TASK_ID: `${task}`,
    SLURM_CPUS_PER_TASK: "3",
    SLURM_JOB_ID: jobId,
    // A number that must not count.
    SLURM_ARRAY_TASK_COUNT: "1",
  });
  return { status, stderr, calls: programs.take("redrive") };
};

describe.runIf(process.platform !== "win32")("scripts/slurm", () => {
  beforeEach(() => {
    rmSync(join(programs.bin, "sbatch.n"), { force: true });
    programs.add("squeue");
    for (const name of readdirSync(programs.folder)) {
      if (name !== "bin") rmSync(join(programs.folder, name), { recursive: true });
    }
  });

  test.each(readdirSync(scripts).filter((name) => !name.endsWith(".md")))(
    "%s is a script of bash",
    (name) => {
      expect(programs.run("bash", ["-n", script(name)])).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  test("submit makes an array of as many tasks as shards, and a merge that follows if all are done", () => {
    const { status, stdout, jobs } = submit("4", "the results/big", "--time=8:00:00", "run", "--days", "1e9");
    expect(status).toBe(0);
    expect(jobs).toEqual([
      {
        options: [
          ...["--parsable", "--time=8:00:00", "--array=1-4"],
          "--output=the results/big-shards/log/%A_%a.log",
        ],
        script: script("array.sbatch"),
        args: [redrive, "4", "the results/big", "0", "run", "--days", "1e9"],
      },
      {
        options: [
          ...["--parsable", "--time=8:00:00", "--dependency=afterok:41", "--kill-on-invalid-dep=yes"],
          "--output=the results/big-shards/log/%j.log",
        ],
        script: script("merge.sbatch"),
        args: [redrive, "4", "the results/big"],
      },
    ]);
    expect(stdout).toBe(
      "array 41: shards 1 to 4 of 4, in the results/big-shards\n" +
        "merge 42: when all of them are done, into the results/big\n",
    );
    // Slurm makes no folders for its logs.
    expect(existsSync(join(programs.folder, "the results/big-shards/log"))).toBe(true);
  });

  test("a task hands redrive's options on as they were typed, with its own shard, folder and threads", () => {
    const typed = ["--kk3", "uniform(0, 0.01)", "--seed", `it's "$HOME" \\ *`, ""];
    const { jobs } = submit("4", "the results/big/", "sweep", ...typed);
    expect(runTask(jobs[0], 3).calls).toEqual([
      [
        ...["sweep", "--threads", "3", ...typed],
        ...["--shard", "3/4", "--out", "the results/big-shards/3-of-4", "--resume"],
      ],
    ]);
  });

  test("the merge takes the folders of this number of shards, and nothing beside them", () => {
    const { jobs } = submit("3", "the results/big", "run");
    const shards = join(programs.folder, "the results/big-shards");
    for (const name of ["1-of-3", "2-of-3", "3-of-3", "1-of-13", "2-of-2"]) mkdirSync(join(shards, name));
    writeFileSync(join(shards, "1-of-3.jobs"), "7\n");
    programs.run("bash", [jobs[1].script, ...jobs[1].args]);
    expect(programs.take("redrive")).toEqual([
      [
        "merge",
        ...["1-of-3", "2-of-3", "3-of-3"].map((name) => `the results/big-shards/${name}`),
        ...["--out", "the results/big"],
      ],
    ]);
  });

  test("more shards than an array may have take several, and every shard has one task", () => {
    const { stdout, jobs } = submit("250", "big", "run");
    const merge = jobs.pop()!;
    expect(jobs.map(({ options }) => options[1])).toEqual(["--array=1-100", "--array=1-100", "--array=1-50"]);
    expect(merge.options).toContain("--dependency=afterok:41:42:43");
    expect(stdout).toContain("array 43: shards 201 to 250 of 250, in big-shards\n");
    mkdirSync(join(programs.folder, "big-shards"), { recursive: true });
    const shardOf = (job: number, task: number) => runTask(jobs[job], task).calls[0].slice(3, 5);
    expect(shardOf(0, 100)).toEqual(["--shard", "100/250"]);
    expect(shardOf(1, 1)).toEqual(["--shard", "101/250"]);
    expect(shardOf(2, 50)).toEqual(["--shard", "250/250"]);
  });

  test.each([["--array=3"], ["-a", "3"], ["--array", "3"]])(
    "%s %s submits one shard again, of as many as before, and one merge",
    (...option) => {
      const { jobs } = submit("250", "big", ...option.filter(Boolean), "--partition=long", "run");
      expect(jobs).toHaveLength(2);
      expect(jobs[0].options).toContain("--array=3");
      expect(jobs[1].options.filter((given) => /^(--array|-a|3$)/.test(given))).toEqual([]);
      expect(jobs[1].options).toContain("--partition=long");
      expect(runTask(jobs[0], 3).calls[0]).toContain("3/250");
    },
  );

  describe("a task that finds a lock", () => {
    const lock = () => join(programs.folder, "big-shards/3-of-4/.redrive-lock");
    const jobs = () => join(programs.folder, "big-shards/3-of-4.jobs");
    /** Task 3 of job 8, after tasks of these jobs. */
    const runAfter = (before: readonly string[]) => {
      const array = submit("4", "big", "run").jobs[0];
      mkdirSync(join(lock(), ".."), { recursive: true });
      writeFileSync(lock(), "before");
      if (before.length > 0) writeFileSync(jobs(), before.map((job) => `${job}\n`).join(""));
      const { status, stderr, calls } = runTask(array, 3, "8");
      return { status, stderr, begun: calls.length, locked: existsSync(lock()) };
    };

    test("takes it away where Slurm no longer knows the jobs that may hold it", () => {
      programs.add("squeue", "printf '5\\n77\\n'");
      expect(runAfter(["6", "7"])).toEqual({ status: 0, stderr: "", begun: 1, locked: false });
      expect(readFileSync(jobs(), "utf8")).toBe("6\n7\n8\n");
    });

    test("takes it away where its own job was requeued", () => {
      programs.add("squeue", "printf '5\\n8\\n'");
      expect(runAfter(["8"])).toEqual({ status: 0, stderr: "", begun: 1, locked: false });
    });

    test("leaves the shard to a job in the queue, however many were refused since", () => {
      programs.add("squeue", "printf '5\\n7\\n8\\n'");
      const stderr = "shard 3/4 is left to job 7, which is in the queue\n";
      expect(runAfter(["7", "6"])).toEqual({ status: 1, stderr, begun: 0, locked: true });
      expect(readFileSync(jobs(), "utf8")).toBe("7\n6\n");
    });

    test("leaves it as it is where no task has been, for redrive to judge", () => {
      expect(runAfter([])).toEqual({ status: 0, stderr: "", begun: 1, locked: true });
    });

    test("leaves it to whoever has taken it in the meantime", () => {
      programs.add("squeue", `echo after >'${lock()}'`);
      expect(runAfter(["7"])).toEqual({ status: 0, stderr: "", begun: 1, locked: true });
    });

    test("does nothing while Slurm does not answer", () => {
      programs.add("squeue", "exit 3");
      expect(runAfter(["7"])).toEqual({ status: 3, stderr: "", begun: 0, locked: true });
    });
  });

  test.each([
    [["four", "big", "run"], "SHARDS must be a whole number from 1, got four"],
    [["0", "big", "run"], "SHARDS must be a whole number from 1, got 0"],
    [[], "SHARDS must be a whole number from 1, got nothing"],
    [["4"], "FOLDER must be the folder of the result, got nothing"],
    [["4", "big", "--time=1"], "a redrive command must follow, run or sweep"],
  ])("submit %j says what is wrong and submits nothing", (args, message) => {
    const { status, stderr, jobs } = submit(...args);
    expect({ status, first: stderr.split("\n")[0], jobs }).toEqual({
      status: 2,
      first: `submit: ${message}`,
      jobs: [],
    });
  });
});
