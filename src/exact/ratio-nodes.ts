// Quadrature over the law of an uncertain ratio: few ratios with weights stand for all, as far as a day can tell.
import { type Ratio, type RatioDistribution, typicalRatio } from "../model/ratio.js";

/** A ratio and its share of the law. */
export interface RatioNode {
  readonly ratio: number;
  readonly weight: number;
}

/** Nodes of one panel. Its integrands are no sharper than a bell of an eighth of its length: error below 1e-12. */
const panelNodes = 20;
const panelBells = 8;

/** Ratios below this, divided by the trials of a day, count as 0. */
const nearlyZero = 1e-13;

/** Mass that is left out, in all. */
const negligible = 1e-16;

/** The density of a law, up to a factor; all smooth between the breaks. */
interface Law {
  /** Where the density begins, breaks and ends, in ascending order. */
  readonly breaks: readonly number[];
  /** @param rest - 1 - ratio, which near 1 has digits that the ratio has not */
  density(ratio: number, rest: number): number;
  /** The density's own sharpness, as so many further trials. */
  sharpness(ratio: number, rest: number): number;
  /** Power of the density's singularity at the ends 0 and 1, if it has one: the density is like x^(power - 1). */
  readonly powers?: readonly [number, number];
  /** Whether panels must become small towards 0. */
  readonly graded: boolean;
  /** Mass that is cut off and counts as 1, where the density is normalized. */
  readonly hasAtomAtOne?: boolean;
}

/**
 * Ratios and weights with sum 1, such that the weighted sum of the probability of anything that depends on the ratio
 * is its integral over the law, to about 1e-12.
 *
 * In the angle 2 asin(sqrt(ratio)) the outcome of n trials resolves 1 / sqrt(n) wherever the ratio lies, so that the
 * panels of a Gauss-Legendre rule have a length of some such units there; towards a singular end they shrink
 * geometrically.
 *
 * @param trialsAt - expected number of trials of a day that depend on the ratio
 * @param refinement - panels are this many times shorter than they need be, to see what that changes
 */
export function ratioNodes(
  ratio: Ratio,
  trialsAt: (ratio: number) => number,
  refinement = 1,
): readonly RatioNode[] {
  if (typeof ratio === "number") return [{ ratio, weight: 1 }];
  const law = describeLaw(ratio);
  const nodes: RatioNode[] = [];
  const least = nearlyZero / (1 + trialsAt(0) + trialsAt(1) + law.sharpness(0.5, 0.5));
  for (const end of [0, 1] as const) {
    const power = law.powers?.[end];
    // Next to a singular end nothing depends on the ratio any more.
    if (power !== undefined) {
      const density = end === 0 ? law.density(least, 1) : law.density(1, least);
      nodes.push({ ratio: end, weight: (density * least) / power });
    }
    const graded = power !== undefined || (law.graded && end === 0);
    const angles = law.breaks
      .concat(0.5)
      .map((ratio) => (end === 0 ? ratio : 1 - ratio))
      .filter((distance) => distance <= 0.5)
      .map((distance) => 2 * Math.asin(Math.sqrt(power === undefined ? distance : Math.max(distance, least))))
      .sort((a, b) => a - b);
    const [first, last] = [law.breaks[0], law.breaks.at(-1) as number];
    const isInside = (angle: number) => {
      const middle = end === 0 ? Math.sin(angle / 2) ** 2 : Math.cos(angle / 2) ** 2;
      return middle > first && middle < last;
    };
    for (let i = 1; i < angles.length; i++) {
      if (isInside((angles[i - 1] + angles[i]) / 2))
        addPanels(nodes, law, end, graded, angles[i - 1], angles[i], trialsAt, refinement);
    }
  }
  return normalize(nodes, law, ratio, least);
}

