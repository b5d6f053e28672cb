/** Whether a file's name is that of a Parquet file. */
export function isParquetName(path: string): boolean {
  return /\.(parquet|parq|pq)$/i.test(path);
}
