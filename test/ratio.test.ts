import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  distributionParameters,
  formatRatio,
  parseNumber,
  parseRatio,
  type RatioDistribution,
} from "../src/model/ratio.js";
import { deriveKey } from "../src/random/key.js";
import { normalQuantile } from "../src/random/normal.js";
import { drawRatio } from "../src/random/ratio.js";
import { purpose, Stream } from "../src/random/stream.js";
import { falseAlarm, fitChance, kolmogorovChance, logGamma, tally, upperGamma } from "./significance.js";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const shape = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const ascending = (length: number) =>
  fc.array(share, { minLength: length, maxLength: length }).map((values) => values.sort((a, b) => a - b));

const anyDistribution: fc.Arbitrary<RatioDistribution> = fc.oneof(
  ascending(2).map((parameters) => ({ kind: "uniform" as const, parameters })),
  ascending(3).map((parameters) => ({ kind: "triangular" as const, parameters })),
  fc.tuple(shape, shape).map((parameters) => ({ kind: "beta" as const, parameters })),
  fc
    .tuple(fc.double({ min: 1e-300, max: 1, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true }))
    .map((parameters) => ({ kind: "lognormal" as const, parameters })),
);

describe("parseRatio", () => {
  test("reads back what formatRatio wrote", () => {
    fc.assert(
      fc.property(fc.oneof(share, anyDistribution), (ratio) => {
        expect(parseRatio(formatRatio(ratio))).toEqual(ratio);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test.each([
    [0, 0],
    [1, 1],
    [0.005, 0.005],
    ["0.005", 0.005],
    [" 5e-3 ", 0.005],
    ["+.5", 0.5],
    ["1.", 1],
    ["0", 0],
    ["uniform(0.001,0.01)", { kind: "uniform", parameters: [0.001, 0.01] }],
    [" triangular( 0 , 0.5 , 1 ) ", { kind: "triangular", parameters: [0, 0.5, 1] }],
    ["triangular(0.2,0.2,0.2)", { kind: "triangular", parameters: [0.2, 0.2, 0.2] }],
    ["beta(2,398)", { kind: "beta", parameters: [2, 398] }],
    ["beta(0.001,1e6)", { kind: "beta", parameters: [0.001, 1e6] }],
    ["lognormal(0.005,0)", { kind: "lognormal", parameters: [0.005, 0] }],
    ["lognormal(1,10)", { kind: "lognormal", parameters: [1, 10] }],
  ])("reads %j", (input, ratio) => {
    expect(parseRatio(input)).toEqual(ratio);
  });

  test.each([
    [-0.001],
    [1.000001],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [undefined],
    [null],
    [true],
    [[0.5]],
    [{ kind: "beta", parameters: [1, -1] }],
    [""],
    [" "],
    ["-0.1"],
    ["1.1"],
    ["NaN"],
    ["Infinity"],
    ["0x1"],
    ["1e"],
    ["0,5"],
    ["0.5%"],
    ["0.1 0.2"],
    ["half"],
    ["uniform"],
    ["uniform()"],
    ["uniform(0.1)"],
    ["uniform(0,1,1)"],
    ["uniform(0,1"],
    ["uniform(0,1))"],
    ["uniform(0;1)"],
    ["uniform(,)"],
    ["uniform(a,b)"],
    ["uniform(0.2,0.1)"],
    ["uniform(-0.1,0.5)"],
    ["uniform(0.5,1.1)"],
    ["UNIFORM(0,1)"],
    ["triangular(0,1,0.5)"],
    ["triangular(0.5,0.4,1)"],
    ["triangular(0,1)"],
    ["beta(1)"],
    ["beta(0,1)"],
    ["beta(1,0.0009)"],
    ["beta(1000001,1)"],
    ["beta(-1,2)"],
    ["lognormal(0,1)"],
    ["lognormal(1.1,1)"],
    ["lognormal(0.1,-1)"],
    ["lognormal(0.1,11)"],
    ["normal(0,1)"],
    ["toString(1)"],
    ["constructor(0,1)"],
  ])("rejects %j", (input) => {
    expect(parseRatio(input)).toBeUndefined();
  });

  test("takes nothing but text and numbers for a ratio", () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        const ratio = parseRatio(input);
        if (typeof ratio === "number") expect(ratio >= 0 && ratio <= 1).toBe(true);
        else if (ratio !== undefined) expect(Object.keys(distributionParameters)).toContain(ratio.kind);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

test("parseNumber reads decimal numbers and nothing else", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseNumber(String(value))).toBe(value === 0 ? 0 : value);
    }),
    { seed: 3 },
  );
  for (const text of ["", ".", "-", "1,000", "1_000", "0b1", "1e1.5", "e5", "Infinity", "12px"]) {
    expect(parseNumber(text), text).toBeUndefined();
  }
});

describe("normalQuantile", () => {
  // Published with the algorithm: Wichura (1988).
  test.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.262340089798409],
  ])("gives the published value at %d", (probability, z) => {
    expect(normalQuantile(probability) / z).toBeCloseTo(1, 15);
  });

  // scipy.special.ndtri, version 1.17.1.
  test.each([
    [1e-300, -37.0470962993612],
    [1e-100, -21.273453560965322],
    [1e-10, -6.361340902404056],
    [0.01, -2.3263478740408408],
    [0.025, -1.9599639845400545],
    [0.05, -1.6448536269514729],
    [0.0749, -1.4402382675279635],
    [0.075, -1.4395314709384563],
    [0.0751, -1.4388253927525403],
    [0.1, -1.2815515655446004],
    [0.4, -0.2533471031357997],
    [0.6, 0.2533471031357997],
    [0.925, 1.4395314709384563],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.999, 3.090232306167813],
    [0.9999999999, 6.361340889697422],
    [1 - 2 ** -53, 8.209536151601387],
  ])("gives the value of an independent implementation at %d", (probability, z) => {
    expect(Math.abs(normalQuantile(probability) / z - 1)).toBeLessThan(2e-15);
  });

  test("is 0 in the middle, odd, and inverts the distribution function", () => {
    expect(normalQuantile(0.5)).toBe(0);
    for (const p of [1e-9, 0.001, 0.02, 0.07, 0.2, 0.3, 0.45]) {
      const z = normalQuantile(p);
      expect(normalCdf(z) / p).toBeCloseTo(1, 12);
      expect(normalQuantile(1 - p)).toBeCloseTo(-z, 6);
    }
  });
});

