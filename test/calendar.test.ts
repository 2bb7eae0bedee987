import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Calendar, none } from "../src/engine/calendar.js";

/** What may happen to a calendar; numbers are shares of what is possible at that moment. */
type Command =
  | { kind: "add"; ahead: number }
  | { kind: "append"; ahead: number; length: number }
  | { kind: "take"; ahead: number }
  | { kind: "takeNext" }
  | { kind: "advance"; share: number }
  | { kind: "clear"; now: number };

const jobCount = 60;

const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), ahead: share }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      ahead: share,
      length: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take" as const), ahead: share }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("takeNext" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance" as const), share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), now: fc.nat(10_000_000) }) },
);

/** A list as the calendar links it. */
function follow(calendar: Calendar, first: number): number[] {
  const jobs: number[] = [];
  for (let job = first; job !== none; job = calendar.next[job]) jobs.push(job);
  return jobs;
}

/** Lets a calendar and a map of lists take the same commands; the map says what to expect. */
function play(horizon: number, start: number, commands: readonly Command[]): void {
  const calendar = new Calendar(horizon, new Int32Array(jobCount));
  const lists = new Map<number, number[]>();
  const free = Array.from({ length: jobCount }, (_, job) => job);
  let now = start;
  const earliest = () => (lists.size === 0 ? none : Math.min(...lists.keys()));
  const roundAhead = (ahead: number) => now + Math.round(ahead * horizon);
  const expectTaken = (round: number) => {
    const jobs = lists.get(round) ?? [];
    expect(follow(calendar, calendar.take(round))).toEqual(jobs);
    lists.delete(round);
    free.push(...jobs);
  };
  for (const command of commands) {
    switch (command.kind) {
      case "add": {
        const job = free.shift();
        if (job === undefined) break;
        const round = roundAhead(command.ahead);
        calendar.add(round, job);
        lists.set(round, [...(lists.get(round) ?? []), job]);
        break;
      }
      case "append": {
        const chain = free.splice(0, command.length);
        if (chain.length === 0) break;
        const round = roundAhead(command.ahead);
        chain.forEach((job, i) => {
          calendar.next[job] = chain[i + 1] ?? none;
        });
        calendar.append(round, chain[0], chain[chain.length - 1]);
        lists.set(round, [...(lists.get(round) ?? []), ...chain]);
        break;
      }
      case "take":
        expectTaken(roundAhead(command.ahead));
        break;
      case "takeNext":
        if (lists.size > 0) {
          now = earliest();
          expectTaken(now);
        }
        break;
      case "advance":
        // Time may pass up to the first round that has a job, or anywhere if none has.
        now += Math.round(command.share * (lists.size > 0 ? earliest() - now : 3 * horizon));
        break;
      case "clear":
        calendar.clear();
        lists.clear();
        free.splice(0, free.length, ...Array.from({ length: jobCount }, (_, job) => job));
        now = command.now;
        break;
    }
    expect(calendar.nextRound(now)).toBe(earliest());
  }
  while (lists.size > 0) {
    const round = calendar.nextRound(now);
    expect(round).toBe(earliest());
    now = round;
    expectTaken(round);
  }
  expect(calendar.nextRound(now)).toBe(none);
}

describe("Calendar", () => {
  // Around one word of lists, one word of words, and a power of two.
  test.each([1, 2, 31, 32, 33, 63, 64, 1000, 1023, 1024, 5000, 100_000])(
    "agrees with a map of lists, up to %i rounds ahead",
    (horizon) => {
      fc.assert(
        fc.property(fc.nat(3 * horizon), fc.array(anyCommand, { maxLength: 80 }), (start, commands) => {
          play(horizon, start, commands);
        }),
        { seed: horizon, numRuns: 100 },
      );
    },
  );

  test("finds a lone job from each round of each distance around the ring", () => {
    for (const horizon of [31, 127, 2047]) {
      const calendar = new Calendar(horizon, new Int32Array(1));
      for (let begin = 0; begin <= 2 * horizon; begin += 1 + (begin % 13)) {
        for (const ahead of [0, 1, 30, 31, 32, 33, 63, 64, 1022, 1023, horizon - 1, horizon]) {
          if (ahead > horizon) continue;
          calendar.add(begin + ahead, 0);
          expect(calendar.nextRound(begin)).toBe(begin + ahead);
          expect(calendar.take(begin + ahead)).toBe(0);
          expect(calendar.nextRound(begin)).toBe(none);
        }
      }
    }
  });

  test("shares its links with other calendars, and takes a longer column of them", () => {
    const next = new Int32Array(2);
    const landings = new Calendar(1, next);
    const expiries = new Calendar(100, next);
    landings.add(5, 0);
    expiries.add(70, 1);
    const longer = new Int32Array(4);
    longer.set(next);
    landings.next = longer;
    expiries.next = longer;
    landings.add(5, 2);
    expiries.add(70, 3);
    expect(follow(landings, landings.take(5))).toEqual([0, 2]);
    expect(follow(expiries, expiries.take(70))).toEqual([1, 3]);
  });
});
