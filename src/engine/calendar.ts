// Which jobs have something to do in which round. Knows nothing of what it is.

/** No round, no list. */
export const none = -1;

/** Jobs, in the order in which they were added. */
export class JobList {
  /** Which of its calendar's lists this is. */
  readonly number: number;
  jobs = new Int32Array(16);
  length = 0;

  constructor(number: number) {
    this.number = number;
  }

  add(job: number): void {
    this.reserve(this.length + 1);
    this.jobs[this.length++] = job;
  }

  /** Makes room for this many jobs in all. */
  reserve(length: number): void {
    if (length <= this.jobs.length) return;
    const larger = new Int32Array(Math.max(length, 2 * this.jobs.length));
    larger.set(this.jobs.subarray(0, this.length));
    this.jobs = larger;
  }
}

/**
 * Lists of jobs by the round in which they are due: a ring with a place for each round that can be planned ahead, and
 * a bit for each place that is taken, so that empty rounds cost next to nothing. Lists are used again and again.
 */
export class Calendar {
  readonly #mask: number;
  /** The number of the list at each place of the ring, or `none`. */
  readonly #listAt: Int32Array;
  readonly #lists: JobList[] = [];
  /** Numbers of the lists that are at no place and not with the caller. */
  readonly #unused: number[] = [];
  /** One bit per place that is taken, and one bit per word of those that is not zero. */
  readonly #taken: Int32Array;
  readonly #takenWords: Int32Array;
  #size = 0;

  /** @param horizon - the furthest that a round is planned ahead, in rounds */
  constructor(horizon: number) {
    const length = Math.max(32, 2 ** Math.ceil(Math.log2(horizon + 1)));
    this.#mask = length - 1;
    this.#listAt = new Int32Array(length).fill(none);
    this.#taken = new Int32Array(length / 32);
    this.#takenWords = new Int32Array(Math.ceil(length / 1024));
  }

  /** Adds a job to a round. */
  add(round: number, job: number): void {
    this.listOf(round).add(job);
  }

  /** The list of a round, for jobs to be added to. */
  listOf(round: number): JobList {
    const place = round & this.#mask;
    if (this.#listAt[place] === none) this.#occupy(place, this.#unused.pop() ?? this.#newList());
    return this.#lists[this.#listAt[place]];
  }

  /** Takes a round's list off the calendar, to be moved or released; undefined where it has none. */
  take(round: number): JobList | undefined {
    const place = round & this.#mask;
    const number = this.#listAt[place];
    if (number === none) return undefined;
    this.#listAt[place] = none;
    this.#taken[place >> 5] &= ~(1 << (place & 31));
    if (this.#taken[place >> 5] === 0) this.#takenWords[place >> 10] &= ~(1 << ((place >> 5) & 31));
    this.#size--;
    return this.#lists[number];
  }

  /** Puts a list that was taken off to another round, which must have none; an empty list is released. */
  put(round: number, list: JobList): void {
    if (list.length === 0) this.release(list);
    else this.#occupy(round & this.#mask, list.number);
  }

  /** Gives back a list that was taken off. */
  release(list: JobList): void {
    list.length = 0;
    this.#unused.push(list.number);
  }

  /** The first round from `begin` on that has a list, or `none`. All lists must be within the horizon from there. */
  nextRound(begin: number): number {
    if (this.#size === 0) return none;
    const start = begin & this.#mask;
    // The rest of the word that begins in, then whole words, around the ring.
    const rest = this.#taken[start >> 5] & (-1 << (start & 31));
    const place = rest !== 0 ? (start & ~31) + lowestBit(rest) : this.#firstPlaceFrom((start >> 5) + 1);
    return begin + ((place - start) & this.#mask);
  }

  /** Empties the calendar. */
  clear(): void {
    for (let round = this.nextRound(0); round !== none; round = this.nextRound(0)) {
      this.release(this.take(round) as JobList);
    }
  }

  #newList(): number {
    return this.#lists.push(new JobList(this.#lists.length)) - 1;
  }

  #occupy(place: number, number: number): void {
    this.#listAt[place] = number;
    this.#taken[place >> 5] |= 1 << (place & 31);
    this.#takenWords[place >> 10] |= 1 << ((place >> 5) & 31);
    this.#size++;
  }

  #firstPlaceFrom(beginWord: number): number {
    const wordCount = this.#taken.length;
    for (let word = beginWord % wordCount; ; word = ((word | 31) + 1) % wordCount) {
      const rest = this.#takenWords[word >> 5] & (-1 << (word & 31));
      if (rest !== 0) {
        const found = (word & ~31) + lowestBit(rest);
        return 32 * found + lowestBit(this.#taken[found]);
      }
    }
  }
}

/** The index of the lowest bit that is set. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
