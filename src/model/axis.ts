// The values of one parameter of a sweep: a value, a list, or ranges start:end:step. Knows no parameter by name.
import { parseNumber } from "./ratio.js";

/** A range of more values than this is taken for a mistake. */
const mostValues = 1_000_000;

/** A decimal number, exact: `digits` times 10 to the power of minus `decimals`. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** Splits a list at its commas, but not at those in parentheses: `uniform(0,1),0.5` has two entries. */
export function splitList(text: string): string[] {
  return text.split(/,(?![^()]*\))/).map((entry) => entry.trim());
}

/** Whether an entry of a list is meant as a range. */
export function isRange(entry: unknown): entry is string {
  return typeof entry === "string" && entry.includes(":");
}

/** What a range must be, where this text is none; undefined where it is one. */
export function findRangeProblem(text: string): string | undefined {
  const parts = text.split(":").map(parseDecimal);
  if (parts.length !== 3 || parts.includes(undefined)) return "a range start:end:step of three numbers";
  const [start, end, step] = toCommonDecimals(parts as [Decimal, Decimal, Decimal]);
  if (step <= 0n) return "a range with a step above 0";
  if (end < start) return "a range with an end that is not below its start";
  if ((end - start) / step >= BigInt(mostValues)) return `a range of at most ${mostValues} values`;
  return undefined;
}

/**
 * The values start + i step of a range, both ends included where the steps meet them. Computed in decimals, so that
 * each is the number nearest to its decimal text: 0.001:0.003:0.001 holds 0.003, not 0.003 and a rounding error.
 *
 * @param text - a range in which {@link findRangeProblem} finds none
 */
export function expandRange(text: string): number[] {
  const parts = text.split(":").map(parseDecimal) as [Decimal, Decimal, Decimal];
  const [start, end, step] = toCommonDecimals(parts);
  const decimals = Math.max(...parts.map(({ decimals }) => decimals));
  return Array.from({ length: Number((end - start) / step) + 1 }, (_, i) =>
    Number(`${start + BigInt(i) * step}e${-decimals}`),
  );
}

/** The numbers of digits that their most precise one needs. */
function toCommonDecimals(parts: readonly [Decimal, Decimal, Decimal]): [bigint, bigint, bigint] {
  const decimals = Math.max(...parts.map(({ decimals }) => decimals));
  return parts.map(({ digits, decimals: own }) => digits * 10n ** BigInt(decimals - own)) as [
    bigint,
    bigint,
    bigint,
  ];
}

/** Reads a number of at most 400 digits; undefined for any other text. */
function parseDecimal(text: string): Decimal | undefined {
  if (parseNumber(text) === undefined) return undefined;
  const [mantissa, exponent = "0"] = text.trim().toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent);
  if (Math.abs(decimals) > 400 || mantissa.length > 400) return undefined;
  const digits = BigInt(`${whole}${fraction}`.replace(/^\+/, ""));
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}
