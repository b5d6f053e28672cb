import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { parquetMetadata, type SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { CodedError } from '../../../../src/base/errors';
import { MISSING_CODES } from '../../../../src/columns/csv/csvScan';
import { gatherNumbers } from '../../../../src/columns/engine/read/tableSource';
import { ParquetTable } from '../../../../src/parquet/engine/parquetTable';

type WriteOptions = Partial<Parameters<typeof parquetWriteBuffer>[0]>;

const compressors = {
  GZIP: (bytes: Uint8Array) => zlib.gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliCompressSync(bytes),
  ...(typeof zlib.zstdCompressSync === 'function' && {
    ZSTD: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes),
  }),
};

describe('A Parquet file as a table', () => {
  let folder: string;
  const open: ParquetTable[] = [];

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'parquet-'))));
  afterEach(async () => {
    for (const table of open.splice(0)) table.dispose();
    await rm(folder, { recursive: true });
  });

  const save = async (bytes: Uint8Array) => {
    const path = join(folder, 'table.parquet');
    await writeFile(path, bytes);
    return path;
  };
  const bytesOf = (columnData: ColumnSource[], options: WriteOptions = {}) =>
    new Uint8Array(parquetWriteBuffer({ columnData, compressors, ...options }));
  async function tableOf(bytes: Uint8Array, budget = 1e8): Promise<ParquetTable> {
    const table = await ParquetTable.open(await save(bytes), budget);
    open.push(table);
    return table;
  }
  const textsOf = (table: ParquetTable, column = 0) =>
    table
      .cells(
        Array.from({ length: table.rowCount }, (_, row) => row),
        [column],
        Infinity,
      )
      .rows.map(([text]) => text);
  const numbersOf = async (table: ParquetTable, column = 0) => [
    ...(await gatherNumbers(table, column, { rows: undefined, count: table.rowCount })),
  ];
  /** A column of one primitive type. */
  const typed = (element: Partial<SchemaElement>, data: unknown[]): [ColumnSource[], WriteOptions] => [
    [{ name: 'c', data: data as ColumnSource['data'] }],
    {
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'c', repetition_type: 'OPTIONAL', ...element },
      ],
    },
  ];

  /** Puts a page of no bytes, which says it has plain values, before those of a required column. */
  function withEmptyPage(bytes: Uint8Array, count: number): Uint8Array {
    const footer = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    const metadata = parquetMetadata(bytes.buffer as ArrayBuffer);
    const [group] = metadata.row_groups;
    const chunk = group?.columns[0]?.meta_data;
    const start = Number(chunk?.data_page_offset);
    // In Thrift's compact form.
    const page = new ByteWriter();
    page.appendBytes(Uint8Array.from([0x15, 0, 0x15, 0, 0x15, 0, 0x2c, 0x15]));
    page.appendVarInt(2 * count);
    page.appendBytes(Uint8Array.from([0x15, 0, 0x15, 6, 0x15, 6, 0, 0]));
    if (group && chunk) {
      chunk.total_compressed_size += BigInt(page.offset);
      chunk.total_uncompressed_size += BigInt(page.offset);
      chunk.num_values += BigInt(count);
      group.num_rows += BigInt(count);
      metadata.num_rows += BigInt(count);
    }
    const writer = new ByteWriter();
    writer.appendBytes(bytes.subarray(0, start));
    writer.appendBytes(page.getBytes());
    writer.appendBytes(bytes.subarray(start, footer));
    writeMetadata(writer, metadata);
    writer.appendBytes(new TextEncoder().encode('PAR1'));
    return writer.getBytes().slice();
  }

  it('has the same cells with every encoding, codec and size of pages and row groups', async () => {
    const count = 1000;
    const numbers = Array.from({ length: count }, (_, at) => (at % 13 === 5 ? null : (at * 7919) % 1013));
    const bigs = numbers.map(value => (value === null ? null : BigInt(value) * -9_007_199_254_741n));
    const words = numbers.map(value => (value === null ? null : `ä${value}`));
    const texts = (value: number | bigint | string | null) => (value === null ? '' : String(value));
    for (const codec of ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors)] as ('GZIP' | 'SNAPPY')[])
      for (const sizes of [
        { pageSize: 100, rowGroupSize: 300 },
        { pageSize: 1e6, rowGroupSize: 1e6 },
      ]) {
        const bytes = bytesOf(
          [
            { name: 'plain', data: numbers, type: 'DOUBLE', encoding: 'PLAIN' },
            { name: 'dictionary', data: words, type: 'STRING', encoding: 'RLE_DICTIONARY' },
            { name: 'split', data: numbers, type: 'DOUBLE', encoding: 'BYTE_STREAM_SPLIT' },
            { name: 'delta', data: numbers, type: 'INT32', encoding: 'DELTA_BINARY_PACKED' },
            { name: 'deltas', data: bigs, type: 'INT64', encoding: 'DELTA_BINARY_PACKED' },
            { name: 'lengths', data: words, type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY' },
            { name: 'prefixes', data: words, type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
            { name: 'flags', data: numbers.map(value => value !== null && value > 500), type: 'BOOLEAN' },
          ],
          { codec, ...sizes },
        );
        const table = await tableOf(bytes);
        const lists = [numbers, words, numbers, numbers, bigs, words, words];
        lists.forEach((list, column) =>
          deepEqual(textsOf(table, column), list.map(texts), `${codec} ${column}`),
        );
        deepEqual(
          textsOf(table, 7),
          numbers.map(value => String(value !== null && value > 500)),
        );
        deepEqual(
          await numbersOf(table, 4),
          bigs.map(value => (value === null ? NaN : Number(value))),
        );
        const { values, texts: dictionary } = await table.codes(6);
        deepEqual(
          values.flatMap(part => [...part]).map(code => dictionary.text(code)),
          words.map(texts),
        );
      }
  });

  it('has integers of 64 bits with all digits, and what their doubles lack', async () => {
    const values = [9007199254740993n, -9223372036854775808n, null, 5n];
    const table = await tableOf(bytesOf(...typed({ type: 'INT64' }, values)));
    deepEqual(textsOf(table), ['9007199254740993', '-9223372036854775808', '', '5']);
    equal(table.columns[0]?.isRounded, true);
    deepEqual(await numbersOf(table), [9007199254740992, -9223372036854775808, NaN, 5]);
    deepEqual(
      (await table.residuals(0)).map(rest => [...(rest.values[0] ?? [])]),
      [[1, 0, 0, 0]],
    );
    const unsigned = typed({ type: 'INT64', converted_type: 'UINT_64' }, [18446744073709551615n, 1n]);
    deepEqual(textsOf(await tableOf(bytesOf(...unsigned))), ['18446744073709551615', '1']);
  });

  it('has decimals with all digits', async () => {
    const decimal = { converted_type: 'DECIMAL' as const, precision: 38, scale: 2 };
    const long = typed({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal }, [
      -123n,
      10n ** 38n - 1n,
      null,
    ]);
    const table = await tableOf(bytesOf(...long));
    deepEqual(textsOf(table), ['-1.23', '999999999999999999999999999999999999.99', '']);
    deepEqual(await numbersOf(table), [-1.23, 1e36, NaN]);
    const whole = { type: 'INT64' as const, converted_type: 'DECIMAL' as const, precision: 18, scale: 0 };
    const rounded = await tableOf(bytesOf(...typed(whole, [9007199254740993n, 1n])));
    deepEqual([textsOf(rounded), rounded.columns[0]?.isRounded], [['9007199254740993', '1'], true]);
  });

  it('converts the decimals of a dictionary once for all its pages', async () => {
    const decimal = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 1 } as const;
    const data = Array.from({ length: 3000 }, (_, row) => (row % 7 === 3 ? null : (row % 50) / 2));
    const [, options] = typed(decimal, []);
    const column: ColumnSource = { name: 'c', data, encoding: 'RLE_DICTIONARY' };
    const table = await tableOf(bytesOf([column], { ...options, pageSize: 200, rowGroupSize: 2000 }));
    const type = table['parquet'].columns[0]?.type;
    const { numbers = () => [] } = type ?? {};
    let converted = 0;
    Object.assign(type ?? {}, { numbers: (values: ArrayLike<unknown>) => (converted++, numbers(values)) });
    deepEqual(
      await numbersOf(table),
      data.map(value => value ?? NaN),
    );
    // One for each row group.
    equal(converted, 2);
  });

  it('has times with their zone, and dates of any year', async () => {
    const timestamp = (isAdjustedToUTC: boolean, unit: 'MILLIS' | 'MICROS' | 'NANOS') => ({
      type: 'INT64' as const,
      logical_type: { type: 'TIMESTAMP' as const, isAdjustedToUTC, unit },
    });
    for (const [element, value, text] of [
      [timestamp(true, 'MILLIS'), 1_714_979_289_123n, '2024-05-06T07:08:09.123Z'],
      [timestamp(false, 'MICROS'), -1n, '1969-12-31T23:59:59.999999'],
      [timestamp(true, 'NANOS'), 1n, '1970-01-01T00:00:00.000000001Z'],
      [{ type: 'INT32', converted_type: 'DATE' }, -719_529, '-000001-12-31'],
      [{ type: 'INT32', converted_type: 'DATE' }, 19_849, '2024-05-06'],
      [{ type: 'INT32', converted_type: 'TIME_MILLIS' }, 3_661_007, '01:01:01.007Z'],
    ] as const) {
      const table = await tableOf(bytesOf(...typed(element, [value])));
      deepEqual([textsOf(table), table.columns[0]?.kind], [[text], 'text']);
    }
  });

  it('tells NaN, infinity, zero and nothing apart', async () => {
    const table = await tableOf(
      bytesOf(...typed({ type: 'DOUBLE' }, [NaN, Infinity, -Infinity, -0, null, 0.1])),
    );
    deepEqual(textsOf(table), ['NaN', 'inf', '-inf', '-0', '', '0.1']);
    deepEqual(await numbersOf(table), [NaN, Infinity, -Infinity, -0, NaN, 0.1]);
  });

  it('has the numbers of large and of small pages, and which of them are missing', async () => {
    const data = Array.from({ length: 30_000 }, (_, at) =>
      at % 9000 === 8500 ? null : at % 7000 === 6999 ? NaN : at / 8,
    );
    const column = { name: 'c', data, type: 'DOUBLE', encoding: 'PLAIN' } as const;
    const kindsOf = async (options: WriteOptions) => {
      const table = await tableOf(bytesOf([column], { rowGroupSize: 25_000, ...options }));
      deepEqual(
        await numbersOf(table),
        data.map(value => value ?? NaN),
      );
      const { values, firstRows } = await table.numbers(0);
      const missing = data.flatMap((value, row) => (Number.isNaN(value ?? NaN) ? [row] : []));
      const codeAt = (row: number) => {
        const part = firstRows.findLastIndex(first => first <= row);
        return new DataView(values[part]?.buffer ?? new ArrayBuffer(0)).getUint32(
          (values[part]?.byteOffset ?? 0) + 8 * (row - (firstRows[part] ?? 0)),
          true,
        );
      };
      return { parts: values.length, codes: missing.map(codeAt) };
    };
    const codes = data.flatMap(value =>
      value === null ? [MISSING_CODES.empty] : Number.isNaN(value) ? [MISSING_CODES.NaN] : [],
    );
    for (const codec of ['SNAPPY', 'UNCOMPRESSED'] as const) {
      deepEqual(await kindsOf({ codec, pageSize: 64_000 }), { parts: 5, codes });
      deepEqual(await kindsOf({ codec, pageSize: 800 }), { parts: 2, codes });
    }
  });

  it('has the numbers beside a page without values, which some writers have', async () => {
    const data = Array.from({ length: 3000 }, (_, at) => at / 8);
    const [columns, options] = typed({ type: 'DOUBLE', repetition_type: 'REQUIRED' }, data);
    const written = { rowGroupSize: data.length, codec: 'UNCOMPRESSED', statistics: false } as const;
    const bytes = bytesOf(columns, { ...options, ...written });
    const table = await tableOf(withEmptyPage(bytes, 0));
    deepEqual(await numbersOf(table), data);
    const { values } = await table.numbers(0);
    equal(
      values.reduce((sum, part) => sum + part.length, 0),
      data.length,
    );
  });

  it('shows bytes that are no text as they are', async () => {
    const bytes = [Uint8Array.of(0xc3, 0xa4), Uint8Array.of(0xff, 0), Uint8Array.of()];
    const table = await tableOf(bytesOf(...typed({ type: 'BYTE_ARRAY' }, bytes)));
    deepEqual(textsOf(table), ['ä', '0xff00', '']);
  });

  it('shows lists, maps and structs as JSON with all digits', async () => {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 2 },
      { name: 'list', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', type: 'INT64' },
      { name: 'struct', repetition_type: 'OPTIONAL', num_children: 2 },
      { name: 'a', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
      { name: 'b', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ];
    const table = await tableOf(
      bytesOf(
        [
          { name: 'list', data: [[9007199254740993n, null], [], null, [1n]] },
          { name: 'struct', data: [{ a: 0.5, b: 'x"y' }, null, { a: NaN, b: null }, { a: null, b: '' }] },
        ],
        { schema, rowGroupSize: 3 },
      ),
    );
    deepEqual(textsOf(table), ['[9007199254740993,null]', '[]', '', '[1]']);
    deepEqual(textsOf(table, 1), ['{"a":0.5,"b":"x\\"y"}', '', '{"a":"NaN","b":null}', '{"a":null,"b":""}']);
  });

  it('reads the pages of a struct as its rows need them, not all of a row group at once', async () => {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 1 },
      { name: 'struct', repetition_type: 'OPTIONAL', num_children: 2 },
      { name: 'a', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
      { name: 'b', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
    ];
    const data = Array.from({ length: 40 }, (_, row) => ({ a: row, b: row / 2 }));
    const sizes = { schema, pageSize: 80, rowGroupSize: data.length };
    const table = await tableOf(bytesOf([{ name: 'struct', data, encoding: 'PLAIN' }], sizes));
    const parquet = table['parquet'];
    const leaves: number[] = [];
    const readPage = parquet.readPage.bind(parquet);
    parquet.readPage = (group, leaf, ...page) => {
      leaves.push(leaf.index);
      return readPage(group, leaf, ...page);
    };
    deepEqual(
      textsOf(table),
      data.map(row => JSON.stringify(row)),
    );
    deepEqual(leaves, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it('reads numbers in texts and texts of numbers', async () => {
    const texts = await tableOf(
      bytesOf(...typed({ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, ['1.5', 'x', null])),
    );
    deepEqual(await numbersOf(texts), [1.5, NaN, NaN]);
    const numbers = await tableOf(bytesOf(...typed({ type: 'DOUBLE' }, [1.5, null, 1.5])));
    const { values, texts: dictionary } = await numbers.codes(0);
    deepEqual(
      [...(values[0] ?? [])].map(code => dictionary.text(code)),
      ['1.5', '', '1.5'],
    );
  });

  it('reads only the pages of the cells that are shown', async () => {
    const data = Array.from({ length: 100_000 }, (_, at) => at / 8);
    const bytes = bytesOf([{ name: 'c', data, type: 'DOUBLE', encoding: 'PLAIN' }], {
      pageSize: 8000,
      codec: 'UNCOMPRESSED',
    });
    // All but the pages at both ends is overwritten.
    bytes.fill(0xff, 20_000, bytes.length - 40_000);
    const table = await tableOf(bytes);
    await rejects(table.numbers(0), { code: 'damaged-table' });
    const whole = await tableOf(bytesOf([{ name: 'c', data, type: 'DOUBLE' }], { pageSize: 8000 }));
    deepEqual(whole.cells([99_999, 0], [0], 100).rows, [['12499.875'], ['0']]);
  });

  it('keeps no more decoded than the budget allows, and cells stay right', async () => {
    const data = Array.from({ length: 200_000 }, (_, at) => `text ${at % 1000} ${'x'.repeat(50)}`);
    const table = await tableOf(bytesOf([{ name: 'c', data, type: 'STRING' }], { pageSize: 10_000 }), 1);
    for (const row of [0, 199_999, 5, 100_000, 7])
      deepEqual(table.cells([row], [0], Infinity).rows, [[data[row] ?? '']]);
  });

  it('has the texts of a page that is a whole column, as some writers have', async () => {
    const data = Array.from({ length: 4_400_000 }, (_, row) => (row % 4 === 0 ? `t${row % 1000}` : null));
    const column: ColumnSource = { name: 'c', data, type: 'STRING', encoding: 'PLAIN' };
    const sizes = { pageSize: 1e9, rowGroupSize: 1e9, codec: 'UNCOMPRESSED', statistics: false } as const;
    const table = await tableOf(bytesOf([column], sizes));
    const { groups, columns } = table['parquet'];
    const [group] = groups;
    const leaf = columns[0]?.flat;
    equal(group && leaf && table['parquet'].pagesOf(group, leaf).pages.length, 1);
    const last = data.length - 4;
    deepEqual(table.cells([0, 1, last], [0], 100).rows, [['t0'], [''], [data[last] ?? '']]);
  });

  it('opens and shows 10,000 columns', async () => {
    const columns = Array.from({ length: 10_000 }, (_, at): ColumnSource => ({
      name: `c${at}`,
      data: [at, at + 1],
      type: 'DOUBLE',
    }));
    const table = await tableOf(bytesOf(columns));
    equal(table.columns.length, 10_000);
    deepEqual(table.cells([1], [9999, 0], 100).rows, [['10000', '1']]);
  });

  describe('is refused by name', () => {
    const failure = async (bytes: Uint8Array) => {
      try {
        const table = await tableOf(bytes);
        for (const { index } of table.columns) {
          table.cells([0], [index], Infinity);
          await table.codes(index);
        }
      } catch (error) {
        if (error instanceof CodedError) return [error.code, error.details.reason?.message];
        throw error;
      }
      return undefined;
    };
    const good = () => bytesOf([{ name: 'Area', data: [1, 2, 3], type: 'DOUBLE' }]);
    const ending = (bytes: Uint8Array, magic: string) => {
      bytes.set(Buffer.from(magic), bytes.length - 4);
      return bytes;
    };

    it('where it is cut off, or no Parquet file', async () => {
      deepEqual(await failure(good().subarray(0, -10)), [
        'damaged-table',
        'It isn’t a Parquet file, or it is cut off',
      ]);
      deepEqual(await failure(Buffer.from('a,b\n1,2\n')), [
        'damaged-table',
        'It isn’t a Parquet file, or it is cut off',
      ]);
      deepEqual(await failure(new Uint8Array(0)), [
        'damaged-table',
        'It isn’t a Parquet file, or it is cut off',
      ]);
      deepEqual(await failure(ending(good(), 'PAR2')), [
        'damaged-table',
        'It isn’t a Parquet file, or it is cut off',
      ]);
    });

    it('where it is encrypted', async () =>
      deepEqual(await failure(ending(good(), 'PARE')), [
        'damaged-table',
        'The Parquet file is encrypted. Decrypt it first',
      ]));

    it('where its footer is damaged', async () => {
      const bytes = good();
      bytes.fill(0x77, bytes.length - 40, bytes.length - 8);
      deepEqual(await failure(bytes), [
        'damaged-table',
        'The end of the Parquet file, which says what is in it, is damaged',
      ]);
    });

    it('where its pages are damaged', async () => {
      const bytes = good();
      bytes.fill(0x77, 4, 40);
      deepEqual(await failure(bytes), ['damaged-table', 'The values of column "{0}" are damaged']);
    });

    it('where a page has more texts than fit in memory', async () => {
      const [columns, options] = typed({ type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' }, ['a']);
      const bytes = bytesOf(columns, { ...options, codec: 'UNCOMPRESSED', statistics: false });
      const refusal = 'A page of column "{0}" has {1} MB or too many values, which is more than can be read';
      deepEqual(await failure(withEmptyPage(bytes, 2 ** 22 + 1)), ['damaged-table', refusal]);
      // As many may be there, but aren't.
      const cutOff = 'The values of column "{0}" are damaged';
      deepEqual(await failure(withEmptyPage(bytes, 2 ** 22)), ['damaged-table', cutOff]);
    });

    it('where its codec is not known', async () => {
      const options = { codec: 'LZO' as const, compressors: { LZO: (data: Uint8Array) => data } };
      const bytes = bytesOf([{ name: 'c', data: [1], type: 'DOUBLE' }], options);
      deepEqual(await failure(bytes), ['damaged-table', 'The Parquet file uses {0}, which can’t be read']);
    });

    it('with the name of the column', async () => {
      const bytes = good();
      bytes.fill(0x77, 4, 40);
      const table = await tableOf(bytes);
      throws(
        () => table.cells([0], [0], 100),
        ({ details }: CodedError) => details.reason?.args[0] === 'Area',
      );
    });
  });
});
