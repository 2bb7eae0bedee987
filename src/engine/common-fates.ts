// What the fates that nearly every day has come to, for all days of a strip at once.
import type { CommonFate } from "../random/drawn-days.js";
import type { DayColumns } from "./day-columns.js";
import { type FateOutcomes, type FieldName, summed } from "./fate-outcomes.js";

/** A metric, the jobs of the fates that matter to it and what one job of each comes to. */
interface Part {
  readonly column: keyof DayColumns;
  readonly jobs: readonly Float64Array[];
  readonly values: readonly number[];
}

/** Adds fates that are columns over the days to the metrics of the days: a matrix product, column by column. */
export class CommonFates {
  readonly #sums: readonly Part[];
  /** The fates with the largest values come first. */
  readonly #maxima: readonly Part[];
  /** Scratch: days whose largest value is not found yet. */
  readonly #open: Int32Array;

  /**
   * @param outcomes - the common fates are known
   * @param common - the same columns, filled anew, are meant each time
   */
  constructor(outcomes: FateOutcomes, common: readonly CommonFate[]) {
    const partOf = (column: keyof DayColumns, field: FieldName): Part => {
      const parts = common
        .map(({ fate, jobs }) => ({ jobs, value: outcomes.valueOf(fate, field) }))
        .filter(({ value }) => value > 0)
        .sort((a, b) => b.value - a.value);
      return { column, jobs: parts.map(({ jobs }) => jobs), values: parts.map(({ value }) => value) };
    };
    this.#sums = summed.map((name) => partOf(name, name));
    this.#maxima = [partOf("lastRound", "lastRound"), partOf("recoveryWorstRounds", "recoveryWorst")];
    this.#open = new Int32Array(common[0].jobs.length);
  }

  /** Fills the metrics of each day with what these jobs come to. */
  sumInto(columns: DayColumns, length: number): void {
    for (const { column, jobs, values } of this.#sums) {
      const into = columns[column];
      into.fill(0, 0, length);
      let i = 0;
      for (; i + 4 <= jobs.length; i += 4)
        addFour(into, jobs.slice(i, i + 4), values.slice(i, i + 4), length);
      for (; i < jobs.length; i++) addOne(into, jobs[i], values[i], length);
    }
    for (const part of this.#maxima) this.#raise(columns[part.column], part, length);
  }

  /** Raises the value of each day to that of the first fate that it has. */
  #raise(into: Float64Array, { jobs, values }: Part, length: number): void {
    const open = this.#open;
    let openCount = length;
    into.fill(0, 0, length);
    for (let day = 0; day < length; day++) open[day] = day;
    for (let i = 0; i < jobs.length && openCount > 0; i++) {
      const column = jobs[i];
      const value = values[i];
      let kept = 0;
      for (let k = 0; k < openCount; k++) {
        const day = open[k];
        if (column[day] === 0) open[kept++] = day;
        else into[day] = value;
      }
      openCount = kept;
    }
  }
}

function addOne(into: Float64Array, jobs: Float64Array, value: number, length: number): void {
  for (let day = 0; day < length; day++) into[day] += jobs[day] * value;
}

/** Four fates at a time: fewer passes over the column that is added to. */
function addFour(
  into: Float64Array,
  [a, b, c, d]: readonly Float64Array[],
  [p, q, r, s]: readonly number[],
  length: number,
): void {
  for (let day = 0; day < length; day++) {
    into[day] += a[day] * p + b[day] * q + c[day] * r + d[day] * s;
  }
}
