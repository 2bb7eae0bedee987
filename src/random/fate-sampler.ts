// Draws a day: how many of its jobs meet each fate. The one place where a scenario's chances meet random numbers.
import { enlarge } from "../model/column.js";
import { FateTree, fillNextFaults } from "../model/fate-tree.js";
import { FateCounts } from "../model/fates.js";
import type { Scenario } from "../model/scenario.js";
import { type Binomials, DirectBinomials } from "./binomial.js";
import { FaultSplit, type FaultSpread } from "./fault-split.js";
import type { Key } from "./key.js";
import { drawRatio } from "./ratio.js";
import { purpose, Stream } from "./stream.js";
import { TabledBinomials } from "./tabled-binomials.js";

/** Fates kept between days; a scenario with more of them forgets and meets them anew. */
const keptFates = 1 << 17;

/** Up to this many jobs are quicker followed one by one. */
const fewJobs = 2;

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
      let mark = stream.fraction() * (goesOn ? further.total : split.total);
      if (!goesOn && mark >= last.total && further.total > 0) {
        goesOn = true;
        mark -= last.total;
      }
      const { faults, cumulative } = goesOn ? further : last;
      let i = 0;
      while (mark >= cumulative[i] && i < faults.length - 1) i++;
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
