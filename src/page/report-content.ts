// What a page says, before its pictures are drawn.
import type { Figure } from "./figure.js";
import type { Section } from "./page.js";

/** A part of the page. */
export interface ReportSection extends Omit<Section, "figures"> {
  readonly figures?: readonly Figure[];
}

/** All of it. */
export interface Report {
  readonly title: string;
  readonly facts: readonly string[];
  readonly sections: readonly ReportSection[];
  readonly footer: string;
}
