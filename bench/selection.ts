// Which cases are measured, and with which baseline each is compared.
import type { Case, Subject } from "./case.js";
import { suites } from "./suites.js";

/** Beyond these, one day takes a second or more: jobs times rounds for the baseline, jobs for the event engine. */
const mostBaselineWork = 1e8;
const mostEventJobs = 4_000_000;

/** All cases for a subject, suite by suite. */
export function listCases(subject: Subject): Case[] {
  const engines = subject.engine === "auto" ? ["table", "event"] : [subject.engine];
  const wanted = [undefined, "baseline", ...engines];
  return suites.flatMap(({ name, cases }) =>
    cases(subject)
      .map((each): Case => ({ ...each, suite: name }))
      .filter((each) => wanted.includes(each.engine) && isAffordable(each)),
  );
}

/** The cases of some suites, and the baselines with which they are compared. */
export function selectCases(cases: readonly Case[], suiteNames: readonly string[]): Case[] {
  const selected = new Set(cases.filter(({ suite }) => suiteNames.includes(suite)));
  for (const each of [...selected]) {
    const baseline = findBaseline(each, cases);
    if (baseline !== undefined) selected.add(baseline);
  }
  return cases.filter((each) => selected.has(each));
}

/**
 * The baseline's case with the same unit of work, on days of as many jobs, steps and rounds; KK3 may be another, since
 * it hardly changes what the baseline does.
 */
export function findBaseline(of: Case, cases: readonly Case[]): Case | undefined {
  const { workflows, steps, rounds } = of.scenario;
  return cases.find(
    ({ engine, unit, scenario }) =>
      engine === "baseline" &&
      unit === of.unit &&
      scenario.workflows === workflows &&
      scenario.steps.length === steps.length &&
      scenario.rounds === rounds,
  );
}

function isAffordable({ engine, scenario: { workflows, rounds } }: Case): boolean {
  if (engine === "baseline") return workflows * rounds <= mostBaselineWork;
  return engine !== "event" || workflows <= mostEventJobs;
}
