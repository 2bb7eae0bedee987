import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DirectBinomials, drawBinomial } from "../src/random/binomial.js";
import { deriveKey } from "../src/random/key.js";
import { purpose, Stream } from "../src/random/stream.js";
import { TabledBinomials, tabulateBinomial } from "../src/random/tabled-binomials.js";
import { binomialPmf, exactCumulative, fromFixed } from "./exact-binomial.js";
import { falseAlarm, fitChance, tally } from "./significance.js";

const chances = [1e-300, 1e-17, 1e-9, 0.005, 0.1, 1 / 3, 0.5, 0.7, 0.98, 1 - 1e-9, 1 - 2 ** -53];

/** A tabled binomial of this chance, with others beside it; for days of so many jobs. */
function newTabled(chance: number, wholeDay: number): (stream: Stream, count: number) => number {
  const binomials = new TabledBinomials(3, wholeDay);
  [0.9, chance, 0.2].forEach((each, index) => {
    binomials.setChance(index, each);
  });
  return (stream, count) => binomials.draw(stream, 1, count);
}

/** The table as a function: the probability of a value of at most k. */
function cumulativeOf(count: number, chance: number): (k: number) => number {
  const { first, cumulative } = tabulateBinomial(count, chance);
  return (k) => (k < first ? 0 : (cumulative[k - first] ?? 1));
}

describe("binomialPmf, the oracle,", () => {
  test("agrees with exact rationals", () => {
    for (const chance of [1e-9, 0.02, 0.5, 0.93]) {
      const count = 60;
      const exactly = exactCumulative(count, chance);
      const { values, probabilities } = binomialPmf(count, chance);
      values.forEach((k, i) => {
        const exact = fromFixed(exactly[k] - (k > 0 ? exactly[k - 1] : 0n));
        expect(Math.abs(probabilities[i] / exact - 1), `${chance}: ${k}`).toBeLessThan(1e-13);
      });
    }
  });

  test("adds up to 1 and has the mean and variance of the distribution", () => {
    for (const [count, chance] of [
      [4_000_000, 0.3],
      [1_000_000, 1e-6],
      [50_000, 0.999],
      [7, 1],
      [7, 0],
    ]) {
      const { values, probabilities } = binomialPmf(count, chance);
      const sum = (f: (k: number) => number) => values.reduce((s, k, i) => s + f(k) * probabilities[i], 0);
      const variance = count * chance * (1 - chance);
      expect(sum(() => 1)).toBeCloseTo(1, 9);
      expect(sum((k) => k - count * chance)).toBeCloseTo(0, 5);
      expect(sum((k) => (k - count * chance) ** 2)).toBeCloseTo(variance, variance > 1000 ? 2 : 8);
    }
  });
});

