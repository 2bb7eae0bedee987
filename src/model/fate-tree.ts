// How a fate comes about: a job's faults in the order in which it meets them, as a tree of fates, and the chance of
// each next fault (docs/model.md: a persistent failure at a uniform step with KK2, else a stall with KK3).
import { enlarge } from "./column.js";
import { FateTable } from "./fates.js";
import type { Scenario } from "./scenario.js";

/** Where a job stands that has met some faults: what may go wrong next depends on this alone. */
export interface Situation {
  /** The first step that may fail next. */
  readonly step: number;
  /** Stalls of this step so far; a step that has stalled passes in principle, so it can only stall again. */
  readonly stalls: number;
}

/** The situation of a job with which nothing can go wrong any more. */
export const settled = -1;

/**
 * The fates of a scenario as a tree: a child is its parent with one fault more. Children appear when first asked for.
 * Steps behind a persistent failure are never reached, so fates that would differ only there are one.
 *
 * Faults are numbered: fault f below `stepCount` is a persistent failure of step f, the others are a stall of step
 * f - `stepCount`.
 */
export class FateTree {
  readonly table: FateTable;
  readonly faultCount: number;
  /**
   * The situations that there are. All numbers of stalls from 1 on stand for one, but for the one at which the next
   * stall is the last: there the job is given up.
   */
  readonly situations: readonly Situation[];
  readonly #stepCount: number;
  /** Stalls of one step after which its job is given up; 0 where only first attempts stall. */
  readonly #stallLimit: number;
  /** The fate with one fault more, 0 where not asked for yet; one entry per fate and fault. */
  #children: Int32Array;
  /** Index of the fate's situation, or `settled`; one entry per fate. */
  #situation: Int32Array;

  constructor({ steps, stallOn, retryLimit }: Pick<Scenario, "steps" | "stallOn" | "retryLimit">) {
    const stepCount = steps.length;
    this.table = new FateTable(stepCount);
    this.faultCount = 2 * stepCount;
    this.#stepCount = stepCount;
    this.#stallLimit = stallOn === "every-attempt" ? retryLimit : 0;
    const stallCounts = this.#stallLimit > 1 ? [0, 1, retryLimit - 1] : [0];
    this.situations = stallCounts.flatMap((stalls) => steps.map((_, step) => ({ step, stalls })));
    this.#children = new Int32Array(16 * this.faultCount);
    this.#situation = new Int32Array(16);
  }

  /** Forgets all fates but the clean one, to bound memory. */
  clear(): void {
    this.table.clear();
    this.#children.fill(0, 0, this.faultCount);
  }

  /** Index of the situation in which all faults of this fate have happened, or `settled`. */
  situationOf(fate: number): number {
    return this.#situation[fate];
  }

  /**
   * Index of the situation after a fault, or `settled`.
   *
   * @param stalls - of the fault's step, this one included; any number for a persistent failure
   */
  situationAfter(fault: number, stalls: number): number {
    const stepCount = this.#stepCount;
    const limit = this.#stallLimit;
    if (fault < stepCount) return settled;
    const step = fault - stepCount;
    if (limit === 0) return step + 1 < stepCount ? step + 1 : settled;
    if (stalls >= limit) return settled;
    return (stalls === limit - 1 ? 2 : 1) * stepCount + step;
  }

  /** The fate that is `fate` and then this fault. */
  child(fate: number, fault: number): number {
    const known = this.#children[fate * this.faultCount + fault];
    return known > 0 ? known : this.#grow(fate, fault);
  }

  #grow(parent: number, fault: number): number {
    const { table, faultCount } = this;
    const stepCount = this.#stepCount;
    const fate = table.add(parent);
    if (fate === this.#situation.length) {
      this.#children = enlarge(this.#children);
      this.#situation = enlarge(this.#situation);
    }
    this.#children.fill(0, fate * faultCount, (fate + 1) * faultCount);
    this.#children[parent * faultCount + fault] = fate;
    if (fault < stepCount) table.setPersistent(fate, fault);
    else table.addStall(fate, fault - stepCount);
    this.#situation[fate] = this.situationAfter(
      fault,
      fault < stepCount ? 0 : table.stallCount(fate, fault - stepCount),
    );
    return fate;
  }
}

/**
 * The chance of each fault to be the next one.
 *
 * @param chances - is filled: one entry per fault, in the numbering of {@link FateTree}; zero for steps that are past
 * @returns the chance of any fault; what is left to 1 is the chance that nothing goes wrong any more
 */
export function fillNextFaults(
  { step: from, stalls }: Situation,
  { kk2, kk3, stepCount }: { readonly kk2: number; readonly kk3: number; readonly stepCount: number },
  chances: Float64Array,
): number {
  chances.fill(0);
  let reached = 1;
  let any = 0;
  for (let step = from; step < stepCount; step++) {
    // The persistent step is uniform over all steps; of those that are left it is this one with the chance
    // (kk2 / stepCount) / (1 - kk2 * step / stepCount).
    const persistent = stalls > 0 && step === from ? 0 : kk2 / (stepCount - kk2 * step);
    chances[step] = reached * persistent;
    chances[stepCount + step] = reached * (1 - persistent) * kk3;
    any += chances[step] + chances[stepCount + step];
    reached *= (1 - persistent) * (1 - kk3);
  }
  return any;
}

/** The chance that nothing goes wrong any more; exactly 0 where something must. */
export function chanceOfNoFault(
  { step: from, stalls }: Situation,
  { kk2, kk3, stepCount }: { readonly kk2: number; readonly kk3: number; readonly stepCount: number },
): number {
  let reached = 1;
  for (let step = from; step < stepCount; step++) {
    const persistent = stalls > 0 && step === from ? 0 : kk2 / (stepCount - kk2 * step);
    reached *= (1 - persistent) * (1 - kk3);
  }
  return reached;
}
