// The vertical scale of charts that are rows, such as a bar for each parameter.

/** Rows from 0 to `count` - 1, the first one on top, with a little room below the last one; without an axis. */
export function rowScale(count: number) {
  return {
    type: "quantitative",
    scale: { domain: [count + 0.1, 0], nice: false, zero: false },
    axis: null,
  } as const;
}