describe("tabulateBinomial", () => {
  test.each(chances)("gives the exact cumulative probabilities for the chance %d", (chance) => {
    for (const count of [1, 2, 3, 10, 64, 200]) {
      const exactly = exactCumulative(count, chance);
      const cumulative = cumulativeOf(count, chance);
      for (let k = 0; k <= count; k++) {
        const exact = fromFixed(exactly[k]);
        expect(Math.abs(cumulative(k) - exact), `${count}: ${k}`).toBeLessThan(2 ** -50);
      }
    }
  });

  test("keeps small lower tails to a relative error", () => {
    for (const chance of [0.02, 0.3, 0.5]) {
      const exactly = exactCumulative(200, chance);
      const { first, cumulative } = tabulateBinomial(200, chance);
      cumulative.forEach((p, i) => {
        const exact = fromFixed(exactly[first + i]);
        // What lies below the first value is missing, 2^-64 of the mode at most for each.
        expect(Math.abs(p - exact), `${chance}: ${first + i}`).toBeLessThan(1e-13 * exact + 2 ** -63);
      });
    }
  });

  test("gives the exact cumulative probabilities of counts in the thousands", () => {
    for (const [count, chance] of [
      [4000, 0.005],
      [3000, 0.1],
      [1600, 0.5],
    ]) {
      const exactly = exactCumulative(count, chance);
      const cumulative = cumulativeOf(count, chance);
      const errors = exactly.map((exact, k) => Math.abs(cumulative(k) - fromFixed(exact)));
      expect(Math.max(...errors), `${count}, ${chance}`).toBeLessThan(2 ** -49);
    }
  });

  test("rises to 1, which only the last entry is", () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.double({ min: 0, max: 1, noNaN: true }), (count, chance) => {
        const { first, cumulative } = tabulateBinomial(count, chance);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first + cumulative.length - 1).toBeLessThanOrEqual(count);
        expect(cumulative.at(-1)).toBe(1);
        expect(cumulative[0]).toBeGreaterThan(0);
        cumulative.forEach((p, i) => {
          if (i > 0) expect(p >= cumulative[i - 1] && (p < 1 || i === cumulative.length - 1)).toBe(true);
        });
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("knows what is certain", () => {
    for (const count of [0, 1, 5, 8191]) {
      expect(tabulateBinomial(count, 0)).toEqual({ first: 0, cumulative: Float64Array.of(1) });
      expect(tabulateBinomial(count, 1)).toEqual({ first: count, cumulative: Float64Array.of(1) });
    }
    expect(tabulateBinomial(0, 0.3)).toEqual({ first: 0, cumulative: Float64Array.of(1) });
  });
});

function startStream(seed: string): Stream {
  const stream = new Stream(deriveKey(seed));
  stream.start(0, purpose.fates);
  return stream;
}

// Each case raises a false alarm with a chance of `falseAlarm`.
describe("draws have the exact distribution:", () => {
  const drawCount = 200_000;

  test.each([
    // by inversion
    [1, 0.5],
    [10, 0.3],
    [4000, 0.0005],
    [4_000_000, 2e-6],
    [19, 0.5],
    // by inversion from the other end
    [10, 0.8],
    [4000, 0.999],
    // by rejection, from where it begins to where everything is large
    [20, 0.5],
    [21, 0.5],
    [34, 0.3],
    [100, 0.1],
    [4000, 0.0026],
    [4000, 0.02],
    [4_000_000, 0.3],
    [4_000_000, 3e-6],
    // by rejection from the other end
    [34, 0.7],
    [4000, 0.97],
    [1_000_000, 0.99995],
  ])("drawBinomial, %i at %d", (count, chance) => {
    const stream = startStream(`direct ${count} ${chance}`);
    const draws = Array.from({ length: drawCount }, () => drawBinomial(stream, count, chance));
    expect(fitChance(tally(draws), binomialPmf(count, chance))).toBeGreaterThan(falseAlarm);
  });

  test.each([
    [1, 0.5],
    [1, 0.01],
    [2, 0.999],
    [10, 0.3],
    [80, 0.5],
    [500, 0.7],
    [4000, 0.0389],
    [8191, 0.04],
    [8000, 0.99],
    // too large for a table
    [8192, 0.02],
    [4000, 0.5],
  ])("TabledBinomials.draw, %i at %d", (count, chance) => {
    const draw = newTabled(chance, count);
    const stream = startStream(`tabled ${count} ${chance}`);
    // Other counts before and between, so that the row is one of many.
    for (let other = 0; other < 40; other++) draw(stream, other);
    const draws = Array.from({ length: drawCount }, (_, i) => {
      draw(stream, i % 50);
      return draw(stream, count);
    });
    expect(fitChance(tally(draws), binomialPmf(count, chance))).toBeGreaterThan(falseAlarm);
  });

  test("TabledBinomials.draw, each of many rows", () => {
    const draw = newTabled(0.37, 4000);
    const stream = startStream("rows");
    for (const count of [...Array.from({ length: 50 }, (_, i) => i + 1), 200, 511, 512, 513, 1000, 1500]) {
      const draws = Array.from({ length: 4000 }, () => draw(stream, count));
      expect(fitChance(tally(draws), binomialPmf(count, 0.37)), `${count}`).toBeGreaterThan(falseAlarm);
    }
  });
});

describe("draws of what is certain", () => {
  test("are 0 for no events or no chance, and all events for the chance 1", () => {
    const stream = startStream("certain");
    const direct = new DirectBinomials(2);
    for (const count of [0, 1, 50, 4000, 1_000_000, 2 ** 31 - 1]) {
      for (const chance of [0, 1]) {
        direct.setChance(chance, chance);
        expect(direct.draw(stream, chance, count)).toBe(count * chance);
        expect(drawBinomial(stream, count, chance)).toBe(count * chance);
        expect(newTabled(chance, count)(stream, count)).toBe(count * chance);
      }
      expect(drawBinomial(stream, 0, 0.4)).toBe(0);
      expect(newTabled(0.4, 4000)(stream, 0)).toBe(0);
    }
  });

  test("stay from 0 to the count for any chance", () => {
    const stream = startStream("range");
    fc.assert(
      fc.property(
        fc.oneof(fc.nat(100), fc.nat(2 ** 31 - 1)),
        fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...chances)),
        (count, chance) => {
          for (const value of [
            drawBinomial(stream, count, chance),
            newTabled(chance, count)(stream, count),
          ]) {
            expect(Number.isInteger(value) && value >= 0 && value <= count).toBe(true);
          }
        },
      ),
      { seed: 2, numRuns: 1000 },
    );
  });
});

