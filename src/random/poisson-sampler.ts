// Draws days where the probability of each fate is known and stays: KK3 is a number and the fates can be listed.
import { type FateLaw, listFates } from "../model/fate-law.js";
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
const mostFates = 1 << 10;
const leastProbable = 1 / 64;

/** A fate that a day has more often than this is a column of its own; the others are drawn together. */
const commonFrom = 1;

/** The first of the words that are reserved for each day: whether it counts, its jobs of rare fates; then the columns. */
const acceptancePlace = 0;
const rarePlace = 1;
const firstColumnPlace = 2;

/** A fate whose jobs are drawn from a table. */
interface Drawn extends CommonFate {
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
    const { kk3, workflows } = scenario;
    if (typeof kk3 !== "number") return undefined;
    const law = listFates(scenario, kk3, mostFates);
    if (law === undefined || law.probabilities.every((p) => p < leastProbable)) return undefined;
    return new PoissonSampler(law, { kk3, workflows, key, mostDays });
  }

  private constructor(
    { tree, probabilities }: FateLaw,
    {
      kk3,
      workflows,
      key,
      mostDays,
    }: { readonly kk3: number; readonly workflows: number; readonly key: Key; readonly mostDays: number },
  ) {
    this.tree = tree;
    this.#workflows = workflows;
    const mostProbable = probabilities.reduce((best, p, fate) => (p > probabilities[best] ? fate : best), 0);
    const meanOf = (fate: number) => workflows * probabilities[fate];
    // Fates with a single fault come first, and are columns even where few jobs meet them, so that scenarios that differ
    // in their ratios draw the same fate from the same word.
    const isSingle = (fate: number) => fate > 0 && fate <= tree.faultCount;
    const fates = Array.from(probabilities, (_, fate) => fate).filter((fate) => fate !== mostProbable);
    const common = [
      ...fates.filter(isSingle),
      ...fates.filter((fate) => !isSingle(fate) && meanOf(fate) >= commonFrom),
    ];
    const column = () => new Float64Array(mostDays);
    this.#drawn = common.map((fate) => ({
      fate,
      jobs: column(),
      table: new Inversion(tabulatePoisson(meanOf(fate))),
    }));
    const columns = new Set(common);
    const rare = fates.filter((fate) => !columns.has(fate) && probabilities[fate] > 0);
    this.#rareFates = Int32Array.from(rare);
    this.#rareCount = new Inversion(tabulatePoisson(rare.reduce((sum, fate) => sum + meanOf(fate), 0)));
    const choice = accumulate(rare.length > 0 ? rare.map((fate) => probabilities[fate]) : [1]);
    this.#rareChoice = new Inversion({ first: 0, cumulative: choice });
    this.#rareJobs = column();
    this.#counted = column();
    this.#rest = column();
    this.#acceptance = new Acceptance(workflows, meanOf(mostProbable));
    this.#stream = new Stream(key, { days: mostDays, reserved: firstColumnPlace + common.length });
    this.days = new DrawnDays(mostDays, [{ fate: mostProbable, jobs: this.#rest }, ...this.#drawn]);
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
    for (const [i, { table, jobs }] of this.#drawn.entries()) {
      table.drawDays(stream, firstColumnPlace + i, { values: jobs, totals: counted, length });
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
