// A histogram in one line of block characters.

const blocks = " ▁▂▃▄▅▆▇█";

/** Values in ascending order, and how often or how likely each is. */
export interface Weighted {
  readonly values: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/**
 * Draws a histogram from the least value to the largest, the highest bar one line high. Where something was seen, there
 * is at least the lowest block.
 *
 * @param width - characters at most; fewer where there are fewer whole numbers in between
 * @returns as many characters; none without values
 */
export function drawBlocks({ values, weights }: Weighted, width: number): string {
  if (values.length === 0) return "";
  const least = values[0];
  const span = values[values.length - 1] - least + 1;
  const cells = Math.min(width, span);
  const heights = new Float64Array(cells);
  for (let i = 0; i < values.length; i++) {
    // Each cell stands for as many whole numbers as the others, give or take one, and shows their average.
    heights[Math.floor(((values[i] - least) * cells) / span)] += weights[i];
  }
  for (let cell = 0; cell < cells; cell++) {
    heights[cell] /= Math.ceil(((cell + 1) * span) / cells) - Math.ceil((cell * span) / cells);
  }
  const highest = Math.max(...heights);
  return Array.from(heights, (height) =>
    height === 0 ? blocks[0] : blocks[Math.max(1, Math.round((8 * height) / highest))],
  ).join("");
}
