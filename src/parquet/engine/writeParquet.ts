import type { FileHandle } from 'node:fs/promises';
import type { ColumnChunk, DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { Pacer } from '../../base/node/slices';
import type { WrittenTable } from '../../columns/engine/typedFormat';
import { distinctNames, type WrittenType } from '../../columns/writtenTable';
import { compressSnappy } from './codecs';

/** Maximum number of rows of a row group, and of values where a table has very many columns. */
const GROUP_ROWS = 100_000;
const GROUP_VALUES = 50_000_000;
/** Bytes of a page before compression: the first rows of a column are read without the others. */
const PAGE_BYTES = 128 * 1024;

/**
 * Writes a table with Snappy, statistics and dictionaries where texts repeat, a column of a row
 * group at a time. Values are optional, and missing ones null. Names that repeat get a number.
 * Returns the bytes. Throws `cancelled`, and what the disk says.
 */
export async function writeParquet(
  file: FileHandle,
  table: WrittenTable,
  signal?: AbortSignal,
): Promise<number> {
  const { rowCount, columns, metadata } = table;
  const names = distinctNames(columns.map(({ name }) => name));
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ type }, at) => elementOf(type, names[at] ?? '')),
  ];
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
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
    for (const [at, { type }] of columns.entries()) {
      await pacer.pause();
      const values = await valuesOf(table, at, type, start, end);
      const definitionLevels = Array.from(values, value => (value === null ? 0 : 1));
      const schemaPath = [schema[0], schema[at + 1]].filter(element => element !== undefined);
      const result = writeColumn({
        writer: bytes,
        column: {
          columnName: names[at] ?? '',
          element: elementOf(type, names[at] ?? ''),
          schemaPath,
          codec: writer.codec,
          compressors: { SNAPPY: compressSnappy },
          stats: true,
          pageSize: PAGE_BYTES,
          // Dictionaries of numbers would take longer than they spare.
          ...(type !== 'text' && { encoding: 'PLAIN' as const }),
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

/** As readers take it apart: name and version. */
const WRITER = ['image-analysis', 'version', '1'].join(' ');
const FLUSHED_BYTES = 1024 * 1024;

function valuesOf(
  table: WrittenTable,
  column: number,
  type: WrittenType,
  start: number,
  end: number,
): Promise<Float64Array | (number | bigint | string | null)[]> {
  switch (type) {
    case 'number':
      return table.numbers(column, start, end);
    case 'integer':
      return table.integers(column, start, end);
    case 'text':
      return table.texts(column, start, end);
  }
}

function elementOf(type: WrittenType, name: string): SchemaElement {
  if (type === 'number') return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' };
  if (type === 'integer') return { name, type: 'INT64', repetition_type: 'OPTIONAL' };
  return {
    name,
    type: 'BYTE_ARRAY',
    repetition_type: 'OPTIONAL',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  };
}