/** A stream of given words, which must suffice. */
function streamOf(...given: number[]): Stream {
  const stream = {
    words: Uint32Array.from(given),
    cursor: 0,
    word() {
      if (stream.cursor === given.length) throw new Error("no more words");
      return stream.words[stream.cursor++];
    },
    fraction: () => ((stream.word() >>> 5) * 2 ** 26 + (stream.word() >>> 6)) / 2 ** 53,
  };
  return stream as unknown as Stream;
}

describe("TabledBinomials.draw", () => {
  const full = 2n ** 64n;
  /** The row's thresholds as 64-bit numbers; the last is 2^64. */
  const thresholdsOf = (count: number, chance: number) => {
    const { first, cumulative } = tabulateBinomial(count, chance);
    return { first, thresholds: Array.from(cumulative, (p) => BigInt(Math.floor(p * 2 ** 64))) };
  };

  test.each([
    [10, 0.3],
    [100, 0.5],
    [7, 1e-11],
    [60, 0.999],
    [3, 2 ** -32],
    [4000, 0.01],
    [2, 0.5],
  ])("decides ties by a second word, as a 64-bit comparison does, %i at %d", (count, chance) => {
    const binomials = new TabledBinomials(2, count);
    binomials.setChance(1, chance);
    // Rows of other counts come first, so that this one is far from the beginning.
    const stream = startStream("other rows");
    for (let other = 1; other < 150; other++) binomials.draw(stream, 1, other);
    const { first, thresholds } = thresholdsOf(count, chance);
    const probes = thresholds
      .flatMap((threshold) => {
        const upper = threshold & ~0xffff_ffffn;
        return [threshold - 1n, threshold, threshold + 1n, upper, upper + 0xffff_ffffn, upper - 1n];
      })
      .concat(0n, 1n, full / 2n, full - 1n)
      .filter((probe) => probe >= 0n && probe < full);
    for (const probe of probes) {
      const expected = first + thresholds.filter((threshold) => threshold <= probe).length;
      const words = [Number(probe >> 32n), Number(probe & 0xffff_ffffn)] as const;
      expect(binomials.draw(streamOf(...words), 1, count), `${probe}`).toBe(expected);
      // With two leaves there is one node, whose events binomial 0 + 1 splits.
      const part = Int32Array.of(0, count, 0, 0);
      binomials.spread(streamOf(...words), 0, 2, part);
      expect(part[2], `${probe}`).toBe(expected);
    }
  });

  test("needs one word where there is no tie", () => {
    const draw = newTabled(0.3, 4000);
    const { first, thresholds } = thresholdsOf(10, 0.3);
    for (const [i, threshold] of thresholds.slice(0, -1).entries()) {
      const upper = Number(threshold >> 32n);
      expect(draw(streamOf(upper + 1), 10)).toBe(first + i + 1);
      expect(() => draw(streamOf(upper), 10)).toThrow("no more words");
    }
  });

  test("rises with the word", () => {
    const word = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 1, 2 ** 26, 2 ** 32 - 2, 2 ** 32 - 1));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.tuple(word, word), { minLength: 2, maxLength: 40 }),
        (count, chance, pairs) => {
          const draw = newTabled(chance, 500);
          pairs.sort(([a, b], [c, d]) => a - c || b - d);
          const draws = pairs.map((pair) => draw(streamOf(...pair), count));
          expect(draws).toEqual([...draws].sort((a, b) => a - b));
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });

  test("depends on the chance set last alone, not on draws or other binomials before", () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    const count = fc.oneof(fc.nat(3), fc.nat(600), fc.constant(1000));
    const step = fc.record({ index: fc.nat(3), count, chance: fc.option(chance) });
    fc.assert(
      fc.property(fc.array(chance, { minLength: 4, maxLength: 4 }), fc.array(step), (chances, steps) => {
        const kept = new TabledBinomials(4, 1000);
        chances.forEach((each, index) => {
          kept.setChance(index, each);
        });
        const [one, other] = [startStream("history"), startStream("history")];
        for (const { index, count, chance } of steps) {
          if (chance !== null) {
            chances[index] = chance;
            kept.setChance(index, chance);
          }
          expect(kept.draw(one, index, count)).toBe(newTabled(chances[index], 1000)(other, count));
        }
      }),
      { seed: 4, numRuns: 150 },
    );
  });
});

