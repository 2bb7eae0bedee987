// Which way of drawing days a scenario gets.
import type { Scenario } from "../model/scenario.js";
import type { FateSampler } from "./fate-sampler.js";
import type { Key } from "./key.js";
import { PoissonSampler } from "./poisson-sampler.js";
import { TreeSampler } from "./tree-sampler.js";

/** Most days of a strip: few enough for its columns to stay in the processor's cache. */
export const longestStrip = 256;

/** @param mostDays - of a strip */
export function newFateSampler(scenario: Scenario, key: Key, mostDays = longestStrip): FateSampler {
  return PoissonSampler.for(scenario, key, mostDays) ?? new TreeSampler(scenario, key, mostDays);
}
