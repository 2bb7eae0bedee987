// Sums of many numbers of unlike size. The one file that knows simple-statistics, whose types reject typed arrays.
import { sum } from "simple-statistics";

/** The sum of a column by Kahan and Babuska's compensated summation; 0 for an empty one. */
export function compensatedSum(values: Float64Array): number {
  return sum(values as unknown as number[]);
}

/** Whole-number sums of the products of two columns, exact whatever their size and order. */
export class ProductSum {
  total = 0n;

  /** Adds the products of the first `length` entries; both columns hold whole numbers from 0 to 2^53 - 1. */
  addColumns(a: Float64Array, b: Float64Array, length: number): void {
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const product = a[i] * b[i];
      if (sum + product <= Number.MAX_SAFE_INTEGER) {
        sum += product;
      } else {
        this.total += BigInt(sum) + BigInt(a[i]) * BigInt(b[i]);
        sum = 0;
      }
    }
    this.total += BigInt(sum);
  }
}
