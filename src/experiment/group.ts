// Scenarios that meet the same faults, such as those that differ in the supervisor's policy, are simulated together.
import type { Experiment } from "./block.js";
import type { Study } from "./study.js";

/** Whether studies can be simulated in one go, each day drawn once for all of them. */
export function areDrawnTogether(a: Study, b: Study): boolean {
  const isPlain = ({ exact, precision }: Study) => !exact && precision === undefined;
  return isPlain(a) && isPlain(b) && a.begin === b.begin && a.days === b.days && drawTheSame(a, b);
}

/** Studies that are drawn together. */
export type Group = [Study, ...Study[]];

/** Divides studies into groups of neighbors that are drawn together. */
export function groupStudies(studies: readonly Study[]): Group[] {
  const groups: Group[] = [];
  for (const study of studies) {
    const group = groups.at(-1);
    if (group !== undefined && areDrawnTogether(group[0], study)) group.push(study);
    else groups.push([study]);
  }
  return groups;
}

/** Whether two experiments draw the same days. */
function drawTheSame(a: Experiment, b: Experiment): boolean {
  const [one, other] = [a.scenario, b.scenario];
  return (
    a.seed === b.seed &&
    one.workflows === other.workflows &&
    one.kk2 === other.kk2 &&
    one.stallOn === other.stallOn &&
    // Where stalls may repeat, a job can stall until it is given up.
    (one.stallOn === "first-attempt" || one.retryLimit === other.retryLimit) &&
    JSON.stringify([one.steps, one.kk3]) === JSON.stringify([other.steps, other.kk3])
  );
}
