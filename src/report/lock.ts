// A lock on a result folder: one process writes to it at a time. That of a process that is dead counts for nothing.
import { readFileSync, rmSync } from "node:fs";
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const lockName = ".redrive-lock";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the lock was taken. */
  readonly since: string;
  /** Tells processes apart that had the same number one after the other, where the system says. */
  readonly birth: string | undefined;
}

/** A folder that another process writes to. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";

  constructor({ pid, host, since }: Holder) {
    const place = host === hostname() ? "" : ` on ${host}`;
    const remedy =
      host === hostname() ? "" : `; if it no longer runs, remove the file ${lockName} in that folder`;
    super(`process ${pid}${place} has been writing to it since ${since}${remedy}`);
  }
}

/** A lock that this process holds; it goes with the process. */
export class FolderLock {
  readonly #path: string;
  readonly #release = () => rmSync(this.#path, { force: true });

  private constructor(path: string) {
    this.#path = path;
    process.once("exit", this.#release);
  }

  /** @throws FolderInUseError while another process holds it */
  static async take(folder: string): Promise<FolderLock> {
    const path = join(folder, lockName);
    const own = `${path}-${process.pid}`;
    const { pid } = process;
    const me: Holder = { pid, host: hostname(), since: new Date().toISOString(), birth: birthOf(pid) };
    await writeFile(own, `${JSON.stringify(me)}\n`);
    try {
      for (;;) {
        if (await create(path, own)) {
          await removeOrphans(folder);
          return new FolderLock(path);
        }
        const text = await readFile(path, "utf8").catch(() => undefined);
        if (text === undefined) continue;
        const holder = parseHolder(text);
        if (holder !== undefined && isAlive(holder)) throw new FolderInUseError(holder);
        await removeStale(path, text);
      }
    } finally {
      await rm(own, { force: true });
    }
  }

  release(): void {
    process.off("exit", this.#release);
    this.#release();
  }
}

/** Gives the file of this process the name of the lock, unless there is one: whole, and in one step. */
async function create(path: string, own: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code === "ENOENT") throw error;
  }
  // A file system without hard links.
  try {
    await writeFile(path, await readFile(own), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock with this text; one that somebody else has taken in the meantime gets its name back. */
async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}-${process.pid}-stale`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8")) !== text) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** Removes files of processes that died while they took the lock. */
async function removeOrphans(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const pid = /^\.redrive-lock-(\d+)/.exec(entry)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, entry), { force: true });
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, host, since, birth } = JSON.parse(text);
    return typeof pid === "number" && typeof host === "string" ? { pid, host, since, birth } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process runs; of other machines nobody knows, so there it does. */
function isAlive({ pid, host, birth }: Holder): boolean {
  if (host !== hostname()) return true;
  return isRunning(pid) && (birth === undefined || birth === birthOf(pid));
}

/** Whether this machine has a process of that number. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The boot and the moment at which a process began, on Linux. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    return `${boot} ${status.slice(status.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return undefined;
  }
}