function normalCdf(z: number): number {
  const tail = upperGamma(0.5, (z * z) / 2) / 2;
  return z < 0 ? tail : 1 - tail;
}

/** The regularized incomplete beta function: continued fraction by Lentz's method. */
function betaCdf(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(b, a, 1 - x);
  const front = Math.exp(
    a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b) - Math.log(a),
  );
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1, factor = 0; Math.abs(factor - 1) > 1e-14 && m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    factor = c * d;
    fraction *= factor;
  }
  return front * fraction;
}

// scipy.special.betainc, version 1.17.1.
test.each([
  [2, 398, 0.005, 0.5933157765220268],
  [0.5, 0.3, 0.7, 0.4695967039528895],
  [1, 1, 0.3, 0.3],
  [0.001, 0.001, 1e-10, 0.4886194130511643],
  [1e6, 1e6, 0.5001, 0.6113512821376899],
  [300, 2, 0.99, 0.19616357628514303],
  [0.001, 1000, 1e-200, 0.6356969205082921],
])("betaCdf, the oracle, is right for (%d, %d) at %d", (a, b, x, value) => {
  expect(betaCdf(a, b, x)).toBeCloseTo(value, 8);
});

function draws(text: string, length: number): number[] {
  const distribution = parseRatio(text) as RatioDistribution;
  const stream = new Stream(deriveKey(text));
  // As the days of a run are drawn: a stream for each.
  return Array.from({ length }, (_, day) => {
    stream.start(day, purpose.kk3);
    return drawRatio(stream, distribution);
  });
}

