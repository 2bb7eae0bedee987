// Lists and ranges of values, and what is said of those that are none.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandRange, findRangeProblem, splitList } from "../src/model/axis.js";
import { axisSettings } from "../src/model/scenario.js";
import { checkSettings } from "../src/model/settings.js";

const valuesOf = (setting: keyof typeof axisSettings, input: unknown) => {
  const { values, problems } = checkSettings(axisSettings, { [setting]: input });
  return problems.length > 0 ? problems : values[setting];
};

describe("expandRange", () => {
  test("holds both ends and every step between, as the nearest number to its decimals", () => {
    const twenty = expandRange("0.001:0.02:0.001");
    expect(twenty).toHaveLength(20);
    expect(twenty.map(String)).toEqual(Array.from({ length: 20 }, (_, i) => String((i + 1) / 1000)));
    expect(expandRange("0:1:0.1").map(String)).toEqual("0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1".split(" "));
  });

  test("ends at the last step that is not beyond the end", () => {
    expect(expandRange("1:8:2")).toEqual([1, 3, 5, 7]);
    expect(expandRange("0.01:0.0199:0.01")).toEqual([0.01]);
    expect(expandRange("5:5:1")).toEqual([5]);
  });

  test("reads exponents and leaves out signs and zeros that say nothing", () => {
    expect(expandRange("1e3:5e3:2E3")).toEqual([1000, 3000, 5000]);
    expect(expandRange("1e-7:3e-7:1e-7")).toEqual([1e-7, 2e-7, 3e-7]);
    expect(expandRange("+.5:1.50:.50")).toEqual([0.5, 1, 1.5]);
  });

  test("is start + i step in decimals for any start, step and count", () => {
    const decimals = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999 }),
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 0, max: 60 }),
        decimals,
        (start, step, count, places) => {
          const text = (n: number) => `${n}e-${places}`;
          const range = expandRange(`${text(start)}:${text(start + count * step)}:${text(step)}`);
          expect(range).toEqual(Array.from({ length: count + 1 }, (_, i) => Number(text(start + i * step))));
        },
      ),
      { seed: 11 },
    );
  });
});

test("findRangeProblem names what a range lacks", () => {
  expect(findRangeProblem("1:0:0.1")).toBe("a range with an end that is not below its start");
  expect(findRangeProblem("0.1:0.2:0")).toBe("a range with a step above 0");
  expect(findRangeProblem("8:1:-1")).toBe("a range with a step above 0");
  for (const text of ["1:2", "1:2:3:4", ":", "1::2", "a:b:c", "1:2:0x1", "0:1:1e-500"]) {
    expect(findRangeProblem(text)).toBe("a range start:end:step of three numbers");
  }
  expect(findRangeProblem("0:1:1e-9")).toBe("a range of at most 1000000 values");
  expect(findRangeProblem("1:1000000:1")).toBeUndefined();
});

test("splitList keeps what parentheses hold together", () => {
  expect(splitList("uniform(0, 0.1),0.5, beta(1,9)")).toEqual(["uniform(0, 0.1)", "0.5", "beta(1,9)"]);
});

describe("axes of a scenario", () => {
  test("take one value, lists, texts of lists, ranges and mixtures", () => {
    expect(valuesOf("scan", 4)).toEqual([4]);
    expect(valuesOf("scan", [1, "2:6:2", "9"])).toEqual([1, 2, 4, 6, 9]);
    expect(valuesOf("scan", "1:3:1, 8")).toEqual([1, 2, 3, 8]);
    expect(valuesOf("kk3", "0.01,uniform(0,0.1)")).toEqual([0.01, { kind: "uniform", parameters: [0, 0.1] }]);
  });

  test("hold each value once", () => {
    expect(valuesOf("kk2", "0.01:0.03:0.01,0.02,0.010")).toEqual([0.01, 0.02, 0.03]);
  });

  test("take numbers of steps as counts and names as one value", () => {
    expect(valuesOf("steps", "2:4:2")).toEqual([
      ["0", "1"],
      ["0", "1", "2", "3"],
    ]);
    expect(valuesOf("steps", [1, 2])).toEqual([["0"], ["0", "1"]]);
    expect(valuesOf("steps", "pack,ship")).toEqual([["pack", "ship"]]);
    expect(valuesOf("steps", ["pack", "ship"])).toEqual([["pack", "ship"]]);
    expect(valuesOf("steps", [["pack", "ship"], 1])).toEqual([["pack", "ship"], ["0"]]);
  });

  test("name the entry that does not fit", () => {
    expect(valuesOf("scan", [])).toEqual(["scan must be at least one value, got []"]);
    expect(valuesOf("scan", "1,,2")).toEqual([
      "scan must be a whole number from 1 to 10000000, got an empty text",
    ]);
    expect(valuesOf("scan", "1:3:0.5")).toEqual(["scan must be a whole number from 1 to 10000000, got 1.5"]);
    expect(valuesOf("kk2", [0.5, 2])).toEqual(["kk2 must be a number from 0 to 1, got 2"]);
    expect(valuesOf("kk3", "0.1,uniform(1,0)")).toEqual([
      "kk3 must be uniform(low,high) with 0 <= low <= high <= 1, got uniform(1,0)",
    ]);
    expect(valuesOf("steps", "0:3:1")).toEqual([
      "steps must be a count from 1 to 16, or as many different names, got 0",
    ]);
  });
});
