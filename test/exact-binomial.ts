// Binomial probabilities without logarithms and without normalizing: an oracle for tables and draws.

/** Probabilities of the values from `first` on; values far less likely than the mode are left out. */
export interface BinomialPmf {
  readonly values: number[];
  readonly probabilities: number[];
}

/**
 * The probability of the mode as a product of its factors, taken in such an order that it stays near 1 until the end;
 * then the others by their ratio. Relative error about `count` * 1e-16.
 */
export function binomialPmf(count: number, chance: number): BinomialPmf {
  const mode = Math.min(count, Math.floor((count + 1) * chance));
  let peak = 1;
  let misses = 0;
  for (let hits = 0; hits < mode || misses < count - mode; ) {
    if (misses < count - mode && (peak >= 1 || hits === mode)) {
      peak *= 1 - chance;
      misses++;
    } else {
      hits++;
      peak *= ((count - mode + hits) / hits) * chance;
    }
  }
  const below: number[] = [];
  for (let k = mode, p = peak; k > 0; k--) {
    p *= (k / (count - k + 1)) * ((1 - chance) / chance);
    if (p < peak * 1e-20) break;
    below.push(p);
  }
  const probabilities = [...below.reverse(), peak];
  for (let k = mode, p = peak; k < count; k++) {
    p *= ((count - k) / (k + 1)) * (chance / (1 - chance));
    if (p < peak * 1e-20) break;
    probabilities.push(p);
  }
  const first = mode - below.length;
  return { values: probabilities.map((_, i) => first + i), probabilities };
}

/** The integer m with x = m / 2^scale, exactly. */
function dyadic(x: number): { m: bigint; scale: bigint } {
  let scale = 0;
  let m = x;
  while (!Number.isInteger(m)) {
    m *= 2;
    scale++;
  }
  return { m: BigInt(m), scale: BigInt(scale) };
}

/** Fixed point numbers are whole numbers of 2^-1000. */
const fixedBits = 1000n;

/**
 * The cumulative probabilities of the values from 0 to `count`, computed as rationals without any error and then
 * cut to fixed point numbers.
 *
 * @param chance - from 0 to below 1
 */
export function exactCumulative(count: number, chance: number): bigint[] {
  const { m, scale } = dyadic(chance);
  const rest = 2n ** scale - m;
  const surplus = scale * BigInt(count) - fixedBits;
  const cumulative: bigint[] = [];
  let term = rest ** BigInt(count);
  let sum = term;
  for (let k = 0; k <= count; k++) {
    cumulative.push(surplus > 0n ? sum >> surplus : sum << -surplus);
    term = (term * BigInt(count - k) * m) / (BigInt(k + 1) * rest);
    sum += term;
  }
  return cumulative;
}

/** The double nearest to a fixed point number, or its neighbor. */
export function fromFixed(fixed: bigint): number {
  // 64 leading bits, so that nothing overflows.
  const drop = Math.max(0, fixed.toString(2).length - 64);
  return Number(fixed >> BigInt(drop)) * 2 ** (drop - Number(fixedBits));
}
