// The page: one file that needs no network and no script. Knows pictures and tables, not where they come from.
import type { Figure, FigureCell, FigureTable } from "./figure.js";
import { Html, html } from "./html.js";
import { colors, darkPictures, font } from "./theme.js";
import { show } from "./words.js";

/** A figure with its pictures: small ones have one, wide ones one for phones too. */
export interface DrawnFigure {
  readonly figure: Figure;
  readonly pictures: readonly string[];
}

/** A part of the page under a heading. */
export interface Section {
  readonly title: string;
  readonly paragraphs?: readonly string[];
  readonly figures?: readonly DrawnFigure[];
  readonly table?: FigureTable;
}

export interface Page {
  readonly title: string;
  /** What it is about, line by line. */
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
  /** How the result was made. */
  readonly footer: string;
}

const variables = (mode: "light" | "dark") =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color[mode]}`)
    .join(";");

const style = `:root{color-scheme:light dark;${variables("light")}}
@media screen and (prefers-color-scheme: dark){:root{${variables("dark")}}}
${darkPictures}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 ${font}}
main,header,footer{max-width:836px;margin:0 auto;padding:0 16px}
h1{font-size:1.7rem;line-height:1.25;margin:28px 0 8px}
h2{font-size:1.3rem;margin:44px 0 8px;padding-top:12px;border-top:2px solid var(--grid)}
h3{font-size:1.05rem;line-height:1.35;margin:0 0 4px}
p{margin:6px 0;max-width:44em;overflow-wrap:break-word}
.facts,.note,footer{color:var(--muted);font-size:.9rem}
h1,h2,h3,td,th{overflow-wrap:break-word}
section>ul{padding-left:1.2em;max-width:44em}
figure{margin:26px 0 30px;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
figure svg.narrow{display:none}
.small{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(372px,100%),1fr));gap:0 28px}
.small figure{margin:18px 0;min-width:0}
.small svg{max-width:420px}
.rows{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}
th,td{padding:3px 10px 3px 0;text-align:right;border-bottom:1px solid var(--grid);vertical-align:top}
th{font-weight:600}
th:first-child,td.text{text-align:left}
tbody th{font-weight:400;text-align:left}
summary{color:var(--muted);font-size:.86rem;cursor:pointer}
footer{margin-top:48px;padding-bottom:32px}
@media screen and (max-width: 640px){
figure svg.wide{display:none}figure svg.narrow{display:block;max-width:460px}h1{font-size:1.4rem}}
@media print{body{font-size:10.5pt}main,header,footer{max-width:none;padding:0}details,summary{display:none}
.rows{overflow:visible}table{font-size:6pt}th,td{padding-right:4px}h2,h3{break-after:avoid}
.small{grid-template-columns:1fr 1fr}}`;

/** The whole file. */
export function renderPage({ title, facts, sections, footer }: Page): string {
  return `${
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
${new Html(style)}
</style>
</head>
<body>
<header>
<h1>${title}</h1>
${facts.map((fact) => html`<p class="facts">${fact}</p>\n`)}</header>
<main>
${sections.map(renderSection)}</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`.text
  }`;
}

function renderSection({ title, paragraphs = [], figures = [], table }: Section): Html {
  const wide = figures.filter(({ figure }) => figure.shape === "wide");
  const small = figures.filter(({ figure }) => figure.shape === "small");
  return html`<section>
<h2>${title}</h2>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${wide.map(renderFigure)}${
  small.length > 0 ? html`<div class="small">${small.map(renderFigure)}</div>\n` : undefined
}${table && renderTable(table, title)}</section>
`;
}

function renderFigure({ figure: { name, title, note, table }, pictures }: DrawnFigure): Html {
  return html`<figure id="${name}">
<h3>${title}</h3>
${note === undefined ? undefined : html`<p class="note">${note}</p>\n`}${pictures.map((svg) => new Html(`${svg}\n`))}<details><summary>The numbers</summary>
${renderTable(table, title)}</details>
</figure>
`;
}

/** A table that scrolls on its own where it is too wide; its numbers are there in full, as values. */
function renderTable({ head, rows }: FigureTable, label: string): Html {
  return html`<div class="rows" role="region" aria-label="${`Table: ${label}`}" tabindex="0"><table>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${rows.map(([first, ...rest]) => html`<tr><th scope="row">${showCell(first)}</th>${rest.map(renderCell)}</tr>\n`)}</tbody>
</table></div>
`;
}

function renderCell(cell: FigureCell): Html {
  return html`<td${typeof cell === "string" ? new Html(' class="text"') : undefined}>${showCell(cell)}</td>`;
}

function showCell(cell: FigureCell): Html | string {
  return typeof cell === "number" ? html`<data value="${cell}">${show(cell)}</data>` : (cell ?? "");
}
