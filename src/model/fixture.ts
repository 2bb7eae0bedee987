// A fixture: a few named jobs whose faults are given, not drawn. The reference model of the lesson is one.
import { FateCounts, FateTable } from "./fates.js";
import { maxRounds, type Policy } from "./scenario.js";
import {
  checkSettings,
  flag,
  names,
  parsed,
  SettingsError,
  type SettingTable,
  suggestion,
  text,
  whole,
} from "./settings.js";

/** A supervisor's policy, or its absence. */
export interface FixturePolicy extends Policy {
  readonly supervisor: boolean;
}

/** Named jobs, their faults and a policy. */
export interface Fixture {
  readonly name?: string;
  readonly jobs: readonly string[];
  readonly steps: readonly string[];
  /** By job: the steps of which the first attempt stalls. */
  readonly stalled: Readonly<Record<string, readonly string[]>>;
  /** By job: the step that never passes. */
  readonly persistent: Readonly<Record<string, string>>;
  readonly policy: FixturePolicy;
}

/** A fixture as one writes it: jobs and steps as counts or names, what is left out as in the lesson. */
export interface FixtureInput {
  readonly name?: string;
  readonly jobs: number | readonly string[];
  readonly steps: number | readonly string[];
  readonly stalled?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly persistent?: Readonly<Record<string, string | number>>;
  readonly policy?: Partial<FixturePolicy>;
}

/** The policy of the lesson. */
export const lessonPolicy: FixturePolicy = { supervisor: true, scan: 2, lease: 2, retryLimit: 3, rounds: 80 };

const policySettings = {
  supervisor: flag(),
  scan: whole(1, maxRounds),
  lease: whole(1, maxRounds),
  retryLimit: whole(1, 65535),
  rounds: whole(1, maxRounds),
} satisfies SettingTable;

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

const fixtureSettings = {
  name: text(),
  jobs: names(1, 1_000_000),
  steps: names(1, 1000),
  stalled: parsed("an object that gives a list of steps for each job", (input) =>
    isObject(input) && Object.values(input).every(Array.isArray)
      ? (input as Record<string, unknown[]>)
      : undefined,
  ),
  persistent: parsed("an object that gives a step for each job", (input) =>
    isObject(input) ? input : undefined,
  ),
  policy: parsed("an object of settings", (input) => (isObject(input) ? input : undefined)),
  // Golden files carry their expected results; they are for whoever compares.
  expected: parsed("an object", (input) => (isObject(input) ? input : undefined)),
} satisfies SettingTable;

/**
 * Checks a {@link FixtureInput}, such as one read from JSON: `jobs` and `steps` are counts or lists of names; `stalled`, `persistent` and
 * `policy` may be left out, as may each part of the policy.
 *
 * @param label - how the fixture is called in error texts
 * @throws SettingsError with one line for each thing wrong
 */
export function resolveFixture(input: unknown, label = "fixture"): Fixture {
  const { values, problems } = checkSettings(fixtureSettings, input, (setting) =>
    setting === undefined ? label : `${label}: ${setting}`,
  );
  const policy = checkSettings(
    policySettings,
    values.policy ?? {},
    (setting = "") => `${label}: policy.${setting}`,
  );
  problems.push(...policy.problems);
  const {
    name,
    jobs = [],
    steps = [],
    stalled: stalledInput = {},
    persistent: persistentInput = {},
  } = values;
  if (isObject(input)) {
    for (const needed of ["jobs", "steps"])
      if (!(needed in input)) problems.push(`${label}: ${needed} is missing`);
  }
  const stalled = Object.fromEntries(
    Object.entries(stalledInput).map(([job, list]) => [job, list.map(String)]),
  );
  const persistent = Object.fromEntries(
    Object.entries(persistentInput).map(([job, step]) => [job, String(step)]),
  );
  if (problems.length === 0) {
    const knownJobs = new Set(jobs);
    const knownSteps = new Set(steps);
    const check = (where: string, given: string, what: string, known: Set<string>) => {
      if (known.has(given)) return;
      problems.push(
        `${label}: ${where} names the ${what} ${given}, which is unknown${suggestion(given, [...known])}`,
      );
    };
    for (const [job, list] of Object.entries(stalled)) {
      check("stalled", job, "job", knownJobs);
      for (const step of list) check(`stalled.${job}`, step, "step", knownSteps);
    }
    for (const [job, step] of Object.entries(persistent)) {
      check("persistent", job, "job", knownJobs);
      check(`persistent.${job}`, step, "step", knownSteps);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const resolved = { jobs, steps, stalled, persistent, policy: { ...lessonPolicy, ...policy.values } };
  return name === undefined ? resolved : { name, ...resolved };
}

/** The fates of a fixture's jobs, one row and one job each after the clean fate. */
export function fixtureFates({ jobs, steps, stalled, persistent }: Fixture): {
  fates: FateTable;
  day: FateCounts;
} {
  const fates = new FateTable(steps.length);
  const day = new FateCounts();
  const stepOf = new Map(steps.map((step, index) => [step, index]));
  for (const job of jobs) {
    const fate = fates.add();
    for (const step of new Set(Object.hasOwn(stalled, job) ? stalled[job] : [])) {
      fates.addStall(fate, stepOf.get(step) as number);
    }
    if (Object.hasOwn(persistent, job)) fates.setPersistent(fate, stepOf.get(persistent[job]) as number);
    day.add(fate, 1);
  }
  return { fates, day };
}
