// Simulates the days of a run, on this thread or on several, and describes them.
import type { BlockResult } from "./block.js";
import { answerExactly } from "./exact.js";
import { chooseThreads } from "./plan.js";
import type { MetricResult } from "./result.js";
import { checkRun, type Run, type RunSettings } from "./settings.js";
import { simulateStudy } from "./studies.js";
import { describeStudy } from "./study.js";
import type { Tally, TallyData } from "./tally.js";
import { openWorkplace } from "./workplace.js";

/** What a caller may want to see of a run while it goes on. */
export interface RunHooks {
  /** Called after each block with the days done so far. */
  readonly onProgress?: (daysDone: number) => void;
  /** Called with the days of each block, in order; the run waits for it. */
  readonly onDays?: (days: DaysOfBlock) => void | Promise<void>;
  /** Ends the run early: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The same for whoever may have to go on with a run later. */
export interface ResumableHooks extends RunHooks {
  /** Called after {@link RunHooks.onDays} with all days so far. */
  readonly onTally?: (tally: Tally) => void | Promise<void>;
  /** All days of the part of the run that is done already. */
  readonly begun?: TallyData | undefined;
}

/** Simulated days, one row each. */
export type DaysOfBlock = Required<Pick<BlockResult, "block" | "days">>;

/** The result of a run. */
export interface RunResult extends Run {
  /** Days that were simulated. */
  readonly days: number;
  /** Whether the result is as precise as was asked; true where nothing was. */
  readonly isPrecise: boolean;
  /** One entry per metric, then the recovery delay. */
  readonly metrics: readonly MetricResult[];
  /** Threads that did the work, this one included; 0 where it was alone. */
  readonly threadsUsed: number;
}

/**
 * Simulates many days of one scenario.
 *
 * The result depends on the scenario, the number of days and the seed alone, not on threads or engine.
 *
 * @throws SettingsError with one line for each setting that does not fit
 */
export async function simulate(settings: RunSettings = {}, hooks: RunHooks = {}): Promise<RunResult> {
  return simulateRun(checkRun(settings), hooks);
}

/** The same for settings that are complete. */
export async function simulateRun(
  run: Run,
  { onProgress, onDays, onTally, begun, signal }: ResumableHooks = {},
): Promise<RunResult> {
  const { scenario, exact, days, engine, threads } = run;
  const threadsUsed = exact ? 0 : chooseThreads(scenario, engine, days, threads);
  const onBlock = async ({ block, days }: BlockResult) => {
    if (days !== undefined) await onDays?.({ block, days });
    onProgress?.(block.end);
  };
  const study = { ...run, number: 1, begin: 0, keepDays: onDays !== undefined };
  const hooks = { onBlock, onTally, begun, signal };
  const workplace = await openWorkplace(threadsUsed, signal);
  try {
    if (exact) {
      const metrics = answerExactly(scenario, "the scenario", await workplace.exactOf(scenario));
      return { ...run, isPrecise: true, metrics, threadsUsed };
    }
    const result = await simulateStudy(study, workplace, hooks);
    const { tally, isPrecise } = result;
    const metrics = describeStudy(result, await workplace.exactOf(scenario));
    return { ...run, days: tally?.days ?? 0, isPrecise, metrics, threadsUsed };
  } finally {
    await workplace.close();
  }
}
