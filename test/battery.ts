// Tests of randomness for a sequence of 32-bit words, taken as independent and uniform.
import { chiSquareChance, fitChance, normalChance, poissonChance, tally } from "./significance.js";

/** The chance of each test's result, by the test's name. At least 4096 words, best a multiple of that. */
export function testWords(words: Uint32Array): Record<string, number> {
  const differences = words.subarray(1).map((word, i) => word ^ words[i]);
  const chances: Record<string, number> = {
    "ones in each bit": bitChance(words),
    "top bytes": byteChance(words, 24),
    "low bytes": byteChance(words, 0),
    "birthday spacings": birthdayChance(words),
    "differing bits of neighbors": flipChance(differences),
    "differences in each bit": bitChance(differences),
  };
  for (let lag = 1; lag <= 8; lag++) chances[`correlation at lag ${lag}`] = correlationChance(words, lag);
  return chances;
}

/** The smallest chance of the battery. */
export function worstChance(words: Uint32Array): number {
  return Math.min(...Object.values(testWords(words)));
}

/** Chi-square of the number of differing bits against that of 32 fair coins. */
export function flipChance(differences: Uint32Array): number {
  const probabilities = [2 ** -32];
  for (let k = 0; k < 32; k++) probabilities.push((probabilities[k] * (32 - k)) / (k + 1));
  return fitChance(tally(differences.map(countBits)), { values: [...probabilities.keys()], probabilities });
}

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest >>>= 1) count += rest & 1;
  return count;
}

/** Each of the 32 bit positions is set in half of the words. */
function bitChance(words: Uint32Array): number {
  let statistic = 0;
  for (let bit = 0; bit < 32; bit++) {
    let ones = 0;
    for (const word of words) ones += (word >>> bit) & 1;
    statistic += (2 * ones - words.length) ** 2 / words.length;
  }
  return chiSquareChance(statistic, 32);
}

function byteChance(words: Uint32Array, shift: number): number {
  const values = Array.from({ length: 256 }, (_, byte) => byte);
  return fitChance(tally(words.map((word) => (word >>> shift) & 255)), {
    values,
    probabilities: values.map(() => 1 / 256),
  });
}

function correlationChance(words: Uint32Array, lag: number): number {
  const length = words.length - lag;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (words[i] / 2 ** 32 - 0.5) * (words[i + lag] / 2 ** 32 - 0.5);
  // Each product has mean 0 and variance 1/144.
  return normalChance((12 * sum) / Math.sqrt(length));
}

/**
 * Marsaglia's birthday spacings: of n birthdays in a year of m days, the number of equal spacings is nearly Poisson
 * with mean n^3 / 4m; here n = 4096 and m = 2^32, hence 4 a year, added over the years.
 */
function birthdayChance(words: Uint32Array): number {
  const yearCount = Math.floor(words.length / 4096);
  let equal = 0;
  for (let year = 0; year < yearCount; year++) {
    const birthdays = words.slice(4096 * year, 4096 * (year + 1)).sort();
    const spacings = birthdays.map((birthday, i) => birthday - (i > 0 ? birthdays[i - 1] : 0)).sort();
    for (let i = 1; i < spacings.length; i++) if (spacings[i] === spacings[i - 1]) equal++;
  }
  return poissonChance(equal, 4 * yearCount);
}
