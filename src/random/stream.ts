// Random words: one stream for each key, day and purpose, found by arithmetic. Knows nothing of distributions.
import type { Key } from "./key.js";

/** What a stream is for; streams of one day with different purposes are independent. */
export const purpose = { fates: 0, kk3: 1 } as const;

export type Purpose = (typeof purpose)[keyof typeof purpose];

/** Rounds before the first word counts: neighboring days are as unlike as distant ones from 12 on. */
const warmUpRounds = 12;

/** Words made at a time: about as many as a day of the default scenario needs. */
const batch = 16;

/**
 * The generator sfc32 (Chris Doty-Humphrey's small fast counting generator; at least 2^32 words before it repeats),
 * started anew for each day and purpose.
 *
 * Words are made in batches, in one loop that keeps the state in registers.
 */
export class Stream {
  /** Words to come, from `cursor` on; a kernel may take them from here itself. */
  readonly words = new Uint32Array(batch);
  cursor = batch;
  readonly #key: Key;
  readonly #state = new Int32Array(4);

  constructor(key: Key) {
    this.#key = key;
  }

  /**
   * Goes to the first word of a day's stream.
   *
   * @param day - from 0 to 2^53 - 1
   */
  start(day: number, use: Purpose): void {
    const key = this.#key;
    const state = this.#state;
    state[0] = key[0] ^ day;
    state[1] = key[1] ^ Math.floor(day / 0x1_0000_0000);
    state[2] = key[2] ^ use;
    state[3] = key[3];
    this.#generate(warmUpRounds);
  }

  /** The next word, from 0 to 2^32 - 1. */
  word(): number {
    if (this.cursor === batch) this.refill();
    return this.words[this.cursor++];
  }

  /** The next number from 0 (included) to 1 (excluded), a multiple of 2^-53. */
  fraction(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  /** Makes the next batch of words, once `cursor` is at the end of this one. */
  refill(): void {
    this.#generate(0);
  }

  /** Passes over `skip` words, then fills the batch. */
  #generate(skip: number): void {
    const state = this.#state;
    const { words } = this;
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let counter = state[3];
    for (let i = 0; i < skip + batch; i++) {
      const word = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + word) | 0;
      if (i >= skip) words[i - skip] = word;
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = counter;
    this.cursor = 0;
  }
}
