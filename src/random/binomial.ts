// Binomial counts for any chance, drawn exactly. Needs no preparation.
import type { Stream } from "./stream.js";

/** Below this expected count, walking up the distribution is quicker than rejection (and BTRS is not valid). */
const fewExpected = 10;

/**
 * Draws how many of `count` independent events happen.
 *
 * Exact up to floating point: each value's probability has a relative error of about count * 1e-16, at least 1e-11,
 * and values of probability below 2^-53 may be missing.
 *
 * @param count - a whole number from 0 to 2^31 - 1
 * @param chance - of each event, from 0 to 1, both included
 */
export function drawBinomial(stream: Stream, count: number, chance: number): number {
  if (chance > 0.5) return count - drawBinomial(stream, count, 1 - chance);
  if (count === 0 || chance === 0) return 0;
  return count * chance < fewExpected
    ? drawByInversion(stream, count, chance)
    : drawByRejection(stream, count, chance);
}

/** Walks up from 0 until the cumulative probability passes a uniform number. */
function drawByInversion(stream: Stream, count: number, chance: number): number {
  const odds = chance / (1 - chance);
  let rest = stream.fraction();
  let probability = Math.exp(count * Math.log1p(-chance));
  let value = 0;
  while (rest >= probability && value < count) {
    rest -= probability;
    value++;
    probability *= (odds * (count - value + 1)) / value;
  }
  return value;
}

/**
 * Transformed rejection with squeeze, algorithm BTRS of W. Hormann, "The generation of binomial random variates",
 * J. Statist. Comput. Simul. 46 (1993), 101-110; valid for count * chance >= 10 and chance <= 1/2.
 */
function drawByRejection(stream: Stream, count: number, chance: number): number {
  const sd = Math.sqrt(count * chance * (1 - chance));
  const b = 1.15 + 2.53 * sd;
  const a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const center = count * chance + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  for (;;) {
    const u = stream.fraction() - 0.5;
    const v = stream.fraction();
    const us = 0.5 - Math.abs(u);
    const value = Math.floor(((2 * a) / us + b) * u + center);
    // Most candidates lie where acceptance is certain.
    if (us >= 0.07 && v <= squeeze) return value;
    if (value < 0 || value > count) continue;
    const alpha = (2.83 + 5.1 / b) * sd;
    const scaled = Math.log((v * alpha) / (a / (us * us) + b));
    const mode = Math.floor((count + 1) * chance);
    if (scaled <= logRelativeProbability(value, mode, count, chance)) return value;
  }
}

/** Logarithm of the probability of `value` over that of the mode. */
function logRelativeProbability(value: number, mode: number, count: number, chance: number): number {
  const odds = chance / (1 - chance);
  return (
    (mode + 0.5) * Math.log((mode + 1) / (odds * (count - mode + 1))) +
    (count + 1) * Math.log((count - mode + 1) / (count - value + 1)) +
    (value + 0.5) * Math.log((odds * (count - value + 1)) / (value + 1)) +
    stirlingRest(mode) +
    stirlingRest(count - mode) -
    stirlingRest(value) -
    stirlingRest(count - value)
  );
}

/** log(k!) for k from 0 to 9 less Stirling's log(sqrt(2 pi)) + (k + 1/2) log(k + 1) - (k + 1). */
const smallStirlingRests = Float64Array.from({ length: 10 }, (_, k) => {
  let logFactorial = 0;
  for (let i = 2; i <= k; i++) logFactorial += Math.log(i);
  return logFactorial - (0.5 * Math.log(2 * Math.PI) + (k + 0.5) * Math.log(k + 1) - (k + 1));
});

/** The same for any k: Stirling's series, whose error from k = 10 on is below 1/1188 / 11^9 = 4e-13. */
function stirlingRest(k: number): number {
  if (k < 10) return smallStirlingRests[k];
  const x = 1 / (k + 1);
  const square = x * x;
  return x * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
}
