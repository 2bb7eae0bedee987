// The law of a job: the fates that it can meet, and how probable each is. Knows nothing of what they come to.
import { chanceOfNoFault, FateTree, fillNextFaults, settled } from "./fate-tree.js";
import type { Scenario } from "./scenario.js";

/** A tree of fates that has been grown. */
interface GrownTree {
  readonly tree: FateTree;
  /** The fate that has one fault less, and that fault; one entry per fate, those of the first mean nothing. */
  readonly parent: readonly number[];
  readonly fault: readonly number[];
  /** Fates of whose next faults some are not listed, but for a part of them. */
  readonly isCut: readonly boolean[];
  /** The chance, at most, that a job has a fate that is not listed. */
  readonly lost: number;
}

/** How many fates are listed. */
export interface Extent {
  /** Where there are more, none is. */
  readonly mostFates: number;
  /** The chance, at most, that a day has a job with a fate that is not listed; with 0, all possible ones are. */
  readonly negligible: number;
}

/**
 * The fates of a scenario. Those that are too improbable are not listed; the fate from which they branch off stands for
 * them.
 */
export class FateLaw {
  readonly #scenario: Scenario;
  readonly #grown: GrownTree;

  private constructor(scenario: Scenario, grown: GrownTree) {
    this.#scenario = scenario;
    this.#grown = grown;
  }

  /**
   * Lists the fates of a scenario that are not negligible for some of these KK3.
   *
   * @returns undefined where there are too many of them
   */
  static list(
    scenario: Scenario,
    ratios: Iterable<number>,
    { mostFates, negligible }: Extent,
  ): FateLaw | undefined {
    const tree = new FateTree(scenario);
    const highest = tree.situations.map(() => new Float64Array(tree.faultCount));
    for (const kk3 of ratios) {
      for (const [i, { chances }] of nextFaults(tree, scenario, kk3).entries()) {
        for (let fault = 0; fault < chances.length; fault++)
          highest[i][fault] = Math.max(highest[i][fault], chances[fault]);
      }
    }
    for (let cutoff = negligible / scenario.workflows / 100; ; cutoff /= 32) {
      const grown = growTree(scenario, highest, { cutoff, mostFates });
      if (grown === undefined) return undefined;
      if (grown.lost * scenario.workflows <= negligible) return new FateLaw(scenario, grown);
    }
  }

  /** The fates, numbered from 0, that of a clean job. */
  get tree(): FateTree {
    return this.#grown.tree;
  }

  /** Fates that are listed. */
  get length(): number {
    return this.#grown.tree.table.length;
  }

  /** The chance, at most, that a job has a fate that is not listed; 0 where all are. */
  get lost(): number {
    return this.#grown.lost;
  }

  /** The fault that a fate consists of, in the numbering of the tree; undefined where it has none or several. */
  singleFaultOf(fate: number): number | undefined {
    const { parent, fault } = this.#grown;
    return fate > 0 && parent[fate] === 0 ? fault[fate] : undefined;
  }

  /** The probability of each fate, for a job of a day with this KK3. */
  probabilitiesAt(kk3: number): Float64Array {
    const { tree, parent, fault, isCut } = this.#grown;
    const next = nextFaults(tree, this.#scenario, kk3);
    const reached = new Float64Array(this.length);
    const goneOn = new Float64Array(this.length);
    reached[0] = 1;
    // A child's row follows its parent's, so one pass meets each fate after its parent.
    for (let fate = 1; fate < this.length; fate++) {
      const from = parent[fate];
      reached[fate] = reached[from] * next[tree.situationOf(from)].chances[fault[fate]];
      goneOn[from] += reached[fate];
    }
    return reached.map((chance, fate) => {
      const situation = tree.situationOf(fate);
      if (situation === settled) return chance;
      const { none, any } = next[situation];
      return chance * none + (isCut[fate] ? Math.max(0, chance * any - goneOn[fate]) : 0);
    });
  }
}

/** What may happen next in each situation: the chance of each fault, of any and of none. */
function nextFaults(tree: FateTree, { kk2, steps }: Scenario, kk3: number) {
  const chance = { kk2, kk3, stepCount: steps.length };
  return tree.situations.map((situation) => {
    const chances = new Float64Array(tree.faultCount);
    const any = fillNextFaults(situation, chance, chances);
    return { chances, any, none: chanceOfNoFault(situation, chance) };
  });
}

/** All fates whose chance may be above the cutoff; undefined where there are too many. */
function growTree(
  scenario: Scenario,
  highest: readonly Float64Array[],
  { cutoff, mostFates }: { readonly cutoff: number; readonly mostFates: number },
): GrownTree | undefined {
  const tree = new FateTree(scenario);
  const parent = [0];
  const fault = [0];
  const isCut: boolean[] = [];
  const reached = [1];
  let lost = 0;
  for (let fate = 0; fate < tree.table.length; fate++) {
    const situation = tree.situationOf(fate);
    isCut.push(false);
    if (situation === settled) continue;
    const chances = highest[situation];
    for (let next = 0; next < chances.length; next++) {
      const chanceOfChild = reached[fate] * chances[next];
      if (chanceOfChild > cutoff) {
        const child = tree.child(fate, next);
        reached[child] = chanceOfChild;
        parent[child] = fate;
        fault[child] = next;
      } else if (chanceOfChild > 0) {
        isCut[fate] = true;
        lost += chanceOfChild;
      }
    }
    if (tree.table.length > mostFates) return undefined;
  }
  return { tree, parent, fault, isCut, lost };
}
