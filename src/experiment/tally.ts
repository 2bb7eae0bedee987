// What is kept of the days that were simulated. Tallies of parts add up to that of the whole, in any order.
import type { DayColumns } from "../engine/day-columns.js";
import { type MetricName, metrics } from "../model/metrics.js";
import { Histogram, type ValueCounts } from "../stats/histogram.js";
import { ProductSum } from "../stats/sum.js";

/** A tally as plain data, to be sent between threads. */
export interface TallyData {
  readonly days: number;
  readonly metrics: Readonly<Record<MetricName, ValueCounts>>;
  /** The recovery delays of all re-drives. */
  readonly delays: ValueCounts;
  /** Sums over the days of delay^2, delay * re-drives and re-drives^2, of each day's totals. */
  readonly recoverySquares: readonly [bigint, bigint, bigint];
}

/** Histograms of all metrics over days, and of the recovery delays of all their re-drives. */
export class Tally {
  readonly delays = new Histogram();
  #days = 0;
  readonly #histograms = metrics.map(({ name }) => ({ name, histogram: new Histogram() }));
  readonly #recoverySquares = [new ProductSum(), new ProductSum(), new ProductSum()] as const;

  /** Days that were added so far. */
  get days(): number {
    return this.#days;
  }

  /** Adds the first `length` days of the columns. The delays of their re-drives are added to `delays` apart. */
  addDays(columns: DayColumns, length: number): void {
    const { recoverySum, redriven } = columns;
    const [delaySquared, product, redrivenSquared] = this.#recoverySquares;
    this.#days += length;
    for (const { name, histogram } of this.#histograms) histogram.addColumn(columns[name], length);
    delaySquared.addColumns(recoverySum, recoverySum, length);
    product.addColumns(recoverySum, redriven, length);
    redrivenSquared.addColumns(redriven, redriven, length);
  }

  merge(other: TallyData): void {
    this.#days += other.days;
    for (const { name, histogram } of this.#histograms) histogram.merge(other.metrics[name]);
    this.delays.merge(other.delays);
    for (const [i, sum] of this.#recoverySquares.entries()) sum.total += other.recoverySquares[i];
  }

  toData(): TallyData {
    const [delaySquared, product, redrivenSquared] = this.#recoverySquares;
    return {
      days: this.#days,
      metrics: Object.fromEntries(
        this.#histograms.map(({ name, histogram }) => [name, histogram.toCounts()]),
      ) as Record<MetricName, ValueCounts>,
      delays: this.delays.toCounts(),
      recoverySquares: [delaySquared.total, product.total, redrivenSquared.total],
    };
  }
}
