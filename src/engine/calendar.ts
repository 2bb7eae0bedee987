// Which jobs have something to do in which round. Knows nothing of what it is.

/** No job, no round. */
export const none = -1;

/**
 * Jobs by the round in which they are due: a ring of first-in, first-out lists, one for each round that can be planned
 * ahead, with a bit for each list that is not empty, so that empty rounds cost next to nothing.
 *
 * A job is in one list at a time, so one `next` column links the lists of all calendars that share it.
 */
export class Calendar {
  /** The job after this one in its list, or `none`; one entry per job. */
  next: Int32Array;
  readonly #mask: number;
  /** First and last job of each list; `#first` is `none` for an empty one. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** One bit per list, and one bit per word of those. */
  readonly #occupied: Int32Array;
  readonly #occupiedWords: Int32Array;
  #size = 0;

  /** @param horizon - the furthest that a round is planned ahead, in rounds */
  constructor(horizon: number, next: Int32Array) {
    const length = Math.max(32, 2 ** Math.ceil(Math.log2(horizon + 1)));
    this.next = next;
    this.#mask = length - 1;
    this.#first = new Int32Array(length).fill(none);
    this.#last = new Int32Array(length);
    this.#occupied = new Int32Array(length / 32);
    this.#occupiedWords = new Int32Array(Math.ceil(length / 1024));
  }

  /** Puts a job at the end of a round's list. */
  add(round: number, job: number): void {
    this.next[job] = none;
    this.append(round, job, job);
  }

  /** Puts a chain of jobs, linked by `next` and ended by `none`, at the end of a round's list. */
  append(round: number, firstJob: number, lastJob: number): void {
    const list = round & this.#mask;
    if (this.#first[list] === none) {
      this.#first[list] = firstJob;
      this.#occupied[list >> 5] |= 1 << (list & 31);
      this.#occupiedWords[list >> 10] |= 1 << ((list >> 5) & 31);
      this.#size++;
    } else {
      this.next[this.#last[list]] = firstJob;
    }
    this.#last[list] = lastJob;
  }

  /** Empties a round's list and returns its first job, from which `next` leads to the others; or `none`. */
  take(round: number): number {
    const list = round & this.#mask;
    const job = this.#first[list];
    if (job === none) return none;
    this.#first[list] = none;
    this.#occupied[list >> 5] &= ~(1 << (list & 31));
    if (this.#occupied[list >> 5] === 0) this.#occupiedWords[list >> 10] &= ~(1 << ((list >> 5) & 31));
    this.#size--;
    return job;
  }

  /** The first round from `begin` on that has a job, or `none`. All jobs must be due within the horizon from there. */
  nextRound(begin: number): number {
    if (this.#size === 0) return none;
    const start = begin & this.#mask;
    // The rest of the word that begins in, then whole words, around the ring.
    const rest = this.#occupied[start >> 5] & (-1 << (start & 31));
    const list = rest !== 0 ? (start & ~31) + lowestBit(rest) : this.#firstListFrom((start >> 5) + 1);
    return begin + ((list - start) & this.#mask);
  }

  /** Empties all lists. */
  clear(): void {
    for (let round = this.nextRound(0); round !== none; round = this.nextRound(0)) this.take(round);
  }

  #firstListFrom(beginWord: number): number {
    const wordCount = this.#occupied.length;
    for (let word = beginWord % wordCount; ; word = ((word | 31) + 1) % wordCount) {
      const rest = this.#occupiedWords[word >> 5] & (-1 << (word & 31));
      if (rest !== 0) {
        const found = (word & ~31) + lowestBit(rest);
        return 32 * found + lowestBit(this.#occupied[found]);
      }
    }
  }
}

/** The index of the lowest bit that is set. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
