import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { openTable } from '../../../../src/columns/engine/read/readTable';
import type { TableSource } from '../../../../src/columns/engine/read/tableSource';
import { saveView } from '../../../../src/columns/engine/saveTable';
import { TableView } from '../../../../src/columns/engine/tableView';
import { parquetFormat } from '../../../../src/parquet/engine/parquetFormat';
import { ParquetTable } from '../../../../src/parquet/engine/parquetTable';

const BIG = '9007199254740993';

describe('A table written as Parquet', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'write-parquet-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function write(csv: string, view: Parameters<TableView['rows']>[0] = { sort: [] }): Promise<string> {
    const source = join(folder, 'table.csv');
    await writeFile(source, csv);
    const table = await openTable(source);
    try {
      const destination = join(folder, 'table.parquet');
      const columns = table.columns.map(({ index }) => index);
      const rows = await new TableView(table).rows(view);
      const metadata = { 'image_analysis.job_id': 'j1' };
      await saveView(table, rows, {
        columns,
        destination,
        overwrite: true,
        format: parquetFormat,
        metadata,
      });
      return destination;
    } finally {
      table.dispose();
    }
  }

  const rowsOf = async (path: string) =>
    parquetReadObjects({ file: await asyncBufferFromFile(path) }) as Promise<Record<string, unknown>[]>;
  const cellsOf = (table: TableSource) =>
    table.cells(
      Array.from({ length: table.rowCount }, (_, row) => row),
      table.columns.map(({ index }) => index),
      Infinity,
    ).rows;

  it('has doubles, IDs as integers, texts, and null where a cell is missing', async () => {
    const csv = `Image,Object ID,Area,Big\nä.tif,1,2,${BIG}\n,2,NA,-5\n"b ""x"".tif",3,-0.5,\n`;
    deepEqual(await rowsOf(await write(csv)), [
      { Image: 'ä.tif', 'Object ID': 1n, Area: 2, Big: BigInt(BIG) },
      { Image: null, 'Object ID': 2n, Area: null, Big: -5n },
      { Image: 'b "x".tif', 'Object ID': 3n, Area: -0.5, Big: null },
    ]);
  });

  it('keeps as text what no type of numbers holds', async () => {
    const long = '123456789012345678901234567890';
    deepEqual(await rowsOf(await write(`a,b\n${long},inf\n1,2\n`)), [
      { a: long, b: Infinity },
      { a: '1', b: 2 },
    ]);
  });

  it('has the rows of the view in its order, and names that engines tell apart', async () => {
    const path = await write('n,N,,n\n1,a,x,1\n3,b,y,2\n2,c,z,3\n', {
      sort: [{ column: 0, descending: true }],
    });
    deepEqual(await rowsOf(path), [
      { n: 3, 'N (2)': 'b', 'column 3': 'y', 'n (3)': 2 },
      { n: 2, 'N (2)': 'c', 'column 3': 'z', 'n (3)': 3 },
      { n: 1, 'N (2)': 'a', 'column 3': 'x', 'n (3)': 1 },
    ]);
  });

  it('has row groups of 100,000 with statistics, Snappy and what is said beside them', async () => {
    const rows = Array.from({ length: 250_001 }, (_, row) => `i${row % 3}.tif,${row}`);
    const path = await write(`Image,Value\n${rows.join('\n')}\n`);
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
    deepEqual(
      metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
      [100_000, 100_000, 50_001],
    );
    for (const { columns } of metadata.row_groups)
      for (const { meta_data } of columns) {
        equal(meta_data?.codec, 'SNAPPY');
        equal(meta_data?.statistics?.null_count, 0n);
      }
    const last = metadata.row_groups[2]?.columns;
    deepEqual(last?.[1]?.meta_data?.statistics?.max_value, 250_000);
    equal(last?.[0]?.meta_data?.encodings?.includes('RLE_DICTIONARY'), true);
    deepEqual(metadata.key_value_metadata, [{ key: 'image_analysis.job_id', value: 'j1' }]);
    const table = await ParquetTable.open(path, 1e9);
    deepEqual(table.cells([99_999, 100_000, 250_000, 7], [1, 0], 100).rows, [
      ['99999', 'i0.tif'],
      ['100000', 'i1.tif'],
      ['250000', 'i1.tif'],
      ['7', 'i1.tif'],
    ]);
    table.dispose();
  });

  it('is read again as it was', async () => {
    const csv = `Image,Object ID,Area,Big\nä.tif,1,2,${BIG}\n,2,,-5\nb.tif,3,-0.5,\n`;
    const table = await ParquetTable.open(await write(csv), 1e8);
    deepEqual(cellsOf(table), [
      ['ä.tif', '1', '2', BIG],
      ['', '2', '', '-5'],
      ['b.tif', '3', '-0.5', ''],
    ]);
    deepEqual(
      table.columns.map(({ kind, isRounded }) => [kind, isRounded === true]),
      [
        ['text', false],
        ['number', false],
        ['number', false],
        ['number', true],
      ],
    );
    table.dispose();
  });

  it('leaves nothing where it is canceled or the disk is full', async () => {
    const source = join(folder, 'table.csv');
    await writeFile(source, 'a\n1\n');
    const table = await openTable(source);
    const rows = await new TableView(table).rows({ sort: [] });
    const canceled = AbortSignal.abort();
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const options = { columns: [0], destination: join(folder, 'out.parquet'), overwrite: false };
    await rejects(saveView(table, rows, { ...options, format: parquetFormat }, canceled), {
      code: 'cancelled',
    });
    const failing = { ...parquetFormat, write: () => Promise.reject(full) };
    await rejects(saveView(table, rows, { ...options, format: failing }), { code: 'no-space' });
    table.dispose();
    deepEqual(await readdir(folder), ['table.csv']);
  });
});
