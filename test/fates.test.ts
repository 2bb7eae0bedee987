import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FateTree, fillNextFaults, settled } from "../src/model/fate-tree.js";
import { FateCounts, FateTable } from "../src/model/fates.js";
import { parseRatio, type Ratio } from "../src/model/ratio.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";
import type { FateSampler } from "../src/random/fate-sampler.js";
import { deriveKey } from "../src/random/key.js";
import { newFateSampler } from "../src/random/samplers.js";
import { purpose, Stream } from "../src/random/stream.js";
import { binomialPmf } from "./exact-binomial.js";
import { falseAlarm, fitChance, kolmogorovChance, normalChance, tally } from "./significance.js";

type StallOn = Scenario["stallOn"];

const stepNames = (count: number) => Array.from({ length: count }, (_, step) => `${step}`);

/** A fate as text: the stalls of each step, then the step that never passes, such as "0,1,0|2". */
function nameFate(table: FateTable, fate: number): string {
  const stalls = Array.from({ length: table.stepCount }, (_, step) => table.stallCount(fate, step));
  return `${stalls}|${table.persistentStep(fate)}`;
}

describe("FateTable", () => {
  test("starts with the clean fate, and copies fates that then go their own ways", () => {
    const table = new FateTable(3);
    expect(table.length).toBe(1);
    expect(nameFate(table, 0)).toBe("0,0,0|3");
    const stalled = table.add();
    table.addStall(stalled, 1);
    const twice = table.add(stalled);
    table.addStall(twice, 1);
    table.setPersistent(twice, 2);
    expect([0, stalled, twice].map((fate) => nameFate(table, fate))).toEqual([
      "0,0,0|3",
      "0,1,0|3",
      "0,2,0|2",
    ]);
    table.clear();
    expect(table.length).toBe(1);
    expect(nameFate(table, table.add())).toBe("0,0,0|3");
  });

  test("keeps all fates while it grows", () => {
    const table = new FateTable(2);
    for (let i = 1; i < 1000; i++) {
      const fate = table.add(i - 1);
      expect(fate).toBe(i);
      table.addStall(fate, i % 2);
      if (i % 3 === 0) table.setPersistent(fate, i % 2);
    }
    for (let i = 1; i < 1000; i++) {
      const persistent = i < 3 ? 2 : (i - (i % 3)) % 2;
      expect(nameFate(table, i)).toBe(`${Math.floor(i / 2)},${Math.ceil(i / 2)}|${persistent}`);
    }
  });

  test("says which executions die, and where the next one is", () => {
    const table = new FateTable(5);
    const fate = table.add();
    table.addStall(fate, 1);
    table.addStall(fate, 1);
    table.setPersistent(fate, 3);
    const dying = [0, 1, 2, 3, 4].map((step) =>
      [0, 1, 2, 100].map((attempt) => table.dies(fate, step, attempt)),
    );
    expect(dying).toEqual([
      [false, false, false, false],
      [true, true, false, false],
      [false, false, false, false],
      [true, true, true, true],
      [false, false, false, false],
    ]);
    expect([0, 1, 2, 3, 4, 5].map((begin) => table.nextTrouble(fate, begin))).toEqual([1, 1, 3, 3, 5, 5]);
    expect(table.nextTrouble(0, 0)).toBe(5);
  });
});

test("FateCounts keeps what was added, also while it grows, until it is cleared", () => {
  const counts = new FateCounts();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 300; i++) counts.add(i, 2 * i + round);
    expect(counts.length).toBe(300);
    for (let i = 0; i < 300; i++) expect([counts.fate[i], counts.count[i]]).toEqual([i, 2 * i + round]);
    counts.clear();
    expect(counts.length).toBe(0);
  }
});

interface Chances {
  readonly kk2: number;
  readonly kk3: number;
}

type TreeShape = Pick<Scenario, "steps" | "stallOn" | "retryLimit">;

