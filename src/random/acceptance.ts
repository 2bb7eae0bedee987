// Rejection that makes Poisson counts of a day a multinomial count.
import type { Stream } from "./stream.js";

/** Chances below this are taken for 0. */
const negligible = 2 ** -64;

/**
 * Whether a day that was drawn as Poisson counts is kept, by the sum s of the counts.
 *
 * A multinomial count of n jobs has the probability n! / (n - s)! p^(n - s) times the product of p_i^(k_i) / k_i!, where
 * p belongs to the one fate that is not counted and the p_i to the others. Over the probability of independent Poisson
 * counts with the means n p_i this is proportional to n! / (n - s)! / (n p)^s. Its largest value, at
 * n - s = floor(n p), is made 1. About the share sqrt(p) of the days is kept, since the sum of Poisson counts has the
 * variance n (1 - p) and is to have n p (1 - p).
 */
export class Acceptance {
  /** The number that the first entry is for. */
  readonly #first: number;
  /** The chance, as so many of 2^32 words. */
  readonly #words: Float64Array;

  /**
   * @param workflows - all jobs of the day
   * @param restMean - the mean number of those that are not counted, from 0 (excluded)
   */
  constructor(workflows: number, restMean: number) {
    const mode = workflows - Math.floor(restMean);
    const below: number[] = [];
    for (let sum = mode, chance = 1; sum > 0; sum--) {
      chance *= restMean / (workflows - sum + 1);
      if (chance < negligible) break;
      below.push(chance);
    }
    const above: number[] = [];
    for (let sum = mode, chance = 1; sum < workflows; sum++) {
      chance *= (workflows - sum) / restMean;
      if (chance < negligible) break;
      above.push(chance);
    }
    this.#first = mode - below.length;
    this.#words = Float64Array.from([...below.reverse(), 1, ...above], (chance) => chance * 2 ** 32);
  }

  /** The chance to be accepted, as so many of 2^32 words; not a whole number. */
  wordsFor(counted: number): number {
    const index = counted - this.#first;
    return index >= 0 && index < this.#words.length ? this.#words[index] : 0;
  }

  /** Decides with a random word, and with the next one of the stream where that lies on the border. */
  accepts(counted: number, word: number, stream: Stream): boolean {
    const words = this.wordsFor(counted);
    if (word + 1 <= words) return true;
    return word < words && stream.word() < (words - word) * 2 ** 32;
  }
}
