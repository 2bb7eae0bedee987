import { describe, expect, test } from "vitest";
import { Acceptance } from "../src/random/acceptance.js";
import type { Stream } from "../src/random/stream.js";

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** All pairs of counts that add up to at most `most`. */
const pairs = (most: number) =>
  Array.from({ length: most + 1 }, (_, i) =>
    Array.from({ length: most + 1 - i }, (_, j) => [i, j] as const),
  ).flat();

describe("Acceptance", () => {
  test.each([
    [1, 0.5, 0.3],
    [2, 0.02, 0.01],
    [5, 0.6, 0.39],
    [7, 0.2, 0.1],
    [30, 0.05, 0.4],
    [30, 0.3, 0.699],
  ])("makes Poisson counts of %i jobs a multinomial count, at %d and %d", (n, p, q) => {
    const acceptance = new Acceptance(n, n * (1 - p - q));
    const accepted = pairs(n).map(([i, j]) => {
      const poisson = ((n * p) ** i / factorial(i)) * ((n * q) ** j / factorial(j));
      return poisson * acceptance.wordsFor(i + j);
    });
    const all = accepted.reduce((sum, each) => sum + each);
    pairs(n).forEach(([i, j], at) => {
      const ways = factorial(n) / (factorial(i) * factorial(j) * factorial(n - i - j));
      const multinomial = ways * p ** i * q ** j * (1 - p - q) ** (n - i - j);
      // Chances below 2^-64 of the largest one are left out.
      const error = Math.abs(accepted[at] / all - multinomial);
      expect(error, `${i} and ${j}`).toBeLessThan(1e-11 * multinomial + 1e-18);
    });
    expect(acceptance.wordsFor(n + 1)).toBe(0);
    expect(Math.max(...pairs(n).map(([i, j]) => acceptance.wordsFor(i + j)))).toBe(2 ** 32);
  });

  test("knows large numbers: 100,000,000 jobs", () => {
    const [n, rest] = [100_000_000, 96_000_000.5];
    const acceptance = new Acceptance(n, rest);
    for (const away of [-40_000, -300, -1, 0, 1, 7, 5000]) {
      const counted = n - 96_000_000 + away;
      // The logarithm of the ratio, term by term.
      let expected = 0;
      for (let s = n - 96_000_000; s < counted; s++) expected += Math.log((n - s) / rest);
      for (let s = n - 96_000_000; s > counted; s--) expected -= Math.log((n - s + 1) / rest);
      expect(Math.log(acceptance.wordsFor(counted) / 2 ** 32), `${away}`).toBeCloseTo(expected, 9);
    }
    expect(acceptance.wordsFor(0)).toBe(0);
  });

  test("keeps the share of words that is the chance, to 64 bits", () => {
    const acceptance = new Acceptance(10, 6.5);
    const words = acceptance.wordsFor(1);
    const border = Math.floor(words);
    expect(words > border && border > 0).toBe(true);
    const keeps = (word: number, next?: number) => {
      const stream = { word: () => next ?? expect.fail("no more words") };
      return acceptance.accepts(1, word, stream as unknown as Stream);
    };
    expect(keeps(0)).toBe(true);
    expect(keeps(border - 1)).toBe(true);
    expect(keeps(border + 1)).toBe(false);
    const part = Math.floor((words - border) * 2 ** 32);
    expect(keeps(border, part - 1)).toBe(true);
    expect(keeps(border, part + 1)).toBe(false);
  });
});
