// The work that cases of the baseline do.
import type { Scenario } from "../src/model/scenario.js";
import { deriveKey } from "../src/random/key.js";
import { drawRatio } from "../src/random/ratio.js";
import { purpose, Stream } from "../src/random/stream.js";
import { drawFates, type Fate, plainRandom, simulateDay } from "./baseline.js";
import type { Call } from "./case.js";
import { drawnDays, takeTurns } from "./work.js";

/** Parts of the baseline's day, one day per call. */
export const baselineWork = {
  drawing(scenario: Scenario, seed: string): Call {
    const draw = drawPlainly(scenario, seed);
    return () => draw().length;
  },

  supervising(scenario: Scenario, seed: string): Call {
    const next = inTurn(scenario, seed);
    const supervised = { ...scenario, supervisor: true };
    return () => simulateDay(next(), supervised).lastRound;
  },

  simulating(scenario: Scenario, seed: string): Call {
    return simulatingPairs(scenario, inTurn(scenario, seed));
  },

  /** Always new days. */
  whole(scenario: Scenario, seed: string): Call {
    return simulatingPairs(scenario, drawPlainly(scenario, seed));
  },
};

function simulatingPairs(scenario: Scenario, nextDay: () => readonly Fate[]): Call {
  const alone = { ...scenario, supervisor: false };
  const supervised = { ...scenario, supervisor: true };
  return () => {
    const day = nextDay();
    return simulateDay(day, alone).halfFinished + simulateDay(day, supervised).lastRound;
  };
}

function drawPlainly(scenario: Scenario, seed: string): () => Fate[] {
  const { kk3 } = scenario;
  const key = deriveKey(seed);
  const random = plainRandom(key[0]);
  const stream = new Stream(key);
  stream.start(0, purpose.kk3);
  return () => drawFates(random, scenario, typeof kk3 === "number" ? kk3 : drawRatio(stream, kk3));
}

/** Days of the baseline in turn; fewer where they are large. */
function inTurn(scenario: Scenario, seed: string): () => readonly Fate[] {
  const draw = drawPlainly(scenario, seed);
  const length = Math.max(1, Math.min(drawnDays, Math.floor(100_000 / scenario.workflows)));
  const days = Array.from({ length }, draw);
  const nextDay = takeTurns(length);
  return () => days[nextDay()];
}
