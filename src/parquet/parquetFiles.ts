import type { TableFileFormat } from '../columns/tableFileFormat';

/** Files of Parquet, by their names. */
export const parquetFiles: TableFileFormat = {
  id: 'parquet',
  name: 'Parquet',
  endings: ['parquet', 'parq', 'pq'],
};
