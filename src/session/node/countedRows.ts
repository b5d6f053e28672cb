import { PartKey } from '../../base/parts';
import type { Filter } from '../../columns/viewSpec';
import type { TableKind } from '../../service/resultParts';

/**
 * Which rows of a table count in statistics of groups: not those of images that a person has
 * excluded.
 */
interface CountedRows {
  counted(kind: TableKind, signal: AbortSignal): Promise<{ filters: Filter[] }>;
}

/** All rows count where nothing is known of images. */
export const countedRows = new PartKey<CountedRows>('countedRows');
