// How often each whole number was seen. Merging is exact and does not depend on the order.

/** The widest range of values, in entries, that is counted in an array rather than a map. */
const widestWindow = 1 << 18;

/** Values in ascending order and how often each was seen. */
export interface ValueCounts {
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Counts whole numbers from 0 to 2^53 - 1. Counts are exact up to 2^53.
 *
 * Values that lie close together, as those of a metric do, are counted in an array that covers them; once they span
 * too much they are counted in a map.
 */
export class Histogram {
  /** Counts of the values from `#base` on. */
  #window = new Float64Array(0);
  #base = 0;
  #scattered: Map<number, number> | undefined;

  /** Counts a value `count` times. */
  add(value: number, count: number): void {
    this.#cover(value, value);
    if (this.#scattered === undefined) this.#window[value - this.#base] += count;
    else this.#scattered.set(value, (this.#scattered.get(value) ?? 0) + count);
  }

  /** Counts the first `length` values of a column once each. */
  addColumn(column: Float64Array, length: number): void {
    if (this.#scattered !== undefined) {
      for (let i = 0; i < length; i++) this.add(column[i], 1);
      return;
    }
    const counts = this.#window;
    const base = this.#base;
    const windowLength = counts.length;
    for (let i = 0; i < length; i++) {
      const offset = column[i] - base;
      if (offset < 0 || offset >= windowLength) {
        // Outside the window, which grows; the rest is counted in the new one.
        this.add(column[i], 1);
        this.addColumn(column.subarray(i + 1), length - i - 1);
        return;
      }
      counts[offset | 0]++;
    }
  }

  /** Adds the counts of another histogram. */
  merge({ values, counts }: ValueCounts): void {
    if (values.length === 0) return;
    this.#cover(values[0], values[values.length - 1]);
    for (let i = 0; i < values.length; i++) this.add(values[i], counts[i]);
  }

  /** The values seen, in ascending order, and their counts. */
  toCounts(): ValueCounts {
    if (this.#scattered !== undefined) {
      const pairs = [...this.#scattered].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
      return {
        values: Float64Array.from(pairs, ([value]) => value),
        counts: Float64Array.from(pairs, ([, count]) => count),
      };
    }
    const window = this.#window;
    let length = 0;
    for (let i = 0; i < window.length; i++) if (window[i] > 0) length++;
    const values = new Float64Array(length);
    const counts = new Float64Array(length);
    for (let i = 0, next = 0; i < window.length; i++) {
      if (window[i] === 0) continue;
      values[next] = this.#base + i;
      counts[next++] = window[i];
    }
    return { values, counts };
  }

  /** Makes room for all values from `least` to `most`. */
  #cover(least: number, most: number): void {
    if (this.#scattered !== undefined) return;
    const end = this.#base + this.#window.length;
    if (least >= this.#base && most < end) return;
    const empty = this.#window.length === 0;
    const low = empty ? least : Math.min(least, this.#base);
    const high = empty ? most + 1 : Math.max(most + 1, end);
    if (high - low > widestWindow) {
      const { values, counts } = this.toCounts();
      this.#scattered = new Map(Array.from(values, (value, i) => [value, counts[i]]));
      this.#window = new Float64Array(0);
      return;
    }
    // Room on both sides, so that growing is rare.
    const margin = Math.ceil((high - low) / 2) + 8;
    const base = Math.max(0, low - margin);
    const window = new Float64Array(high + margin - base);
    window.set(this.#window, empty ? 0 : this.#base - base);
    this.#window = window;
    this.#base = base;
  }
}