// Each case raises a false alarm with a chance of `falseAlarm`.
describe("drawRatio has the distribution function of", () => {
  const clamp = (x: number) => Math.min(1, Math.max(0, x));

  test.each([
    [0, 1],
    [0.001, 0.01],
    [0.5, 1],
  ])("uniform(%d,%d)", (low, high) => {
    const sample = draws(`uniform(${low},${high})`, 50_000);
    expect(kolmogorovChance(sample, (x) => clamp((x - low) / (high - low)))).toBeGreaterThan(falseAlarm);
  });

  test.each([
    [0, 0.2, 1],
    [0.001, 0.005, 0.02],
    [0.1, 0.1, 0.4],
    [0.1, 0.4, 0.4],
    [0, 1, 1],
  ])("triangular(%d,%d,%d)", (low, mode, high) => {
    const sample = draws(`triangular(${low},${mode},${high})`, 50_000);
    const width = high - low;
    const cdf = (x: number) =>
      x < mode
        ? clamp((x - low) ** 2 / (width * (mode - low)))
        : 1 - clamp((high - x) ** 2 / (width * (high - mode) || 1));
    expect(kolmogorovChance(sample, cdf)).toBeGreaterThan(falseAlarm);
  });

  test.each([
    [1, 1],
    [2, 398],
    [0.5, 0.5],
    [0.5, 0.3],
    [0.2, 30],
    [0.999, 1.001],
    [1, 5],
    [300, 2],
    [1e6, 1e6],
    [1000, 1e6],
  ])("beta(%d,%d)", (a, b) => {
    const sample = draws(`beta(${a},${b})`, 30_000);
    expect(kolmogorovChance(sample, (x) => betaCdf(a, b, x))).toBeGreaterThan(falseAlarm);
  });

  // Nearly all such values are next to 0 or 1, where doubles are scarce; so they are counted in cells.
  test.each([
    [0.001, 0.001],
    [0.001, 0.01],
    [0.05, 0.001],
    [0.001, 1000],
  ])("beta(%d,%d)", (a, b) => {
    const edges = [1e-300, 1e-200, 1e-100, 1e-50, 1e-20, 1e-10, 1e-5, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-10];
    const sample = draws(`beta(${a},${b})`, 30_000);
    const cells = sample.map((x) => edges.filter((edge) => edge < x).length);
    const below = [0, ...edges.map((edge) => betaCdf(a, b, edge)), 1];
    const values = [...edges.keys(), edges.length];
    const probabilities = values.map((i) => below[i + 1] - below[i]);
    expect(fitChance(tally(cells), { values, probabilities })).toBeGreaterThan(falseAlarm);
  });

  test.each([
    [0.005, 0.5],
    [0.005, 2],
    [0.5, 1],
    [1, 10],
    [1e-5, 0.01],
  ])("lognormal(%d,%d), cut at 1", (median, sigma) => {
    const sample = draws(`lognormal(${median},${sigma})`, 50_000);
    const uncut = (x: number) => normalCdf(Math.log(x / median) / sigma);
    expect(kolmogorovChance(sample, (x) => (x < 1 ? uncut(x) : 1), uncut)).toBeGreaterThan(falseAlarm);
    const cut = sample.filter((x) => x === 1).length;
    const atOne = 1 - uncut(1);
    const counted = { values: [0, 1], counts: [sample.length - cut, cut] };
    expect(fitChance(counted, { values: [0, 1], probabilities: [1 - atOne, atOne] })).toBeGreaterThan(
      falseAlarm,
    );
  });
});

describe("drawRatio", () => {
  test.each(["uniform(0.3,0.3)", "triangular(0.3,0.3,0.3)", "lognormal(0.3,0)"])(
    "gives 0.3 for %s",
    (text) => {
      expect(new Set(draws(text, 100))).toEqual(new Set([0.3]));
    },
  );

  test("gives a ratio within the bounds of the distribution, the same for the same day", () => {
    fc.assert(
      fc.property(anyDistribution, fc.maxSafeNat(), (distribution, day) => {
        const stream = new Stream(deriveKey("bounds"));
        const [low, high] =
          distribution.kind === "uniform" || distribution.kind === "triangular"
            ? [distribution.parameters[0], distribution.parameters.at(-1) as number]
            : [0, 1];
        stream.start(day, purpose.kk3);
        const first = drawRatio(stream, distribution);
        stream.start(day, purpose.kk3);
        expect(drawRatio(stream, distribution)).toBe(first);
        expect(first >= low && first <= high, `${formatRatio(distribution)}: ${first}`).toBe(true);
      }),
      { seed: 4, numRuns: 2000 },
    );
  });

  test("moves with the fraction where it draws by inversion", () => {
    const fractions = [0, 0.001, 0.2, 0.5, 0.50001, 0.9, 1 - 2 ** -53];
    for (const text of ["uniform(0,0.5)", "triangular(0,0.3,1)", "lognormal(0.1,1)"]) {
      const ratios = fractions.map((fraction) =>
        drawRatio({ fraction: () => fraction } as unknown as Stream, parseRatio(text) as RatioDistribution),
      );
      expect(ratios).toEqual([...ratios].sort((a, b) => a - b));
      expect(new Set(ratios).size).toBe(fractions.length);
    }
  });

  test("takes the fraction 0 for one that is just above", () => {
    for (const [text, least, most] of [
      ["lognormal(0.3,0)", 0.3, 0.3],
      ["lognormal(0.3,1)", 1e-6, 1e-3],
    ] as const) {
      const ratio = drawRatio(
        { fraction: () => 0 } as unknown as Stream,
        parseRatio(text) as RatioDistribution,
      );
      expect(ratio >= least && ratio <= most, `${text}: ${ratio}`).toBe(true);
    }
  });
});
