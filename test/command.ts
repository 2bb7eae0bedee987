// The command line, built, in a process of its own, for tests that interrupt it or take things away from it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const cli = fileURLToPath(new URL("../dist/src/cli.js", import.meta.url));

export interface Done {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4e9;
}

/** A folder to run commands in; in memory where there is such a place, since checkpoints wait for the disk. */
export class Workshop {
  readonly folder = mkdtempSync(join(hasRoom("/dev/shm") ? "/dev/shm" : tmpdir(), "redrive-test-"));

  /** Starts a command and, while it runs, does something with its process. */
  run(
    args: readonly string[],
    { env = {}, meanwhile }: { env?: object; meanwhile?: (child: ChildProcess) => unknown } = {},
  ): Promise<Done> {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    void meanwhile?.(child);
    return new Promise((done) =>
      child.on("close", (status, signal) => done({ status, signal, stdout, stderr })),
    );
  }

  /** Runs a line of shell, in which `redrive` stands for the command. */
  shell(line: string): Promise<Done> {
    const child = spawn("bash", ["-c", `redrive() { "${process.execPath}" "${cli}" "$@"; }; ${line}`], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    return new Promise((done) =>
      child.on("close", (status, signal) => done({ status, signal, stdout, stderr })),
    );
  }

  /** The names in a folder, sorted. */
  names(folder: string): string[] {
    return readdirSync(join(this.folder, folder)).sort();
  }

  /** The files of a result that depend on its settings alone. */
  result(folder: string): Record<string, string> {
    const names = this.names(folder).filter((name) => name !== "manifest.json");
    return Object.fromEntries(names.map((name) => [name, this.read(folder, name)]));
  }

  read(...path: string[]): string {
    return readFileSync(join(this.folder, ...path), "latin1");
  }

  /** When a file was changed last; undefined where there is none. */
  tryMtime(...path: string[]): number | undefined {
    return statSync(join(this.folder, ...path), { throwIfNoEntry: false })?.mtimeMs;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Waits until something holds, for so long that a test fails otherwise. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 4000 && !holds(); i++) await later(5);
}
