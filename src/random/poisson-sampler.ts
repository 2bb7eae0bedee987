// Draws days where the probability of each fate is known and stays: KK3 is a number and the fates can be listed.
import { FateLaw } from "../model/fate-law.js";
import type { FateTree } from "../model/fate-tree.js";
import type { Scenario } from "../model/scenario.js";
import { Acceptance } from "./acceptance.js";
import { type CommonFate, DrawnDays, longestList } from "./drawn-days.js";
import type { FateSampler } from "./fate-sampler.js";
import { Inversion } from "./inversion.js";
import type { Key } from "./key.js";
import { accumulate, tabulatePoisson } from "./poisson.js";
import { purpose, Stream } from "./stream.js";

/** Scenarios with more fates than this, or of which none is as probable as this, are not drawn in this way. */
const mostFates = 1 << 17;
const leastProbable = 1 / 64;

/** A fate that a day has more often than this is a column of its own, but for so many; the others are drawn together. */
const commonFrom = 1;
const mostColumns = 1 << 10;

/** The first of the words that are reserved for each day: whether it counts, its jobs of rare fates; then the columns. */
const acceptancePlace = 0;
const rarePlace = 1;
const firstColumnPlace = 2;

/** A fate whose jobs are drawn from a table. */
interface Drawn extends CommonFate {
  /** Which of a day's reserved words is for it. */
  readonly place: number;
  readonly table: Inversion;
}

/**
 * The jobs of a day by fate are a multinomial count. They are drawn as independent Poisson counts, one for each fate but
 * the most probable one, which gets the other jobs; the day is accepted with a chance that depends on the sum of the
 * counts alone, such that the accepted ones have exactly the multinomial law, and otherwise drawn again.
 *
 * Rare fates are drawn together: one Poisson count for their jobs, then the fate of each.
 */
export class PoissonSampler implements FateSampler {
  readonly tree: FateTree;
  readonly days: DrawnDays;
  readonly generation = 0;
  readonly #workflows: number;
  readonly #stream: Stream;
  readonly #rest: Float64Array;
  readonly #drawn: readonly Drawn[];
  /** Jobs that meet a rare fate, by day. */
  readonly #rareJobs: Float64Array;
  readonly #rareCount: Inversion;
  /** Which of the rare fates it is. */
  readonly #rareChoice: Inversion;
  readonly #rareFates: Int32Array;
  /** Scratch: jobs with one of the counted fates, by day. */
  readonly #counted: Float64Array;
  readonly #acceptance: Acceptance;

  /** The sampler of a scenario; undefined where this way of drawing does not serve. */
  static for(scenario: Scenario, key: Key, mostDays: number): PoissonSampler | undefined {
    const { kk3 } = scenario;
    if (typeof kk3 !== "number") return undefined;
    const law = FateLaw.list(scenario, [kk3], { mostFates, negligible: 0 });
    if (law === undefined) return undefined;
    const probabilities = law.probabilitiesAt(kk3);
    const mostProbable = probabilities.reduce((best, p, fate) => (p > probabilities[best] ? fate : best), 0);
    if (probabilities[mostProbable] < leastProbable) return undefined;
    const means = probabilities.map((p) => p * scenario.workflows);
    return new PoissonSampler(
      law,
      { means, mostProbable, workflows: scenario.workflows, kk3 },
      key,
      mostDays,
    );
  }

