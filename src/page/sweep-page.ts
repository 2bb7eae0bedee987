// The page of a sweep.
import { keyMetrics } from "../experiment/effects.js";
import { parameters } from "../experiment/grid.js";
import { curveFigures, unmovedTexts } from "./curve-charts.js";
import type { FigureTable } from "./figure.js";
import { heatMapFigures } from "./heat-map-charts.js";
import { listFigures, mostListed } from "./list-charts.js";
import type { Report, ReportSection } from "./report-content.js";
import type { SweepData } from "./sweep-data.js";
import { tornadoFigures } from "./tornado-charts.js";
import { tradeOffFigures } from "./trade-off-charts.js";
import { capitalize, count, metricWords, parameterWords, show } from "./words.js";

export function sweepReport(data: SweepData): Report {
  const { scenarios, days, seed, axes, fixed, isList } = data;
  const varying = axes.map(
    ({ parameter, values }) => `${parameterWords[parameter].label} (${values.length} values)`,
  );
  const same = [...fixed].map(
    ([parameter, text]) =>
      `${parameterWords[parameter].label} ${text.replace("first-attempt", "first attempt")}`,
  );
  return {
    title: `${count(scenarios, "scenario")}${days === undefined ? "" : ` of ${count(days, "day")}`}`,
    facts: [
      varying.length === 0 ? "Nothing varies." : `Varied: ${varying.join(", ")}.`,
      `In all scenarios: ${same.join(", ")}.`,
    ],
    sections: [
      ...((isList && scenarios <= mostListed) || axes.length === 0 ? listSections(data) : gridSections(data)),
      tableSection(data),
    ],
    footer: seed === undefined ? "Nothing was simulated: all values are exact." : `Seed ${seed}.`,
  };
}

function listSections(data: SweepData): ReportSection[] {
  return [{ title: "Scenario by scenario", figures: listFigures(data) }];
}

function gridSections(data: SweepData): ReportSection[] {
  const isSeveral = data.axes.length > 1;
  const others = isSeveral
    ? " Each point is a mean over all values of the other parameters, of the mean and of p5 and p95."
    : "";
  const sections: ReportSection[] = [
    {
      title: "Which parameter moves what",
      figures: tornadoFigures(data),
      paragraphs: [
        "Each bar runs from the lowest to the highest mean among the values of a parameter, over all values of the others; the dashed line is the mean over all scenarios.",
      ],
    },
    { title: "Found sooner, or read less", figures: tradeOffFigures(data) },
    {
      title: "Each figure against each parameter",
      paragraphs: [
        `Line or dots: the mean. Band: p5 to p95, between which nine of ten days lie (of the recovery delay, nine of ten re-drives).${others}`,
        ...(data.axes.length > 1 ? unmovedTexts(data) : []),
      ],
      figures: curveFigures(data),
    },
    { title: "Two parameters at once", figures: heatMapFigures(data) },
  ];
  return sections.filter(({ figures = [] }) => figures.length > 0);
}

function tableSection({ scenarios, kept, axes, isList }: SweepData): ReportSection {
  const shown =
    scenarios > kept.length
      ? `The first ${show(kept.length)} scenarios; all of them are in sweep.csv.`
      : undefined;
  const metrics = keyMetrics.map((metric) => metricWords.get(metric)?.label ?? metric);
  const ordered = parameters.filter((parameter) => axes.some((axis) => axis.parameter === parameter));
  const table: FigureTable = {
    head: [
      isList ? "scenario" : "no.",
      ...ordered.map((parameter) => parameterWords[parameter].label),
      ...metrics.flatMap((label) => [`${capitalize(label)}: mean`, "p95", "p99"]),
    ],
    rows: kept.map(({ number, label, text, figures }) => [
      isList ? label : String(number),
      ...ordered.map(text),
      ...keyMetrics.flatMap((metric) => {
        const { mean, p95, p99 } = figures.get(metric) ?? {};
        return [mean, p95, p99];
      }),
    ]),
  };
  return { title: "The numbers", ...(shown && { paragraphs: [shown] }), table };
}
