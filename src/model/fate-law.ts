// The law of a job: every fate that it can meet, and how probable each is.
import { chanceOfNoFault, FateTree, fillNextFaults, settled } from "./fate-tree.js";
import type { Scenario } from "./scenario.js";

/** All fates of a scenario; in the order of the tree's table, so those with a single fault follow the clean one. */
export interface FateLaw {
  readonly tree: FateTree;
  /** The probability of each fate; they add up to 1. */
  readonly probabilities: Float64Array;
}

/**
 * Lists the fates of a scenario and their probabilities at a given KK3.
 *
 * @returns undefined where there are more than `mostFates`
 */
export function listFates(scenario: Scenario, kk3: number, mostFates: number): FateLaw | undefined {
  const { kk2, steps } = scenario;
  const ratios = { kk2, kk3, stepCount: steps.length };
  const tree = new FateTree(scenario);
  for (let fault = 0; fault < tree.faultCount; fault++) tree.child(0, fault);
  const chancesOf = tree.situations.map((situation) => {
    const chances = new Float64Array(tree.faultCount);
    fillNextFaults(situation, ratios, chances);
    return chances;
  });
  const lastChanceOf = tree.situations.map((situation) => chanceOfNoFault(situation, ratios));
  // A child's row follows its parent's, so one pass in the order of the rows meets each fate after its parent.
  const probabilities = [1];
  for (let fate = 0; fate < tree.table.length; fate++) {
    if (tree.table.length > mostFates) return undefined;
    const reached = probabilities[fate] ?? 0;
    probabilities[fate] = reached;
    const situation = tree.situationOf(fate);
    if (situation === settled || reached === 0) continue;
    for (const [fault, chance] of chancesOf[situation].entries()) {
      if (chance > 0) probabilities[tree.child(fate, fault)] = reached * chance;
    }
    probabilities[fate] = reached * lastChanceOf[situation];
  }
  return { tree, probabilities: Float64Array.from(probabilities) };
}
