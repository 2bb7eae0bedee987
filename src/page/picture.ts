// Pictures as SVG text. The one file that knows vega and vega-lite, which are loaded when it is.

import { Error as ErrorsOnly, logger, parse, View } from "vega";
import { type Config, compile, type TopLevelSpec } from "vega-lite";
import type { Figure, Spec } from "./figure.js";
import { escapeHtml } from "./html.js";
import { chartConfig, darkPictures, light } from "./theme.js";

/** The widths of a picture in pixels: on a wide page and on a phone; small ones have one for both. */
const widths = { wide: 780, narrow: 328, small: 372 } as const;

/** A picture for a page: it scales with the space that it gets, and its ids are its own. */
export async function drawForPage(figure: Figure, size: keyof typeof widths): Promise<string> {
  const svg = await draw(figure.draw(widths[size]));
  return describe(svg, figure, `${figure.name}-${size}`).replace(/^<svg/, `<svg class="${size}"`);
}

/** A picture for a file of its own, with its title in it; dark where the viewer is. */
export async function drawForFile(figure: Figure): Promise<string> {
  const width = figure.shape === "wide" ? widths.wide : 520;
  const text = wrap(figure.title, Math.floor(width / 8.4));
  const svg = await draw({ ...figure.draw(width), background: light.ground, title: { text } });
  const styled = describe(svg, figure, figure.name).replace(">", `><style>${darkPictures}</style>`);
  return `${styled}\n`;
}

async function draw(spec: Spec): Promise<string> {
  const quiet = logger(ErrorsOnly);
  const full = { autosize: { type: "fit", contains: "padding" }, ...spec };
  const { spec: compiled } = compile(full as unknown as TopLevelSpec, {
    config: chartConfig as unknown as Config,
    logger: quiet,
  });
  const view = new View(parse(compiled), { renderer: "none", logger: quiet });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

/** Adds the words for those who do not see the picture. */
function describe(svg: string, { title, alt }: Figure, prefix: string): string {
  const words = `<title>${escapeHtml(title)}</title><desc>${escapeHtml(alt)}</desc>`;
  return svg
    .replace(/ id="/g, ` id="${prefix}-`)
    .replace(/url\(#/g, `url(#${prefix}-`)
    .replace(/(href="#)/g, `$1${prefix}-`)
    .replace(/^<svg([^>]*)>/, `<svg$1 role="img">${words}`);
}

/** Lines of about so many characters at most. */
function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > length) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
