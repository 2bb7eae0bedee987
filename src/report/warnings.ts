// What of a result needs a second look, in a line each: intervals that are undefined, results that hang on a limit.
import type { KeyFigures } from "../experiment/effects.js";

/** What is looked at of a scenario's result. */
export interface Judged {
  readonly days: number;
  readonly isPrecise: boolean;
  readonly figures: Pick<KeyFigures, "halfFinished" | "recoveryDelayRounds">;
}

type Doubt = "imprecise" | "oneDay" | "halfFinished" | "withoutRedrive";

/** How many scenarios there is a doubt about, and the numbers of the first of them. */
interface Doubted {
  count: number;
  readonly first: number[];
}

/** The doubts about scenarios, as plain data. */
export type DoubtsData = Readonly<Record<Doubt, Doubted>>;

/** Scenarios that a warning names. */
const mostNamed = 10;

/** Gathers the doubts about one scenario after the other. */
export class Doubts {
  readonly #doubts: DoubtsData;

  constructor(begun?: DoubtsData) {
    const none = (): Doubted => ({ count: 0, first: [] });
    this.#doubts = begun ?? {
      imprecise: none(),
      oneDay: none(),
      halfFinished: none(),
      withoutRedrive: none(),
    };
  }

  add(number: number, { days, isPrecise, figures }: Judged): void {
    this.#add("imprecise", !isPrecise, number);
    this.#add("oneDay", days === 1, number);
    this.#add("halfFinished", (figures.halfFinished.mean ?? 0) > 0, number);
    // Without simulation, no day could have had one.
    this.#add("withoutRedrive", days > 0 && figures.recoveryDelayRounds.mean === undefined, number);
  }

  /** More is added to it in place. */
  toData(): DoubtsData {
    return this.#doubts;
  }

  #add(doubt: Doubt, holds: boolean, number: number): void {
    if (!holds) return;
    const doubted = this.#doubts[doubt];
    if (++doubted.count <= mostNamed) doubted.first.push(number);
  }
}

/**
 * A line for each doubt.
 *
 * @param mostDays - days of a scenario at most
 * @param isOne - whether the result is that of one scenario, which then has no number
 */
export function describeDoubts(doubts: DoubtsData, mostDays: number, isOne = false): string[] {
  const days = mostDays.toLocaleString("en-US");
  const line = (doubt: Doubt, ofOne: string, ofSome: (are: string) => string, remedy: string): string[] => {
    const { count, first } = doubts[doubt];
    if (count === 0) return [];
    const named = ` (${first.join(", ")}${count > first.length ? " and others" : ""})`;
    const some = `${count.toLocaleString("en-US")} scenario${count === 1 ? "" : "s"}`;
    const text = isOne ? ofOne : `${some} ${ofSome(count === 1 ? "is" : "are")}${named}`;
    return [`warning: ${text}; ${remedy}`];
  };
  return [
    ...line(
      "imprecise",
      `not as precise as asked after ${days} days`,
      (are) => `${are} not as precise as asked after ${days} days`,
      "raise --max-days",
    ),
    ...line(
      "oneDay",
      "one day has no standard deviation and no confidence interval",
      (are) => `${are} of one day, without standard deviation and confidence interval`,
      "raise --days",
    ),
    ...line(
      "halfFinished",
      "half-finished jobs remain with the supervisor because the day ends too early for it",
      (are) => `${are} left with half-finished jobs because the day ends too early for the supervisor`,
      "the result depends on --rounds, raise it",
    ),
    ...line(
      "withoutRedrive",
      "no step was re-driven",
      (are) => `${are} without any re-driven step`,
      "there is no recovery delay",
    ),
  ];
}
