// How jobs part at their next fault.
import { type FateTree, settled } from "../model/fate-tree.js";
import { drawBinomial } from "./binomial.js";
import type { Stream } from "./stream.js";

/** How jobs that meet at least one more fault split: by whether it is their last, then by which it is. */
export class FaultSplit {
  /** The faults that may be the next and the last. */
  readonly last: FaultSpread;
  /** The faults that may be the next but not the last. */
  readonly further: FaultSpread;
  /** The chance of any fault. */
  total = 0;
  /** Of those who meet any, the chance that it is not the last. */
  furtherChance = 0;
  /** The situation after each fault, or `settled`. */
  readonly #after: Int32Array;
  /** Scratch: the chance of each fault to be the next and, or but not, the last. */
  readonly #lastChances: Float64Array;
  readonly #furtherChances: Float64Array;

  constructor(tree: FateTree, situation: number) {
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
    this.last = new FaultSpread(possible);
    this.further = new FaultSpread(possible.filter((fault) => this.#after[fault] !== settled));
  }

  /**
   * @param chances - of each fault to be the next
   * @param anyFault - in each situation the chance of any fault
   */
  setChances(chances: Float64Array, anyFault: Float64Array): void {
    for (let fault = 0; fault < chances.length; fault++) {
      const after = this.#after[fault];
      const goesOn = after === settled ? 0 : anyFault[after];
      this.#lastChances[fault] = chances[fault] * (1 - goesOn);
      this.#furtherChances[fault] = chances[fault] * goesOn;
    }
    const { last, further } = this;
    last.setChances(this.#lastChances);
    further.setChances(this.#furtherChances);
    this.total = last.total + further.total;
    this.furtherChance = further.total === 0 ? 0 : further.total / this.total;
  }
}

/** How jobs spread over faults. */
export class FaultSpread {
  /** In the numbering of the fate tree. */
  readonly faults: Int32Array;
  /** The chance of each fault and all before it, together. */
  readonly cumulative: Float64Array;
  /** The chance of all of them together. */
  total = 0;

  // The halving tree, complete and in heap order: node n has the children 2n and 2n + 1, the leaves are the faults.
  /** The chance of each node. */
  readonly #mass: Float64Array;
  /** Of the jobs at an inner node, the chance to go to its left child. */
  readonly #left: Float64Array;
  /** Whether these are those of the chances that were set last. */
  #isHalved = false;

  constructor(faults: readonly number[]) {
    this.faults = Int32Array.from(faults);
    this.cumulative = new Float64Array(faults.length);
    this.#mass = new Float64Array(2 * faults.length);
    this.#left = new Float64Array(faults.length);
  }

  /** @param chances - of each fault, in the numbering of the fate tree */
  setChances(chances: Float64Array): void {
    const { faults, cumulative } = this;
    this.total = 0;
    for (let i = 0; i < faults.length; i++) {
      const chance = chances[faults[i]];
      this.#mass[faults.length + i] = chance;
      this.total += chance;
      cumulative[i] = this.total;
    }
    this.#isHalved = false;
  }

  /**
   * Deals jobs the faults, by halving.
   *
   * @param part - is filled with the jobs at each node; those of the faults begin at their number
   */
  deal(stream: Stream, jobs: number, part: Int32Array): void {
    if (!this.#isHalved) this.#halve();
    const left = this.#left;
    part[1] = jobs;
    for (let node = 1; node < left.length; node++) {
      const count = part[node];
      const toLeft = drawBinomial(stream, count, left[node]);
      part[2 * node] = toLeft;
      part[2 * node + 1] = count - toLeft;
    }
  }

  #halve(): void {
    const mass = this.#mass;
    const left = this.#left;
    for (let node = left.length - 1; node > 0; node--) {
      mass[node] = mass[2 * node] + mass[2 * node + 1];
      left[node] = mass[node] === 0 ? 0 : mass[2 * node] / mass[node];
    }
    this.#isHalved = true;
  }
}
