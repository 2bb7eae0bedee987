// The page of a benchmark.
import { benchFigures } from "./bench-charts.js";
import type { BenchData } from "./bench-data.js";
import type { Report } from "./report-content.js";

export function benchReport(data: BenchData): Report {
  const { cases, machine } = data;
  const noisy = cases.filter(({ flags }) => flags.includes("noisy")).length;
  const figures = benchFigures(data);
  return {
    title: "How fast redrive is on one machine",
    facts: [
      ...(machine.length > 0 ? [`${machine.join(", ")}.`] : []),
      ...(noisy > 0
        ? [
            `${noisy} of ${cases.length} cases are noisy: their rounds differ by more than 5 %, so differences may be the machine's.`,
          ]
        : []),
    ],
    sections: [
      ...(figures.length > 0 ? [{ title: "Time per day", figures }] : []),
      {
        title: "All cases",
        table: {
          head: ["suite", "case", "engine", "unit", "ns per unit", "units per second", "x baseline", ""],
          rows: cases.map(({ suite, name, engine, unit, meanNs, daysPerSecond, ratio, flags }) => [
            suite,
            name,
            engine,
            unit,
            meanNs,
            daysPerSecond,
            ratio,
            flags,
          ]),
        },
      },
    ],
    footer: "Means over all rounds.",
  };
}
