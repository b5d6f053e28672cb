import type { TableFileFormat } from '../../columns/tableFileFormat';
import { parquetFiles } from '../../parquet/parquetFiles';

/** Formats of tables besides delimited text, to open and to save. The thread implements them. */
export const tableFileFormats: readonly TableFileFormat[] = [
  // In the order of dialogs.
  parquetFiles,
];

const endings = tableFileFormats.flatMap(format => format.endings);

/**
 * Extensions of files that open as tables, as in dialogs: without a dot, the last part of a name.
 */
export const openedEndings: readonly string[] = ['csv', 'tsv', 'txt', 'gz', 'zst', ...endings];

/** Extensions for saving tables. */
export const savedEndings: readonly string[] = [
  'csv',
  'tsv',
  ...tableFileFormats.map(format => format.endings[0]),
];
