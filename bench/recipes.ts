// Cases that occur in more than one suite.
import { chooseEngine, type EngineName } from "../src/engine/engine.js";
import { chooseBlockLength, estimateDayNs } from "../src/experiment/plan.js";
import type { Scenario } from "../src/model/scenario.js";
import { type Call, type Case, type Subject, type Unit, units } from "./case.js";
import { describeParameters, showCount } from "./parameters.js";
import { runningAll, runningBlocks } from "./work.js";

/** A case before a suite has it. */
export type SuiteCase = Omit<Case, "suite">;

/** What most cases have in common. */
export function common(what: string, scenario: Scenario) {
  const name = `${what}, ${describeParameters(scenario)}`;
  return { name, engine: undefined, scenario, threads: 1, cold: false };
}

/** A day, or a part of it, by the baseline. */
export function baselineCase(what: string, scenario: Scenario, unit: Unit, prepare: () => Call): SuiteCase {
  return { ...common(what, scenario), engine: "baseline", unit, unitsPerCall: 1, prepare };
}

/** What each thread of a run does. */
export function blockCase(what: string, engine: EngineName, scenario: Scenario, seed: string): SuiteCase {
  const unitsPerCall = chooseBlockLength(scenario, engine);
  return {
    ...common(what, scenario),
    engine,
    unit: units.whole,
    unitsPerCall,
    prepare: () => runningBlocks(engine, scenario, seed, unitsPerCall),
  };
}

/** A whole run, divided by its days. */
export function runCase(
  { scenario, seed, days: given, threads, engine: name }: Subject,
  mostDays: number,
): SuiteCase {
  const engine = chooseEngine(name);
  const days = given ?? Math.min(mostDays, daysWorth(3e9, scenario, engine));
  const what = `${engine}, ${showCount(threads, "thread")}, ${showCount(days, "day")}`;
  return {
    ...common(what, scenario),
    engine,
    threads,
    unit: units.whole,
    unitsPerCall: days,
    cold: true,
    prepare: () => runningAll(engine, scenario, seed, { days, threads }),
  };
}

/** About as many days as take so long: 1, 2 or 5 times a power of ten. */
export function daysWorth(ns: number, scenario: Scenario, engine: EngineName): number {
  const days = Math.max(1, ns / estimateDayNs(scenario, engine));
  const power = 10 ** Math.floor(Math.log10(days));
  return power * (days >= 5 * power ? 5 : days >= 2 * power ? 2 : 1);
}
