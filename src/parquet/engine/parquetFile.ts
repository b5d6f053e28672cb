import * as zlib from 'node:zlib';
import {
  type ColumnMetaData,
  type CompressionCodec,
  type Encoding,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { CodedError, isCoded } from '../../base/errors';
import { reason } from '../../base/reasons';
import { TableFile } from '../../columns/engine/read/tableFile';
import { decompressPage, loadCodecs } from './codecs';
import {
  isOneRun,
  type Levels,
  PageBytes,
  type PageContent,
  readContent,
  readRuns,
  type Values,
  type ValueType,
} from './pageValues';
import { damagedPage, damagedParquet, unsupported } from './parquetErrors';

/*
 * A Parquet file: its footer is read when it opens, pages where they are needed. hyparquet parses
 * footer and headers of pages; what is in a page is decoded here (pageValues.ts), into typed arrays
 * and within bounds that a damaged file can't pass.
 */

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
/** Bytes of a footer, which is parsed into objects of many times its size. */
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Bytes of a page, compressed or not, and its values: pages of other tools have about 1 MB. */
const MAX_PAGE_BYTES = 256 * MEGABYTE;
const MAX_PAGE_VALUES = 1 << 25;
/** Bytes that are reused for pages. */
const MAX_ROOM = 16 * MEGABYTE;
/** Bytes of most headers; those with statistics of long texts are longer. */
const HEADER_BYTES = 4 * 1024;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
/** Row numbers have 32 bits. */
const MAX_ROWS = 0xffff_ffff;

/** A column of primitive values; several make a nested column. */
export interface Leaf {
  tree: SchemaTree;
  /** Position among the columns of each row group. */
  index: number;
  maxDefinition: number;
  maxRepetition: number;
  type: ValueType;
}

/** A column of the table. */
export interface TopColumn {
  name: string;
  tree: SchemaTree;
  leaves: Leaf[];
  /** Whether it has one value, or null, in each row. */
  isFlat: boolean;
}

export interface RowGroupPlace {
  index: number;
  firstRow: number;
  rows: number;
}

/** A data page, and the dictionary page before it where there is one. */
interface PagePlace {
  /** In its column chunk, from 0. */
  index: number;
  /** Where the page's bytes begin, behind its header. */
  offset: number;
  header: ReturnType<typeof parquetHeader>;
  /** Values, nulls included; of a flat column, rows. */
  count: number;
  /** Values in the pages before. */
  first: number;
}

interface ChunkPages {
  dictionary: PagePlace | undefined;
  pages: PagePlace[];
}

export class ParquetFile {
  readonly columns: readonly TopColumn[];
  readonly groups: readonly RowGroupPlace[];
  readonly rowCount: number;
  private readonly chunks = new Map<string, ChunkPages>();
  /** Pages and headers are read into it: to allocate memory for each takes longer than reading. */
  private room = new Uint8Array(0);

  private constructor(
    readonly file: TableFile,
    readonly metadata: FileMetaData,
  ) {
    this.columns = columnsOf(metadata);
    const groups: RowGroupPlace[] = [];
    let firstRow = 0;
    metadata.row_groups.forEach(({ num_rows, columns }, index) => {
      const rows = Number(num_rows);
      if (!(rows >= 0) || firstRow + rows > MAX_ROWS) throw damagedFooter(`${rows} rows in a row group`);
      const leaves = this.columns.reduce((sum, column) => sum + column.leaves.length, 0);
      if (columns.length !== leaves) throw damagedFooter(`${columns.length} columns instead of ${leaves}`);
      if (rows > 0) groups.push({ index, firstRow, rows });
      firstRow += rows;
    });
    this.groups = groups;
    this.rowCount = firstRow;
  }

  /** Throws `damaged-table` with the reason, `not-a-file`, `cancelled`. */
  static async open(path: string, signal?: AbortSignal): Promise<ParquetFile> {
    const file = await TableFile.open(path, signal);
    try {
      const parquet = new ParquetFile(file, readFooter(file));
      await loadCodecs(new Set(parquet.codecs()));
      return parquet;
    } catch (error) {
      file.close();
      throw withSubject(
        coded(error, 'footer', reason('The end of the Parquet file, which says what is in it, is damaged')),
        path,
      );
    }
  }

  /** Throws `file-changed` where the file is not the one that was opened. */
  check(): void {
    this.file.check();
  }

  chunkOf(group: RowGroupPlace, leaf: Leaf): ColumnMetaData {
    const chunk = this.metadata.row_groups[group.index]?.columns[leaf.index]?.meta_data;
    if (!chunk) throw damagedFooter('no metadata of a column chunk');
    return chunk;
  }

  /** The pages of a column in a row group; headers are read once. */
  pagesOf(group: RowGroupPlace, leaf: Leaf): ChunkPages {
    const key = `${group.index} ${leaf.index}`;
    let pages = this.chunks.get(key);
    if (!pages) this.chunks.set(key, (pages = this.findPages(group, leaf)));
    return pages;
  }

  /** The values of a dictionary page. */
  dictionaryOf(group: RowGroupPlace, leaf: Leaf, page: PagePlace): Values {
    const { codec } = this.chunkOf(group, leaf);
    const header = page.header.dictionary_page_header;
    const bytes = decompressPage(this.bytesOf(page), page.header.uncompressed_page_size, codec);
    const count = countOf(header?.num_values);
    return readContent(new PageBytes(bytes), leaf.type, 'PLAIN', count, undefined).values;
  }

  /** Levels and values of a data page. */
  readPage(
    group: RowGroupPlace,
    leaf: Leaf,
    page: PagePlace,
    dictionary: Values | undefined,
  ): Levels & PageContent {
    const { codec } = this.chunkOf(group, leaf);
    const { maxDefinition, maxRepetition } = leaf;
    const { header, count } = page;
    const { data_page_header: v1, data_page_header_v2: v2 } = header;
    const { encoding } = v1 ?? v2 ?? {};
    let data = new PageBytes(this.bytesOf(page));
    if (v1) data = new PageBytes(decompressPage(data.bytes, header.uncompressed_page_size, codec));
    const levels = (max: number, encodingOfV1: Encoding | undefined, lengthInHeader: number | undefined) => {
      if (v1 && max === 0) return undefined;
      if (encodingOfV1 === 'BIT_PACKED') throw unsupported('BIT_PACKED');
      const bytes = data.take(v1 ? data.uint32() : countOf(lengthInHeader));
      // Where a flat column has a value in each row, its levels say nothing.
      if (max === 0 || (maxRepetition === 0 && isOneRun(bytes, max, count))) return undefined;
      return readRuns(new PageBytes(bytes), 32 - Math.clz32(max), new Uint8Array(count));
    };
    const repetitions = levels(
      maxRepetition,
      v1?.repetition_level_encoding,
      v2?.repetition_levels_byte_length,
    );
    const definitions = levels(
      maxDefinition,
      v1?.definition_level_encoding,
      v2?.definition_levels_byte_length,
    );
    const present = presentIn(definitions, maxDefinition, count);
    if (!v1) {
      const rest = data.bytes.subarray(data.at);
      const isPlain = v2?.is_compressed === false || present === 0;
      const size = header.uncompressed_page_size - data.at;
      data = new PageBytes(isPlain ? rest.slice() : decompressPage(rest, size, codec));
    }
    // Booleans of this encoding have a length before them.
    if (leaf.type.type === 'BOOLEAN' && encoding === 'RLE' && present > 0) data.uint32();
    return { repetitions, definitions, ...readContent(data, leaf.type, encoding, present, dictionary) };
  }

  close(): void {
    this.file.close();
  }

  private *codecs() {
    for (const { columns } of this.metadata.row_groups)
      for (const { meta_data, file_path, crypto_metadata } of columns) {
        if (crypto_metadata || !meta_data)
          throw damagedParquet('encrypted', reason('The Parquet file is encrypted. Decrypt it first'));
        if (file_path)
          throw damagedParquet('in other files', reason('The values of the Parquet file are in other files'));
        // A damaged file may name any.
        yield meta_data.codec ?? ('codec' as CompressionCodec);
      }
  }

  private findPages(group: RowGroupPlace, leaf: Leaf): ChunkPages {
    const { data_page_offset, dictionary_page_offset, total_compressed_size, num_values } = this.chunkOf(
      group,
      leaf,
    );
    // Some writers say 0 where there is no dictionary.
    const first = Number(dictionary_page_offset ?? 0n) || Number(data_page_offset);
    let at = Math.min(first, Number(data_page_offset));
    const end = Math.min(at + Number(total_compressed_size), this.file.size);
    const total = countOf(Number(num_values));
    const chunk: ChunkPages = { dictionary: undefined, pages: [] };
    let count = 0;
    while (count < total && at < end) {
      const { header, length } = this.headerAt(at);
      const offset = at + length;
      const { compressed_page_size: compressed, uncompressed_page_size: size, type } = header;
      const data = header.data_page_header ?? header.data_page_header_v2;
      if (!(compressed >= 0 && size >= 0)) throw damagedPage(`a page of ${compressed} bytes`);
      if (offset + compressed > this.file.size) throw damagedPage('a page ends behind the file');
      if (Math.max(compressed, size) > MAX_PAGE_BYTES || (data?.num_values ?? 0) > MAX_PAGE_VALUES)
        throw damagedParquet(
          `a page of ${size} bytes`,
          reason(
            'A page of column "{0}" has {1} MB or too many values, which is more than can be read',
            leaf.tree.path[0] ?? '',
            Math.ceil(size / MEGABYTE),
          ),
        );
      if (type === 'DICTIONARY_PAGE') chunk.dictionary ??= { index: -1, offset, header, count: 0, first: 0 };
      else if (data) {
        const values = countOf(data.num_values);
        if (count + values > total) throw damagedPage(`more than ${total} values`);
        chunk.pages.push({ index: chunk.pages.length, offset, header, count: values, first: count });
        count += values;
      }
      at = offset + compressed;
    }
    if (count !== total || (leaf.maxRepetition === 0 && count !== group.rows))
      throw damagedPage(`${count} values in ${group.rows} rows, ${total} said`);
    return chunk;
  }

  private headerAt(at: number): { header: ReturnType<typeof parquetHeader>; length: number } {
    for (let length = HEADER_BYTES; ; length *= 16) {
      const bytes = this.read(at, Math.min(length, this.file.size - at));
      const reader = { view: new DataView(bytes.buffer, 0, bytes.length), offset: 0 };
      try {
        const header = parquetHeader(reader);
        return { header, length: reader.offset };
      } catch (error) {
        if (length >= MAX_HEADER_BYTES || bytes.length < length)
          throw damagedPage(`header: ${String(error)}`);
      }
    }
  }

  /** A page's bytes, until the next page is read. */
  private bytesOf({ offset, header }: PagePlace): Uint8Array {
    const bytes = this.read(offset, header.compressed_page_size);
    if (header.crc !== undefined && zlib.crc32(bytes) !== header.crc >>> 0) throw damagedPage('checksum');
    return bytes;
  }

  private read(offset: number, length: number): Uint8Array {
    if (length > MAX_ROOM) {
      const bytes = new Uint8Array(length);
      this.file.read(bytes, offset, length);
      return bytes;
    }
    if (length > this.room.length) this.room = new Uint8Array(Math.min(2 * length, MAX_ROOM));
    this.file.read(this.room, offset, length);
    return this.room.subarray(0, length);
  }
}

function presentIn(definitions: Uint8Array | undefined, max: number, count: number): number {
  if (!definitions) return count;
  let present = 0;
  for (let at = 0; at < count; at++) {
    const level = definitions[at] as number;
    if (level > max) throw damagedPage(`level ${level}`);
    present += Number(level === max);
  }
  return present;
}

function countOf(count: number | undefined): number {
  if (count === undefined || !(count >= 0 && count <= MAX_ROWS)) throw damagedPage(`${count} values`);
  return count;
}

function readFooter(file: TableFile): FileMetaData {
  const tail = new Uint8Array(8);
  if (file.size >= 12) file.read(tail, file.size - 8, 8);
  const magic = Buffer.from(tail.subarray(4)).toString('latin1');
  if (magic === ENCRYPTED_MAGIC)
    throw damagedParquet('encrypted', reason('The Parquet file is encrypted. Decrypt it first'));
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (magic !== MAGIC || length + 12 > file.size)
    throw damagedParquet('no footer', reason('It isn’t a Parquet file, or it is cut off'));
  if (length > MAX_FOOTER_BYTES) throw damagedFooter(`a footer of ${length} bytes`);
  const footer = new Uint8Array(length + 8);
  file.read(footer, file.size - footer.length, footer.length);
  return parquetMetadata(footer.buffer, { geoparquet: false });
}

function columnsOf(metadata: FileMetaData): TopColumn[] {
  const root = parquetSchema(metadata);
  let index = 0;
  const leavesOf = (tree: SchemaTree, definition: number, repetition: number): Leaf[] => {
    const { repetition_type, type, type_length } = tree.element;
    const maxDefinition = definition + (repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (repetition_type === 'REPEATED' ? 1 : 0);
    if (maxDefinition > 200) throw damagedFooter('columns nested too deeply');
    if (tree.children.length > 0)
      return tree.children.flatMap(child => leavesOf(child, maxDefinition, maxRepetition));
    if (!type) throw damagedFooter(`column ${tree.element.name} has no type`);
    const length = type_length ?? 0;
    return [{ tree, index: index++, maxDefinition, maxRepetition, type: { type, length } }];
  };
  return root.children.map(tree => {
    const leaves = leavesOf(tree, 0, 0);
    const isFlat = tree.children.length === 0 && tree.element.repetition_type !== 'REPEATED';
    return { name: tree.element.name, tree, leaves, isFlat };
  });
}

function damagedFooter(message: string): CodedError {
  return damagedParquet(message, reason('The end of the Parquet file, which says what is in it, is damaged'));
}

/** Errors that a library throws at damaged bytes become `damaged-table`. */
export function coded(error: unknown, what: string, why: ReturnType<typeof reason>): CodedError {
  return isCoded(error) ? error : damagedParquet(`${what}: ${String(error)}`, why, error);
}

function withSubject(error: CodedError, path: string): CodedError {
  if (error.details.subject !== undefined) return error;
  return new CodedError(error.code, error.message, { ...error.details, subject: path }, { cause: error });
}
