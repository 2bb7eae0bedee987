// How long a task takes, and whether the thread that listens to its user may do it itself.
import type { Scenario } from "../model/scenario.js";
import { calendarLength, countFates, estimateFaults } from "./day-size.js";
import { estimateDayNs } from "./plan.js";
import type { Task } from "./task.js";
import { estimateDescribingNs, estimateStudyNs } from "./task-plan.js";

/** Longer work is for other threads: until it is done, a thread hears no signal. */
const longestHereNs = 250e6;

/** More fates than these are not listed. */
const mostListed = 1 << 17;

/** What a fate takes to be listed and learned, each of its re-drives and each round of a calendar. */
const fateNs = 5000;
const redriveNs = 20;
const roundNs = 4;

/** Integrals over an uncertain KK3, and over that of many jobs. */
const uncertainNs = 120e6;
const uncertainOfManyNs = 1e9;
const manyJobs = 100_000;

/** Sums of exact results: so many, up to this wide, with so much work for each value and each number that is added. */
const sums = 7;
const widestSum = 1 << 20;
const valueNs = 40;
const termNs = 5;

/** About how long a task takes, without what has to be learned for it. */
export function estimateTaskNs(task: Task): number {
  if ("result" in task) return estimateDescribingNs(task.result.scenario);
  if ("studies" in task) return task.studies.reduce((sum, study) => sum + estimateStudyNs(study), 0);
  const { study, block } = task;
  return (block.end - block.begin) * estimateDayNs(study.scenario, study.engine);
}

/** Whether a task may take so long that a thread that does it hears a signal too late. */
export function isLongTask(task: Task): boolean {
  return estimateTaskNs(task) + estimateSetupNs(task) > longestHereNs;
}

function estimateSetupNs(task: Task): number {
  if ("result" in task) return estimateExactNs(task.result.scenario);
  if ("block" in task) return estimateLearningNs(task.study.scenario);
  return task.studies.reduce((sum, { scenario }) => sum + estimateExactNs(scenario), 0);
}

/** The same of exact results. */
export function isLongAnswer(scenario: Scenario): boolean {
  return estimateExactNs(scenario) > longestHereNs;
}

/** About how long it takes, at most, to list the fates of a scenario and to learn what they come to. */
function estimateLearningNs(scenario: Scenario): number {
  const { steps, stallOn, retryLimit } = scenario;
  const redrives = steps.length * (stallOn === "first-attempt" ? 1 : retryLimit / 2) + retryLimit;
  const fates = Math.min(countFates(scenario), mostListed);
  // One step may be re-driven so often that its fates are many re-drives each.
  return fates * (fateNs + redriveNs * redrives) + roundNs * calendarLength(scenario);
}

/** About how long exact results take, at most. */
function estimateExactNs(scenario: Scenario): number {
  const { workflows, kk3 } = scenario;
  const faultsOfJob = Math.max(1, estimateFaults(scenario) / workflows);
  const width = Math.min(widestSum, 20 * Math.sqrt(workflows) * faultsOfJob);
  const terms = Math.min(countFates(scenario), 4 * scenario.steps.length * scenario.retryLimit);
  const integralNs = workflows > manyJobs ? uncertainOfManyNs : uncertainNs;
  return (
    estimateLearningNs(scenario) +
    sums * width * (valueNs + termNs * terms) +
    (typeof kk3 === "number" ? 0 : integralNs)
  );
}
