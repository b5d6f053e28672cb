import type { FileHandle } from 'node:fs/promises';
import type { ColumnChunk, DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { Pacer } from '../../base/node/slices';
import type { WrittenTable } from '../../columns/engine/typedFormat';
import { distinctNames, type WrittenType } from '../../columns/writtenTable';
import { compressSnappy } from './codecs';

/** Maximum number of rows in a row group, and of values, which limits tables of many columns. */
const GROUP_ROWS = 100_000;
const GROUP_VALUES = 50_000_000;
/** Bytes of a page before compression; small, so that readers can load only the first rows. */
const PAGE_BYTES = 128 * 1024;

/**
 * Writes a table, one column of a row group at a time, with Snappy compression, statistics, and
 * dictionaries for repeated texts. Missing values are null. Repeated column names get a number.
 * Returns the number of bytes. Throws `cancelled`, and errors of the disk.
 */
export async function writeParquet(
  file: FileHandle,
  table: WrittenTable,
  signal?: AbortSignal,
): Promise<number> {
  const { rowCount, columns, metadata } = table;
  const names = distinctNames(columns.map(({ name }) => name));
  const root: SchemaElement = { name: 'schema', num_children: columns.length };
  const elements = names.map((name, at): SchemaElement => {
    const { type = 'text' } = columns[at] ?? {};
    return { name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] };
  });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [root, ...elements],
    compressors: { SNAPPY: compressSnappy },
    createdBy: WRITER,
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  const flush = async () => {
    await file.appendFile(bytes.getBytes());
    bytes.index = 0;
  };
  const pacer = new Pacer(signal);
  const groupRows = Math.max(1, Math.min(GROUP_ROWS, Math.floor(GROUP_VALUES / Math.max(1, columns.length))));
  for (let start = 0; start < rowCount; start += groupRows) {
    const end = Math.min(rowCount, start + groupRows);
    const groupStart = bytes.offset;
    const chunks: ColumnChunk[] = [];
    for (const [at, element] of elements.entries()) {
      await pacer.pause();
      const values = await table.values(at, start, end);
      const definitionLevels = Array.from(values, value => (value === null ? 0 : 1));
      const result = writeColumn({
        writer: bytes,
        column: {
          columnName: element.name,
          element,
          schemaPath: [root, element],
          codec: writer.codec,
          compressors: { SNAPPY: compressSnappy },
          stats: true,
          pageSize: PAGE_BYTES,
          // Dictionaries of numbers take more time than the space they save is worth.
          ...(element.type !== 'BYTE_ARRAY' && { encoding: 'PLAIN' as const }),
          columnIndex: false,
          offsetIndex: true,
        },
        pageData: {
          values: values as DecodedArray,
          definitionLevels,
          repetitionLevels: [],
          maxDefinitionLevel: 1,
        },
      });
      chunks.push(result.chunk);
      writer.pendingIndexes.push(result);
      if (bytes.index > FLUSHED_BYTES) await flush();
    }
    const size = chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n);
    writer.num_rows += BigInt(end - start);
    writer.row_groups.push({
      columns: chunks,
      total_byte_size: size,
      num_rows: BigInt(end - start),
      total_compressed_size: BigInt(bytes.offset - groupStart),
    });
  }
  void writer.finish();
  await flush();
  return bytes.offset;
}

const ELEMENTS: Readonly<Record<WrittenType, Partial<SchemaElement>>> = {
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};

/** Readers parse it into name and version. */
const WRITER = ['image-analysis', 'version', '1'].join(' ');
const FLUSHED_BYTES = 1024 * 1024;
