// Whole numbers of any finite law, drawn by inversion: one random word and a look into a table. Exact to 64 bits.
import type { Stream } from "./stream.js";

/** Both halves of the last threshold, which stands for 1. */
const allOnes = 0xffff_ffff;

/** Buckets are this many times as many as values, as far as they are not more than the cache likes. */
const bucketsPerValue = 4;
const fewestBucketBits = 7;
const mostBucketBits = 12;

/** Probabilities of consecutive whole numbers, added up. */
export interface CumulativeLaw {
  /** The first value. */
  readonly first: number;
  /** The probability of each value and all before it, together; the last is 1. */
  readonly cumulative: Float64Array;
}

/** Where the values of some days go; one entry per day each. */
export interface DrawnColumn {
  /** Is filled. */
  readonly values: Float64Array;
  /** The values are added to these. */
  readonly totals: Float64Array;
  readonly length: number;
}

/**
 * Draws from a law by inversion with a guide table (Chen and Asau 1974): a random word is compared with the cumulative
 * probabilities, the thresholds, so that a larger word never gives a smaller value.
 *
 * The leading bits of the word say which bucket it falls into; a bucket knows the first threshold that lies in it or
 * behind it, and the value of the words below that. Thresholds have 64 bits; the upper 32 decide all but one of about
 * 2^32 draws, so that only then a second word is drawn.
 */
export class Inversion {
  /** What a word is shifted by to give its bucket. */
  readonly #shift: number;
  /** The first value; each threshold is for one more. */
  readonly #first: number;
  // One entry per bucket: the first threshold that is in it or behind it, and its upper half.
  readonly #threshold: Int32Array;
  readonly #cut: Uint32Array;
  // One entry per threshold.
  readonly #upper: Uint32Array;
  readonly #lower: Uint32Array;

  constructor({ first, cumulative }: CumulativeLaw) {
    const length = cumulative.length;
    this.#first = first;
    const bits = Math.ceil(Math.log2(bucketsPerValue * length));
    const bucketBits = Math.min(mostBucketBits, Math.max(fewestBucketBits, bits));
    this.#shift = 32 - bucketBits;
    this.#upper = new Uint32Array(length);
    this.#lower = new Uint32Array(length);
    for (let i = 0; i < length; i++) {
      const scaled = cumulative[i] * 2 ** 32;
      const whole = Math.floor(scaled);
      this.#upper[i] = cumulative[i] < 1 ? whole : allOnes;
      this.#lower[i] = cumulative[i] < 1 ? Math.floor((scaled - whole) * 2 ** 32) : allOnes;
    }
    const bucketCount = 1 << bucketBits;
    this.#cut = new Uint32Array(bucketCount);
    this.#threshold = new Int32Array(bucketCount);
    for (let bucket = 0, i = 0; bucket < bucketCount; bucket++) {
      const lowestWord = (bucket << this.#shift) >>> 0;
      while (this.#upper[i] < lowestWord) i++;
      this.#cut[bucket] = this.#upper[i];
      this.#threshold[bucket] = i;
    }
  }

  /** Draws a value from the next words of a stream. */
  draw(stream: Stream): number {
    return this.#drawWith(stream.word(), stream);
  }

  /**
   * Draws a value for each of the stream's days, with the reserved word at `place`; what that cannot decide takes the
   * next word of the day.
   */
  drawDays(stream: Stream, place: number, into: DrawnColumn): void {
    const { values, totals, length } = into;
    for (let day = 0; ; day++) {
      day = this.#drawUsualDays(stream, place, into, day);
      if (day === length) return;
      stream.select(day);
      values[day] = this.#drawWith(stream.words[day * stream.stride + place], stream);
      totals[day] += values[day];
    }
  }

  /**
   * Draws as long as one word decides. No call is made in this loop, so that the compiler can keep the columns at hand.
   *
   * @returns the day that is left to others, or `length`
   */
  #drawUsualDays(
    { words, stride }: Stream,
    place: number,
    { values, totals, length }: DrawnColumn,
    begin: number,
  ): number {
    const shift = this.#shift;
    const first = this.#first;
    const cut = this.#cut;
    const threshold = this.#threshold;
    const upper = this.#upper;
    for (let day = begin; day < length; day++) {
      const word = words[day * stride + place];
      const bucket = word >>> shift;
      let i = threshold[bucket];
      if (word >= cut[bucket]) {
        while (word > upper[i]) i++;
        if (word === upper[i]) return day;
      }
      values[day] = first + i;
      totals[day] += first + i;
    }
    return length;
  }

  #drawWith(word: number, stream: Stream): number {
    const upper = this.#upper;
    const lower = this.#lower;
    const bucket = word >>> this.#shift;
    let i = this.#threshold[bucket];
    while (word > upper[i]) i++;
    if (word === upper[i]) {
      // The next word decides; the last threshold is all ones and stands for 1, so it holds every word.
      const next = stream.word();
      while (upper[i] === word && next >= lower[i] && !(upper[i] === allOnes && lower[i] === allOnes)) i++;
    }
    return this.#first + i;
  }
}
