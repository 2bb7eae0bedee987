// A picture with its words: what it shows as a sentence, as an alternative text, and the numbers behind it.

/** A specification of Vega-Lite, as plain data. */
export type Spec = Readonly<Record<string, unknown>>;

/** A cell of a table: text, or a number in full. */
export type FigureCell = string | number | undefined;

/** The numbers of a figure. */
export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly FigureCell[])[];
}

export interface Figure {
  /** The file's name without prefix and ending; ASCII. */
  readonly name: string;
  /** What it shows, as a finding. */
  readonly title: string;
  /** For those who do not see it. */
  readonly alt: string;
  /** How to read it. */
  readonly note?: string;
  /** Wide ones fill the page, small ones stand side by side. */
  readonly shape: "wide" | "small";
  /** The picture, so many pixels wide. */
  readonly draw: (width: number) => Spec;
  readonly table: FigureTable;
}
