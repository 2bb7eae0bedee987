// The law of one job: each fate's probability and what it comes to. Everything exact follows from it.
import { FateOutcomes, type FieldName } from "../engine/fate-outcomes.js";
import { chanceOfNoFault, FateTree, fillNextFaults, settled } from "../model/fate-tree.js";
import type { Scenario } from "../model/scenario.js";

/** Fates beyond this number are not listed; 16 steps whose first attempts stall have one less. */
const mostFates = 1 << 17;

/** The fates of a scenario, one entry each. */
export interface FateLaw {
  readonly probabilities: Float64Array;
  readonly outcomes: FateOutcomes;
}

/** The law of one job; undefined where KK3 is uncertain or there are too many fates to list. */
export function deriveFateLaw(scenario: Scenario): FateLaw | undefined {
  const { kk3, kk2, steps } = scenario;
  if (typeof kk3 !== "number") return undefined;
  const tree = new FateTree(scenario);
  const chancesOf = tree.situations.map((situation) => {
    const chances = new Float64Array(tree.faultCount);
    fillNextFaults(situation, { kk2, kk3, stepCount: steps.length }, chances);
    return chances;
  });
  // A child's row follows its parent's, so one pass in the order of the rows meets each fate after its parent.
  const reached = [1];
  for (let fate = 0; fate < tree.table.length; fate++) {
    const situation = tree.situationOf(fate);
    if (situation === settled) continue;
    for (const [fault, chance] of chancesOf[situation].entries()) {
      if (chance > 0) reached[tree.child(fate, fault)] = reached[fate] * chance;
    }
    reached[fate] *= chanceOfNoFault(tree.situations[situation], { kk2, kk3, stepCount: steps.length });
    if (tree.table.length > mostFates) return undefined;
  }
  const outcomes = new FateOutcomes(scenario);
  outcomes.learnAll(tree.table);
  return { probabilities: Float64Array.from(reached), outcomes };
}

/** The distribution of a number that each job has, from the law of one job. */
export function jobDistribution(
  { probabilities, outcomes }: FateLaw,
  numberOf: (read: (name: FieldName) => number) => number,
): Map<number, number> {
  const distribution = new Map<number, number>();
  for (let fate = 0; fate < probabilities.length; fate++) {
    const value = numberOf((name) => outcomes.valueOf(fate, name));
    distribution.set(value, (distribution.get(value) ?? 0) + probabilities[fate]);
  }
  return distribution;
}
