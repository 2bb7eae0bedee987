// One column of a CSV file: how it is called, what it means and how its cell follows from a row.

/** What a cell may hold; undefined stands for a missing value. */
export type Cell = string | number | undefined;

/** A column of rows of type `Row`. */
export interface Column<Row> {
  /** snake_case, ASCII */
  readonly name: string;
  /** A type of Table Schema; a ratio is a number, or text where it is a distribution. */
  readonly type: "integer" | "number" | "string" | "ratio";
  /** In words; none for names and shares. */
  readonly unit?: string;
  readonly meaning: string;
  readonly cell: (row: Row) => Cell;
}

/** A CSV file of a result folder. */
export interface Table<Row> {
  /** The file's name without its ending. */
  readonly name: string;
  readonly meaning: string;
  readonly columns: readonly Column<Row>[];
}
