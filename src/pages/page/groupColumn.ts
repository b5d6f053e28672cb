import { findRowColumns } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';

const CLASS_NAME = /\bclass\b/i;
/** Names of columns that group rows, the likeliest first. */
const GROUP_NAMES = [CLASS_NAME, /\b(group|condition|treatment)\b/i];

/** Which of some columns rows are most likely grouped by: their class or group, else their image, else the first of the columns. */
export function likelyGroupColumn(
  columns: readonly TableColumn[],
  among: readonly number[],
): number | undefined {
  for (const pattern of GROUP_NAMES) {
    const named = among.find(column => pattern.test(columns[column]?.name ?? ''));
    if (named !== undefined) return named;
  }
  const { image } = findRowColumns(columns.map(({ name }) => name));
  return image !== undefined && among.includes(image) ? image : among[0];
}

/** Whether a column says of which class its row is, by its name. */
export function isClassColumn({ name }: TableColumn): boolean {
  return CLASS_NAME.test(name);
}
