// Columns of numbers that grow.

/** A copy of twice the length; the new half is zero. */
export function enlarge<Column extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array>(
  column: Column,
): Column {
  const larger = new (column.constructor as new (length: number) => Column)(column.length * 2);
  larger.set(column);
  return larger;
}
