// Stand-ins for programs, which write down how they were called, for tests of shell scripts.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A folder to run scripts in, with programs that are found before others. */
export class StandIns {
  readonly folder = mkdtempSync(join(tmpdir(), "redrive-scripts-"));
  readonly bin = join(this.folder, "bin");

  constructor() {
    mkdirSync(this.bin);
  }

  /** Adds a program: what it does, in bash, beside writing down its arguments. */
  add(name: string, body = ""): string {
    const path = join(this.bin, name);
    writeFileSync(
      path,
      `#!/usr/bin/env bash\nprintf '%s\\0' "$@" >>'${path}.calls'; echo >>'${path}.calls'\n${body}\n`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  /** The arguments of each call so far, which are forgotten. */
  take(name: string): string[][] {
    const path = join(this.bin, `${name}.calls`);
    if (!existsSync(path)) return [];
    const calls = readFileSync(path, "utf8").split("\0\n").slice(0, -1);
    rmSync(path);
    return calls.map((call) => call.split("\0"));
  }

  /** Runs a program in the folder. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
    try {
      const stdout = execFileSync(program, args, {
        cwd: this.folder,
        encoding: "utf8",
        env: { ...process.env, PATH: `${this.bin}${delimiter}${process.env.PATH}`, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      return { status: 0, stdout, stderr: "" };
    } catch (error) {
      const { status, stdout, stderr } = error as Ran;
      return { status, stdout, stderr };
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