/** Each fate of a whole tree and its probability: the product of the chances along its path. */
function walkTree(tree: FateTree, { kk2, kk3 }: Chances): Map<string, number> {
  const { stepCount } = tree.table;
  const law = new Map<string, number>();
  const visit = (fate: number, reached: number) => {
    const name = nameFate(tree.table, fate);
    expect(law.has(name)).toBe(false);
    const situation = tree.situationOf(fate);
    law.set(name, reached);
    if (situation === settled) return;
    const chances = new Float64Array(tree.faultCount);
    fillNextFaults(tree.situations[situation], { kk2, kk3, stepCount }, chances);
    law.set(name, reached * (1 - chances.reduce((sum, chance) => sum + chance)));
    chances.forEach((chance, fault) => {
      if (chance > 0) visit(tree.child(fate, fault), reached * chance);
    });
  };
  visit(0, 1);
  return law;
}

/** The same by the definition: a persistent step or none, and a coin for each execution of the other steps. */
function enumerateFates(
  { steps, stallOn, retryLimit }: TreeShape,
  { kk2, kk3 }: Chances,
): Map<string, number> {
  const stepCount = steps.length;
  const attempts = stallOn === "every-attempt" ? retryLimit : 1;
  const law = new Map<string, number>();
  for (let persistent = 0; persistent <= stepCount; persistent++) {
    const start = persistent === stepCount ? 1 - kk2 : kk2 / stepCount;
    for (let mask = 0; mask < 2 ** (stepCount * attempts); mask++) {
      let chance = start;
      let over = false;
      let end = stepCount;
      const stalls = stepNames(stepCount).map((_, step) => {
        let leading = 0;
        for (let attempt = 0, stalling = true; attempt < attempts; attempt++) {
          const coin = ((mask >> (step * attempts + attempt)) & 1) === 1;
          // The step that never passes has one way to have no stalls, not one for each side of its coins.
          if (step === persistent) chance *= coin ? 0 : 1;
          else chance *= coin ? kk3 : 1 - kk3;
          stalling &&= coin;
          if (stalling) leading++;
        }
        // Behind a step that never passes, or that stalls until the job is given up, nothing is met.
        if (over) return 0;
        if (step === persistent) {
          over = true;
          end = persistent;
        } else if (stallOn === "every-attempt" && leading === retryLimit) {
          over = true;
        }
        return leading;
      });
      if (chance === 0) continue;
      const name = `${stalls}|${end}`;
      law.set(name, (law.get(name) ?? 0) + chance);
    }
  }
  return law;
}

const shapes: [number, StallOn, number][] = [
  [1, "first-attempt", 3],
  [4, "first-attempt", 3],
  [7, "first-attempt", 1],
  [1, "every-attempt", 1],
  [2, "every-attempt", 5],
  [4, "every-attempt", 3],
  [3, "every-attempt", 2],
];

describe("FateTree", () => {
  test.each(shapes)("has each fate once: %i steps, %s, retry limit %i", (stepCount, stallOn, retryLimit) => {
    const tree = new FateTree({ steps: stepNames(stepCount), stallOn, retryLimit });
    const fates = walkTree(tree, { kk2: 0.2, kk3: 0.3 });
    // A step passes after as many stalls as are possible, and then either all passed or one of the steps ended it.
    const ways = stallOn === "every-attempt" ? retryLimit : 2;
    const ends = stallOn === "every-attempt" ? 2 : 1;
    let expected = ways ** stepCount;
    for (let step = 0; step < stepCount; step++) expected += ends * ways ** step;
    expect(fates.size).toBe(expected);
    expect(tree.table.length).toBe(expected);
    if (stallOn === "first-attempt") expect(expected).toBe(2 ** (stepCount + 1) - 1);
  });

  test("gives the same fate for the same path, and all anew after clear", () => {
    const tree = new FateTree({ steps: stepNames(4), stallOn: "first-attempt", retryLimit: 3 });
    const first = walkTree(tree, { kk2: 0.2, kk3: 0.3 });
    const { length } = tree.table;
    expect(walkTree(tree, { kk2: 0.2, kk3: 0.3 })).toEqual(first);
    expect(tree.table.length).toBe(length);
    tree.clear();
    expect(tree.table.length).toBe(1);
    expect(tree.situations[tree.situationOf(0)]).toMatchObject({ step: 0 });
    expect(walkTree(tree, { kk2: 0.2, kk3: 0.3 })).toEqual(first);
    expect(tree.table.length).toBe(length);
  });

  test.each(shapes)(
    "gives each fate its probability by the definition: %i steps, %s, retry limit %i",
    (stepCount, stallOn, retryLimit) => {
      const shape = { steps: stepNames(stepCount), stallOn, retryLimit };
      for (const kk2 of [0, 0.02, 0.6, 1]) {
        for (const kk3 of [0, 0.005, 0.4, 1]) {
          const law = walkTree(new FateTree(shape), { kk2, kk3 });
          const expected = enumerateFates(shape, { kk2, kk3 });
          expect([...law.values()].reduce((sum, chance) => sum + chance)).toBeCloseTo(1, 13);
          for (const [fate, chance] of expected) {
            expect(law.get(fate) ?? 0, `${fate} for ${kk2}, ${kk3}`).toBeCloseTo(chance, 13);
          }
          for (const [fate, chance] of law) {
            expect(expected.get(fate) ?? 0, `${fate} for ${kk2}, ${kk3}`).toBeCloseTo(chance, 13);
          }
        }
      }
    },
  );
});

