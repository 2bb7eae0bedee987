// A number that each job has, such as its re-drives, by fate: from the law of one job follows its distribution.
import type { FieldName } from "../engine/fate-outcomes.js";
import type { Distribution } from "./distribution.js";
import type { JobLaw } from "./job-law.js";

/** Values by fate; their probabilities are filled in for each KK3. */
export class JobNumber {
  /** Values that fates have, in ascending order. */
  readonly #values: Float64Array;
  /** Index of each fate's value. */
  readonly #place: Int32Array;

  constructor({ fates, outcomes }: JobLaw, numberOf: (read: (name: FieldName) => number) => number) {
    const byFate = Float64Array.from({ length: fates.length }, (_, fate) =>
      numberOf((name) => outcomes.valueOf(fate, name)),
    );
    this.#values = Float64Array.from(new Set(byFate)).sort();
    const placeOf = new Map([...this.#values].map((value, place) => [value, place]));
    this.#place = Int32Array.from(byFate, (value) => placeOf.get(value) as number);
  }

  /** @param probabilities - one entry per fate */
  distribute(probabilities: Float64Array): Distribution {
    const sums = new Float64Array(this.#values.length);
    // Backwards: later fates have more faults, and small numbers must not be lost beside large ones.
    for (let fate = probabilities.length - 1; fate >= 0; fate--)
      sums[this.#place[fate]] += probabilities[fate];
    return { values: this.#values, probabilities: sums };
  }
}
