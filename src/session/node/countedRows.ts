import { PartKey } from '../../base/parts';
import type { Filter } from '../../columns/viewSpec';
import type { TableKind } from '../../service/resultParts';

/** Filters for the rows that count in group statistics: rows of excluded images don't. */
interface CountedRows {
  counted(kind: TableKind, signal: AbortSignal): Promise<{ filters: Filter[] }>;
}

/** Absent if images have no metadata: then all rows count. */
export const countedRows = new PartKey<CountedRows>('countedRows');
