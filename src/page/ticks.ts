// Round numbers along an axis.

/** The smallest of 1, 2, 5, 10, 20, 50 ... that is not below a positive number; with `whole`, at least 1. */
export function niceStep(least: number, whole = false): number {
  if (whole && least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * Multiples of a nice step from `low` to `high`, both included where the steps meet them.
 *
 * @param most - about how many
 */
export function niceTicks(low: number, high: number, most: number, whole = false): number[] {
  if (!(high > low)) return [whole ? Math.round(low) : low];
  const step = niceStep((high - low) / Math.max(1, most), whole);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
