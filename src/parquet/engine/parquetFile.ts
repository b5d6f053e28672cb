import * as zlib from 'node:zlib';
import {
  type ColumnMetaData,
  type CompressionCodec,
  type DataReader,
  type Encoding,
  type FileMetaData,
  type PageHeader,
  type ParquetType,
  parquetMetadata,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { CodedError, isCoded } from '../../base/errors';
import { reason } from '../../base/reasons';
import { TableFile } from '../../columns/engine/read/tableFile';
import { decompressPage, loadCodecs } from './codecs';
import { type LeafType, leafType, readyTexts } from './leafTypes';
import {
  isOneRun,
  type Primitive,
  readerOf,
  readRuns,
  readUint32,
  readValues,
  takeBytes,
  type Values,
} from './pageValues';
import { damagedParquet, unsupportedFeature } from './parquetErrors';

/*
 * A Parquet file. Reads the footer on opening, and pages on demand. Damaged pages throw a plain
 * Error, to which the caller adds the column's name.
 */

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
/** Maximum bytes of a footer; the objects parsed from it are many times larger. */
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Maximum bytes of a page, compressed or not, and its values. Usual pages have about 1 MB. */
const MAX_PAGE_BYTES = 256 * MEGABYTE;
const MAX_PAGE_VALUES = 1 << 25;
/** Maximum values of a page, without nulls, for types whose values hyparquet turns into objects. */
const MAX_PAGE_OBJECTS = 1 << 22;
const OBJECTS: readonly ParquetType[] = ['BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY', 'INT96'];
/** Maximum bytes of the buffer that is reused for pages. */
const MAX_BUFFER_BYTES = 16 * MEGABYTE;
/** Bytes that suffice for most headers; statistics of long texts need more. */
const HEADER_BYTES = 4 * 1024;
const MAX_HEADER_BYTES = 16 * MEGABYTE;
/** Approximate memory of a value that is an object, such as a text. */
const OBJECT_BYTES = 100;
/** Row numbers have 32 bits. */
const MAX_ROWS = 0xffff_ffff;

/** A column of primitive values. A nested column has several. */
export interface Leaf {
  tree: SchemaTree;
  element: Primitive;
  type: LeafType;
  /** Position among the columns of each row group. */
  index: number;
  maxDefinition: number;
  maxRepetition: number;
}

/** A column of the table. */
export interface TopColumn {
  index: number;
  name: string;
  tree: SchemaTree;
  leaves: Leaf[];
  /** The only leaf, if each row has one value or null. Other columns are read as JSON texts. */
  flat: Leaf | undefined;
  type: LeafType;
}

export interface RowGroupPlace {
  index: number;
  firstRow: number;
  rows: number;
  /** By leaf: metadata of the footer, and the pages once their headers have been read. */
  chunks: readonly ColumnMetaData[];
  pages: (ChunkPages | undefined)[];
}

/** The position of a page in the file. */
interface PagePlace {
  /** Position of its bytes, after its header. */
  offset: number;
  header: PageHeader;
  /** Number of values, including nulls. */
  count: number;
  /** Number of values in the pages before. */
  first: number;
}

interface ChunkPages {
  dictionary: PagePlace | undefined;
  pages: PagePlace[];
}

/** A page's values, and levels if any: https://parquet.apache.org/docs/file-format/nestedencoding/ */
export interface DataPage {
  /** Number of values in the pages before; for a flat column, of rows. */
  first: number;
  /** Number of values, including nulls. */
  count: number;
  /** Without nulls. */
  values: Values;
  /** For each entry its position in `values`, −1 for null; undefined if entry k is value k. */
  places: Int32Array | undefined;
  definitions?: Uint8Array | undefined;
  repetitions?: Uint8Array | undefined;
  /** Memory that only this page uses. */
  memory: readonly ArrayBuffer[];
  /** Memory of the page. */
  bytes: number;
}

export class ParquetFile {
  readonly columns: readonly TopColumn[];
  readonly groups: readonly RowGroupPlace[];
  readonly rowCount: number;
  private readonly codecs = new Set<CompressionCodec>();
  /** Reused for pages and headers: allocating memory for each takes longer than reading it. */
  private buffer = new Uint8Array(0);

  private constructor(
    readonly file: TableFile,
    metadata: FileMetaData,
  ) {
    this.columns = columnsOf(metadata);
    const leaves = this.columns.reduce((sum, column) => sum + column.leaves.length, 0);
    const groups: RowGroupPlace[] = [];
    let firstRow = 0;
    metadata.row_groups.forEach(({ num_rows, columns }, index) => {
      const rows = Number(num_rows);
      if (!(rows >= 0) || firstRow + rows > MAX_ROWS) throw new Error(`${rows} rows in a row group`);
      if (columns.length !== leaves) throw new Error(`${columns.length} columns instead of ${leaves}`);
      const chunks = columns.map(({ meta_data, file_path, crypto_metadata }) => {
        if (crypto_metadata || !meta_data) throw encrypted();
        if (file_path)
          throw damagedParquet('in other files', reason('The values of the Parquet file are in other files'));
        // The codec may be unknown, or missing in a damaged file.
        this.codecs.add(meta_data.codec ?? ('codec' as CompressionCodec));
        return meta_data;
      });
      if (rows > 0) groups.push({ index, firstRow, rows, chunks, pages: [] });
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
      await loadCodecs(parquet.codecs);
      return parquet;
    } catch (error) {
      file.close();
      const why = reason('The end of the Parquet file, which says what is in it, is damaged');
      const { code, message, details } = isCoded(error)
        ? error
        : damagedParquet(`footer: ${String(error)}`, why);
      throw new CodedError(code, message, { subject: path, ...details }, { cause: error });
    }
  }

  /** The pages of a column in a row group; headers are read once. */
  pagesOf(group: RowGroupPlace, leaf: Leaf): ChunkPages {
    return (group.pages[leaf.index] ??= this.findPages(group, leaf));
  }

  /** The values of a dictionary page. */
  readDictionary(group: RowGroupPlace, leaf: Leaf, place: PagePlace): DataPage {
    const size = place.header.uncompressed_page_size;
    const bytes = decompressPage(this.bytesOf(place), size, group.chunks[leaf.index]?.codec);
    const values = readLeafValues(readerOf(bytes), leaf, 'PLAIN', place.count);
    return { first: 0, count: place.count, values, places: undefined, ...memoryOf([bytes], values) };
  }

  /** Reads a data page. `dictionary`: that of its column chunk, if any. */
  readPage(group: RowGroupPlace, leaf: Leaf, place: PagePlace, dictionary: DataPage | undefined): DataPage {
    const codec = group.chunks[leaf.index]?.codec;
    const { maxDefinition, maxRepetition } = leaf;
    const { header, count, first } = place;
    const { uncompressed_page_size: size, data_page_header: v1, data_page_header_v2: v2 } = header;
    let bytes = this.bytesOf(place);
    if (v1) bytes = decompressPage(bytes, size, codec);
    let reader = readerOf(bytes);
    const levels = (kind: 'repetition' | 'definition', max: number) => {
      if (v1 && max === 0) return undefined;
      if (v1?.[`${kind}_level_encoding`] === 'BIT_PACKED') throw unsupportedFeature('BIT_PACKED');
      const runs = takeBytes(reader, v1 ? readUint32(reader) : (v2?.[`${kind}_levels_byte_length`] ?? NaN));
      // If all levels are the maximum, they aren't needed.
      if (max === 0 || (kind === 'definition' && isOneRun(runs, max, count))) return undefined;
      return readRuns(readerOf(runs), 32 - Math.clz32(max), new Uint8Array(count));
    };
    const repetitions = levels('repetition', maxRepetition);
    const definitions = levels('definition', maxDefinition);
    const { ordinals, present } = ordinalsIn(definitions, maxDefinition, count);
    let places = ordinals;
    if (!v1) {
      const encodedValues = bytes.subarray(reader.offset);
      const isUncompressed = v2?.is_compressed === false || present === 0;
      bytes = isUncompressed
        ? encodedValues.slice()
        : decompressPage(encodedValues, size - reader.offset, codec);
      reader = readerOf(bytes);
    }
    const { encoding } = v1 ?? v2 ?? {};
    let values: Values = [];
    if (!isInDictionary(encoding)) values = readLeafValues(reader, leaf, encoding, present);
    else if (present > 0) {
      if (!dictionary) throw new Error('no dictionary');
      ({ values } = dictionary);
      const [width = NaN] = takeBytes(reader, 1);
      const entries = readRuns(reader, width, new Int32Array(present));
      for (const entry of entries)
        if (entry >>> 0 >= values.length) throw new Error(`no entry ${entry} in the dictionary`);
      if (places) for (const [row, at] of places.entries()) if (at >= 0) places[row] = entries[at] as number;
      places ??= entries;
    }
    const memory = memoryOf(places ? [bytes, places] : [bytes], isInDictionary(encoding) ? [] : values);
    return { first, count, definitions, repetitions, values, places, ...memory };
  }

  private findPages(group: RowGroupPlace, leaf: Leaf): ChunkPages {
    const metadata = group.chunks[leaf.index];
    const data = Number(metadata?.data_page_offset);
    // Some writers write 0 if there is no dictionary.
    let at = Math.min(Number(metadata?.dictionary_page_offset ?? 0n) || data, data);
    const end = Math.min(at + Number(metadata?.total_compressed_size), this.file.size);
    const total = Number(metadata?.num_values);
    const chunk: ChunkPages = { dictionary: undefined, pages: [] };
    let done = 0;
    while (done < total && at < end) {
      const { header, length } = this.headerAt(at);
      const offset = at + length;
      const { compressed_page_size: compressed, uncompressed_page_size: size } = header;
      const dataHeader = header.data_page_header ?? header.data_page_header_v2;
      const count = (dataHeader ?? header.dictionary_page_header)?.num_values ?? 0;
      if (!(compressed >= 0 && size >= 0 && count >= 0)) throw new Error(`a page of ${compressed} bytes`);
      if (offset + compressed > this.file.size) throw new Error('a page ends behind the file');
      if (Math.max(compressed, size) > MAX_PAGE_BYTES || count > MAX_PAGE_VALUES)
        throw tooLargePage(leaf, size);
      const page = { offset, header, count, first: done };
      if (dataHeader) {
        chunk.pages.push(page);
        done += count;
      } else if (header.dictionary_page_header) chunk.dictionary ??= page;
      at = offset + compressed;
    }
    if (done !== total || (leaf.maxRepetition === 0 && done !== group.rows))
      throw new Error(`${done} values in ${group.rows} rows, ${total} said`);
    return chunk;
  }

  private headerAt(at: number): { header: PageHeader; length: number } {
    for (let length = HEADER_BYTES; ; length *= 16) {
      const bytes = this.read(at, Math.min(length, this.file.size - at));
      const reader = readerOf(bytes);
      try {
        return { header: parquetHeader(reader), length: reader.offset };
      } catch (error) {
        if (length >= MAX_HEADER_BYTES || bytes.length < length) throw error;
      }
    }
  }

  /** A page's bytes, until the next page is read. */
  private bytesOf({ offset, header }: PagePlace): Uint8Array {
    const bytes = this.read(offset, header.compressed_page_size);
    if (header.crc !== undefined && zlib.crc32(bytes) !== header.crc >>> 0) throw new Error('checksum');
    return bytes;
  }

  private read(offset: number, length: number): Uint8Array {
    let bytes = this.buffer;
    if (length > MAX_BUFFER_BYTES) bytes = new Uint8Array(length);
    else if (length > bytes.length)
      bytes = this.buffer = new Uint8Array(Math.min(2 * length, MAX_BUFFER_BYTES));
    this.file.read(bytes, offset, length);
    return bytes.subarray(0, length);
  }
}

/** Values that aren't places in a dictionary. Throws for more than fit in memory as objects. */
function readLeafValues(
  reader: DataReader,
  leaf: Leaf,
  encoding: Encoding | undefined,
  present: number,
): Values {
  if (present > MAX_PAGE_OBJECTS && OBJECTS.includes(leaf.element.type))
    throw tooLargePage(leaf, reader.view.byteLength);
  return readValues(reader, leaf.element, encoding, present);
}

function tooLargePage({ tree }: Leaf, bytes: number): CodedError {
  return damagedParquet(
    `a page of ${bytes} bytes`,
    reason(
      'A page of column "{0}" has {1} MB or too many values, which is more than can be read',
      tree.path[0] ?? '',
      Math.ceil(bytes / MEGABYTE),
    ),
  );
}

function isInDictionary(encoding: Encoding | undefined): boolean {
  return encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY';
}

/** For each entry the ordinal of its value, −1 for null; and the number of values. */
function ordinalsIn(
  definitions: Uint8Array | undefined,
  max: number,
  count: number,
): { ordinals: Int32Array | undefined; present: number } {
  if (!definitions) return { ordinals: undefined, present: count };
  const ordinals = new Int32Array(count);
  let present = 0;
  for (let at = 0; at < count; at++) {
    const level = definitions[at] as number;
    if (level > max) throw new Error(`level ${level}`);
    ordinals[at] = level === max ? present++ : -1;
  }
  return { ordinals, present };
}

/** The memory of arrays and of a page's values, which may be a typed array or objects. */
function memoryOf(arrays: readonly ArrayBufferView[], values: Values): Pick<DataPage, 'memory' | 'bytes'> {
  const isTyped = ArrayBuffer.isView(values);
  const memory = new Set([...arrays, ...(isTyped ? [values] : [])].map(({ buffer }) => buffer));
  let bytes = isTyped ? 0 : OBJECT_BYTES * values.length;
  for (const { byteLength } of memory) bytes += byteLength;
  return { memory: [...memory] as ArrayBuffer[], bytes };
}

function readFooter(file: TableFile): FileMetaData {
  const tail = new Uint8Array(8);
  if (file.size >= 12) file.read(tail, file.size - 8, 8);
  const magic = Buffer.from(tail.subarray(4)).toString('latin1');
  if (magic === ENCRYPTED_MAGIC) throw encrypted();
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (magic !== MAGIC || length + 12 > file.size)
    throw damagedParquet('no footer', reason('It isn’t a Parquet file, or it is cut off'));
  if (length > MAX_FOOTER_BYTES) throw new Error(`a footer of ${length} bytes`);
  const footer = new Uint8Array(length + 8);
  file.read(footer, file.size - footer.length, footer.length);
  return parquetMetadata(footer.buffer, { geoparquet: false });
}

function encrypted(): CodedError {
  return damagedParquet('encrypted', reason('The Parquet file is encrypted. Decrypt it first'));
}

function columnsOf(metadata: FileMetaData): TopColumn[] {
  let index = 0;
  const leavesOf = (tree: SchemaTree, definition: number, repetition: number): Leaf[] => {
    const { element, children } = tree;
    const { repetition_type, type } = element;
    const maxDefinition = definition + (repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (repetition_type === 'REPEATED' ? 1 : 0);
    if (maxDefinition > 200) throw new Error('columns nested too deeply');
    if (children.length > 0) return children.flatMap(child => leavesOf(child, maxDefinition, maxRepetition));
    if (!type) throw new Error(`column ${element.name} has no type`);
    const primitive = { ...element, type };
    return [
      { tree, element: primitive, type: leafType(primitive), index: index++, maxDefinition, maxRepetition },
    ];
  };
  return parquetSchema(metadata).children.map((tree, at) => {
    const leaves = leavesOf(tree, 0, 0);
    const isFlat = tree.children.length === 0 && tree.element.repetition_type !== 'REPEATED';
    const flat = isFlat ? leaves[0] : undefined;
    return { index: at, name: tree.element.name, tree, leaves, flat, type: flat?.type ?? readyTexts };
  });
}
