// Draws a day: how many of its jobs meet each fate. The one place where a scenario's chances meet random numbers.

import { FateTree, fillNextFaults, type Situation, settled } from "../model/fate-tree.js";
import { enlarge, FateCounts } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { type Binomial, DirectBinomial } from "./binomial.js";
import type { Key } from "./key.js";
import { drawRatio } from "./ratio.js";
import { purpose, Stream } from "./stream.js";
import { TabledBinomial } from "./tabled-binomial.js";

/** Fates kept between days; a scenario with more of them forgets and meets them anew. */
const keptFates = 1 << 17;

/**
 * Draws days of a scenario. Day d is the same whichever days were drawn before it.
 *
 * The jobs of a day are not drawn one by one. All of them set out as one group; a binomial draw says how many of a
 * group meet a fault next, further ones split these over the faults, and each part is a smaller group that goes on
 * from there, until no job of it meets another fault.
 */
export class FateSampler {
  readonly tree: FateTree;
  /** The day drawn last. */
  readonly day = new FateCounts();
  /** KK3 of the day drawn last. */
  kk3 = 0;
  /** Grows by 1 whenever the tree forgets its fates, so that what was known of them is void. */
  generation = 0;

  readonly #scenario: Scenario;
  readonly #stream: Stream;
  readonly #splits: readonly FaultSplit[];
  /** Jobs at each node of the halving tree that is being walked. */
  readonly #part: Int32Array;
  /** Groups still to go on: their fate and their number of jobs. */
  #waitingFate: Int32Array;
  #waitingCount: Int32Array;

  constructor(scenario: Scenario, key: Key) {
    const { kk2, kk3, steps } = scenario;
    const stepCount = steps.length;
    const newBinomial =
      typeof kk3 === "number" ? (chance: number) => new TabledBinomial(chance) : newDirectBinomial;
    this.#scenario = scenario;
    this.#stream = new Stream(key);
    this.tree = new FateTree(scenario);
    this.#splits = this.tree.situations.map(
      (situation) => new FaultSplit(situation, kk2, stepCount, newBinomial),
    );
    this.#part = new Int32Array(2 * this.tree.faultCount);
    this.#waitingFate = new Int32Array(4 * this.tree.faultCount);
    this.#waitingCount = new Int32Array(4 * this.tree.faultCount);
    if (typeof kk3 === "number") this.#setKk3(kk3);
  }

  /** @param day - from 0; its fates are in `day` afterwards */
  draw(day: number): void {
    if (this.tree.table.length > keptFates) {
      this.tree.clear();
      this.generation++;
    }
    const { kk3, workflows } = this.#scenario;
    const stream = this.#stream;
    if (typeof kk3 !== "number") {
      stream.start(day, purpose.kk3);
      this.#setKk3(drawRatio(stream, kk3));
    }
    stream.start(day, purpose.fates);
    this.#drawFates(stream, workflows);
  }

  #setKk3(kk3: number): void {
    this.kk3 = kk3;
    for (const split of this.#splits) split.setKk3(kk3);
  }

  #drawFates(stream: Stream, workflows: number): void {
    const { tree, day } = this;
    const part = this.#part;
    day.clear();
    this.#waitingFate[0] = 0;
    this.#waitingCount[0] = workflows;
    for (let waiting = 1; waiting > 0; ) {
      const fate = this.#waitingFate[--waiting];
      const count = this.#waitingCount[waiting];
      const split = this.#splits[tree.situationOf(fate)];
      // How many of the group meet one more fault?
      const affected = split.affected.draw(stream, count);
      if (affected < count) day.add(fate, count - affected);
      if (affected === 0) continue;
      // Which one: halve the faults, and the jobs with them, down to single faults.
      const { halves, faults } = split;
      const leaves = faults.length;
      part[1] = affected;
      for (let node = 1; node < leaves; node++) {
        const jobs = part[node];
        const left = jobs === 0 ? 0 : halves[node].draw(stream, jobs);
        part[2 * node] = left;
        part[2 * node + 1] = jobs - left;
      }
      if (waiting + leaves > this.#waitingFate.length) {
        this.#waitingFate = enlarge(this.#waitingFate);
        this.#waitingCount = enlarge(this.#waitingCount);
      }
      for (let leaf = 0; leaf < leaves; leaf++) {
        const jobs = part[leaves + leaf];
        if (jobs === 0) continue;
        const child = tree.child(fate, faults[leaf]);
        if (tree.situationOf(child) === settled) {
          day.add(child, jobs);
        } else {
          this.#waitingFate[waiting] = child;
          this.#waitingCount[waiting++] = jobs;
        }
      }
    }
  }
}

/**
 * How a group of jobs in one situation splits over the faults that may come next.
 *
 * The faults are the leaves of a complete binary tree in heap order: node n has the children 2n and 2n + 1, and the
 * leaf of fault i is node `faults.length` + i.
 */
class FaultSplit {
  /** The faults that are possible here, in the numbering of the fate tree. */
  readonly faults: Int32Array;
  /** Of a group: those that meet any of the faults. */
  affected: Binomial;
  /** Of the affected jobs at an inner node: those whose fault is below its left child. Entry 0 is not used. */
  readonly halves: Binomial[];
  readonly #situation: Situation;
  readonly #kk2: number;
  readonly #stepCount: number;
  readonly #newBinomial: (chance: number) => Binomial;
  /** Scratch: the chance of each fault, and of each node of the tree. */
  readonly #chances: Float64Array;
  readonly #mass: Float64Array;

  constructor(
    situation: Situation,
    kk2: number,
    stepCount: number,
    newBinomial: (chance: number) => Binomial,
  ) {
    const steps = Array.from({ length: stepCount - situation.step }, (_, i) => situation.step + i);
    this.faults = Int32Array.from([...steps, ...steps.map((step) => stepCount + step)]);
    this.affected = newBinomial(0);
    this.halves = Array.from(this.faults, () => newBinomial(0));
    this.#situation = situation;
    this.#kk2 = kk2;
    this.#stepCount = stepCount;
    this.#newBinomial = newBinomial;
    this.#chances = new Float64Array(2 * stepCount);
    this.#mass = new Float64Array(2 * this.faults.length);
  }

  setKk3(kk3: number): void {
    const { faults } = this;
    const mass = this.#mass;
    fillNextFaults(this.#situation, { kk2: this.#kk2, kk3, stepCount: this.#stepCount }, this.#chances);
    for (let leaf = 0; leaf < faults.length; leaf++) mass[faults.length + leaf] = this.#chances[faults[leaf]];
    for (let node = faults.length - 1; node > 0; node--) mass[node] = mass[2 * node] + mass[2 * node + 1];
    this.affected = this.#withChance(this.affected, Math.min(1, mass[1]));
    for (let node = 1; node < faults.length; node++) {
      this.halves[node] = this.#withChance(
        this.halves[node],
        mass[node] === 0 ? 0 : mass[2 * node] / mass[node],
      );
    }
  }

  #withChance(binomial: Binomial, chance: number): Binomial {
    if (!(binomial instanceof DirectBinomial)) return this.#newBinomial(chance);
    binomial.chance = chance;
    return binomial;
  }
}

function newDirectBinomial(chance: number): DirectBinomial {
  const binomial = new DirectBinomial();
  binomial.chance = chance;
  return binomial;
}
