import { Pacer } from '../../base/node/slices';
import { cellNumber } from '../csv/csvNumber';
import { findRowColumns } from '../rowColumns';
import type { TypedColumn, WrittenColumn } from '../writtenTable';
import {
  type CodeColumn,
  FIRST_TEXT,
  type NumberColumn,
  type TableToSave,
  valueReader,
} from './read/tableSource';
import type { WrittenTable } from './typedFormat';
import type { ViewRows } from './tableView';

/*
 * Rows of a table for formats with types. Numbers are written as doubles even if all happen to be
 * integers, so that the files of many jobs fit together. Only IDs of objects, and columns with
 * integers that doubles would round, are written as integers.
 */

const LEAST_INTEGER = -(2n ** 63n);
const GREATEST_INTEGER = 2n ** 63n - 1n;

/** The types that a table's columns are written with, and possible others. Throws `cancelled`. */
export async function typedColumns(
  table: TableToSave,
  columns: readonly number[],
  signal?: AbortSignal,
): Promise<TypedColumn[]> {
  const { id } = findRowColumns(table.columns);
  const typed: TypedColumn[] = [];
  for (const column of columns) {
    const { name = '', kind, isRounded } = table.columns[column] ?? {};
    if (kind !== 'number') {
      const isEmpty = (await table.codes(column, signal)).texts.size <= FIRST_TEXT;
      typed.push({ name, type: 'text', ...(isEmpty && { isEmpty }) });
      continue;
    }
    const isWhole = await holdsIntegers(table, column, signal);
    const type =
      isRounded || column === id ? (isWhole ? 'integer' : isRounded ? 'text' : 'number') : 'number';
    typed.push({ name, type, ...(isWhole && { isWhole }) });
  }
  return typed;
}

/** Whether all numbers of a column are 64-bit integers. */
async function holdsIntegers(table: TableToSave, column: number, signal?: AbortSignal): Promise<boolean> {
  const numbers = await table.numbers(column, signal);
  const residuals = await table.residuals(column, signal);
  const pacer = new Pacer(signal);
  const integerAt = integerReader(numbers, residuals);
  for (const [part, values] of numbers.values.entries())
    for (let i = 0; i < values.length; i++) {
      if (i % 4096 === 0 && pacer.isDue) await pacer.pause();
      const value = values[i] as number;
      if (Number.isSafeInteger(value) || Number.isNaN(value)) continue;
      if (!Number.isInteger(value)) return false;
      const integer = integerAt((numbers.firstRows[part] ?? 0) + i) ?? 0n;
      if (integer < LEAST_INTEGER || integer > GREATEST_INTEGER) return false;
    }
  return true;
}

function integerReader(
  numbers: NumberColumn,
  residuals: readonly NumberColumn[],
): (row: number) => bigint | undefined {
  const numberAt = valueReader(numbers);
  const residualsAt = residuals.map(valueReader);
  return row => {
    const value = numberAt(row);
    if (value === undefined || !Number.isInteger(value)) return undefined;
    return residualsAt.reduce((sum, residualAt) => sum + BigInt(residualAt(row) ?? 0), BigInt(value));
  };
}

/** A view as content for a typed format. `written`: names and types of the columns. */
export function writtenView(
  table: TableToSave,
  { subset, order }: ViewRows,
  columns: readonly number[],
  written: readonly WrittenColumn[],
  metadata: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): WrittenTable {
  const rowValues = <T>(start: number, end: number, valueAt: (row: number) => T) =>
    Array.from({ length: end - start }, (_, index) =>
      valueAt(order ? (order[start + index] ?? 0) : start + index),
    );
  /** The values of rows in the order to write. Consecutive rows are copied at once. */
  const fillRows = <T extends Float64Array | Uint32Array>(
    values: T,
    column: NumberColumn | CodeColumn,
    start: number,
  ): T => {
    if (order) {
      const valueAt = valueReader(column);
      for (let i = 0; i < values.length; i++) values[i] = valueAt(order[start + i] ?? -1) ?? NaN;
      return values;
    }
    column.firstRows.forEach((firstRow, part) => {
      const from = Math.max(0, start - firstRow);
      const partValues = column.values[part]?.subarray(
        from,
        Math.max(from, start + values.length - firstRow),
      );
      if (partValues && partValues.length > 0) values.set(partValues, firstRow + from - start);
    });
    return values;
  };
  return {
    columns: written,
    rowCount: subset.count,
    metadata,
    values: async (index, start, end) => {
      const column = columns[index] ?? -1;
      if (column < 0) return rowValues(start, end, () => null);
      if (written[index]?.type === 'text') {
        const codes = await table.codes(column, signal);
        const decoded: (string | undefined)[] = [];
        return Array.from(fillRows(new Uint32Array(end - start), codes, start), code =>
          code < FIRST_TEXT ? null : (decoded[code] ??= codes.texts.text(code)),
        );
      }
      const numbers = await table.numbers(column, signal);
      if (written[index]?.type === 'integer') {
        const integerAt = integerReader(numbers, await table.residuals(column, signal));
        return rowValues(start, end, row => integerAt(row) ?? null);
      }
      const values = fillRows(new Float64Array(end - start), numbers, start);
      return values.includes(NaN) ? Array.from(values, value => (value !== value ? null : value)) : values;
    },
  };
}

/** A small table of texts to write. Columns whose texts are all numbers are written as numbers. */
export function writtenTexts(header: readonly string[], rows: readonly (readonly string[])[]): WrittenTable {
  const numberOf = (cell: string) => cellNumber(Buffer.from(cell), 0, Buffer.byteLength(cell), '.');
  const columns = header.map((name, column): WrittenColumn => {
    const isNumeric = rows.every(({ [column]: cell = '' }) => cell === '' || !Number.isNaN(numberOf(cell)));
    return { name, type: isNumeric ? 'number' : 'text' };
  });
  return {
    columns,
    rowCount: rows.length,
    metadata: {},
    values: (column, start, end) => {
      const cells = rows.slice(start, end).map(({ [column]: cell = '' }) => (cell === '' ? null : cell));
      const isNumeric = columns[column]?.type === 'number';
      return Promise.resolve(isNumeric ? cells.map(cell => (cell === null ? null : numberOf(cell))) : cells);
    },
  };
}
