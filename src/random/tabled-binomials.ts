// Binomial counts for chances that stay: one random word and a look into a table. Exact to 51 bits.
import { enlarge } from "../model/column.js";
import { type Binomials, drawBinomial } from "./binomial.js";
import type { Stream } from "./stream.js";

/** Counts below this have a table, as has that of a whole day; unless their variance is larger than that. */
const tabledCounts = 512;
const tabledVariance = 400;

/** Rows of a binomial: one for each small count, and the last for a whole day. */
const rowsEach = tabledCounts + 1;

/** Buckets of a row: the leading bits of a random word say which one it falls into. */
const bucketBits = 7;
const bucketCount = 1 << bucketBits;

/** Rows kept at most; beyond, all are forgotten and computed anew when they are needed. */
const keptRows = 1 << 14;

/** Values whose probability is below this share of the mode's are left out: together less than 2^-53. */
const negligible = 2 ** -64;

/** Both halves of a row's last threshold, which stands for 1. */
const allOnes = 0xffff_ffff;

/**
 * Binomials whose chances stay, drawn by inversion (Chen and Asau's guide tables, 1974): a random word is compared with
 * the cumulative probabilities, the thresholds, so that a larger word never gives a smaller value.
 *
 * There is a row for each binomial and each count met so far. Nearly always its buckets decide: each knows the first
 * threshold that lies in it or behind it, and the value of the words below that. Thresholds have 64 bits; the upper 32
 * decide all but one of about 2^32 draws, so that only then a second word is drawn.
 */
export class TabledBinomials implements Binomials {
  readonly #chances: Float64Array;
  readonly #wholeDay: number;
  /** The first bucket of the row of each binomial and count, or 0; the last entry of a binomial is the whole day's. */
  readonly #rowOf: Int32Array;
  /** The first value of the whole day's row, from which its values count, so that all fit 16 bits. */
  readonly #wholeDayFirst: Int32Array;

  // One entry per bucket; the first row's place stays empty. Words below `cut` have the value `value`.
  #cut = new Uint32Array(2 * bucketCount);
  #value = new Uint16Array(2 * bucketCount);
  /** Index of the threshold that `cut` is the upper half of. */
  #threshold = new Int32Array(2 * bucketCount);
  #bucketLength = bucketCount;

  // One entry per threshold, those of a row one after the other.
  #upper = new Uint32Array(1024);
  #lower = new Uint32Array(1024);
  #thresholdLength = 0;

  /**
   * @param length - the number of binomials
   * @param wholeDay - the one count beside small ones that is worth a row
   */
  constructor(length: number, wholeDay: number) {
    this.#chances = new Float64Array(length);
    this.#wholeDay = wholeDay;
    this.#rowOf = new Int32Array(length * rowsEach);
    this.#wholeDayFirst = new Int32Array(length);
  }

  setChance(index: number, chance: number): void {
    this.#chances[index] = chance;
    this.#rowOf.fill(0, index * rowsEach, (index + 1) * rowsEach);
  }

