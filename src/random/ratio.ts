// Draws an uncertain ratio, exactly. Inversion wherever the inverse is known, so that scenarios that share random
// numbers move together.
import type { RatioDistribution } from "../model/ratio.js";
import { normalQuantile } from "./normal.js";
import type { Stream } from "./stream.js";

/** Draws a ratio, from 0 to 1, both included. */
export function drawRatio(stream: Stream, { kind, parameters }: RatioDistribution): number {
  switch (kind) {
    case "uniform": {
      const [low, high] = parameters;
      return low + (high - low) * stream.fraction();
    }
    case "triangular":
      return drawTriangular(stream, parameters[0], parameters[1], parameters[2]);
    case "beta":
      return drawBeta(stream, parameters[0], parameters[1]);
    case "lognormal": {
      const [median, sigma] = parameters;
      return Math.min(1, median * Math.exp(sigma * normalQuantile(openFraction(stream))));
    }
  }
}

function drawTriangular(stream: Stream, low: number, mode: number, high: number): number {
  const width = high - low;
  const u = stream.fraction();
  if (width === 0) return low;
  // The distribution function at the mode is (mode - low) / width; each side is a parabola.
  return u * width < mode - low
    ? low + Math.sqrt(u * width * (mode - low))
    : high - Math.sqrt((1 - u) * width * (high - mode));
}

/** X / (X + Y) of two gamma variates; by logarithms, since for small shapes both may be below the smallest number. */
function drawBeta(stream: Stream, a: number, b: number): number {
  const logX = drawLogGamma(stream, a);
  const logY = drawLogGamma(stream, b);
  return 1 / (1 + Math.exp(logY - logX));
}

/**
 * The logarithm of a gamma variate: G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables",
 * ACM Trans. Math. Softw. 26 (2000), 363-372; shapes below 1 by their identity gamma(a) = gamma(a + 1) U^(1/a).
 */
function drawLogGamma(stream: Stream, shape: number): number {
  if (shape < 1) return drawLogGamma(stream, shape + 1) + Math.log(openFraction(stream)) / shape;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalQuantile(openFraction(stream));
    const root = 1 + c * x;
    const v = root * root * root;
    if (v > 0 && Math.log(openFraction(stream)) < 0.5 * x * x + d * (1 - v + Math.log(v)))
      return Math.log(d * v);
  }
}

/** A fraction from 0 to 1, neither included. */
function openFraction(stream: Stream): number {
  return stream.fraction() || 2 ** -54;
}
