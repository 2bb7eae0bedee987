// How pictures and page look: colors that the color-blind can tell apart, in light and dark. Knows no results.

/** Each color in light and in dark surroundings; after Okabe and Ito (2008), lighter where the ground is dark. */
export const colors = {
  ground: { light: "#ffffff", dark: "#14181d" },
  ink: { light: "#1b1f24", dark: "#e6e9ed" },
  muted: { light: "#57606a", dark: "#a9b4c0" },
  grid: { light: "#e1e5ea", dark: "#343c46" },
  blue: { light: "#0072b2", dark: "#56b4e9" },
  vermilion: { light: "#c85400", dark: "#ff9152" },
  green: { light: "#00795a", dark: "#3fcf9f" },
  bar: { light: "#9cc3de", dark: "#37678a" },
  band: { light: "#cbe0ef", dark: "#234359" },
} as const;

export type ColorName = keyof typeof colors;

/** The colors as a picture names them: the light ones, which print too. */
export const light = Object.fromEntries(
  Object.entries(colors).map(([name, { light }]) => [name, light]),
) as Readonly<Record<ColorName, string>>;

/** Rules that turn a picture dark; its colors are attributes, over which rules win. Print stays light. */
export const darkPictures = `@media screen and (prefers-color-scheme: dark) {${Object.values(colors)
  .flatMap(({ light, dark }) => ["fill", "stroke"].map((use) => `svg [${use}="${light}"]{${use}:${dark}}`))
  .join("")}}`;

/** The fonts of a picture: whatever the reader's system has. */
export const font = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/** What all pictures have in common, for Vega-Lite. */
export const chartConfig = {
  aria: false,
  font,
  background: "transparent",
  padding: { left: 4, right: 10, top: 6, bottom: 4 },
  view: { stroke: null },
  axis: {
    labelColor: light.muted,
    titleColor: light.ink,
    titleFontWeight: "normal",
    labelFontSize: 12,
    titleFontSize: 12.5,
    titlePadding: 8,
    gridColor: light.grid,
    domainColor: light.muted,
    tickColor: light.muted,
    labelLimit: 320,
    titleLimit: 700,
    labelOverlap: "greedy",
  },
  axisX: { grid: false },
  // The title stands above the axis, where it can be read and has room.
  axisY: {
    domain: false,
    ticks: false,
    titleAngle: 0,
    titleAlign: "left",
    titleBaseline: "bottom",
    titleX: -24,
    titleY: -10,
  },
  legend: {
    orient: "top",
    labelColor: light.ink,
    titleColor: light.ink,
    titleFontWeight: "normal",
    labelFontSize: 12,
    titleFontSize: 12,
    labelLimit: 420,
    symbolStrokeWidth: 0,
  },
  text: { color: light.ink, fontSize: 12 },
  title: { color: light.ink, fontSize: 15, anchor: "start", fontWeight: 600, offset: 12 },
} as const;
