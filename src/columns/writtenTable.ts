/** How the values of a column are written in a typed format. */
export type WrittenType = 'number' | 'integer' | 'text';

export interface WrittenColumn {
  name: string;
  type: WrittenType;
}

/** A column to write, with what its values allow. */
export interface TypedColumn extends WrittenColumn {
  /** Set if the column has no value: any type is possible. */
  isEmpty?: true;
  /** Set if all numbers are 64-bit integers. */
  isWhole?: true;
}

/**
 * Makes names unique for programs: most ignore case, and none reads a column without a name.
 * Repeated names, and names in `taken`, get a number.
 */
export function distinctNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(taken);
  return names.map((given, at) => {
    const name = given === '' ? `column ${at + 1}` : given;
    let distinct = name;
    for (let nth = 2; used.has(distinct.toLowerCase()); nth++) distinct = `${name} (${nth})`;
    used.add(distinct.toLowerCase());
    return distinct;
  });
}

/**
 * Combines the columns of several tables that are written with the same columns. Columns match by
 * name, the n-th of a name with the n-th. Numbers are integers if a table needs that and all allow
 * it. A column is text in all tables if its types don't fit together, or if a `fixed` table, which
 * is written already, has it as text. `places`: the column in each table, −1 for none.
 */
export function unitedColumns(
  tables: readonly (readonly TypedColumn[])[],
  fixed: readonly (readonly WrittenColumn[])[] = [],
): { columns: WrittenColumn[]; places: number[][]; differing: string[]; conflicts: Conflict[] } {
  const united = new Map<
    string,
    { name: string; place: number; of: (TypedColumn & { isFixed: boolean; table: number })[] }
  >();
  const places = tables.map(() => [] as number[]);
  [...tables, ...fixed].forEach((columns, table) => {
    const countByName = new Map<string, number>();
    columns.forEach((column, index) => {
      const nth = countByName.get(column.name) ?? 0;
      countByName.set(column.name, nth + 1);
      const key = `${nth}:${column.name}`;
      let entry = united.get(key);
      if (!entry) united.set(key, (entry = { name: column.name, place: united.size, of: [] }));
      entry.of.push({ ...column, isFixed: table >= tables.length, table: table - tables.length });
      const placesOfTable = places[table];
      if (placesOfTable) placesOfTable[entry.place] = index;
    });
  });
  const differing: string[] = [];
  const conflicts: Conflict[] = [];
  const columns = [...united.values()].map(({ name, of }): WrittenColumn => {
    const type = typeOfAll(of.filter(({ isEmpty }) => !isEmpty));
    if (type === 'text' && of.some(typed => typed.type !== 'text' && !typed.isEmpty)) differing.push(name);
    for (const typedColumn of of)
      if (typedColumn.isFixed && typedColumn.type !== type)
        conflicts.push({ name, type, fixed: typedColumn.table });
    return { name, type };
  });
  for (const ofTable of places) for (let at = 0; at < columns.length; at++) ofTable[at] ??= -1;
  return { columns, places, differing, conflicts };
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
