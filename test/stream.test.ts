import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deriveKey, type Key } from "../src/random/key.js";
import { type Purpose, purpose, Stream } from "../src/random/stream.js";
import { flipChance, testWords, worstChance } from "./battery.js";
import { falseAlarm, kolmogorovChance } from "./significance.js";

const word = 2 ** 32;

/** Word after word of sfc32, by schoolbook arithmetic on numbers from 0 to 2^32 - 1. */
function* plainStream(key: Key, day: number, use: number, warmUpRounds: number): Generator<number, never> {
  const unsigned = (x: number) => (x < 0 ? x + word : x);
  const xor = (x: number, y: number) => Number(BigInt(x) ^ BigInt(y));
  let a = xor(unsigned(key[0]), day % word);
  let b = xor(unsigned(key[1]), Math.floor(day / word));
  let c = xor(unsigned(key[2]), use);
  let counter = unsigned(key[3]);
  for (let round = 0; ; round++) {
    const output = (a + b + counter) % word;
    counter = (counter + 1) % word;
    a = xor(b, Math.floor(b / 2 ** 9));
    b = (c * 9) % word;
    const rotated = ((c * 2 ** 21) % word) + Math.floor(c / 2 ** 11);
    c = (rotated + output) % word;
    if (round >= warmUpRounds) yield output;
  }
}

function firstPlainWords(key: Key, days: readonly number[], warmUpRounds: number): Uint32Array {
  return Uint32Array.from(days, (day) => plainStream(key, day, purpose.fates, warmUpRounds).next().value);
}

function firstWords(key: Key, days: readonly number[], use: Purpose = purpose.fates): Uint32Array {
  const stream = new Stream(key);
  return Uint32Array.from(days, (day) => {
    stream.start(day, use);
    return stream.word();
  });
}

function wordsOf(key: Key, day: number, use: Purpose, length: number): number[] {
  const stream = new Stream(key);
  stream.start(day, use);
  return Array.from({ length }, () => stream.word());
}

const key = deriveKey("stream");
const anyKey = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 4, maxLength: 4 });
const anyDay = fc.oneof(fc.nat(1000), fc.maxSafeNat(), fc.constantFrom(word - 1, word, word + 1));
const anyPurpose = fc.constantFrom(...Object.values(purpose));

