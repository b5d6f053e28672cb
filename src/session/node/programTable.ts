import { PartKey } from '../../base/parts';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { ComputedBy, TableColumn } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from './resultSession';

/** A table of a result that a program works with; all of its rows have been read. */
export interface ProgramTable {
  session: Pick<ResultSession, 'tables' | 'get' | 'find'>;
  kind: TableKind;
  signal: AbortSignal;
}

/** Computes columns of a table for a program; absent where formulas are. */
export interface ProgramFormulas {
  /** Throws `bad-request` where names aren't free or formulas aren't valid. */
  compute(
    kind: TableKind,
    computed: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<ComputedReport[]>;
}

/** What a program learns of a column that it had computed; numbers of rows besides. */
export interface ComputedReport extends Pick<ComputedColumn, 'name'>, Pick<ComputedBy, 'type'> {
  rows: number;
  /** Rows without a value. */
  missing: number;
}

export const programFormulas = new PartKey<ProgramFormulas>('programFormulas');

/** Where a program has a file written. */
export interface Destination {
  destination: string;
  overwrite: boolean;
}

/** Opens it once all of its rows have been read. */
export async function openWhole({
  session,
  kind,
  signal,
}: ProgramTable): Promise<{ columns: readonly TableColumn[] }> {
  await session.tables.open(kind, signal);
  await session.tables.whenRead(kind, signal);
  // Kinds of columns are certain now.
  return session.tables.open(kind, signal);
}
