// Draws days fault by fault: where KK3 is another one each day, or there are too many fates to list.
import { enlarge } from "../model/column.js";
import { FateTree, fillNextFaults } from "../model/fate-tree.js";
import type { Scenario } from "../model/scenario.js";
import { drawBinomial } from "./binomial.js";
import { DrawnDays, longestList } from "./drawn-days.js";
import type { FateSampler } from "./fate-sampler.js";
import { FaultSplit } from "./fault-split.js";
import type { Key } from "./key.js";
import { drawRatio } from "./ratio.js";
import { purpose, Stream } from "./stream.js";

/** Strips end, and fates are forgotten, once there are more of them; what is met again is then met anew. */
const keptFates = 1 << 17;

/** Up to this many jobs are quicker followed one by one. */
const fewJobs = 2;

/** The clean fate, of jobs that have met no fault. */
const clean = 0;

/**
 * The jobs of a day are not drawn one by one. A binomial draw says how many of them meet a fault; further ones split
 * these over the faults that can be their first, and over whether it is their last as well. Those that meet another
 * one go on from there, as smaller groups, until all faults are known.
 */
export class TreeSampler implements FateSampler {
  readonly tree: FateTree;
  /** The days drawn last. */
  readonly days: DrawnDays;
  /** Grows by 1 whenever the tree forgets its fates, so that what was known of them is void. */
  generation = 0;

  readonly #scenario: Scenario;
  readonly #stream: Stream;
  readonly #kk3Stream: Stream;
  /** KK3 of the day that is being drawn. */
  #kk3 = 0;
  /** How the jobs of a group split; one entry per situation of the tree. */
  readonly #splits: readonly FaultSplit[];
  /** Whether the split of each situation has the chances of the day; few days need all of them. */
  readonly #isSplit: Uint8Array;
  /** Scratch: in each situation the chance of each fault to be the next, and of any. */
  readonly #chances: readonly Float64Array[];
  readonly #anyFault: Float64Array;

  /** The jobs of each day with no fault, then with each fault alone. */
  readonly #clean: Float64Array;
  readonly #single: readonly Float64Array[];
  /** Scratch: jobs at each node of the halving tree that is being walked. */
  readonly #part: Int32Array;
  /** Groups that meet at least one more fault: their fate so far and their number of jobs. */
  #waitingFate = new Int32Array(64);
  #waitingCount = new Int32Array(64);
  #waiting = 0;

  /** @param mostDays - of a strip */
  constructor(scenario: Scenario, key: Key, mostDays: number) {
    this.#scenario = scenario;
    this.tree = new FateTree(scenario);
    const { faultCount, situations } = this.tree;
    this.#splits = situations.map((_, i) => new FaultSplit(this.tree, i));
    this.#isSplit = new Uint8Array(situations.length);
    this.#stream = new Stream(key, { days: mostDays });
    this.#kk3Stream = new Stream(key, { days: mostDays });
    this.#chances = situations.map(() => new Float64Array(faultCount));
    this.#anyFault = new Float64Array(situations.length);
    this.#part = new Int32Array(2 * faultCount);
    this.#clean = new Float64Array(mostDays);
    this.#single = Array.from({ length: faultCount }, () => new Float64Array(mostDays));
    this.#plant();
    const single = this.#single.map((jobs, fault) => ({ fate: this.tree.child(clean, fault), jobs }));
    this.days = new DrawnDays(mostDays, [{ fate: clean, jobs: this.#clean }, ...single]);
    const { kk3 } = scenario;
    if (typeof kk3 === "number") this.#setKk3(kk3);
  }

  draw(first: number, end = first + 1): number {
    const { days, tree } = this;
    if (tree.table.length > keptFates) {
      tree.clear();
      this.#plant();
      this.generation++;
    }
    const { kk3 } = this.#scenario;
    const length = Math.min(end - first, days.kk3.length);
    this.#stream.startDays(first, length, purpose.fates);
    if (typeof kk3 !== "number") this.#kk3Stream.startDays(first, length, purpose.kk3);
    days.listed = 0;
    let day = 0;
    for (; day < length && days.listed < longestList && tree.table.length <= keptFates; day++) {
      if (typeof kk3 !== "number") {
        this.#kk3Stream.select(day);
        this.#setKk3(drawRatio(this.#kk3Stream, kk3));
      }
      days.kk3[day] = this.#kk3;
      this.#stream.select(day);
      this.#drawDay(day);
      days.end[day] = days.listed;
    }
    days.length = day;
    return day;
  }

  /** The fates with a single fault are the first ones, in the order of the faults. */
  #plant(): void {
    for (let fault = 0; fault < this.tree.faultCount; fault++) this.tree.child(clean, fault);
  }

  #setKk3(kk3: number): void {
    const { kk2, steps } = this.#scenario;
    const { situations } = this.tree;
    const chances = this.#chances;
    const anyFault = this.#anyFault;
    this.#kk3 = kk3;
    for (let i = 0; i < situations.length; i++) {
      anyFault[i] = Math.min(
        1,
        fillNextFaults(situations[i], { kk2, kk3, stepCount: steps.length }, chances[i]),
      );
    }
    this.#isSplit.fill(0);
  }

  #splitOf(situation: number): FaultSplit {
    const split = this.#splits[situation];
    if (this.#isSplit[situation] === 0) {
      split.setChances(this.#chances[situation], this.#anyFault);
      this.#isSplit[situation] = 1;
    }
    return split;
  }

  #drawDay(day: number): void {
    const { tree } = this;
    const { workflows } = this.#scenario;
    const stream = this.#stream;
    const affected = drawBinomial(stream, workflows, this.#anyFault[0]);
    this.#clean[day] = workflows - affected;
    // The first fault: for how many is it the last, and which one is it for these?
    const first = this.#splitOf(0);
    const further = drawBinomial(stream, affected, first.furtherChance);
    first.last.deal(stream, affected - further, this.#part);
    for (const [fault, jobs] of this.#single.entries()) jobs[day] = this.#part[tree.faultCount + fault];
    this.#goOn(first, clean, further);
    while (this.#waiting > 0) {
      const fate = this.#waitingFate[--this.#waiting];
      const count = this.#waitingCount[this.#waiting];
      const split = this.#splitOf(tree.situationOf(fate));
      if (count <= fewJobs) {
        for (let job = 0; job < count; job++) this.#followOne(split, fate, false);
        continue;
      }
      const further = drawBinomial(stream, count, split.furtherChance);
      this.#end(split, fate, count - further);
      this.#goOn(split, fate, further);
    }
  }

  /** Deals jobs their next fault, which is their last. */
  #end({ last }: FaultSplit, fate: number, count: number): void {
    if (count === 0) return;
    last.deal(this.#stream, count, this.#part);
    const { faults } = last;
    for (let i = 0; i < faults.length; i++) {
      const jobs = this.#part[faults.length + i];
      if (jobs > 0) this.days.list(this.tree.child(fate, faults[i]), jobs);
    }
  }

  /** Deals jobs their next fault, which is not their last. */
  #goOn(split: FaultSplit, fate: number, count: number): void {
    if (count <= fewJobs) {
      for (let job = 0; job < count; job++) this.#followOne(split, fate, true);
      return;
    }
    const { faults } = split.further;
    split.further.deal(this.#stream, count, this.#part);
    for (let i = 0; i < faults.length; i++) {
      const jobs = this.#part[faults.length + i];
      if (jobs > 0) this.#addWaiting(this.tree.child(fate, faults[i]), jobs);
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
      split = this.#splitOf(tree.situationOf(fate));
    }
    this.days.list(fate, 1);
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