  draw(stream: Stream, index: number, count: number): number {
    const isSmall = count < tabledCounts;
    const row = this.#rowOf[index * rowsEach + (isSmall ? count : tabledCounts)];
    if (row === 0 || !(isSmall || count === this.#wholeDay))
      return this.#drawWithoutRow(stream, index, count);
    const word = stream.word();
    const bucket = row + (word >>> (32 - bucketBits));
    const value = word < this.#cut[bucket] ? this.#value[bucket] : this.#drawPastCut(stream, word, bucket);
    return isSmall ? value : value + this.#wholeDayFirst[index];
  }

  spread(stream: Stream, first: number, leaves: number, part: Int32Array): void {
    // As `draw` for each inner node. No call is made in this loop, so that the compiler can keep the columns at hand;
    // what is out of the ordinary is left to `draw`, from the node on at which it occurs.
    const rowOf = this.#rowOf;
    const cut = this.#cut;
    const value = this.#value;
    const threshold = this.#threshold;
    const upper = this.#upper;
    const { words } = stream;
    let { cursor } = stream;
    let node = 1;
    for (; node < leaves; node++) {
      const count = part[node];
      let left = 0;
      if (count > 0) {
        if (count >= tabledCounts || cursor === words.length) break;
        const row = rowOf[(first + node) * rowsEach + count];
        if (row === 0) break;
        const word = words[cursor];
        const bucket = row + (word >>> (32 - bucketBits));
        left = value[bucket];
        if (word >= cut[bucket]) {
          let i = threshold[bucket];
          const begin = i;
          while (word > upper[i]) i++;
          if (word === upper[i]) break;
          left += i - begin;
        }
        cursor++;
      }
      part[2 * node] = left;
      part[2 * node + 1] = count - left;
    }
    stream.cursor = cursor;
    for (; node < leaves; node++) {
      const left = part[node] === 0 ? 0 : this.draw(stream, first + node, part[node]);
      part[2 * node] = left;
      part[2 * node + 1] = part[node] - left;
    }
  }

  #drawWithoutRow(stream: Stream, index: number, count: number): number {
    const chance = this.#chances[index];
    const isWide = count * chance * (1 - chance) > tabledVariance;
    if (isWide || (count >= tabledCounts && count !== this.#wholeDay))
      return drawBinomial(stream, count, chance);
    this.#addRow(index, count);
    return this.draw(stream, index, count);
  }

  /** The word is not below the bucket's cut: its value is that of a later threshold of the row. */
  #drawPastCut(stream: Stream, word: number, bucket: number): number {
    const upper = this.#upper;
    const lower = this.#lower;
    const first = this.#threshold[bucket];
    let i = first;
    while (word > upper[i]) i++;
    if (word === upper[i]) {
      // The next word decides; the last threshold of a row is all ones and stands for 1, so it holds every word.
      const next = stream.word();
      while (upper[i] === word && next >= lower[i] && !(upper[i] === allOnes && lower[i] === allOnes)) i++;
    }
    return this.#value[bucket] + i - first;
  }

  #addRow(index: number, count: number): void {
    if (this.#bucketLength > keptRows * bucketCount) this.#forget();
    const { first, cumulative } = tabulateBinomial(count, this.#chances[index]);
    const isSmall = count < tabledCounts;
    const begin = this.#thresholdLength;
    this.#thresholdLength += cumulative.length;
    while (this.#thresholdLength > this.#upper.length) {
      this.#upper = enlarge(this.#upper);
      this.#lower = enlarge(this.#lower);
    }
    for (let i = 0; i < cumulative.length; i++) {
      const scaled = cumulative[i] * 2 ** 32;
      const whole = Math.floor(scaled);
      this.#upper[begin + i] = cumulative[i] < 1 ? whole : allOnes;
      this.#lower[begin + i] = cumulative[i] < 1 ? Math.floor((scaled - whole) * 2 ** 32) : allOnes;
    }
    const row = this.#bucketLength;
    this.#bucketLength += bucketCount;
    if (this.#bucketLength > this.#cut.length) {
      this.#cut = enlarge(this.#cut);
      this.#value = enlarge(this.#value);
      this.#threshold = enlarge(this.#threshold);
    }
    for (let bucket = row, i = begin; bucket < row + bucketCount; bucket++) {
      const lowestWord = ((bucket - row) << (32 - bucketBits)) >>> 0;
      while (this.#upper[i] < lowestWord) i++;
      this.#cut[bucket] = this.#upper[i];
      this.#value[bucket] = (isSmall ? first : 0) + i - begin;
      this.#threshold[bucket] = i;
    }
    if (!isSmall) this.#wholeDayFirst[index] = first;
    this.#rowOf[index * rowsEach + (isSmall ? count : tabledCounts)] = row;
  }

  #forget(): void {
    this.#rowOf.fill(0);
    this.#bucketLength = bucketCount;
    this.#thresholdLength = 0;
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
