import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Histogram, type ValueCounts } from "../src/stats/histogram.js";

const largest = 2 ** 53 - 1;

/** Values that lie together, lie somewhat apart, or span everything. */
const closeValue = fc.integer({ min: 3900, max: 4100 });
const anyValue = fc.oneof(
  { weight: 20, arbitrary: closeValue },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 9000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 200_000, 300_000, largest - 1, largest) },
);

const anyValues = fc.oneof(fc.array(closeValue), fc.array(anyValue));

type Addition =
  | { kind: "add"; value: number; count: number }
  | { kind: "column"; values: number[]; length: number }
  | { kind: "merge"; values: number[] };

const anyAddition: fc.Arbitrary<Addition> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), value: anyValue, count: fc.nat(3) }),
  anyValues.chain((values) =>
    fc.record({
      kind: fc.constant("column" as const),
      values: fc.constant(values),
      length: fc.nat(values.length),
    }),
  ),
  fc.record({ kind: fc.constant("merge" as const), values: anyValues }),
);

function plain({ values, counts }: ValueCounts): [number, number][] {
  expect(values.length).toBe(counts.length);
  return Array.from(values, (value, i) => [value, counts[i]]);
}

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  histogram.addColumn(Float64Array.from(values), values.length);
  return histogram;
}

describe("Histogram", () => {
  test("agrees with a map, whatever is added and however", () => {
    fc.assert(
      fc.property(fc.array(anyAddition, { maxLength: 12 }), (additions) => {
        const histogram = new Histogram();
        const map = new Map<number, number>();
        const count = (value: number, by: number) => map.set(value, (map.get(value) ?? 0) + by);
        for (const addition of additions) {
          if (addition.kind === "add") {
            histogram.add(addition.value, addition.count);
            count(addition.value, addition.count);
          } else if (addition.kind === "column") {
            histogram.addColumn(Float64Array.from(addition.values), addition.length);
            for (const value of addition.values.slice(0, addition.length)) count(value, 1);
          } else {
            histogram.merge(histogramOf(addition.values).toCounts());
            for (const value of addition.values) count(value, 1);
          }
        }
        const expected = [...map].filter(([, times]) => times > 0).sort(([a], [b]) => a - b);
        expect(plain(histogram.toCounts())).toEqual(expected);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("merges to the same in any order and grouping", () => {
    fc.assert(
      fc.property(anyValues, anyValues, anyValues, (a, b, c) => {
        const merged = (...parts: readonly ValueCounts[]) => {
          const histogram = new Histogram();
          for (const part of parts) histogram.merge(part);
          return histogram.toCounts();
        };
        const [x, y, z] = [a, b, c].map((values) => histogramOf(values).toCounts());
        const together = histogramOf([...a, ...b, ...c]).toCounts();
        expect(merged(x, y, z)).toEqual(together);
        expect(merged(z, x, y)).toEqual(together);
        expect(merged(merged(x, y), z)).toEqual(together);
        expect(merged(x, merged(y, z))).toEqual(together);
      }),
      { seed: 2, numRuns: 60 },
    );
  });

  test("gives ascending values without zeros, and nothing when empty", () => {
    const histogram = new Histogram();
    expect(plain(histogram.toCounts())).toEqual([]);
    histogram.merge(new Histogram().toCounts());
    histogram.addColumn(new Float64Array(3), 0);
    histogram.add(9, 0);
    expect(plain(histogram.toCounts())).toEqual([]);
    histogram.add(9, 2);
    histogram.add(2, 1);
    histogram.add(5, 0);
    histogram.add(9, 1);
    expect(plain(histogram.toCounts())).toEqual([
      [2, 1],
      [9, 3],
    ]);
  });

  test("counts runs of neighboring values, up and down, from a value that it has", () => {
    for (let length = 1; length <= 60; length++) {
      const up = Array.from({ length }, (_, i) => 1000 + i);
      const down = up.map((value) => 2000 - value);
      for (const run of [up, down]) {
        const histogram = histogramOf([1000]);
        histogram.addColumn(Float64Array.from(run), length);
        const expected = [...run].sort((a, b) => a - b).map((value) => [value, value === 1000 ? 2 : 1]);
        expect(plain(histogram.toCounts())).toEqual(expected);
      }
    }
  });

  test("keeps its counts when the values leave the array for a map", () => {
    const histogram = histogramOf([7, 8, 8]);
    histogram.addColumn(Float64Array.of(largest, 8, 0), 3);
    histogram.add(1_000_000, 4);
    histogram.add(7, 1);
    expect(plain(histogram.toCounts())).toEqual([
      [0, 1],
      [7, 2],
      [8, 3],
      [1_000_000, 4],
      [largest, 1],
    ]);
  });

  test("counts beyond 2^32", () => {
    const histogram = new Histogram();
    histogram.add(3, 2 ** 52);
    histogram.merge(histogram.toCounts());
    expect(plain(histogram.toCounts())).toEqual([[3, 2 ** 53]]);
  });
});