test("TabledBinomials.draw stays right when it has met more counts than it keeps rows for", () => {
  const chances = Array.from({ length: 70 }, (_, index) => (index + 0.5) / 70);
  const kept = new TabledBinomials(chances.length, 4000);
  chances.forEach((chance, index) => {
    kept.setChance(index, chance);
  });
  const stream = startStream("many rows");
  for (let count = 0; count < 512; count++) {
    for (let index = 0; index < chances.length; index++) kept.draw(stream, index, count);
  }
  const [one, other] = [startStream("after many rows"), startStream("after many rows")];
  for (let count = 511; count > 0; count -= 6) {
    for (let index = 0; index < chances.length; index += 5) {
      expect(kept.draw(one, index, count)).toBe(newTabled(chances[index], 4000)(other, count));
    }
  }
});

test("DirectBinomials.draw is drawBinomial with the chance set last", () => {
  const chances = [0, 0.2, 0.9, 0.5];
  const direct = new DirectBinomials(4);
  const [one, other] = [startStream("direct"), startStream("direct")];
  for (let i = 0; i < 200; i++) {
    if (i % 7 === 0) chances[i % 4] = (i % 11) / 10;
    direct.setChance(i % 4, chances[i % 4]);
    expect(direct.draw(one, i % 4, 3 * i)).toBe(drawBinomial(other, 3 * i, chances[i % 4]));
  }
});

