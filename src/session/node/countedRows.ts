import { PartKey } from '../../base/parts';
import type { Filter } from '../../columns/viewSpec';
import type { TableKind } from '../../service/resultParts';

/** Which rows count in statistics of groups: not those of excluded images. */
interface CountedRows {
  counted(kind: TableKind, signal: AbortSignal): Promise<{ filters: Filter[] }>;
}

/** All rows count if images have no facts. */
export const countedRows = new PartKey<CountedRows>('countedRows');
