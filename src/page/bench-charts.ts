// The pictures of a benchmark.
import type { BenchCase, BenchData } from "./bench-data.js";
import type { Figure, Spec } from "./figure.js";
import { rowScale } from "./row-scale.js";
import { light } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { capitalize, show } from "./words.js";

/** The picture of each engine: shape and color tell them apart. */
const looks = {
  baseline: { color: light.ink, shape: "square" },
  event: { color: light.vermilion, shape: "triangle-up" },
  table: { color: light.blue, shape: "circle" },
} as const;

type Engine = keyof typeof looks;

export function benchFigures({ cases }: Pick<BenchData, "cases">): Figure[] {
  return [enginesFigure(cases), threadsFigure(cases), workflowsFigure(cases)].flat();
}

/** Time as people say it. */
function showTime(ns: number): string {
  for (const [unit, size] of [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
  ] as const) {
    if (ns >= size) return `${show(Number((ns / size).toPrecision(3)))} ${unit}`;
  }
  return `${show(Number(ns.toPrecision(3)))} ns`;
}

function times(ratio: number): string {
  return `${show(Number(ratio.toPrecision(2)))} times`;
}

/** Whole days of each engine, and what they are compared with. */
function enginesFigure(cases: readonly BenchCase[]): Figure[] {
  const suites = ["baseline", "event", "table"];
  const bars = cases.filter(
    ({ suite, unit, engine }) => suites.includes(suite) && unit === "whole day" && engine in looks,
  );
  if (bars.length < 2) return [];
  const fastest = bars.reduce((a, b) => (b.meanNs < a.meanNs ? b : a));
  return [
    {
      name: "time-per-day",
      title:
        fastest.ratio === undefined
          ? `The ${fastest.engine} engine takes ${showTime(fastest.meanNs)} a day`
          : `The ${fastest.engine} engine takes ${showTime(fastest.meanNs)} a day: ${times(fastest.ratio)} as fast as the baseline`,
      alt: `Time per simulated day, on a logarithmic axis: ${bars.map(({ engine, name, meanNs }) => `${engine}, ${name}: ${showTime(meanNs)}`).join("; ")}.`,
      note: "One thread, drawn, simulated and tallied; the axis is logarithmic.",
      shape: "wide",
      draw: (width) => drawTimes(bars, width),
      table: caseTable(bars),
    },
  ];
}

function caseTable(cases: readonly BenchCase[]) {
  return {
    head: ["case", "engine", "ns per day", "days per second", "x baseline", ""],
    rows: cases.map(({ name, engine, meanNs, daysPerSecond, ratio, flags }) => [
      name,
      engine,
      meanNs,
      daysPerSecond,
      ratio,
      flags,
    ]),
  };
}

/** Powers of ten that enclose the values, and those between them. */
function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Ticks of a time axis as text; Vega's expressions know only the numbers. */
function timeLabels(ticks: readonly number[]): string {
  const texts = ticks.map((ns) => `abs(datum.value / ${ns} - 1) < 0.01 ? '${showTime(ns)}' : `);
  return `${texts.join("")}''`;
}

const engineColor = {
  field: "engine",
  type: "nominal",
  scale: { domain: Object.keys(looks), range: Object.values(looks).map(({ color }) => color) },
  legend: null,
};
const engineShape = {
  field: "engine",
  type: "nominal",
  scale: { domain: Object.keys(looks), range: Object.values(looks).map(({ shape }) => shape) },
  legend: null,
};

