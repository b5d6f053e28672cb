import type { TableFileFormat } from '../../columns/tableFileFormat';
import { parquetFiles } from '../../parquet/parquetFiles';

/** Formats of tables besides delimited text, to open and to save. The thread implements them. */
export const tableFileFormats: readonly TableFileFormat[] = [
  // In the order of dialogs.
  parquetFiles,
];

const endings = tableFileFormats.flatMap(format => format.endings);

/** Endings of files that open as tables, as dialogs take them: no dot, a name's last part only. */
export const openedEndings: readonly string[] = ['csv', 'tsv', 'txt', 'gz', 'zst', ...endings];

/** Endings of files that a table is saved as. */
export const savedEndings: readonly string[] = [
  'csv',
  'tsv',
  ...tableFileFormats.map(format => format.endings[0]),
];
