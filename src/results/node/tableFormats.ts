import type { TableFileFormat } from '../../columns/tableFileFormat';
import { parquetFiles } from '../../parquet/parquetFiles';

/**
 * The formats that tables are opened from and saved in beside delimited text. The thread has those
 * that do it.
 */
export const tableFileFormats: readonly TableFileFormat[] = [
  // In the order of dialogs.
  parquetFiles,
];

const endings = tableFileFormats.flatMap(format => format.endings);

/**
 * Endings of files that open as a table, without the dot, as dialogs want them; a dialog knows the
 * last part of a name.
 */
export const openedEndings: readonly string[] = ['csv', 'tsv', 'txt', 'gz', 'zst', ...endings];

/** Endings of files that a table is saved as. */
export const savedEndings: readonly string[] = [
  'csv',
  'tsv',
  ...tableFileFormats.map(format => format.endings[0]),
];
