// Random words: one stream for each key, day and purpose, found by arithmetic. Knows nothing of distributions.
import type { Key } from "./key.js";

/** What a stream is for; streams of one day with different purposes are independent. */
export const purpose = { fates: 0, kk3: 1 } as const;

export type Purpose = (typeof purpose)[keyof typeof purpose];

/** Rounds before the first word counts: neighboring days are as unlike as distant ones from 12 on. */
const warmUpRounds = 12;

/** Words of a stream made at a time, beside the reserved ones. */
const batch = 8;

/**
 * The generator sfc32 (Chris Doty-Humphrey's small fast counting generator; at least 2^32 words before it repeats),
 * started anew for each day and purpose.
 *
 * The streams of a strip of consecutive days are started together. The first words of each may be reserved for a
 * kernel that takes the same word of many days in one loop; the others are read one by one, from a stream at a time,
 * and are made in batches.
 */
export class Stream {
  /** For each day the reserved words, then a batch of the others. */
  readonly words: Uint32Array;
  /** Words that lie between those of a day and those of the next one. */
  readonly stride: number;
  /** The next word of the selected day, and the end of its batch. */
  #cursor = 0;
  #end = 0;
  readonly #key: Key;
  readonly #reserved: number;
  #selected = 0;
  /** The next word of each day that is not selected. */
  readonly #cursors: Int32Array;
  /** The state after the batch, four numbers for each day. */
  readonly #states: Int32Array;

  /**
   * @param days - streams that can be started together
   * @param reserved - words of each that are not read one by one
   */
  constructor(key: Key, { days = 1, reserved = 0 } = {}) {
    this.#key = key;
    this.#reserved = reserved;
    this.stride = reserved + batch;
    this.words = new Uint32Array(days * this.stride);
    this.#cursors = new Int32Array(days);
    this.#states = new Int32Array(4 * days);
  }

  /**
   * Starts a day's stream and goes to its first word.
   *
   * @param day - from 0 to 2^53 - 1
   */
  start(day: number, use: Purpose): void {
    this.startDays(day, 1, use);
  }

  /**
   * Starts the streams of `length` consecutive days and selects the first one.
   *
   * @param first - the first day; all days are from 0 to 2^53 - 1
   */
  startDays(first: number, length: number, use: Purpose): void {
    const key = this.#key;
    const states = this.#states;
    const cursors = this.#cursors;
    for (let row = 0; row < length; row++) {
      const day = first + row;
      states[4 * row] = key[0] ^ day;
      states[4 * row + 1] = key[1] ^ Math.floor(day / 0x1_0000_0000);
      states[4 * row + 2] = key[2] ^ use;
      states[4 * row + 3] = key[3];
      cursors[row] = row * this.stride + this.#reserved;
    }
    this.#generate(0, length, { skip: warmUpRounds, place: 0 });
    this.#selected = 0;
    this.#goTo(0);
  }

  /** Goes to where reading was in the stream of one of the days that were started together. */
  select(row: number): void {
    this.#cursors[this.#selected] = this.#cursor;
    this.#selected = row;
    this.#goTo(row);
  }

  #goTo(row: number): void {
    this.#cursor = this.#cursors[row];
    this.#end = (row + 1) * this.stride;
  }

  /** The next word, from 0 to 2^32 - 1. */
  word(): number {
    if (this.#cursor === this.#end) this.#refill();
    return this.words[this.#cursor++];
  }

  /** The next number from 0 (included) to 1 (excluded), a multiple of 2^-53. */
  fraction(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  /** Makes the next batch of the selected day's words, once all of this one are read. */
  #refill(): void {
    const row = this.#selected;
    this.#generate(row, row + 1, { skip: 0, place: this.#reserved });
    this.#cursor = this.#end - batch;
  }

  /** For each day: passes over `skip` words, then makes those from `place` on. */
  #generate(begin: number, end: number, { skip, place }: { skip: number; place: number }): void {
    const states = this.#states;
    const { words, stride } = this;
    const rounds = skip + stride - place;
    for (let row = begin; row < end; row++) {
      let a = states[4 * row];
      let b = states[4 * row + 1];
      let c = states[4 * row + 2];
      let counter = states[4 * row + 3];
      const first = row * stride + place - skip;
      for (let i = 0; i < rounds; i++) {
        const word = (((a + b) | 0) + counter) | 0;
        counter = (counter + 1) | 0;
        a = b ^ (b >>> 9);
        b = (c + (c << 3)) | 0;
        c = (((c << 21) | (c >>> 11)) + word) | 0;
        if (i >= skip) words[first + i] = word;
      }
      states[4 * row] = a;
      states[4 * row + 1] = b;
      states[4 * row + 2] = c;
      states[4 * row + 3] = counter;
    }
  }
}
