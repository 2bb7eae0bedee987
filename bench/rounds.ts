// Measures cases in turn, round by round: what slows the machine down for a while, heat above all, meets all of them.
import type { Case } from "./case.js";
import type { Sampling } from "./measure.js";

/**
 * Measures every case once per round, one after the other.
 *
 * @param measure - measures a case in one go
 * @param onMeasured - called after each with the number of measurements so far
 * @returns one entry per case: its samplings, one per round
 * @throws Error that names the case with which something went wrong
 */
export async function measureInRounds(
  cases: readonly Case[],
  rounds: number,
  measure: (each: Case) => Promise<Sampling>,
  onMeasured: (done: number) => void = () => {},
): Promise<Sampling[][]> {
  const samplings = cases.map((): Sampling[] => []);
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [i, each] of cases.entries()) {
      try {
        samplings[i].push(await measure(each));
      } catch (error) {
        const { message } = error as Error;
        throw new Error(`case "${each.name}" of suite ${each.suite}: ${message}`, { cause: error });
      }
      onMeasured(++done);
    }
  }
  return samplings;
}