/** KK3 is drawn each day, and is always the same: as exact as a number, by the other kind of binomial draw. */
const drawn = (kk3: number) => parseRatio(`uniform(${kk3},${kk3})`) as Ratio;

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  workflows: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constant(1_000_000)),
  steps: fc.integer({ min: 1, max: 16 }).map(stepNames),
  kk3: fc.constantFrom<Ratio>(
    0,
    0.005,
    0.3,
    1,
    ...(["uniform(0,0.1)", "beta(0.1,2)", "lognormal(0.01,3)"].map(parseRatio) as Ratio[]),
  ),
  kk2: fc.constantFrom(0, 0.02, 0.7, 1),
  scan: fc.constant(2),
  lease: fc.constant(2),
  retryLimit: fc.integer({ min: 1, max: 3 }),
  rounds: fc.constant(80),
  stallOn: fc.constantFrom("first-attempt", "every-attempt"),
});

/** The fates of one of the days that were drawn last. */
function fatesOf({ days }: FateSampler, row = 0): FateCounts {
  const day = new FateCounts();
  days.copyDay(row, day);
  return day;
}

/** The jobs of such a day, by fate; names that are known are not made again. */
function jobsByFate(sampler: FateSampler, names: string[] = [], row = 0): Map<string, number> {
  const day = fatesOf(sampler, row);
  const jobs = new Map<string, number>();
  for (let i = 0; i < day.length; i++) {
    names[day.fate[i]] ??= nameFate(sampler.tree.table, day.fate[i]);
    const fate = names[day.fate[i]];
    jobs.set(fate, (jobs.get(fate) ?? 0) + day.count[i]);
  }
  return jobs;
}

