// Binomial counts for a chance that stays: one random word and a look into a table. Exact to 53 bits.
import { enlarge } from "../model/fates.js";
import { type Binomial, drawBinomial } from "./binomial.js";
import type { Stream } from "./stream.js";

/** Counts from here on, and counts of a larger variance, have no table and are drawn directly. */
const tabledCounts = 8192;
const tabledVariance = 400;

/** Buckets of a row's guide: the leading bits of the word say where in the row to begin. */
const guideBits = 6;
const guideLength = 1 << guideBits;

/** Values whose probability is below this share of the mode's are left out: together less than 2^-53. */
const negligible = 2 ** -64;

/** Both halves of a row's last threshold, which stands for 1. */
const allOnes = 0xffff_ffff;

/**
 * How many of `count` events of one fixed chance happen, by inversion (Chen and Asau's guide tables, 1974).
 *
 * There is a row of cumulative probabilities for each `count` met so far. A row holds them as 64-bit fixed point
 * numbers. The upper half decides all but one of about 2^32 draws, so that only then a second word is drawn.
 */
export class TabledBinomial implements Binomial {
  readonly #chance: number;
  /** Number of the row of each count, from 1; 0 where there is none yet. */
  #rowOf = new Int32Array(16);
  #rowCount = 0;
  /** Where the row's thresholds begin, and the value that its first threshold is for; one entry per row. */
  #begin = new Int32Array(4);
  #firstValue = new Int32Array(4);
  /** Index of the first threshold that can hold a word with these leading bits; one entry per row and bucket. */
  #guide = new Uint32Array(4 * guideLength);
  /** Cumulative probabilities, upper and lower 32 bits; rows one after the other. */
  #upper = new Uint32Array(64);
  #lower = new Uint32Array(64);
  #length = 0;

  /** @param chance - from 0 to 1, both included */
  constructor(chance: number) {
    this.#chance = chance;
  }

  draw(stream: Stream, count: number): number {
    const row = count < this.#rowOf.length ? this.#rowOf[count] : 0;
    if (row === 0) return this.#drawWithoutRow(stream, count);
    const word = stream.word();
    const upper = this.#upper;
    let i = this.#guide[(row << guideBits) + (word >>> (32 - guideBits))];
    while (word > upper[i]) i++;
    if (word === upper[i]) i = this.#settleTie(stream, word, i);
    return this.#firstValue[row] + i - this.#begin[row];
  }

  #drawWithoutRow(stream: Stream, count: number): number {
    const chance = this.#chance;
    if (count >= tabledCounts || count * chance * (1 - chance) > tabledVariance) {
      return drawBinomial(stream, count, chance);
    }
    this.#addRow(count);
    return this.draw(stream, count);
  }

  /** The word equals the upper half of threshold i: the next word decides. */
  #settleTie(stream: Stream, word: number, i: number): number {
    const upper = this.#upper;
    const lower = this.#lower;
    const next = stream.word();
    let j = i;
    // The last threshold of a row is all ones and stands for 1, so it holds every word.
    while (upper[j] === word && next >= lower[j] && !(upper[j] === allOnes && lower[j] === allOnes)) j++;
    return j;
  }

  #addRow(count: number): void {
    const row = ++this.#rowCount;
    if (row === this.#begin.length) {
      this.#begin = enlarge(this.#begin);
      this.#firstValue = enlarge(this.#firstValue);
      this.#guide = enlarge(this.#guide);
    }
    while (count >= this.#rowOf.length) this.#rowOf = enlarge(this.#rowOf);
    const { first, cumulative } = tabulateBinomial(count, this.#chance);
    const begin = this.#length;
    this.#length += cumulative.length;
    while (this.#length > this.#upper.length) {
      this.#upper = enlarge(this.#upper);
      this.#lower = enlarge(this.#lower);
    }
    for (let i = 0; i < cumulative.length; i++) {
      const scaled = cumulative[i] * 2 ** 32;
      const whole = Math.floor(scaled);
      this.#upper[begin + i] = cumulative[i] < 1 ? whole : allOnes;
      this.#lower[begin + i] = cumulative[i] < 1 ? Math.floor((scaled - whole) * 2 ** 32) : allOnes;
    }
    for (let bucket = 0, i = begin; bucket < guideLength; bucket++) {
      while (this.#upper[i] < (bucket << (32 - guideBits)) >>> 0) i++;
      this.#guide[(row << guideBits) + bucket] = i;
    }
    this.#begin[row] = begin;
    this.#firstValue[row] = first;
    this.#rowOf[count] = row;
  }
}

/**
 * The cumulative probabilities of a binomial count, without the values of negligible probability.
 *
 * The probabilities follow from that of the mode by their ratio, up and down, and from their sum, by the four basic
 * operations alone: every machine computes the same bits.
 *
 * @returns the first value, and the cumulative probability of it and each value after it; the last is 1
 */
export function tabulateBinomial(count: number, chance: number): { first: number; cumulative: Float64Array } {
  const mode = Math.min(count, Math.floor((count + 1) * chance));
  const odds = chance / (1 - chance);
  const below: number[] = [];
  for (let k = mode, weight = 1; k > 0; k--) {
    weight *= k / ((count - k + 1) * odds);
    if (weight < negligible) break;
    below.push(weight);
  }
  const above: number[] = [];
  for (let k = mode, weight = 1; k < count; k++) {
    weight *= ((count - k) * odds) / (k + 1);
    if (weight < negligible) break;
    above.push(weight);
  }
  const cumulative = Float64Array.from([...below.reverse(), 1, ...above]);
  for (let i = 1; i < cumulative.length; i++) cumulative[i] += cumulative[i - 1];
  const total = cumulative[cumulative.length - 1];
  for (let i = 0; i < cumulative.length; i++) cumulative[i] /= total;
  return { first: mode - below.length, cumulative: cumulative.subarray(0, cumulative.indexOf(1) + 1) };
}
