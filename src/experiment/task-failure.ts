// What to say of a task that cannot be done: where it failed, and why, in one line.
import { SettingsError } from "../model/settings.js";
import type { Task } from "./task.js";
import type { ExactTask } from "./worker.js";

/** The error of a task, with what it was about; settings that do not fit say so themselves. */
export function failureOf(task: Task | ExactTask, cause: unknown, how = ""): Error {
  if (cause instanceof SettingsError) return cause;
  return new Error(`${describeTask(task)}: ${how}${reasonOf(cause)}`, { cause });
}

/** The first line of what an error says. */
export function reasonOf(error: unknown): string {
  return String((error as Error).message ?? error).split("\n")[0];
}

/** Which scenarios and days a task is about; days from 1. */
function describeTask(task: Task | ExactTask): string {
  if ("exactOf" in task) return "exact results";
  if ("block" in task) {
    const { study, block } = task;
    return `scenario ${study.number}, days ${block.begin + 1} to ${block.end}`;
  }
  if ("result" in task) return `scenario ${task.result.number}`;
  const [first, last] = [task.studies[0], task.studies[task.studies.length - 1]];
  return first === last
    ? `scenario ${first.number}, days 1 to ${first.days}`
    : `scenarios ${first.number} to ${last.number}, days 1 to ${first.days}`;
}
