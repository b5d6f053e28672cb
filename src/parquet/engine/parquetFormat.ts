import type { TypedFormat } from '../../columns/engine/typedFormat';
import { isNamedAs } from '../../columns/tableFileFormat';
import { parquetFiles } from '../parquetFiles';

/** Parquet for the column engine. Loads the code that reads and writes it on first use. */
export const parquetFormat: TypedFormat = {
  name: parquetFiles.name,
  isNamed: path => isNamedAs(parquetFiles, path),
  beginsWith: bytes => /^PAR[1E]/.test(Buffer.from(bytes).toString('latin1')),
  open: async (path, budget, signal) => {
    const { ParquetTable } = await import('./parquetTable');
    return ParquetTable.open(path, budget, signal);
  },
  typesIn: async (path, signal) => {
    const { typesIn } = await import('./parquetTable');
    return typesIn(path, signal);
  },
  write: async (file, table, signal) => {
    const { writeParquet } = await import('./writeParquet');
    return writeParquet(file, table, signal);
  },
};
