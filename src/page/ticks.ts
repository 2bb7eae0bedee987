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

/** Ticks 1, 2, 5, 10 ... from `low` to `high`, both above 0. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_, i) =>
    [1, 2, 5].map((digit) => Number(`${digit}e${first + i}`)),
  )
    .flat()
    .filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

/**
 * Leaves out ticks whose labels would meet; the first and the last stay.
 *
 * @param ticks - in ascending order
 * @param share - how far apart labels must be, as a share of the axis
 * @param place - where on the axis a value stands, by default the value itself
 */
export function thinTicks(
  ticks: readonly number[],
  share: number,
  place: (value: number) => number = (value) => value,
): number[] {
  const last = ticks[ticks.length - 1];
  const gap = share * (place(last) - place(ticks[0]));
  const kept: number[] = [];
  for (const tick of ticks) {
    const isFree = kept.length === 0 || place(tick) - place(kept[kept.length - 1]) >= gap;
    if (tick === last || (isFree && (kept.length === 0 || place(last) - place(tick) >= gap))) kept.push(tick);
  }
  return kept;
}