  private constructor(
    law: FateLaw,
    {
      means,
      mostProbable,
      workflows,
      kk3,
    }: {
      /** Mean number of jobs; one entry per fate. */
      readonly means: Float64Array;
      readonly mostProbable: number;
      readonly workflows: number;
      readonly kk3: number;
    },
    key: Key,
    mostDays: number,
  ) {
    const { faultCount } = law.tree;
    this.tree = law.tree;
    this.#workflows = workflows;
    const column = () => new Float64Array(mostDays);
    const rare: number[] = [];
    const drawn: Drawn[] = [];
    let nextPlace = firstColumnPlace + faultCount;
    const columnsFrom = Math.max(commonFrom, means.toSorted()[means.length - mostColumns] ?? 0);
    for (const [fate, mean] of means.entries()) {
      // Fates of one fault are columns even where few jobs meet them, each with a word that is always the same, so that
      // scenarios that differ in their ratios draw them from the same words.
      const fault = law.singleFaultOf(fate);
      if (fate === mostProbable || mean === 0) continue;
      if (fault === undefined && mean < columnsFrom) {
        rare.push(fate);
        continue;
      }
      const place = fault === undefined ? nextPlace++ : firstColumnPlace + fault;
      drawn.push({ fate, place, jobs: column(), table: new Inversion(tabulatePoisson(mean)) });
    }
    this.#drawn = drawn;
    this.#rareFates = Int32Array.from(rare);
    const rareMeans = rare.map((fate) => means[fate]);
    this.#rareCount = new Inversion(tabulatePoisson(rareMeans.reduce((sum, mean) => sum + mean, 0)));
    this.#rareChoice = new Inversion({ first: 0, cumulative: accumulate(rare.length > 0 ? rareMeans : [1]) });
    this.#rareJobs = column();
    this.#counted = column();
    this.#rest = column();
    this.#acceptance = new Acceptance(workflows, means[mostProbable]);
    this.#stream = new Stream(key, { days: mostDays, reserved: nextPlace });
    this.days = new DrawnDays(mostDays, [{ fate: mostProbable, jobs: this.#rest }, ...drawn]);
    this.days.kk3.fill(kk3);
  }

  draw(first: number, end = first + 1): number {
    const { days } = this;
    const length = Math.min(end - first, days.kk3.length);
    this.#stream.startDays(first, length, purpose.fates);
    this.#drawColumns(length);
    this.#settle(length);
    return this.#listRareFates(length);
  }

  #drawColumns(length: number): void {
    const stream = this.#stream;
    const counted = this.#counted;
    counted.fill(0, 0, length);
    this.#rareCount.drawDays(stream, rarePlace, { values: this.#rareJobs, totals: counted, length });
    for (const { table, place, jobs } of this.#drawn) {
      table.drawDays(stream, place, { values: jobs, totals: counted, length });
    }
  }

  /** Accepts days or draws them again. */
  #settle(length: number): void {
    const stream = this.#stream;
    const { words, stride } = stream;
    const counted = this.#counted;
    const rest = this.#rest;
    const acceptance = this.#acceptance;
    const workflows = this.#workflows;
    for (let day = 0; day < length; day++) {
      const word = words[day * stride + acceptancePlace];
      if (word + 1 > acceptance.wordsFor(counted[day])) this.#redrawUntilAccepted(day, word);
      rest[day] = workflows - counted[day];
    }
  }

  #redrawUntilAccepted(day: number, firstWord: number): void {
    const stream = this.#stream;
    stream.select(day);
    let word = firstWord;
    while (!this.#acceptance.accepts(this.#counted[day], word, stream)) {
      this.#rareJobs[day] = this.#rareCount.draw(stream);
      this.#counted[day] = this.#rareJobs[day];
      for (const { jobs, table } of this.#drawn) {
        jobs[day] = table.draw(stream);
        this.#counted[day] += jobs[day];
      }
      word = stream.word();
    }
  }

  /** Lists the rare fates of the days. @returns the days that are done */
  #listRareFates(length: number): number {
    const { days } = this;
    const stream = this.#stream;
    const choice = this.#rareChoice;
    const fates = this.#rareFates;
    const rareJobs = this.#rareJobs;
    days.listed = 0;
    let day = 0;
    for (; day < length && days.listed < longestList; day++) {
      const jobs = rareJobs[day];
      if (jobs > 0) stream.select(day);
      for (let job = 0; job < jobs; job++) days.list(fates[choice.draw(stream)], 1);
      days.end[day] = days.listed;
    }
    days.length = day;
    return day;
  }
}
