// The parameters of a case in words, as they stand in its name.
import { formatRatio } from "../src/model/ratio.js";
import { defaultScenario, type Scenario } from "../src/model/scenario.js";

/** Parameters that are named where they are not those of the lesson. */
const rest = [
  { key: "kk2", label: "kk2" },
  { key: "scan", label: "scan" },
  { key: "lease", label: "lease" },
  { key: "retryLimit", label: "retry limit" },
  { key: "rounds", label: "rounds" },
  { key: "stallOn", label: "stall on" },
] as const;

/** Workflows and KK3, then whatever is not as in the lesson; commas and spaces stand between them only. */
export function describeParameters(scenario: Scenario): string {
  const { workflows, steps, kk3 } = scenario;
  return [
    showCount(workflows, "workflow"),
    ...(steps.length === defaultScenario.steps.length ? [] : [showCount(steps.length, "step")]),
    `kk3 ${formatRatio(kk3)}`,
    ...rest
      .filter(({ key }) => scenario[key] !== defaultScenario[key])
      .map(({ key, label }) => `${label} ${showValue(scenario[key])}`),
  ].join(", ");
}

/** Such as "4,000 workflows". */
export function showCount(count: number, word: string): string {
  return `${showValue(count)} ${word}${count === 1 ? "" : "s"}`;
}

function showValue(value: number | string): string {
  return Number.isInteger(value) ? value.toLocaleString("en-US") : String(value);
}
