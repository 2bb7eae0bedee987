// Draws a day: how many of its jobs meet each fate. The one place where a scenario's chances meet random numbers.

import { FateTree, fillNextFaults, settled } from "../model/fate-tree.js";
import { enlarge, FateCounts } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { type Binomials, DirectBinomials } from "./binomial.js";
import type { Key } from "./key.js";
import { drawRatio } from "./ratio.js";
import { purpose, Stream } from "./stream.js";
import { TabledBinomials } from "./tabled-binomials.js";

/** Fates kept between days; a scenario with more of them forgets and meets them anew. */
const keptFates = 1 << 17;

/**
 * Draws days of a scenario. Day d is the same whichever days were drawn before it.
 *
 * The jobs of a day are not drawn one by one. A binomial draw says how many of them meet a fault; further ones split
 * these over the faults that can be their first, and over whether it is their last as well. Those that meet another
 * one go on from there, as smaller groups, until all faults are known.
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
  readonly #binomials: Binomials;
  /** How the jobs of a group split; one entry per situation of the tree. */
  readonly #splits: readonly FaultSplit[];
  /** Number of the binomial that says how many jobs of the day meet any fault. */
  readonly #affected: number;
  /** Scratch: in each situation the chance of each fault to be the next, and of any. */
  readonly #chances: readonly Float64Array[];
  readonly #anyFault: Float64Array;
  /** Scratch: jobs at each node of the halving tree that is being walked. */
  readonly #part: Int32Array;
  /** Groups that meet at least one more fault: their fate so far and their number of jobs. */
  #waitingFate = new Int32Array(64);
  #waitingCount = new Int32Array(64);
  #waiting = 0;

  constructor(scenario: Scenario, key: Key) {
    const { kk3, workflows } = scenario;
    this.#scenario = scenario;
    this.#stream = new Stream(key);
    this.tree = new FateTree(scenario);
    const { faultCount, situations } = this.tree;
    this.#affected = 2 * faultCount * situations.length;
    this.#splits = situations.map((_, i) => new FaultSplit(this.tree, i, 2 * faultCount * i));
    this.#binomials =
      typeof kk3 === "number"
        ? new TabledBinomials(this.#affected + 1, workflows)
        : new DirectBinomials(this.#affected + 1);
    this.#chances = situations.map(() => new Float64Array(faultCount));
    this.#anyFault = new Float64Array(situations.length);
    this.#part = new Int32Array(2 * faultCount);
    if (typeof kk3 === "number") this.#setKk3(kk3);
  }

  /** @param day - from 0; its fates are in `day` afterwards */
  draw(day: number): void {
    if (this.tree.table.length > keptFates) {
      this.tree.clear();
      this.generation++;
    }
    const { kk3 } = this.#scenario;
    const stream = this.#stream;
    if (typeof kk3 !== "number") {
      stream.start(day, purpose.kk3);
      this.#setKk3(drawRatio(stream, kk3));
    }
    stream.start(day, purpose.fates);
    this.#drawFates();
  }

  #setKk3(kk3: number): void {
    const { kk2, steps } = this.#scenario;
    const { situations } = this.tree;
    const chances = this.#chances;
    const anyFault = this.#anyFault;
    this.kk3 = kk3;
    for (let i = 0; i < situations.length; i++) {
      anyFault[i] = Math.min(
        1,
        fillNextFaults(situations[i], { kk2, kk3, stepCount: steps.length }, chances[i]),
      );
    }
    this.#binomials.setChance(this.#affected, anyFault[0]);
    for (let i = 0; i < situations.length; i++)
      this.#splits[i].setChances(chances[i], anyFault, this.#binomials);
  }

  #drawFates(): void {
    const { tree, day } = this;
    const { workflows } = this.#scenario;
    const stream = this.#stream;
    const binomials = this.#binomials;
    day.clear();
    const affected = binomials.draw(stream, this.#affected, workflows);
    if (affected < workflows) day.add(0, workflows - affected);
    if (affected > 0) this.#addWaiting(0, affected);
    while (this.#waiting > 0) {
      const fate = this.#waitingFate[--this.#waiting];
      const count = this.#waitingCount[this.#waiting];
      const split = this.#splits[tree.situationOf(fate)];
      if (count <= fewJobs) {
        for (let job = 0; job < count; job++) this.#followOne(split, fate, false);
        continue;
      }
      // For how many is the next fault not the last?
      const further = binomials.draw(stream, split.furtherBinomial, count);
      if (further < count) this.#deal(split.last, fate, count - further, false);
      if (further > fewJobs) {
        this.#deal(split.further, fate, further, true);
      } else {
        for (let job = 0; job < further; job++) this.#followOne(split, fate, true);
      }
    }
  }

  /**
   * Follows one job from fault to fault until its last.
   *
   * @param goesOn - whether its next fault is known not to be the last
   */
  #followOne(split: FaultSplit, fate: number, goesOn: boolean): void {
    const { tree } = this;
    const stream = this.#stream;
    for (;;) {
      const { last, further } = split;
      // Where its next fault lies along the chances of all that may be the last, then of all that may not.
      const mark = goesOn ? last.total + stream.fraction() * further.total : stream.fraction() * split.total;
      goesOn = mark >= last.total && further.total > 0;
      const { faults, cumulative } = goesOn ? further : last;
      const rest = goesOn ? mark - last.total : mark;
      let i = 0;
      while (rest >= cumulative[i] && i < faults.length - 1) i++;
      fate = tree.child(fate, faults[i]);
      if (!goesOn) break;
      goesOn = false;
      split = this.#splits[tree.situationOf(fate)];
    }
    this.day.add(fate, 1);
  }

  /** Deals a group of jobs their next faults. */
  #deal({ faults, firstBinomial }: FaultSpread, fate: number, count: number, goOn: boolean): void {
    const { tree, day } = this;
    const part = this.#part;
    const leaves = faults.length;
    part[1] = count;
    this.#binomials.spread(this.#stream, firstBinomial, leaves, part);
    day.reserve(leaves);
    for (let i = 0; i < leaves; i++) {
      const jobs = part[leaves + i];
      if (jobs === 0) continue;
      const child = tree.child(fate, faults[i]);
      if (goOn) this.#addWaiting(child, jobs);
      else day.addReserved(child, jobs);
    }
  }

  #addWaiting(fate: number, count: number): void {
    if (this.#waiting === this.#waitingFate.length) {
      this.#waitingFate = enlarge(this.#waitingFate);
      this.#waitingCount = enlarge(this.#waitingCount);
    }
    this.#waitingFate[this.#waiting] = fate;
    this.#waitingCount[this.#waiting++] = count;
  }
}

/** Up to this many jobs are quicker followed one by one. */
const fewJobs = 2;

/** How jobs that meet at least one more fault split: by whether it is their last, then by which it is. */
class FaultSplit {
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
class FaultSpread {
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
