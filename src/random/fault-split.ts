// The chances by which jobs part at their next fault. Draws nothing itself.
import { type FateTree, settled } from "../model/fate-tree.js";
import type { Binomials } from "./binomial.js";

/** How jobs that meet at least one more fault split: by whether it is their last, then by which it is. */
export class FaultSplit {
  /** The faults that may be the next and the last. */
  readonly last: FaultSpread;
  /** The faults that may be the next but not the last. */
  readonly further: FaultSpread;
  /** Number of the binomial that says for how many of a group it is not the last. */
  readonly furtherBinomial: number;
  /** The chance of any fault. */
  total = 0;
  /** The situation after each fault, or `settled`. */
  readonly #after: Int32Array;
  /** Scratch: the chance of each fault to be the next and, or but not, the last. */
  readonly #lastChances: Float64Array;
  readonly #furtherChances: Float64Array;

  /** @param firstBinomial - twice as many binomials as there are faults are for this split */
  constructor(tree: FateTree, situation: number, firstBinomial: number) {
    const { faultCount, situations } = tree;
    const { step: from, stalls } = situations[situation];
    const stepCount = faultCount / 2;
    const stepOf = (fault: number) => fault % stepCount;
    const faults = Array.from({ length: faultCount }, (_, fault) => fault);
    this.#after = Int32Array.from(faults, (fault) =>
      tree.situationAfter(fault, stepOf(fault) === from ? stalls + 1 : 1),
    );
    this.#lastChances = new Float64Array(faultCount);
    this.#furtherChances = new Float64Array(faultCount);
    const possible = faults.filter((fault) => stepOf(fault) >= from);
    this.last = new FaultSpread(possible, firstBinomial);
    this.further = new FaultSpread(
      possible.filter((fault) => this.#after[fault] !== settled),
      firstBinomial + faultCount,
    );
    this.furtherBinomial = firstBinomial;
  }

  /**
   * @param chances - of each fault to be the next
   * @param anyFault - in each situation the chance of any fault
   */
  setChances(chances: Float64Array, anyFault: Float64Array, binomials: Binomials): void {
    for (let fault = 0; fault < chances.length; fault++) {
      const after = this.#after[fault];
      const goesOn = after === settled ? 0 : anyFault[after];
      this.#lastChances[fault] = chances[fault] * (1 - goesOn);
      this.#furtherChances[fault] = chances[fault] * goesOn;
    }
    const { last, further } = this;
    last.setChances(this.#lastChances, binomials);
    further.setChances(this.#furtherChances, binomials);
    this.total = last.total + further.total;
    binomials.setChance(this.furtherBinomial, further.total === 0 ? 0 : further.total / this.total);
  }
}

/** How jobs spread over faults: those of a large group as the leaves of the tree of {@link Binomials.spread}. */
export class FaultSpread {
  /** In the numbering of the fate tree. */
  readonly faults: Int32Array;
  /** What the numbers of the tree's nodes are added to, to give those of their binomials. */
  readonly firstBinomial: number;
  /** The chance of each fault and all before it, together. */
  readonly cumulative: Float64Array;
  /** The chance of all of them together. */
  total = 0;
  /** Scratch: the chance of each node. */
  readonly #mass: Float64Array;

  constructor(faults: readonly number[], firstBinomial: number) {
    this.faults = Int32Array.from(faults);
    this.firstBinomial = firstBinomial;
    this.cumulative = new Float64Array(faults.length);
    this.#mass = new Float64Array(2 * faults.length);
  }

  /** @param chances - of each fault, in the numbering of the fate tree */
  setChances(chances: Float64Array, binomials: Binomials): void {
    const { faults, cumulative, firstBinomial } = this;
    const leaves = faults.length;
    const mass = this.#mass;
    this.total = 0;
    for (let i = 0; i < leaves; i++) {
      mass[leaves + i] = chances[faults[i]];
      this.total += mass[leaves + i];
      cumulative[i] = this.total;
    }
    for (let node = leaves - 1; node > 0; node--) {
      mass[node] = mass[2 * node] + mass[2 * node + 1];
      binomials.setChance(firstBinomial + node, mass[node] === 0 ? 0 : mass[2 * node] / mass[node]);
    }
  }
}
