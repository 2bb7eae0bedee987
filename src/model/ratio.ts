// A ratio that may be uncertain: a number from 0 to 1, or a distribution of such numbers. Knows nothing of drawing.

/** Parameter names of each distribution, in the order in which they are written. */
export const distributionParameters = {
  uniform: ["low", "high"],
  triangular: ["low", "mode", "high"],
  beta: ["a", "b"],
  lognormal: ["median", "sigma"],
} as const;

export type DistributionKind = keyof typeof distributionParameters;

/** A distribution of a ratio: `uniform(0.001,0.01)` has kind "uniform" and parameters [0.001, 0.01]. */
export interface RatioDistribution {
  readonly kind: DistributionKind;
  readonly parameters: readonly number[];
}

/** A ratio: known (0 ... 1, both ends included), or drawn anew each day. */
export type Ratio = number | RatioDistribution;

/** What the parameters of each distribution must be, for error texts. */
const parameterRequirements: Readonly<Record<DistributionKind, string>> = {
  uniform: "uniform(low,high) with 0 <= low <= high <= 1",
  triangular: "triangular(low,mode,high) with 0 <= low <= mode <= high <= 1",
  beta: "beta(a,b) with a and b from 0.001 to 1000000",
  lognormal: "lognormal(median,sigma) with 0 < median <= 1 and sigma from 0 to 10",
};

/** What a ratio must be, for an error text about this input. */
export function describeRatio(input: unknown): string {
  const kinds = Object.keys(distributionParameters) as DistributionKind[];
  const meant = kinds.find((kind) => typeof input === "string" && input.trim().startsWith(kind));
  return meant === undefined
    ? `a number from 0 to 1 or one of ${kinds.map((kind) => `${kind}(...)`).join(", ")}`
    : parameterRequirements[meant];
}

/**
 * Reads a ratio from a number, from text such as "0.005" or "beta(2,398)", or from a distribution.
 *
 * @returns the ratio, or undefined where the input is none
 */
export function parseRatio(input: unknown): Ratio | undefined {
  if (typeof input === "number") return input >= 0 && input <= 1 ? input : undefined;
  if (isDistribution(input)) return parseRatio(formatRatio(input));
  if (typeof input !== "string") return undefined;
  const call = /^\s*([a-z]+)\s*\(([^()]*)\)\s*$/.exec(input);
  if (call === null) {
    const value = parseNumber(input);
    return value === undefined ? undefined : parseRatio(value);
  }
  const [, kind, list] = call as unknown as [string, string, string];
  if (!Object.hasOwn(distributionParameters, kind)) return undefined;
  const parameters = list.split(",").map(parseNumber);
  const distribution = { kind: kind as DistributionKind, parameters: parameters as number[] };
  return parameters.includes(undefined) || !isPossible(distribution) ? undefined : distribution;
}

/** The text that {@link parseRatio} reads back to the same ratio. */
export function formatRatio(ratio: Ratio): string {
  return typeof ratio === "number" ? String(ratio) : `${ratio.kind}(${ratio.parameters.join(",")})`;
}

/** A value about which the ratio lies: the number itself, or the distribution's mean, mode or median. */
export function typicalRatio(ratio: Ratio): number {
  if (typeof ratio === "number") return ratio;
  const [first, second] = ratio.parameters;
  switch (ratio.kind) {
    case "uniform":
      return (first + second) / 2;
    case "triangular":
      return second;
    case "beta":
      return first / (first + second);
    case "lognormal":
      return first;
  }
}

/** Reads a decimal number such as "12", "-.5" or "1e6"; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

function isDistribution(input: unknown): input is RatioDistribution {
  return typeof input === "object" && input !== null && "kind" in input && "parameters" in input;
}

function isPossible({ kind, parameters }: RatioDistribution): boolean {
  if (parameters.length !== distributionParameters[kind].length) return false;
  const [first, second] = parameters as [number, number];
  switch (kind) {
    case "uniform":
    case "triangular":
      return [0, ...parameters, 1].every((value, i, all) => i === 0 || all[i - 1] <= value);
    case "beta":
      return parameters.every((shape) => shape >= 0.001 && shape <= 1e6);
    case "lognormal":
      return first > 0 && first <= 1 && second >= 0 && second <= 10;
  }
}
