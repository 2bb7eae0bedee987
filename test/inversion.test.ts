import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CumulativeLaw, Inversion } from "../src/random/inversion.js";
import { deriveKey } from "../src/random/key.js";
import { accumulate, tabulatePoisson } from "../src/random/poisson.js";
import { purpose, Stream } from "../src/random/stream.js";
import { falseAlarm, fitChance, tally } from "./significance.js";

/** ln k! by the sum of logarithms, compensated. */
function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1);
  let lost = 0;
  for (let k = 2; k <= most; k++) {
    const term = Math.log(k) - lost;
    logs[k] = logs[k - 1] + term;
    lost = logs[k] - logs[k - 1] - term;
  }
  return logs;
}

/** The Poisson law from logarithms: another way than the table's. */
function poissonPmf(mean: number): { values: number[]; probabilities: number[] } {
  const reach = 12 * Math.sqrt(mean) + 40;
  const first = Math.max(0, Math.floor(mean - reach));
  const values = Array.from({ length: Math.ceil(mean + reach) - first }, (_, i) => first + i);
  const logs = logFactorials(values.at(-1) as number);
  return {
    values,
    probabilities: values.map((k) =>
      mean === 0 ? Number(k === 0) : Math.exp(k * Math.log(mean) - mean - logs[k]),
    ),
  };
}

const means = [0, 1e-300, 1e-12, 0.02, 0.5, 1, 1.5, 19.7, 80, 157.3, 4000, 39_999.9];

describe("tabulatePoisson", () => {
  test.each(means)("gives the cumulative probabilities for the mean %d", (mean) => {
    const { first, cumulative } = tabulatePoisson(mean);
    const { values, probabilities } = poissonPmf(mean);
    let reached = 0;
    values.forEach((k, i) => {
      reached += probabilities[i];
      const tabled = k < first ? 0 : (cumulative[k - first] ?? 1);
      expect(Math.abs(tabled - reached), `${k}`).toBeLessThan(1e-9);
    });
    expect(cumulative.at(-1)).toBe(1);
    expect(cumulative.indexOf(1)).toBe(cumulative.length - 1);
  });

  test("knows that nothing happens for the mean 0", () => {
    expect(tabulatePoisson(0)).toEqual({ first: 0, cumulative: Float64Array.of(1) });
  });

  test("has the mean and the variance, which are equal", () => {
    for (const mean of means.filter((each) => each >= 0.02)) {
      const { first, cumulative } = tabulatePoisson(mean);
      const moment = (f: (k: number) => number) =>
        cumulative.reduce((sum, p, i) => sum + f(first + i) * (p - (cumulative[i - 1] ?? 0)), 0);
      expect(moment((k) => k) / mean).toBeCloseTo(1, 10);
      expect(moment((k) => (k - mean) ** 2) / mean).toBeCloseTo(1, 8);
    }
  });
});

function startStream(seed: string, days = 1, reserved = 0): Stream {
  const stream = new Stream(deriveKey(seed), { days, reserved });
  stream.startDays(0, days, purpose.fates);
  return stream;
}

/** A stream of given words, which must suffice. */
function streamOf(...given: number[]): Stream {
  let next = 0;
  const word = () => given[next++] ?? expect.fail("no more words");
  return { word } as unknown as Stream;
}

const laws: readonly (readonly [string, CumulativeLaw])[] = [
  ["one value", { first: 7, cumulative: accumulate([3]) }],
  ["a coin", { first: 0, cumulative: accumulate([1, 1]) }],
  ["a gap and a rare value", { first: -2, cumulative: accumulate([0, 5, 0, 0, 1e-9, 2, 0]) }],
  ["rare values at both ends", { first: 0, cumulative: accumulate([2 ** -40, 1, 2 ** -33]) }],
  ["a Poisson law", tabulatePoisson(19.7)],
  ["a wide Poisson law", tabulatePoisson(39_999.9)],
];

describe("Inversion.draw", () => {
  const full = 2n ** 64n;

  test.each(laws)("decides ties by a second word, as a 64-bit comparison does: %s", (_, law) => {
    const inversion = new Inversion(law);
    const thresholds = Array.from(law.cumulative, (p) => BigInt(Math.floor(p * 2 ** 64)));
    const some = thresholds.length > 300 ? thresholds.filter((_, i) => i % 97 === 0) : thresholds;
    const probes = some
      .flatMap((threshold) => {
        const upper = threshold & ~0xffff_ffffn;
        return [threshold - 1n, threshold, threshold + 1n, upper, upper + 0xffff_ffffn, upper - 1n];
      })
      .concat(0n, 1n, full / 2n, full - 1n)
      .filter((probe) => probe >= 0n && probe < full);
    for (const probe of probes) {
      const expected = law.first + thresholds.findIndex((threshold) => probe < threshold);
      const drawn = inversion.draw(streamOf(Number(probe >> 32n), Number(probe & 0xffff_ffffn)));
      expect(drawn, `${probe}`).toBe(expected);
    }
  });

  test("needs one word where there is no tie", () => {
    const law = tabulatePoisson(4);
    const inversion = new Inversion(law);
    for (const [i, p] of law.cumulative.subarray(0, 12).entries()) {
      const upper = Math.floor(p * 2 ** 32);
      expect(inversion.draw(streamOf(upper + 1))).toBe(law.first + i + 1);
      expect(() => inversion.draw(streamOf(upper))).toThrow("no more words");
    }
  });

  test("rises with the word", () => {
    const word = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 1, 2 ** 26, 2 ** 32 - 2, 2 ** 32 - 1));
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 500, noNaN: true }),
        fc.array(fc.tuple(word, word), { minLength: 2, maxLength: 40 }),
        (mean, pairs) => {
          const inversion = new Inversion(tabulatePoisson(mean));
          pairs.sort(([a, b], [c, d]) => a - c || b - d);
          const draws = pairs.map((pair) => inversion.draw(streamOf(...pair)));
          expect(draws).toEqual([...draws].sort((a, b) => a - b));
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  // Each case raises a false alarm with a chance of `falseAlarm`.
  test.each([0.02, 1, 19.7, 157.3, 4000])("has the Poisson law of the mean %d", (mean) => {
    const stream = startStream(`poisson ${mean}`);
    const inversion = new Inversion(tabulatePoisson(mean));
    const draws = Array.from({ length: 200_000 }, () => inversion.draw(stream));
    expect(fitChance(tally(draws), poissonPmf(mean))).toBeGreaterThan(falseAlarm);
  });
});

describe("Inversion.drawDays", () => {
  test.each(laws)("draws each day from its reserved word, as draw does, and adds it up: %s", (_, law) => {
    const [days, reserved, place] = [200, 3, 1];
    const inversion = new Inversion(law);
    const stream = startStream("days", days, reserved);
    // Words that tie: then the day's own next word decides.
    for (const [i, p] of law.cumulative.entries()) {
      if (i >= 40) break;
      stream.words[(5 * i + 2) * stream.stride + place] = Math.min(Math.floor(p * 2 ** 32), 2 ** 32 - 1);
    }
    const expected = Array.from({ length: days }, (_, day) => {
      const begin = day * stream.stride;
      return inversion.draw(streamOf(stream.words[begin + place], stream.words[begin + reserved]));
    });
    const values = new Float64Array(days);
    const totals = new Float64Array(days).fill(10);
    inversion.drawDays(stream, place, { values, totals, length: days });
    expect([...values]).toEqual(expected);
    expect([...totals]).toEqual(expected.map((value) => value + 10));
  });
});