describe("FateSampler.draw", () => {
  test("deals each job one fate, and lists no fate without a job", () => {
    fc.assert(
      fc.property(anyScenario, fc.nat(1000), (scenario, first) => {
        fc.pre(scenario.workflows < 6000 || scenario.steps.length < 6);
        const sampler = newFateSampler(scenario, deriveKey("sum"));
        for (let day = first; day < first + 3; day++) {
          sampler.draw(day);
          const fates = fatesOf(sampler);
          const counts = [...fates.count.subarray(0, fates.length)];
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(scenario.workflows);
          expect(Math.min(...counts)).toBeGreaterThan(0);
          expect(sampler.days.kk3[0] >= 0 && sampler.days.kk3[0] <= 1).toBe(true);
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("gives each day the same fates whichever days were drawn before", () => {
    fc.assert(
      fc.property(anyScenario, fc.array(fc.nat(20), { maxLength: 8 }), (scenario, days) => {
        fc.pre(scenario.workflows < 6000 || scenario.steps.length < 6);
        const key = deriveKey("order");
        const kept = newFateSampler(scenario, key);
        for (const day of days) {
          const fresh = newFateSampler(scenario, key);
          kept.draw(day);
          fresh.draw(day);
          expect(jobsByFate(kept)).toEqual(jobsByFate(fresh));
          expect(kept.days.kk3[0]).toBe(fresh.days.kk3[0]);
        }
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  test("gives each day the same fates whichever days are drawn with it", () => {
    fc.assert(
      fc.property(
        anyScenario,
        fc.nat(2 ** 33),
        fc.integer({ min: 1, max: 12 }),
        (scenario, first, mostDays) => {
          fc.pre(scenario.workflows < 6000 || scenario.steps.length < 6);
          const key = deriveKey("strips");
          const [strips, alone] = [newFateSampler(scenario, key, mostDays), newFateSampler(scenario, key, 1)];
          for (let day = first; day < first + 10; ) {
            const length = strips.draw(day, first + 10);
            expect(length).toBeLessThanOrEqual(mostDays);
            for (let row = 0; row < length; row++, day++) {
              expect(alone.draw(day, first + 10)).toBe(1);
              expect(jobsByFate(strips, [], row)).toEqual(jobsByFate(alone));
              expect(strips.days.kk3[row]).toBe(alone.days.kk3[0]);
            }
          }
        },
      ),
      { seed: 6, numRuns: 150 },
    );
  });

  test("gives different days to different keys and different numbers", () => {
    const days = [
      ["a", 0],
      ["a", 1],
      ["b", 0],
      ["a", 2 ** 32],
    ] as const;
    const drawn = days.map(([seed, day]) => {
      const sampler = newFateSampler({ ...defaultScenario, kk3: 0.1 }, deriveKey(seed));
      sampler.draw(day);
      return JSON.stringify([...jobsByFate(sampler)].sort());
    });
    expect(new Set(drawn).size).toBe(4);
  });

  test("gives the same days after the tree forgot its fates", () => {
    // Nearly every job of such a day has a fate of its own.
    const scenario: Scenario = {
      ...defaultScenario,
      workflows: 3000,
      steps: stepNames(16),
      kk3: 0.5,
      retryLimit: 50,
      stallOn: "every-attempt",
    };
    const sampler = newFateSampler(scenario, deriveKey("forget"));
    let day = 0;
    for (; sampler.generation === 0; day++) {
      sampler.draw(day);
      expect(day).toBeLessThan(100);
    }
    const fresh = newFateSampler(scenario, deriveKey("forget"));
    fresh.draw(day - 1);
    expect(sampler.generation).toBe(1);
    expect(jobsByFate(sampler)).toEqual(jobsByFate(fresh));
    fresh.draw(0);
    sampler.draw(0);
    expect(jobsByFate(sampler)).toEqual(jobsByFate(fresh));
    expect(sampler.generation).toBe(1);
  });

  test.each([300, 1000, 100_000])("knows what is certain for %i jobs", (workflows) => {
    const draw = (settings: Partial<Scenario>) => {
      const scenario = { ...defaultScenario, workflows, steps: stepNames(3), ...settings };
      const sampler = newFateSampler(scenario, deriveKey("certain"));
      sampler.draw(3);
      return jobsByFate(sampler);
    };
    for (const one of [1, drawn(1)]) {
      expect(draw({ kk2: 0, kk3: one })).toEqual(new Map([["1,1,1|3", workflows]]));
      expect([...draw({ kk2: 1, kk3: one }).keys()].sort()).toEqual(["0,0,0|0", "1,0,0|1", "1,1,0|2"]);
      const given = { kk3: one, stallOn: "every-attempt", retryLimit: 4 } as const;
      expect(draw({ kk2: 0, ...given })).toEqual(new Map([["4,0,0|3", workflows]]));
    }
    for (const zero of [0, drawn(0)]) {
      expect(draw({ kk2: 0, kk3: zero })).toEqual(new Map([["0,0,0|3", workflows]]));
      expect([...draw({ kk2: 1, kk3: zero }).keys()].sort()).toEqual(["0,0,0|0", "0,0,0|1", "0,0,0|2"]);
    }
  });

  test("takes the largest scenario", () => {
    for (const kk3 of [1e-9, drawn(1e-9)]) {
      const scenario: Scenario = {
        ...defaultScenario,
        workflows: 100_000_000,
        steps: stepNames(16),
        kk3,
        retryLimit: 10_000,
        stallOn: "every-attempt",
      };
      const sampler = newFateSampler(scenario, deriveKey("largest"));
      sampler.draw(0);
      const jobs = [...jobsByFate(sampler).values()];
      expect(jobs.reduce((sum, count) => sum + count)).toBe(scenario.workflows);
    }
  });
});

/** Calls back for each of some days, with the day's jobs by fate. */
function drawDays(
  scenario: Scenario,
  seed: string,
  dayCount: number,
  each: (jobs: Map<string, number>) => void,
) {
  const sampler = newFateSampler(scenario, deriveKey(seed));
  const names: string[] = [];
  for (let day = 0; day < dayCount; ) {
    const length = sampler.draw(day, dayCount);
    for (let row = 0; row < length; row++) each(jobsByFate(sampler, names, row));
    day += length;
  }
}

const small = { ...defaultScenario, steps: stepNames(2), kk3: 0.3, kk2: 0.4 };

const lawOf = (scenario: Scenario, kk3: number) => enumerateFates(scenario, { kk2: scenario.kk2, kk3 });

describe("FateSampler draws the exact distribution:", () => {
  // As many checks as there are fates: 5 to 40 for each case, each with a false alarm by a chance of `falseAlarm`.
  test.each<[string, Scenario, number]>([
    ["the default scenario", defaultScenario, 0.005],
    ["the default scenario, KK3 drawn", { ...defaultScenario, kk3: drawn(0.005) }, 0.005],
    ["many faults", { ...defaultScenario, workflows: 300, kk3: 0.3, kk2: 0.5 }, 0.3],
    ["few jobs, KK3 drawn", { ...small, workflows: 20, kk3: drawn(0.3) }, 0.3],
    ["every attempt", { ...small, workflows: 100, stallOn: "every-attempt" }, 0.3],
    ["only persistent", { ...defaultScenario, workflows: 500, kk3: 0.02, kk2: 1 }, 0.02],
    ["only stalls", { ...defaultScenario, workflows: 500, kk3: 0.02, kk2: 0 }, 0.02],
    ["all stall", { ...defaultScenario, workflows: 500, kk3: 1, kk2: 0.5 }, 1],
  ])("the number of jobs of each fate, %s", (_, scenario, kk3) => {
    const dayCount = 20_000;
    const law = lawOf(scenario, kk3);
    const perDay = new Map([...law.keys()].map((fate) => [fate, [] as number[]]));
    drawDays(scenario, "marginals", dayCount, (jobs) => {
      for (const [fate, count] of jobs) perDay.get(fate)?.push(count) ?? expect.fail(`${fate} is impossible`);
    });
    for (const [fate, counts] of perDay) {
      const chance = law.get(fate) as number;
      const zeros = Array<number>(dayCount - counts.length).fill(0);
      const chanceOfFit = fitChance(tally([...counts, ...zeros]), completePmf(scenario.workflows, chance));
      expect(chanceOfFit, fate).toBeGreaterThan(falseAlarm);
    }
  });

  // The whole joint distribution, where it is small enough: one check each.
  test.each<[string, Scenario]>([
    ["two jobs", { ...small, workflows: 2 }],
    ["three jobs", { ...small, workflows: 3, steps: stepNames(1) }],
    ["two jobs, KK3 drawn", { ...small, workflows: 2, kk3: drawn(0.3) }],
    ["two jobs, every attempt", { ...small, workflows: 2, stallOn: "every-attempt", retryLimit: 2 }],
    [
      "two jobs, every attempt, KK3 drawn",
      { ...small, workflows: 2, stallOn: "every-attempt", kk3: drawn(0.3) },
    ],
  ])("all jobs together, %s", (_, scenario) => {
    const law = [...lawOf(scenario, 0.3)];
    let days = new Map([["", 1]]);
    for (let job = 0; job < scenario.workflows; job++) {
      const longer = new Map<string, number>();
      for (const [day, dayChance] of days) {
        for (const [fate, chance] of law) {
          const name = [...day.split(" ").filter(Boolean), fate].sort().join(" ");
          longer.set(name, (longer.get(name) ?? 0) + dayChance * chance);
        }
      }
      days = longer;
    }
    const index = new Map([...days.keys()].map((name, i) => [name, i]));
    const seen: number[] = [];
    drawDays(scenario, "joint", 100_000, (jobs) => {
      const name = [...jobs]
        .flatMap(([fate, count]) => Array<string>(count).fill(fate))
        .sort()
        .join(" ");
      seen.push(index.get(name) ?? expect.fail(`${name} is impossible`));
    });
    const pmf = { values: [...index.values()], probabilities: [...days.values()] };
    expect(fitChance(tally(seen), pmf)).toBeGreaterThan(falseAlarm);
  });

  // One check for each pair of fates, 21 for each case.
  test.each<[string, Scenario]>([
    ["KK3 a number", { ...small, workflows: 200 }],
    ["KK3 drawn", { ...small, workflows: 200, kk3: drawn(0.3) }],
  ])("covariances of the fates, %s", (_, scenario) => {
    const dayCount = 40_000;
    const n = scenario.workflows;
    const law = [...lawOf(scenario, 0.3)];
    const products = law.map(() => law.map(() => 0));
    drawDays(scenario, "covariances", dayCount, (jobs) => {
      const deviations = law.map(([fate, chance]) => (jobs.get(fate) ?? 0) - n * chance);
      deviations.forEach((one, i) => {
        for (let j = 0; j < i; j++) products[i][j] += one * deviations[j];
      });
    });
    law.forEach(([one, p], i) => {
      for (const [j, [other, q]] of law.slice(0, i).entries()) {
        const covariance = -n * p * q;
        // Of the product of two variates that are nearly normal: Var X Var Y + Cov(X, Y)^2.
        const variance = n * p * (1 - p) * n * q * (1 - q) + covariance ** 2;
        const z = (products[i][j] / dayCount - covariance) / Math.sqrt(variance / dayCount);
        expect(normalChance(z), `${one} and ${other}`).toBeGreaterThan(falseAlarm);
      }
    });
  });

  // One check for each distribution of KK3 and each of the two numbers.
  test.each(["uniform(0,0.02)", "beta(0.5,20)", "lognormal(0.02,1)"])("given the day's KK3 of %s", (text) => {
    const scenario: Scenario = { ...defaultScenario, workflows: 1000, kk3: parseRatio(text) as Ratio };
    const sampler = newFateSampler(scenario, deriveKey(text));
    const auxiliary = new Stream(deriveKey("auxiliary"));
    auxiliary.start(0, purpose.fates);
    const names: string[] = [];
    const levels: { clean: number[]; persistent: number[] } = { clean: [], persistent: [] };
    const ratios = new Set<number>();
    for (let day = 0; day < 5000; day++) {
      sampler.draw(day);
      const kk3 = sampler.days.kk3[0];
      ratios.add(kk3);
      let persistent = 0;
      const jobs = jobsByFate(sampler, names);
      for (const [fate, count] of jobs) if (!fate.endsWith("|4")) persistent += count;
      const clean = jobs.get("0,0,0,0|4") ?? 0;
      const cleanChance = (1 - scenario.kk2) * (1 - kk3) ** 4;
      levels.clean.push(levelOf(clean, 1000, cleanChance, auxiliary.fraction()));
      levels.persistent.push(levelOf(persistent, 1000, scenario.kk2, auxiliary.fraction()));
    }
    expect(ratios.size).toBe(5000);
    // The distribution function of each day's own binomial, spread over its jumps, is uniform.
    expect(
      kolmogorovChance(levels.clean, (x) => x),
      "clean",
    ).toBeGreaterThan(falseAlarm);
    expect(
      kolmogorovChance(levels.persistent, (x) => x),
      "persistent",
    ).toBeGreaterThan(falseAlarm);
  });
});

/** The probability of a smaller count, and a share of that of the count itself. */
function levelOf(count: number, n: number, chance: number, share: number): number {
  const { values, probabilities } = binomialPmf(n, chance);
  let level = 0;
  for (let i = 0; i < values.length && values[i] <= count; i++) {
    level += values[i] === count ? share * probabilities[i] : probabilities[i];
  }
  return level;
}

/** With all values, so that none counts as impossible. */
function completePmf(n: number, chance: number) {
  const { values, probabilities } = binomialPmf(n, chance);
  const all = Array<number>(n + 1).fill(0);
  values.forEach((value, i) => {
    all[value] = probabilities[i];
  });
  return { values: [...all.keys()], probabilities: all };
}