/** Adds the nodes between two angles, measured from one end. */
function addPanels(
  nodes: RatioNode[],
  law: Law,
  end: 0 | 1,
  graded: boolean,
  begin: number,
  last: number,
  trialsAt: (ratio: number) => number,
  refinement: number,
): void {
  const longest = (angle: number) => {
    const near = Math.sin(angle / 2) ** 2;
    const [ratio, rest] = end === 0 ? [near, 1 - near] : [1 - near, near];
    return panelBells / refinement / Math.sqrt(1 + trialsAt(ratio) + law.sharpness(ratio, rest));
  };
  for (let from = begin; from < last; ) {
    let length = longest(from);
    if (graded) length = Math.min(length, from / refinement);
    length = Math.min(length, longest(from + length));
    // No panel beyond the last angle, and none that is too short to tell from nothing.
    const to = from + length < last && from + length > from ? from + length : last;
    for (const [x, weight] of gaussLegendre) {
      const angle = from + ((to - from) * (1 + x)) / 2;
      const near = Math.sin(angle / 2) ** 2;
      const far = Math.cos(angle / 2) ** 2;
      const [ratio, rest] = end === 0 ? [near, far] : [far, near];
      // Of the angle's differential, a half comes from the panel and sin / 2 from the ratio.
      const measure = (weight * (to - from) * Math.sin(angle)) / 4;
      nodes.push({ ratio, weight: measure * law.density(ratio, rest) });
    }
    from = to;
  }
}

function normalize(nodes: readonly RatioNode[], law: Law, ratio: Ratio, least: number): RatioNode[] {
  let total = nodes.reduce((sum, { weight }) => sum + weight, 0);
  const kept: RatioNode[] = [];
  if (law.hasAtomAtOne) {
    kept.push({ ratio: 1, weight: Math.max(0, 1 - total) });
    total = Math.max(1, total);
  }
  // A law that is too narrow for the numbers there are.
  if (!(total > 0)) return [{ ratio: typicalRatio(ratio), weight: 1 }];
  // Ratios that no day can tell from 0.
  let atZero = 0;
  for (const { ratio, weight } of nodes) {
    if (ratio <= least) atZero += weight / total;
    else if (weight > (negligible * total) / nodes.length) kept.push({ ratio, weight: weight / total });
  }
  if (atZero > negligible) kept.push({ ratio: 0, weight: atZero });
  return kept.filter(({ weight }) => weight > 0);
}

function describeLaw({ kind, parameters }: RatioDistribution): Law {
  switch (kind) {
    case "uniform":
      return { breaks: parameters, density: () => 1, sharpness: () => 0, graded: false };
    case "triangular": {
      const [low, mode, high] = parameters;
      return {
        breaks: parameters,
        density: (ratio) =>
          ratio < mode ? (ratio - low) / (mode - low) : (high - ratio) / (high - mode || 1),
        sharpness: () => 0,
        graded: false,
      };
    }
    case "beta": {
      const [a, b] = parameters;
      const log = (ratio: number, rest: number) => (a - 1) * Math.log(ratio) + (b - 1) * Math.log(rest);
      const reference = log(a / (a + b), b / (a + b));
      return {
        breaks: [0, 1],
        density: (ratio, rest) => Math.exp(log(ratio, rest) - reference),
        sharpness: () => 2 * (a + b),
        powers: [a, b],
        graded: true,
      };
    }
    case "lognormal": {
      const [median, sigma] = parameters;
      const reach = 9 * sigma;
      const highest = median * Math.exp(reach);
      return {
        breaks: [median * Math.exp(-reach), Math.min(1, highest)],
        density: (ratio) =>
          Math.exp(-0.5 * (Math.log(ratio / median) / sigma) ** 2) / (ratio * sigma * Math.sqrt(2 * Math.PI)),
        sharpness: (ratio, rest) => rest / ratio / sigma ** 2,
        graded: true,
        hasAtomAtOne: highest > 1,
      };
    }
  }
}

/** Nodes and weights of the Gauss-Legendre rule on -1 ... 1: roots of the Legendre polynomial, by Newton's method. */
const gaussLegendre = Array.from({ length: panelNodes }, (_, i) => {
  let x = Math.cos((Math.PI * (i + 0.75)) / (panelNodes + 0.5));
  let slope = 0;
  for (let round = 0; round < 10; round++) {
    let [before, value] = [1, x];
    for (let k = 2; k <= panelNodes; k++)
      [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
    slope = (panelNodes * (x * value - before)) / (x * x - 1);
    x -= value / slope;
  }
  return [x, 2 / ((1 - x * x) * slope * slope)] as const;
});
