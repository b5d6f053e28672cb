import { findRowColumns } from '../../rowColumns';
import type { ColumnFilter } from '../../viewSpec';
import type { TableSource } from '../read/tableSource';
import { rowMask } from '../rowMask';

interface Levels {
  column: number;
  groupRows: number;
  imageRows: number;
  groupFilter: ColumnFilter;
  imageFilter: ColumnFilter;
}

const LEVEL_NAMES = /^(level|type|kind|row type|scope|aggregation|aggregation level|aggregated by)$/i;
const IMAGE_TEXTS = /^(image|images|file|per image)$/i;
const GROUP_TEXTS = /^(group|groups|folder|total|all|summary|overall|per group)$/i;

/** How to distinguish rows of groups from rows of images in an aggregate table; null if unknown. */
export async function findLevels(table: TableSource, signal?: AbortSignal): Promise<Levels | null> {
  for (const { index, name, kind } of table.columns) {
    if (kind !== 'text' || !LEVEL_NAMES.test(name.trim().replace(/[_-]/g, ' '))) continue;
    const { texts } = await table.codes(index, signal);
    const values = Array.from({ length: Math.min(texts.size, 50) }, (_, code) => texts.text(code)).slice(2);
    const images = values.filter(text => IMAGE_TEXTS.test(text.trim()));
    const groups = values.filter(text => GROUP_TEXTS.test(text.trim()));
    if (images.length === 0 || images.length + groups.length !== texts.size - 2) continue;
    const levels = await levelsBy(
      table,
      index,
      { kind: 'values', column: index, values: groups, missing: true },
      { kind: 'values', column: index, values: images },
      signal,
    );
    if (levels.groupRows > 0) return levels;
  }
  // Else by an image column that is empty in some rows: those summarize several images.
  const { image } = findRowColumns(table.columns);
  if (image === undefined) return null;
  const levels = await levelsBy(
    table,
    image,
    { kind: 'missing', column: image, missing: true },
    { kind: 'missing', column: image, missing: false },
    signal,
  );
  return levels.groupRows > 0 && levels.imageRows > 0 ? levels : null;
}

async function levelsBy(
  table: TableSource,
  column: number,
  groupFilter: ColumnFilter,
  imageFilter: ColumnFilter,
  signal?: AbortSignal,
): Promise<Levels> {
  const count = async (filter: ColumnFilter) =>
    (await rowMask(table, filter, table.rowCount, signal)).reduce((sum, one) => sum + one, 0);
  const groupRows = await count(groupFilter);
  return { column, groupRows, imageRows: await count(imageFilter), groupFilter, imageFilter };
}