describe("Stream", () => {
  test("gives the words of sfc32 for each key, day and purpose", () => {
    fc.assert(
      fc.property(anyKey, anyDay, anyPurpose, fc.nat(70), (words, day, use, length) => {
        const plain = plainStream(Int32Array.from(words), day, use, 12);
        const expected = Array.from({ length }, () => plain.next().value);
        expect(wordsOf(Int32Array.from(words), day, use, length)).toEqual(expected);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("gives the same words again, whatever was drawn before", () => {
    const stream = new Stream(key);
    fc.assert(
      fc.property(anyDay, anyPurpose, fc.nat(40), (day, use, length) => {
        stream.start(day, use);
        expect(Array.from({ length }, () => stream.word())).toEqual(wordsOf(key, day, use, length));
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test("gives different words for other purposes, days and keys, also beyond 2^32 days", () => {
    const streams = [
      wordsOf(key, 5, purpose.fates, 4),
      wordsOf(key, 5, purpose.kk3, 4),
      wordsOf(key, 4, purpose.fates, 4),
      wordsOf(key, 5 + word, purpose.fates, 4),
      wordsOf(key, 5 + 2 * word, purpose.fates, 4),
      wordsOf(key, 5 + 2 ** 52, purpose.fates, 4),
      wordsOf(deriveKey("strean"), 5, purpose.fates, 4),
    ];
    expect(new Set(streams.flat()).size).toBe(28);
    expect(new Set(Object.values(purpose)).size).toBe(Object.keys(purpose).length);
  });

  test("gives fractions from 0 to below 1, made of the upper 27 and 26 bits of two words", () => {
    const stream = new Stream(key);
    stream.start(3, purpose.kk3);
    const words = wordsOf(key, 3, purpose.kk3, 40_000);
    const fractions = Array.from({ length: 20_000 }, () => stream.fraction());
    fractions.forEach((fraction, i) => {
      const bits = (BigInt(words[2 * i]) >> 5n) * 2n ** 26n + (BigInt(words[2 * i + 1]) >> 6n);
      expect(fraction).toBe(Number(bits) / 2 ** 53);
    });
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    // All 53 bits are in use.
    expect(fractions.some((fraction) => (fraction * 2 ** 53) % 2 === 1)).toBe(true);
    expect(kolmogorovChance(fractions, (x) => x)).toBeGreaterThan(falseAlarm);
  });
});

/** Each battery makes 14 checks, so it raises a false alarm with a chance of 14 times `falseAlarm`. */
function expectRandom(words: Uint32Array): void {
  for (const [name, chance] of Object.entries(testWords(words))) {
    expect(chance, name).toBeGreaterThan(falseAlarm);
  }
}

describe("neighboring streams are as unlike as distant ones:", () => {
  const length = 1 << 17;
  const days = Array.from({ length }, (_, day) => day);
  const fewDays = days.slice(0, 1 << 15);

  test("words of one stream", () => {
    expectRandom(Uint32Array.from(wordsOf(key, 0, purpose.fates, length)));
  });

  test("first words of consecutive days", () => {
    expectRandom(firstWords(key, days));
    expectRandom(firstWords(deriveKey("another"), fewDays));
    expectRandom(firstWords(key, fewDays, purpose.kk3));
  });

  test("first words of days far apart", () => {
    for (const stride of [16, 2 ** 16, 2 ** 31, word, 2 ** 37]) {
      expectRandom(
        firstWords(
          key,
          fewDays.map((day) => day * stride),
        ),
      );
    }
  });

  test("first words of the same days for different purposes", () => {
    const [fates, kk3] = Object.values(purpose).map((use) => firstWords(key, fewDays, use));
    expectRandom(Uint32Array.from({ length: 2 * fewDays.length }, (_, i) => [fates, kk3][i % 2][i >> 1]));
    expect(flipChance(fates.map((first, i) => first ^ kk3[i]))).toBeGreaterThan(falseAlarm);
  });

  test("third words of consecutive days", () => {
    expectRandom(Uint32Array.from(fewDays, (day) => wordsOf(key, day, purpose.fates, 3)[2]));
  });

  test("first words of days that differ in one bit", () => {
    for (const bit of [0, 1, 2, 5, 10, 20, 31, 32, 40, 52]) {
      const flipped = fewDays.map((day) =>
        Math.floor(day / 2 ** bit) % 2 === 0 ? day + 2 ** bit : day - 2 ** bit,
      );
      const others = firstWords(key, flipped);
      const differences = firstWords(key, fewDays).map((first, i) => first ^ others[i]);
      expect(flipChance(differences), `bit ${bit}`).toBeGreaterThan(falseAlarm);
    }
  });

  test("first words of consecutive seeds", () => {
    const words = Uint32Array.from(
      { length: 1 << 14 },
      (_, seed) => firstWords(deriveKey(`${seed}`), [0])[0],
    );
    expectRandom(words);
  });

  test("the battery flags streams with too few rounds of warm-up, and passes the plain one", () => {
    const plain = fewDays.slice(0, 1 << 14);
    expectRandom(firstPlainWords(key, plain, 12));
    for (const warmUpRounds of [0, 2, 4]) {
      expect(worstChance(firstPlainWords(key, plain, warmUpRounds)), `${warmUpRounds} rounds`).toBeLessThan(
        falseAlarm ** 2,
      );
    }
  });

  test("the battery flags a linear congruential generator, a counter, and a biased bit", () => {
    const lcg = new Uint32Array(1 << 14);
    for (let i = 1; i < lcg.length; i++)
      lcg[i] = Number((BigInt(lcg[i - 1]) * 1664525n + 1013904223n) % 2n ** 32n);
    expect(worstChance(lcg)).toBeLessThan(falseAlarm);
    expect(worstChance(lcg.map((_, i) => i * 0x9e3779b9))).toBeLessThan(falseAlarm);
    const biased = firstWords(key, fewDays).map((first, i) => (i % 16 === 0 ? first | 0x100 : first));
    expect(testWords(biased)["ones in each bit"]).toBeLessThan(falseAlarm);
  });
});

describe("deriveKey", () => {
  test("gives the same key for the same seed, and pins what seeds mean", () => {
    expect([...deriveKey("redrive")]).toEqual([1514747895, 110052246, 19360196, 1647292827]);
    expect([...deriveKey("")]).toEqual([1094857912, 1622332712, -425814524, 1966882204]);
    expect(deriveKey("1")).toEqual(deriveKey("1"));
  });

  test("gives different keys for seeds that are easily taken for one", () => {
    const seeds = [
      ["", "0", "00", " ", "\u0000", "\u0000\u0000"],
      ["1", "11", "111", "1 ", " 1", "1\u0000", "01", "1.0"],
      ["a", "a\u0000", "aa", "A", "a a", "a\u00ff", "\u00ff"],
      // One low byte, and one sum of bytes.
      ["\u0001", "\u0101", "\u0201", "\u0141", "\u4e01", "\u4f01"],
      ["ab", "ba", "redrive", "redrive redrive", "redrive 1"],
      ["x".repeat(255), "x".repeat(256), "x".repeat(257), "x".repeat(512), `y${"x".repeat(511)}`],
    ].flat();
    const keys = seeds.map((seed) => deriveKey(seed).join());
    expect(new Set(keys).size).toBe(seeds.length);
  });

  test("gives different keys for different seeds", () => {
    const seed = fc.string({ unit: "binary", maxLength: 12 });
    fc.assert(
      fc.property(seed, seed, (one, other) => {
        expect(deriveKey(one).join() === deriveKey(other).join()).toBe(one === other);
      }),
      { seed: 3, numRuns: 1000 },
    );
    const keys = Array.from({ length: 20_000 }, (_, i) => deriveKey(`${i}`).join());
    expect(new Set(keys).size).toBe(keys.length);
  });
});
