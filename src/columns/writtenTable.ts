/** How the values of a column are written in a typed format. */
export type WrittenType = 'number' | 'integer' | 'text';

export interface WrittenColumn {
  name: string;
  type: WrittenType;
}

/** A column to write, and the types besides its own that its values allow. */
export interface TypedColumn extends WrittenColumn {
  /** Set if the column has no value, so that it fits every type. */
  isEmpty?: true;
  /** Set if all numbers are 64-bit integers. */
  isWhole?: true;
}

/**
 * Makes names unique for programs: most ignore case, and none reads a column without a name.
 * Repeated names, and names in `taken`, get a number.
 */
export function distinctNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const usedNames = new Set(taken);
  return names.map((original, index) => {
    const name = original === '' ? `column ${index + 1}` : original;
    let distinct = name;
    for (let occurrence = 2; usedNames.has(distinct.toLowerCase()); occurrence++)
      distinct = `${name} (${occurrence})`;
    usedNames.add(distinct.toLowerCase());
    return distinct;
  });
}

/**
 * The columns that several tables are written with. Columns match by name, the n-th of a name with
 * the n-th. A column is written as integers if it has that type in a table, and all its numbers in
 * the others are 64-bit integers. It is text in all tables if its types don't fit together, or if a
 * `fixed` table, which is written already, has it as text. `positions`: by table, the position of
 * each column in it, −1 for none. `differing`: names of columns that become text although some
 * table has another type.
 */
export function unitedColumns(
  tables: readonly (readonly TypedColumn[])[],
  fixed: readonly (readonly WrittenColumn[])[] = [],
): { columns: WrittenColumn[]; positions: number[][]; differing: string[]; conflicts: Conflict[] } {
  const united = new Map<
    string,
    { name: string; position: number; columns: (TypedColumn & { isFixed: boolean; table: number })[] }
  >();
  const positions = tables.map(() => [] as number[]);
  [...tables, ...fixed].forEach((columns, table) => {
    const occurrences = new Map<string, number>();
    columns.forEach((column, index) => {
      const occurrence = occurrences.get(column.name) ?? 0;
      occurrences.set(column.name, occurrence + 1);
      const key = `${occurrence}:${column.name}`;
      let entry = united.get(key);
      if (!entry) united.set(key, (entry = { name: column.name, position: united.size, columns: [] }));
      entry.columns.push({ ...column, isFixed: table >= tables.length, table: table - tables.length });
      const tablePositions = positions[table];
      if (tablePositions) tablePositions[entry.position] = index;
    });
  });
  const differing: string[] = [];
  const conflicts: Conflict[] = [];
  const columns = [...united.values()].map(({ name, columns: typedColumns }): WrittenColumn => {
    const filled = typedColumns.filter(({ isEmpty }) => !isEmpty);
    const type = typeOfAll(filled);
    if (type === 'text' && filled.some(column => column.type !== 'text')) differing.push(name);
    for (const column of typedColumns)
      if (column.isFixed && column.type !== type) conflicts.push({ name, type, fixed: column.table });
    return { name, type };
  });
  for (const tablePositions of positions) for (let i = 0; i < columns.length; i++) tablePositions[i] ??= -1;
  return { columns, positions, differing, conflicts };
}

/**
 * A column that an already written table has with another type. `fixed`: the index of that table.
 */
interface Conflict {
  name: string;
  type: WrittenType;
  fixed: number;
}

function typeOfAll(columns: readonly TypedColumn[]): WrittenType {
  const types = new Set(columns.map(({ type }) => type));
  if (types.size === 0 || types.has('text')) return 'text';
  if (!types.has('integer')) return 'number';
  return columns.every(({ type, isWhole }) => type === 'integer' || isWhole === true) ? 'integer' : 'text';
}
