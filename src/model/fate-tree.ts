// How a fate comes about: a job's faults in the order in which it meets them, as a tree of fates, and the chance of
// each next fault (MODEL.md, section 3: a persistent failure at a uniform step with KK2, else a stall with KK3).
import { enlarge, FateTable } from "./fates.js";
import type { Scenario } from "./scenario.js";

/** The kind of the next fault: a step that never passes, or one whose record is lost. */
export type FaultKind = "persistent" | "stall";

/** What may go wrong next with a job, given where it stands. */
export interface Situation {
  /** The first step that may fail next. */
  readonly step: number;
  /** Whether this step has just stalled and is tried again: it passes in principle, so it can only stall. */
  readonly again: boolean;
}

/** A fate after which nothing can go wrong any more. */
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
  /** What may happen next; a fate's situation is an index into this list. */
  readonly situations: readonly Situation[];
  readonly #stallLimit: number;
  readonly #everyAttempt: boolean;
  /** The fate with one fault more, 0 where not asked for yet; one entry per fate and fault. */
  #children: Int32Array;
  /** Index of the fate's situation, or `settled`; one entry per fate. */
  #situation: Int32Array;

  constructor({ steps, stallOn, retryLimit }: Pick<Scenario, "steps" | "stallOn" | "retryLimit">) {
    const stepCount = steps.length;
    this.table = new FateTable(stepCount);
    this.faultCount = 2 * stepCount;
    this.#everyAttempt = stallOn === "every-attempt";
    this.#stallLimit = this.#everyAttempt ? retryLimit : 1;
    const fresh = steps.map((_, step) => ({ step, again: false }));
    const again = this.#everyAttempt ? steps.map((_, step) => ({ step, again: true })) : [];
    this.situations = [...fresh, ...again];
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

  /** The fate that is `fate` and then this fault. */
  child(fate: number, fault: number): number {
    const known = this.#children[fate * this.faultCount + fault];
    return known > 0 ? known : this.#grow(fate, fault);
  }

  #grow(parent: number, fault: number): number {
    const { table, faultCount } = this;
    const { stepCount } = table;
    const fate = table.add(parent);
    if (fate === this.#situation.length) {
      this.#children = enlarge(this.#children);
      this.#situation = enlarge(this.#situation);
    }
    this.#children.fill(0, fate * faultCount, (fate + 1) * faultCount);
    this.#children[parent * faultCount + fault] = fate;
    if (fault < stepCount) {
      table.setPersistent(fate, fault);
      this.#situation[fate] = settled;
    } else {
      const step = fault - stepCount;
      table.addStall(fate, step);
      this.#situation[fate] = this.#afterStall(fate, step);
    }
    return fate;
  }

  #afterStall(fate: number, step: number): number {
    const { stepCount } = this.table;
    if (this.#everyAttempt) {
      return this.table.stallCount(fate, step) < this.#stallLimit ? stepCount + step : settled;
    }
    return step + 1 < stepCount ? step + 1 : settled;
  }
}

/**
 * The chance of each fault to be the next one. What is left to 1 is the chance that nothing goes wrong any more.
 *
 * @param chances - is filled: one entry per fault, in the numbering of {@link FateTree}; zero for steps that are past
 */
export function fillNextFaults(
  { step: from, again }: Situation,
  { kk2, kk3, stepCount }: { readonly kk2: number; readonly kk3: number; readonly stepCount: number },
  chances: Float64Array,
): void {
  chances.fill(0);
  let reached = 1;
  for (let step = from; step < stepCount; step++) {
    // The persistent step is uniform over all steps; of those that are left it is this one with the chance
    // (kk2 / stepCount) / (1 - kk2 * step / stepCount).
    const persistent = again && step === from ? 0 : kk2 / (stepCount - kk2 * step);
    chances[step] = reached * persistent;
    chances[stepCount + step] = reached * (1 - persistent) * kk3;
    reached *= (1 - persistent) * (1 - kk3);
  }
}
