// What is measured, as data: a case and its unit of work. Knows no clock and no statistics.
import type { EngineName } from "../src/engine/engine.js";
import type { Scenario } from "../src/model/scenario.js";

/** What one unit of work is: something that is done to one day. */
export const units = {
  seeded: "day seeded",
  drawn: "day drawn",
  supervised: "supervised day",
  pair: "pair of days",
  whole: "whole day",
  tallied: "day tallied",
  written: "day written",
} as const;

export type Unit = (typeof units)[keyof typeof units];

/**
 * Does the work of a case once.
 *
 * @returns a number that depends on all of the work, so that none of it can be left out
 */
export type Call = () => number | Promise<number>;

/** One thing to measure. */
export interface Case {
  /** Name of the suite that it belongs to. */
  readonly suite: string;
  /** Unique in its suite; says the parameters. */
  readonly name: string;
  /** What simulates the days, where anything does. */
  readonly engine: EngineName | "baseline" | undefined;
  readonly scenario: Scenario;
  readonly threads: number;
  readonly unit: Unit;
  /** Units of work in one call. */
  readonly unitsPerCall: number;
  /** Whether it is measured like a program that was just started: its first call, once per round. */
  readonly cold: boolean;
  /** Builds what the calls need, which is not measured. */
  readonly prepare: () => Call;
}

/** What the cases are made for. */
export interface Subject {
  readonly scenario: Scenario;
  readonly seed: string;
  /** Days of a whole run; if undefined, as many as take some seconds at most. */
  readonly days: number | undefined;
  /** The most threads that are tried. */
  readonly threads: number;
  /** Cases of other engines are left out, but for the baseline. */
  readonly engine: EngineName | "auto";
}
