import { PartKey } from '../../base/parts';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { ComputedBy, TableColumn } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from './resultSession';

/** A table that a program uses; all of its rows have been read. */
export interface ProgramTable {
  session: Pick<ResultSession, 'tables' | 'get' | 'find'>;
  kind: TableKind;
  signal: AbortSignal;
}

/** Computes columns of a table for a program; absent without the subject of formulas. */
export interface ProgramFormulas {
  /** Throws `bad-request` if a name is taken or a formula isn't valid. */
  compute(
    kind: TableKind,
    computed: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<ComputedReport[]>;
}

/** The report on a computed column, for programs. */
export interface ComputedReport extends Pick<ComputedColumn, 'name'>, Pick<ComputedBy, 'type'> {
  rows: number;
  /** Rows without a value. */
  missing: number;
}

export const programFormulas = new PartKey<ProgramFormulas>('programFormulas');

/** The file that a program's command writes. */
export interface Destination {
  destination: string;
  overwrite: boolean;
}

/** Opens a table and waits until all of its rows have been read. */
export async function openCompletely({
  session,
  kind,
  signal,
}: ProgramTable): Promise<{ columns: readonly TableColumn[] }> {
  await session.tables.open(kind, signal);
  await session.tables.whenRead(kind, signal);
  // Open again: the kinds of columns are certain only now.
  return session.tables.open(kind, signal);
}
