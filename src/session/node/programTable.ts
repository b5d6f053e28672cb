import type { TableColumn } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from './resultSession';

/** A table of a result that a program works with; all of its rows have been read. */
export interface ProgramTable {
  session: Pick<ResultSession, 'tables' | 'get' | 'find'>;
  kind: TableKind;
  signal: AbortSignal;
}

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