describe.each([
  ["TabledBinomials", () => new TabledBinomials(20, 700)],
  ["DirectBinomials", () => new DirectBinomials(20)],
] as const)("%s.spread", (_, newBinomials) => {
  test("gives each node's events to its children as draws of the node's binomial do", () => {
    const chance = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
    const count = fc.oneof(
      { weight: 3, arbitrary: fc.nat(5) },
      fc.nat(2000),
      fc.constantFrom(511, 512, 700, 1_000_000),
    );
    fc.assert(
      fc.property(
        fc.array(chance, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 16 }),
        fc.nat(4),
        fc.array(count, { maxLength: 5 }),
        (chances, leaves, first, counts) => {
          const [spreading, drawing] = [newBinomials(), newBinomials()];
          chances.forEach((each, index) => {
            spreading.setChance(index, each);
            drawing.setChance(index, each);
          });
          const [one, other] = [startStream("spread"), startStream("spread")];
          // Again and again, so that the last ones meet nothing new.
          for (const count of Array<number[]>(8).fill(counts).flat()) {
            const part = new Int32Array(2 * leaves).fill(-1);
            part[1] = count;
            spreading.spread(one, first, leaves, part);
            for (let node = 1; node < leaves; node++) {
              const left = part[node] === 0 ? 0 : drawing.draw(other, first + node, part[node]);
              expect([part[2 * node], part[2 * node + 1]]).toEqual([left, part[node] - left]);
            }
          }
        },
      ),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe("drawBinomial by rejection", () => {
  // Constants of algorithm BTRS: Hormann (1993). With them a candidate k, found from u, is accepted if and only if v is
  // at most f(k) (a / us^2 + b) / (alpha f(mode)), f being the binomial probability and us = 1/2 - |u|.
  test.each([
    [20, 0.5],
    [34, 0.3],
    [1000, 0.011],
    [4000, 0.02],
    [4000, 0.3],
    [4_000_000, 1e-5],
    [4_000_000, 0.3],
  ])("accepts each value by its exact probability, %i at %d", (count, chance) => {
    const sd = Math.sqrt(count * chance * (1 - chance));
    const b = 1.15 + 2.53 * sd;
    const a = -0.0873 + 0.0248 * b + 0.01 * chance;
    const alpha = (2.83 + 5.1 / b) * sd;
    const { values, probabilities } = binomialPmf(count, chance);
    const peak = Math.max(...probabilities);
    const isAccepted = (u: number, v: number, value: number) => {
      const fractions = [u + 0.5, v];
      const fraction = () => {
        const next = fractions.shift();
        if (next === undefined) throw new Error("rejected");
        return next;
      };
      try {
        return drawBinomial({ fraction } as unknown as Stream, count, chance) === value;
      } catch {
        return false;
      }
    };
    // Rounding of the logarithms, whose factors grow with the count.
    const tolerance = 1e-11 + count * 1e-15;
    for (let i = 1; i < 1000; i++) {
      const u = i / 1000 - 0.5;
      const us = 0.5 - Math.abs(u);
      const value = Math.floor(((2 * a) / us + b) * u + count * chance + 0.5);
      const probability = probabilities[value - values[0]] ?? 0;
      const limit = (probability / peak) * ((a / (us * us) + b) / alpha);
      if (limit > 1e-15)
        expect(isAccepted(u, Math.min(1, limit) * (1 - tolerance), value), `${u}`).toBe(true);
      if (limit < 1) expect(isAccepted(u, limit * (1 + tolerance) + 1e-15, value), `${u}`).toBe(false);
    }
  });
});

test("drawBinomial by inversion rises with the fraction", () => {
  const fractions = Array.from({ length: 500 }, (_, i) => i * 2 ** 23);
  for (const [count, chance] of [
    [10, 0.3],
    [4000, 0.002],
  ]) {
    const draws = fractions.map((word) => drawBinomial(streamOf(word, 0), count, chance));
    expect(draws).toEqual([...draws].sort((a, b) => a - b));
    expect(draws[0]).toBe(0);
    const { values, probabilities } = binomialPmf(count, chance);
    // Each value is drawn for the share of the fractions that its probability says.
    let reached = 0;
    values.forEach((value, i) => {
      reached += probabilities[i];
      const expected = fractions.filter((word) => word / 2 ** 32 < reached).length;
      expect(draws.filter((drawn) => drawn <= value).length).toBe(expected);
    });
  }
});
