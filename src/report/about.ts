// What a workbook says of itself: the settings of the result and the meaning of every column, as rows.
import type { Cell } from "./column.js";
import type { Field, PackageDescriptor, Resource } from "./datapackage.js";

/** The columns of the sheet. */
export const aboutFields: readonly Field[] = [
  { name: "subject", type: "string", description: "redrive, scenarios or a sheet" },
  { name: "name", type: "string", description: "a setting, or a column of the sheet" },
  { name: "unit", type: "string", description: "unit of the column" },
  { name: "value", type: "string", description: "the setting's value, or the column's meaning" },
];

/** One row per setting of the result, then one per column of its files. */
export function aboutRows({ title, redrive, resources }: PackageDescriptor): Cell[][] {
  const { scenarios, grid, ...settings } = redrive;
  const products = (grid ?? scenarios ?? []) as readonly Readonly<Record<string, unknown>>[];
  return [
    ["redrive", "title", undefined, title],
    ...Object.entries(settings).flatMap(([name, value]) => settingRows("redrive", name, value)),
    ...products.flatMap((product) =>
      Object.entries(product).flatMap(([name, value]) =>
        settingRows(grid === undefined ? "scenario" : "scenarios", name, value),
      ),
    ),
    ...resources
      .filter((resource): resource is Resource => resource.type === "table")
      .flatMap(({ name, schema }) =>
        schema.fields.map((field): Cell[] => [name, field.name, field.unit, field.description]),
      ),
  ];
}

/** A list is one cell, with commas; an object one row for each of its entries; what is missing has none. */
function settingRows(subject: string, name: string, value: unknown): Cell[][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [[subject, name, undefined, value.map(showValue).join(", ")]];
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([key, entry]) => settingRows(subject, `${name} ${key}`, entry));
  }
  return [[subject, name, undefined, String(value)]];
}

function showValue(value: unknown): string {
  return Array.isArray(value) ? value.map(showValue).join(" + ") : String(value);
}
