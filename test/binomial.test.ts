import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawBinomial } from "../src/random/binomial.js";
import { deriveKey } from "../src/random/key.js";
import { purpose, Stream } from "../src/random/stream.js";
import { binomialPmf, exactCumulative, fromFixed } from "./exact-binomial.js";
import { falseAlarm, fitChance, tally } from "./significance.js";

const chances = [1e-300, 1e-17, 1e-9, 0.005, 0.1, 1 / 3, 0.5, 0.7, 0.98, 1 - 1e-9, 1 - 2 ** -53];

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
});

describe("draws of what is certain", () => {
  test("are 0 for no events or no chance, and all events for the chance 1", () => {
    const stream = startStream("certain");
    for (const count of [0, 1, 50, 4000, 1_000_000, 2 ** 31 - 1]) {
      for (const chance of [0, 1]) {
        expect(drawBinomial(stream, count, chance)).toBe(count * chance);
      }
      expect(drawBinomial(stream, 0, 0.4)).toBe(0);
    }
  });

  test("stay from 0 to the count for any chance", () => {
    const stream = startStream("range");
    fc.assert(
      fc.property(
        fc.oneof(fc.nat(100), fc.nat(2 ** 31 - 1)),
        fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...chances)),
        (count, chance) => {
          const value = drawBinomial(stream, count, chance);
          expect(Number.isInteger(value) && value >= 0 && value <= count).toBe(true);
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
