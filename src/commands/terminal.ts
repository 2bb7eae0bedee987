// What a command says, and where: results on stdout, all else on stderr.
import { hasColor, type Style } from "../report/terminal.js";

/** Writes a result to stdout and waits until it is out, so that a full disk is an error and a slow reader is served. */
export async function print(text: string): Promise<void> {
  await new Promise<void>((done, fail) => {
    process.stdout.write(text, (error) => (error ? fail(error) : done()));
  });
}

/** Writes a line about the result to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Emphasis on stdout, where it is wanted and shows. */
export function styleOfStdout(color: boolean | undefined): Style {
  const { isTTY, columns } = process.stdout;
  const isPlain = !isTTY || process.env.TERM === "dumb";
  return { color: color !== false && hasColor(process.stdout), columns: isPlain ? undefined : columns || 80 };
}

/** A progress bar on stderr. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

/** Work below this is over before a bar could be read. */
const worthABarNs = 1.5e9;

/**
 * Shows a progress bar for work that takes long enough, on a terminal; otherwise does nothing.
 *
 * @param isUpTo - whether the work may end before the total, so that nobody knows the time left
 */
export async function startProgress(
  total: number,
  estimatedNs: number,
  quiet: boolean,
  unit = "days",
  isUpTo = false,
): Promise<Progress> {
  const isCapable = process.stderr.isTTY && process.env.TERM !== "dumb";
  if (quiet || !isCapable || estimatedNs < worthABarNs) return { update() {}, stop() {} };
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    format: isUpTo
      ? `{value} ${unit}, at most {total} | {duration_formatted}`
      : `{bar} {percentage} % | {value} of {total} ${unit} | {eta_formatted} left`,
    barCompleteChar: "#",
    barIncompleteChar: ".",
    hideCursor: true,
    clearOnComplete: true,
    fps: 8,
  });
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
