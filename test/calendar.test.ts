import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Calendar, type JobList, none } from "../src/engine/calendar.js";

/** What may happen to a calendar; numbers are shares of what is possible at that moment. */
type Command =
  | { kind: "add"; ahead: number; count: number }
  | { kind: "append"; ahead: number; count: number }
  | { kind: "take"; ahead: number }
  | { kind: "takeNext" }
  | { kind: "moveNext"; ahead: number; keep: number }
  | { kind: "advance"; share: number }
  | { kind: "clear"; now: number };

const share = fc.oneof(
  fc.constantFrom(0, 1),
  fc.nat(1_000_000).map((millionth) => millionth / 1e6),
);

const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 10, max: 40 }));

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), ahead: share, count }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("append" as const), ahead: share, count }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("take" as const), ahead: share }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("takeNext" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("moveNext" as const),
      ahead: share,
      keep: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance" as const), share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), now: fc.nat(10_000_000) }) },
);

const jobsOf = ({ jobs, length }: JobList) => [...jobs.subarray(0, length)];

/** Lets a calendar and a map of lists take the same commands; the map says what to expect. */
function play(horizon: number, start: number, commands: readonly Command[]): void {
  const calendar = new Calendar(horizon);
  const lists = new Map<number, number[]>();
  let now = start;
  let nextJob = 0;
  const earliest = () => (lists.size === 0 ? none : Math.min(...lists.keys()));
  const roundAhead = (ahead: number) => now + Math.round(ahead * horizon);
  const expectTaken = (round: number) => {
    const taken = calendar.take(round);
    expect(taken && jobsOf(taken)).toEqual(lists.get(round));
    lists.delete(round);
    return taken;
  };
  const expectReleased = (round: number) => {
    const taken = expectTaken(round);
    if (taken !== undefined) calendar.release(taken);
  };
  for (const command of commands) {
    switch (command.kind) {
      case "add":
      case "append": {
        const round = roundAhead(command.ahead);
        const added = Array.from({ length: command.count }, () => nextJob++);
        lists.set(round, [...(lists.get(round) ?? []), ...added]);
        if (command.kind === "add") {
          for (const job of added) calendar.add(round, job);
        } else {
          const list = calendar.listOf(round);
          list.reserve(list.length + added.length);
          list.jobs.set(added, list.length);
          list.length += added.length;
        }
        break;
      }
      case "take":
        expectReleased(roundAhead(command.ahead));
        break;
      case "takeNext":
        if (lists.size === 0) break;
        now = earliest();
        expectReleased(now);
        break;
      case "moveNext": {
        if (lists.size === 0) break;
        now = earliest();
        const list = expectTaken(now) as JobList;
        const round = roundAhead(command.ahead);
        if (lists.has(round)) {
          calendar.release(list);
          break;
        }
        // One in so many jobs moves on with the list, perhaps none.
        const moving = jobsOf(list).filter((job) => job % command.keep === 0);
        list.jobs.set(moving);
        list.length = moving.length;
        calendar.put(round, list);
        if (moving.length > 0) lists.set(round, moving);
        break;
      }
      case "advance":
        // Time may pass up to the first round that has a list, or anywhere if none has.
        now += Math.round(command.share * (lists.size > 0 ? earliest() - now : 3 * horizon));
        break;
      case "clear":
        calendar.clear();
        lists.clear();
        now = command.now;
        break;
    }
    expect(calendar.nextRound(now)).toBe(earliest());
  }
  while (lists.size > 0) {
    const round = calendar.nextRound(now);
    expect(round).toBe(earliest());
    now = round;
    expectReleased(round);
  }
  expect(calendar.nextRound(now)).toBe(none);
}

describe("Calendar", () => {
  // Around one word of places, one word of words, and a power of two.
  test.each([1, 2, 31, 32, 33, 63, 64, 1000, 1023, 1024, 5000, 100_000])(
    "agrees with a map of lists, up to %i rounds ahead",
    (horizon) => {
      fc.assert(
        fc.property(fc.nat(3 * horizon), fc.array(anyCommand, { maxLength: 60 }), (start, commands) => {
          play(horizon, start, commands);
        }),
        { seed: horizon, numRuns: 100 },
      );
    },
  );

  test("finds a lone list from each round of each distance around the ring", () => {
    for (const horizon of [31, 127, 2047]) {
      const calendar = new Calendar(horizon);
      for (let begin = 0; begin <= 2 * horizon; begin += 1 + (begin % 13)) {
        for (const ahead of [0, 1, 30, 31, 32, 33, 63, 64, 1022, 1023, horizon - 1, horizon]) {
          if (ahead > horizon) continue;
          calendar.add(begin + ahead, begin);
          expect(calendar.nextRound(begin)).toBe(begin + ahead);
          const list = calendar.take(begin + ahead) as JobList;
          expect(jobsOf(list)).toEqual([begin]);
          calendar.release(list);
          expect(calendar.nextRound(begin)).toBe(none);
        }
      }
    }
  });

  test("keeps lists apart that are in use at a time, on the calendar or taken off", () => {
    const calendar = new Calendar(8);
    const one = calendar.listOf(3);
    calendar.listOf(4).add(2);
    one.add(1);
    expect(calendar.listOf(3)).toBe(one);
    const taken = calendar.take(3) as JobList;
    calendar.add(3, 5);
    calendar.add(6, 6);
    expect(jobsOf(taken)).toEqual([1]);
    calendar.put(5, taken);
    calendar.add(5, 7);
    const jobs = [3, 4, 5, 6].map((round) => jobsOf(calendar.take(round) as JobList));
    expect(jobs).toEqual([[5], [2], [1, 7], [6]]);
    expect(calendar.take(4)).toBeUndefined();
  });

  test("lists keep their jobs in order while they grow", () => {
    const list = new Calendar(1).listOf(0);
    for (let job = 0; job < 100; job++) list.add(7 * job);
    list.reserve(5);
    list.reserve(1000);
    list.add(700);
    expect(list.jobs.length).toBeGreaterThanOrEqual(1000);
    expect(jobsOf(list)).toEqual(Array.from({ length: 101 }, (_, job) => 7 * job));
  });
});
