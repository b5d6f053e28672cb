import { findRowColumns } from '../../columns/rowColumns';
import type { TableSummary } from '../../columns/tableSummary';

/** Tables with more rows than this aren't read for their images. */
const MAX_ROWS = 100_000;
const ROWS_AT_ONCE = 5000;

/** Rows [start, end) of some columns, as exact texts; fewer may come, at least one. */
type ReadRows = (range: { start: number; end: number; columns: number[] }) => Promise<{ rows: string[][] }>;

/**
 * The images that a table names, each text once; undefined where no column names images, or where the table is too long or not
 * complete. `summary` is that of a table whose rows have all been read.
 */
export async function imagesOfTable(
  { columns, rowCount, reading, failure }: TableSummary,
  readRows: ReadRows,
): Promise<string[] | undefined> {
  const { image } = findRowColumns(columns.map(({ name }) => name));
  if (image === undefined || rowCount > MAX_ROWS || reading || failure) return undefined;
  const texts = new Set<string>();
  for (let start = 0; start < rowCount;) {
    const { rows } = await readRows({
      start,
      end: Math.min(rowCount, start + ROWS_AT_ONCE),
      columns: [columns[image]?.index ?? image],
    });
    if (rows.length === 0) return undefined;
    for (const [text = ''] of rows) texts.add(text);
    start += rows.length;
  }
  return [...texts];
}
