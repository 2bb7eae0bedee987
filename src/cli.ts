#!/usr/bin/env node
// The command line, as a table of contents: each command loads what it needs when it is called.
import { isatty } from "node:tty";
import { Command, CommanderError } from "commander";
import {
  addOptions,
  benchCommandOptions,
  mergeCommandOptions,
  modelCommandOptions,
  readOptions,
  reportCommandOptions,
  runCommandOptions,
  sweepCommandOptions,
  verifyCommandOptions,
} from "./commands/options.js";
import { version } from "./version.js";

/** Exit statuses beside 0: the run failed, the command line or the config is wrong. */
const failed = 1;
const misused = 2;

/** Lines about what is wrong; there may be as many as a file has. */
const mostLines = 50;

const abort = new AbortController();

const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));

const program = new Command("redrive")
  .description(
    "How many background jobs end half-finished, how often is work done twice, how late is a dead step found?\n" +
      "Simulates the scheduler-agent-supervisor pattern over many days.",
  )
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "redrive: ")) });

addOptions(program.command("run"), runCommandOptions)
  .description("simulate many days of one scenario, print the table and write the CSV files")
  .action(async (_, command: Command) => {
    const { run } = await import("./commands/run.js");
    await run(readOptions(command, runCommandOptions), abort.signal);
  });

addOptions(program.command("sweep"), sweepCommandOptions)
  .description(
    "simulate a grid of scenarios: every number of a scenario may be a list (1,2,4) or a range with its ends " +
      "(start:end:step, such as 0.001:0.02:0.001); prints what moves what and writes the CSV files",
  )
  .action(async (_, command: Command) => {
    const { sweep } = await import("./commands/sweep.js");
    await sweep(readOptions(command, sweepCommandOptions), abort.signal);
  });

addOptions(program.command("model"), modelCommandOptions)
  .description("the deterministic model: the lesson's three tables, or a fixture of your own")
  .action(async (_, command: Command) => {
    const { model } = await import("./commands/model.js");
    await model(readOptions(command, modelCommandOptions));
  });

addOptions(program.command("verify"), verifyCommandOptions)
  .description(
    "simulate and compare every metric with its exact distribution; exit status 1 if they disagree, " +
      "which happens to a correct program once in a million verifications. Without scenario options " +
      "it covers a spread of scenarios",
  )
  .action(async (_, command: Command) => {
    const { verify } = await import("./commands/verify.js");
    await verify(readOptions(command, verifyCommandOptions), abort.signal);
  });

addOptions(program.command("bench"), benchCommandOptions)
  .description("how fast the engines are on this machine")
  .action(async (_, command: Command) => {
    const { bench } = await import("./commands/bench.js");
    await bench(readOptions(command, benchCommandOptions), abort.signal);
  });

addOptions(program.command("report"), reportCommandOptions)
  .usage("[options] <folder>")
  .description(
    "pictures and one page that needs no network, from the folder of a run, sweep or bench;\n" +
      "nothing is simulated again",
  )
  .action(async (_, command: Command) => {
    const { report } = await import("./commands/report.js");
    await report(readOptions(command, reportCommandOptions), abort.signal);
  });

addOptions(program.command("merge"), mergeCommandOptions)
  .usage("[options] <folder...>")
  .description(
    "put the shards of a run or sweep together: the files are the same, byte for byte, as without shards;\n" +
      "refuses shards that are missing, doubled, damaged, of another result or of another version",
  )
  .action(async (_, command: Command) => {
    const { merge } = await import("./commands/merge.js");
    await merge(readOptions(command, mergeCommandOptions), abort.signal);
  });

for (const [signal, number] of [
  // The terminal was closed, or its connection lost.
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const) {
  process.on(signal, () => {
    // Of a closed terminal, shell and system may both tell.
    if (abort.signal.aborted && signal === "SIGHUP") return;
    process.exitCode = 128 + number;
    if (signal === "SIGHUP" && hasTerminal) process.on("exit", endByHangUp);
    // Whoever asks twice does not want to wait.
    if (abort.signal.aborted) process.exit();
    abort.abort();
  });
}

// A reader that closes the pipe has seen enough.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  // Whoever waited for the text to be out reports it; of help, nobody does.
  setImmediate(() => report(error));
});

try {
  checkNode();
  await program.parseAsync();
} catch (thrown) {
  const { cause, kept } = thrown as { readonly cause?: unknown; readonly kept?: string };
  const error = (thrown as Error).name === "EndedEarly" ? cause : thrown;
  if (error instanceof CommanderError) {
    // Help and version were asked for; all else is misuse, which commander has already explained.
    process.exitCode = error.exitCode === 0 ? 0 : misused;
  } else if (abort.signal.aborted) {
    process.stderr.write(`redrive: stopped; ${kept ?? "nothing was written"}\n`);
  } else if ((error as Error).name === "SettingsError") {
    const lines = (error as Error).message.split("\n");
    for (const line of lines.slice(0, mostLines)) process.stderr.write(`redrive: ${line}\n`);
    const more = lines.length - mostLines;
    if (more > 0) process.stderr.write(`redrive: and ${more.toLocaleString("en-US")} more\n`);
    process.exitCode = misused;
  } else {
    await report(error, kept);
  }
}

/** Says once why the command failed. */
async function report(error: unknown, kept?: string): Promise<void> {
  if (process.exitCode === failed) return;
  process.exitCode = failed;
  const { describeFileError } = await import("./report/file-error.js");
  const { path, syscall } = error as NodeJS.ErrnoException;
  const where = path ?? (syscall === "write" ? "standard output" : undefined);
  process.stderr.write(
    `redrive: failed: ${where === undefined ? "" : `${where}: `}${describeFileError(error)}` +
      `${kept === undefined ? "" : `; ${kept}`}\n`,
  );
}

/** Node would abort at its end, since it cannot put a terminal in order that is gone; the signal itself has the same status. */
function endByHangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

/** Older versions fail too, but do not say why. */
function checkNode(): void {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`redrive needs Node 20.19 or newer, this is ${process.versions.node}`);
}
