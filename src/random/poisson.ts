// The Poisson law, as a table. Draws nothing itself.
import type { CumulativeLaw } from "./inversion.js";

/** Values whose probability is below this share of the mode's are left out: together less than 2^-53. */
const negligible = 2 ** -64;

/**
 * The cumulative probabilities of a Poisson count, without the values of negligible probability.
 *
 * The probabilities follow from that of the mode by their ratio, up and down, and from their sum, by the four basic
 * operations alone: every machine computes the same bits.
 *
 * @param mean - from 0 to about 1e9
 */
export function tabulatePoisson(mean: number): CumulativeLaw {
  const mode = Math.floor(mean);
  const below: number[] = [];
  for (let k = mode, weight = 1; k > 0; k--) {
    weight *= k / mean;
    if (weight < negligible) break;
    below.push(weight);
  }
  const above: number[] = [];
  for (let k = mode + 1, weight = 1; ; k++) {
    weight *= mean / k;
    if (weight < negligible) break;
    above.push(weight);
  }
  return { first: mode - below.length, cumulative: accumulate([...below.reverse(), 1, ...above]) };
}

/** Adds up weights, one after the other, to cumulative probabilities, up to the first that is 1. */
export function accumulate(weights: readonly number[]): Float64Array {
  const cumulative = Float64Array.from(weights);
  for (let i = 1; i < cumulative.length; i++) cumulative[i] += cumulative[i - 1];
  const total = cumulative[cumulative.length - 1];
  for (let i = 0; i < cumulative.length; i++) cumulative[i] /= total;
  return cumulative.subarray(0, cumulative.indexOf(1) + 1);
}