function drawTimes(cases: readonly BenchCase[], width: number): Spec {
  const isNarrow = width < 500;
  const ticks = decades(cases.map(({ meanNs }) => meanNs));
  const values = cases.map(({ name, engine, meanNs, ratio }, row) => ({
    engine,
    meanNs,
    row: row + 0.72,
    head: row + 0.45,
    begin: ticks[0],
    text:
      showTime(meanNs) + (ratio === undefined || engine === "baseline" ? "" : `, ${times(ratio)} as fast`),
    name: capitalize(isNarrow ? `${engine}: ${kk3Of(name)}` : `${engine}: ${name}`),
    // The text stands where there is room.
    align:
      Math.log10(meanNs / ticks[0]) / Math.log10(ticks[ticks.length - 1] / ticks[0]) > 0.55
        ? "right"
        : "left",
  }));
  const x = {
    type: "quantitative",
    scale: { type: "log", domain: [ticks[0], ticks[ticks.length - 1]], nice: false },
  };
  const y = rowScale(values.length);
  return {
    width,
    height: 60 + 46 * values.length,
    layer: [
      {
        data: { values },
        mark: { type: "point", filled: true, size: 110, opacity: 1 },
        encoding: {
          y: { ...y, field: "row" },
          x: {
            ...x,
            field: "meanNs",
            axis: {
              title: "time per day (logarithmic)",
              grid: true,
              values: isNarrow ? ticks.filter((_, i) => i % 2 === 0) : ticks,
              labelExpr: timeLabels(ticks),
            },
          },
          color: engineColor,
          shape: engineShape,
        },
      },
      ...[
        { side: "left", align: "left", dx: 10 },
        { side: "right", align: "right", dx: -10 },
      ].map(({ side, align, dx }) => ({
        data: { values: values.filter((value) => value.align === side) },
        mark: { type: "text", align, dx, baseline: "middle" },
        encoding: { y: { ...y, field: "row" }, x: { ...x, field: "meanNs" }, text: { field: "text" } },
      })),
      {
        data: { values },
        mark: { type: "text", align: "left", baseline: "bottom", fontWeight: 600 },
        encoding: { y: { ...y, field: "head" }, x: { value: 2 }, text: { field: "name" } },
      },
    ],
  };
}

function kk3Of(name: string): string {
  return /kk3 .*$/.exec(name)?.[0].replace("kk3", "KK3") ?? name;
}

/** Days per second over threads, beside what as many times the first would be. */
function threadsFigure(cases: readonly BenchCase[]): Figure[] {
  const points = cases.filter(({ suite }) => suite === "threads").toSorted((a, b) => a.threads - b.threads);
  if (points.length < 2) return [];
  const [first, last] = [points[0], points[points.length - 1]];
  const speedUp = last.daysPerSecond / first.daysPerSecond;
  return [
    {
      name: "threads",
      title: `${last.threads} threads simulate ${times(speedUp)} as many days a second as ${first.threads === 1 ? "one" : first.threads}`,
      alt: `Days a second over threads: ${points.map(({ threads, daysPerSecond }) => `${threads}: ${show(daysPerSecond)}`).join("; ")}.`,
      note: "Dashed: what it would be if every thread added as much as the first.",
      shape: "wide",
      draw: (width) => drawThreads(points, width),
      table: caseTable(points),
    },
  ];
}

function drawThreads(points: readonly BenchCase[], width: number): Spec {
  const isNarrow = width < 500;
  const [first] = points;
  const most = Math.max(...points.map(({ threads }) => threads));
  const values = points.map(({ threads, daysPerSecond, ratio }) => ({
    threads,
    days: daysPerSecond / 1e6,
    ideal: ((first.daysPerSecond / 1e6) * threads) / first.threads,
    text:
      show(Number((daysPerSecond / 1e6).toPrecision(3))) +
      (ratio === undefined
        ? ""
        : `${isNarrow ? "" : ` million, ${show(Number(ratio.toPrecision(3)))}`}${isNarrow ? "" : " x baseline"}`),
  }));
  const top = Math.max(...values.map(({ days, ideal }) => Math.max(days, ideal)));
  const x = {
    field: "threads",
    type: "quantitative",
    scale: { domain: [0, most * (isNarrow ? 1.2 : 1.25)], nice: false },
    axis: { title: "threads", values: points.map(({ threads }) => threads), format: "d" },
  };
  const y = {
    type: "quantitative",
    scale: { domain: [0, top * 1.08], nice: false },
    axis: { title: "million days a second", values: niceTicks(0, top, 5), format: ",.9~g" },
  };
  return {
    width,
    height: 290,
    data: { values },
    layer: [
      {
        mark: { type: "line", color: light.muted, strokeDash: [5, 4] },
        encoding: { x, y: { ...y, field: "ideal" } },
      },
      {
        mark: {
          type: "line",
          color: light.blue,
          strokeWidth: 2,
          point: { color: light.blue, filled: true, size: 70 },
        },
        encoding: { x, y: { ...y, field: "days" } },
      },
      {
        mark: { type: "text", align: "left", dx: 8, dy: 12, baseline: "middle" },
        encoding: { x, y: { ...y, field: "days" }, text: { field: "text" } },
      },
    ],
  };
}

