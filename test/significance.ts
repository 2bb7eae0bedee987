// How surprising a sample is under the distribution that it should come from. Every function returns the chance of a
// sample at least as far off; statistical tests demand that it is above `falseAlarm`.

/** Chance that one check of a correct program fails with a fresh seed. Seeds are fixed, so it is met once or never. */
export const falseAlarm = 1e-6;

/** Whole numbers in ascending order and a number for each. */
export interface Pmf {
  readonly values: ArrayLike<number>;
  readonly probabilities: ArrayLike<number>;
}

/** Logarithm of the gamma function, for x > 0; Lanczos' series with g = 7, relative error about 1e-15. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const coefficients = [
    0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const base = x + 6.5;
  const series = coefficients.reduce((sum, coefficient, i) => sum + coefficient / (x - 1 + i));
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(series);
}

/** Regularized upper incomplete gamma function Q(a, x): series below a + 1, continued fraction (Lentz) above. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = a + 1; term > sum * 1e-17; k++) {
      term *= x / k;
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1, factor = 0; Math.abs(factor - 1) > 1e-15 && i < 100_000; i++) {
    const numerator = i * (a - i);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    factor = c * d;
    fraction *= factor;
  }
  return front * fraction;
}

/** A chi-square variate is at least `statistic`. */
export function chiSquareChance(statistic: number, degrees: number): number {
  return upperGamma(degrees / 2, statistic / 2);
}

/** A standard normal variate is at least as far from 0 as `z`. */
export function normalChance(z: number): number {
  return chiSquareChance(z * z, 1);
}

/** A Poisson count is at least as far out as `count`, on the side on which it lies. */
export function poissonChance(count: number, mean: number): number {
  const atMost = upperGamma(count + 1, mean);
  const atLeast = count === 0 ? 1 : 1 - upperGamma(count, mean);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/**
 * Chi-square test of counted whole numbers. Neighboring values are pooled into cells of at least 10 expected counts.
 * A value that the probabilities do not list counts as impossible.
 */
export function fitChance(
  counted: { values: ArrayLike<number>; counts: ArrayLike<number> },
  pmf: Pmf,
): number {
  const counts = new Map(Array.from(counted.values, (value, i) => [value, counted.counts[i]]));
  const total = Array.from(counted.counts).reduce((sum, count) => sum + count, 0);
  const cells: { seen: number; expected: number }[] = [];
  let cell = { seen: 0, expected: 0 };
  for (let i = 0; i < pmf.values.length; i++) {
    cell.seen += counts.get(pmf.values[i]) ?? 0;
    cell.expected += pmf.probabilities[i] * total;
    counts.delete(pmf.values[i]);
    if (cell.expected >= 10) {
      cells.push(cell);
      cell = { seen: 0, expected: 0 };
    }
  }
  if ([...counts.values()].some((count) => count > 0)) return 0;
  // What is left over joins the last cell.
  const last = cells.at(-1);
  if (last === undefined) throw new RangeError("fitChance requires at least 10 counts");
  last.seen += cell.seen;
  last.expected += cell.expected;
  const statistic = cells.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0);
  return cells.length === 1 ? 1 : chiSquareChance(statistic, cells.length - 1);
}

/** How often each value of a sample was seen, for {@link fitChance}. */
export function tally(sample: Iterable<number>): { values: number[]; counts: number[] } {
  const counts = new Map<number, number>();
  for (const value of sample) counts.set(value, (counts.get(value) ?? 0) + 1);
  return { values: [...counts.keys()], counts: [...counts.values()] };
}

/**
 * Kolmogorov-Smirnov test of a sample against a distribution function. Where the distribution has atoms, `below`
 * gives the probability of smaller values; the test is then on the safe side.
 */
export function kolmogorovChance(
  sample: ArrayLike<number>,
  cdf: (x: number) => number,
  below: (x: number) => number = cdf,
): number {
  const sorted = Float64Array.from(sample).sort();
  const n = sorted.length;
  let distance = 0;
  for (let begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && sorted[end] === sorted[begin]) end++;
    const x = sorted[begin];
    distance = Math.max(distance, Math.abs(end / n - cdf(x)), Math.abs(begin / n - below(x)));
  }
  // The limit distribution, with Stephens' correction for finite samples.
  const root = Math.sqrt(n);
  const lambda = (root + 0.12 + 0.11 / root) * distance;
  if (lambda < 0.3) return 1;
  let chance = 0;
  for (let k = 1; k <= 20; k++) chance += 2 * (k % 2 === 1 ? 1 : -1) * Math.exp(-2 * (k * lambda) ** 2);
  return Math.min(1, chance);
}
