// A histogram over whole numbers, with the exact distribution drawn over it and a few values marked.
import type { ExactDistribution } from "../exact/distribution.js";
import type { Spec } from "./figure.js";
import { light } from "./theme.js";
import { niceStep, niceTicks } from "./ticks.js";
import { show } from "./words.js";

/** A value to be marked. */
export interface Mark {
  readonly label: string;
  readonly value: number;
  readonly style: "solid" | "dashed" | "dotted";
}

export interface HistogramData {
  /** Whole numbers in ascending order, at least one, and the share of each. */
  readonly values: readonly number[];
  readonly shares: readonly number[];
  readonly exact: ExactDistribution | undefined;
  readonly marks: readonly Mark[];
  readonly axis: string;
  /** What is counted: "days". */
  readonly of: string;
  readonly isSimulated: boolean;
}

/** Whole numbers from `begin` (included) to `end` (excluded) and their share. */
interface Bin {
  readonly begin: number;
  readonly end: number;
  readonly share: number;
}

/** Values less likely than this part of the likeliest one are not drawn, unless they were seen. */
const leastDrawn = 1e-4;

/** Sums shares over bins of `width` values each, which begin at multiples of it; empty ones are left out. */
export function binShares(values: ArrayLike<number>, shares: ArrayLike<number>, width: number): Bin[] {
  const bins = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    const bin = Math.floor(values[i] / width);
    bins.set(bin, (bins.get(bin) ?? 0) + shares[i]);
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, share]) => ({ begin: bin * width, end: (bin + 1) * width, share }));
}

export function drawHistogram(data: HistogramData, width: number): Spec {
  const { exact, marks, axis, of, isSimulated } = data;
  const { values, shares } = isSimulated ? data : withoutUnlikely(data);
  const isNarrow = width < 500;
  const likely = exact && likelyRange(exact);
  const least = Math.min(values[0], likely?.[0] ?? Number.POSITIVE_INFINITY);
  const most = Math.max(values[values.length - 1], likely?.[1] ?? Number.NEGATIVE_INFINITY);
  const step = niceStep((most - least + 1) / (isNarrow ? 45 : 90), true);
  const bars = binShares(values, shares, step).map(percent);
  const curve =
    exact && isSimulated
      ? binShares(exact.values, exact.probabilities, step)
          .filter(({ begin, end }) => end > least && begin <= most)
          .map(percent)
      : [];
  const top = Math.max(...[...bars, ...curve].map(({ share }) => share));
  const low = Math.min(Math.floor(least / step) * step, ...marks.map(({ value }) => Math.floor(value))) - 0.5;
  const high =
    Math.max((Math.floor(most / step) + 1) * step, ...marks.map(({ value }) => Math.ceil(value) + 1)) - 0.5;
  const rows = groupMarks(marks);
  const pad = Math.max(0.5, 0.02 * (high - low));
  // Each label stands to the right of its mark, which needs room.
  const room = 1 - (isNarrow ? 100 : 110) / (width - 60);
  const end = Math.max(high + pad, ...rows.map(({ value }) => low - pad + (value - low + pad) / room));
  const domain = [low - pad, end];
  const x = { type: "quantitative", scale: { domain, nice: false, zero: false } };
  const rowHeight = 0.085;
  const y = {
    type: "quantitative",
    scale: { domain: [0, top * (1.06 + rowHeight * Math.max(1, rows.length))], nice: false },
  };
  const labelled = rows.map((row, i) => ({
    ...row,
    foot: 0,
    height: top * (1.06 + rowHeight * (rows.length - 1 - i)),
  }));
  const xAxis = {
    title: isNarrow ? axis.split(/, |: /)[0] : axis,
    values: niceTicks(Math.max(0, low), end, isNarrow ? 4 : 9, true),
    format: ",d",
  };
  const perBin = step === 1 ? "" : ` per ${show(step)} values`;
  const yAxis = { title: `% of ${of}${perBin}`, values: niceTicks(0, top, 5), format: ",.9~g" };
  return {
    width,
    height: isNarrow ? 270 : 320,
    layer: [
      {
        data: { values: bars },
        mark: { type: "rect", color: light.bar, stroke: light.ground, strokeWidth: bars.length > 40 ? 0 : 1 },
        encoding: {
          x: { ...x, field: "begin", axis: xAxis },
          x2: { field: "end" },
          y: { ...y, field: "share", axis: yAxis },
          y2: { field: "foot" },
        },
      },
      {
        data: { values: curve },
        mark:
          curve.length < 13
            ? { type: "point", color: light.vermilion, size: 60, filled: true, opacity: 1 }
            : { type: "line", color: light.vermilion, strokeWidth: 2 },
        encoding: { x: { ...x, field: "middle" }, y: { ...y, field: "share" } },
      },
      {
        data: { values: labelled },
        mark: { type: "rule", color: light.ink, strokeWidth: 1.3 },
        encoding: {
          x: { ...x, field: "value" },
          y: { ...y, field: "height" },
          y2: { field: "foot" },
          strokeDash: {
            field: "dash",
            legend: null,
            scale: {
              domain: ["solid", "dashed", "dotted"],
              range: [
                [1, 0],
                [7, 4],
                [2, 3],
              ],
            },
          },
        },
      },
      {
        data: { values: labelled },
        mark: { type: "text", align: "left", dx: 5, dy: 5, baseline: "middle" },
        encoding: { x: { ...x, field: "value" }, y: { ...y, field: "height" }, text: { field: "text" } },
      },
    ],
  };
}

/** Marks from left to right, those of one value together; the leftmost is drawn highest, so that none crosses a label. */
function groupMarks(marks: readonly Mark[]): { value: number; text: string; dash: Mark["style"] }[] {
  const values = [...new Set(marks.map(({ value }) => value))].sort((a, b) => a - b);
  return values.map((value) => {
    const equal = marks.filter((mark) => mark.value === value);
    return {
      value,
      dash: equal[0].style,
      text: `${equal.map(({ label }) => label).join(", ")} ${show(value)}`,
    };
  });
}

/** A bin as it is drawn: a whole number is as wide as 1, with itself in the middle. */
function percent({ begin, end, share }: Bin) {
  return { foot: 0, begin: begin - 0.5, end: end - 0.5, middle: (begin + end - 1) / 2, share: 100 * share };
}

function withoutUnlikely({ values, shares }: Pick<HistogramData, "values" | "shares">) {
  const least = leastDrawn * shares.reduce((most, share) => Math.max(most, share), 0);
  const isDrawn = (_: number, i: number) => shares[i] >= least;
  return { values: values.filter(isDrawn), shares: shares.filter(isDrawn) };
}

/** The values between which all those lie that are not unlikely. */
function likelyRange({ values, probabilities }: ExactDistribution): [number, number] | undefined {
  const least = leastDrawn * probabilities.reduce((most, share) => Math.max(most, share), 0);
  const first = probabilities.findIndex((share) => share >= least);
  const last = probabilities.findLastIndex((share) => share >= least);
  return first < 0 ? undefined : [values[first], values[last]];
}