/** Time per day over workflows, by engine. */
function workflowsFigure(cases: readonly BenchCase[]): Figure[] {
  const points = cases.filter(({ suite, engine }) => suite === "workflows" && engine in looks);
  const most = Math.max(...points.map(({ workflows }) => workflows));
  const least = Math.min(...points.map(({ workflows }) => workflows));
  if (!(most > least)) return [];
  const timeAt = (engine: Engine, workflows: number) =>
    points.find((point) => point.engine === engine && point.workflows === workflows)?.meanNs;
  const [small, large] = [timeAt("table", least), timeAt("table", most)];
  const engines = (Object.keys(looks) as Engine[]).filter((engine) =>
    points.some((point) => point.engine === engine),
  );
  return [
    {
      name: "workflows",
      title:
        small === undefined || large === undefined
          ? "Time per day over workflows, by engine"
          : `The table engine needs ${times(large / small)} the time for ${show(most / least)} times the workflows`,
      alt: `Time per day over workflows a day, both logarithmic: ${points.map(({ engine, workflows, meanNs }) => `${engine}, ${show(workflows)}: ${showTime(meanNs)}`).join("; ")}.`,
      note: "Both axes are logarithmic. The baseline grows with the workflows, as the event engine does with the jobs that meet a fault.",
      shape: "wide",
      draw: (width) => drawWorkflows(points, engines, width),
      table: caseTable(points),
    },
  ];
}

function drawWorkflows(points: readonly BenchCase[], engines: readonly Engine[], width: number): Spec {
  const isNarrow = width < 500;
  const ticks = decades(points.map(({ meanNs }) => meanNs));
  const workflows = [...new Set(points.map(({ workflows }) => workflows))].sort((a, b) => a - b);
  const values = points.map(({ engine, workflows, meanNs, ratio }) => ({
    engine,
    workflows,
    meanNs,
    text:
      engine === "baseline" || ratio === undefined || isNarrow
        ? ""
        : `${show(Number(ratio.toPrecision(2)))} x baseline`,
  }));
  const ends = engines.map((engine) => {
    const own = values.filter((value) => value.engine === engine);
    const last = own.reduce((a, b) => (b.workflows > a.workflows ? b : a));
    return { ...last, text: engine };
  });
  const low = workflows[0];
  const high = workflows[workflows.length - 1];
  const x = {
    field: "workflows",
    type: "quantitative",
    scale: { type: "log", domain: [low / 1.6, high * (isNarrow ? 5 : 2.4)], nice: false },
    axis: {
      title: "workflows a day (logarithmic)",
      values: isNarrow ? workflows.filter((_, i) => i % 2 === 0) : workflows,
      format: isNarrow ? "~s" : ",",
    },
  };
  const y = {
    field: "meanNs",
    type: "quantitative",
    scale: { type: "log", domain: [ticks[0], ticks[ticks.length - 1]], nice: false },
    axis: { title: "time per day (logarithmic)", values: ticks, labelExpr: timeLabels(ticks) },
  };
  return {
    width,
    height: 360,
    layer: [
      {
        data: { values },
        mark: { type: "line", strokeWidth: 2 },
        encoding: { x, y, color: engineColor },
      },
      {
        data: { values },
        mark: { type: "point", filled: true, size: 70, opacity: 1 },
        encoding: { x, y, color: engineColor, shape: engineShape },
      },
      {
        data: { values: ends },
        mark: { type: "text", align: "left", dx: 9, baseline: "middle", fontWeight: 600 },
        encoding: { x, y, text: { field: "text" } },
      },
      {
        data: { values },
        mark: { type: "text", dy: 16, fontSize: 11 },
        encoding: { x, y, text: { field: "text" } },
      },
    ],
  };
}
