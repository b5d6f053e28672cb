import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { isCoded } from '../../../../src/base/errors';
import { InProcessEngine } from '../../session/node/inProcessEngine';

const ROWS = 3000;
const BIG = 9007199254740993n;
const images = Array.from({ length: ROWS }, (_, row) => (row % 17 === 4 ? null : `w${row % 6}.tif`));
const areas = Array.from({ length: ROWS }, (_, row) => (row % 11 === 3 ? null : ((row * 7919) % 1013) / 8));
const ids = Array.from({ length: ROWS }, (_, row) => BIG + BigInt((row * 31) % ROWS));

describe('A Parquet file in the table page', () => {
  let folder: string;
  let engine: InProcessEngine;
  const { signal } = new AbortController();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'open-parquet-'));
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: 'Image', data: images, type: 'STRING' },
        { name: 'Area', data: areas, type: 'DOUBLE' },
        { name: 'Object ID', data: ids, type: 'INT64' },
        { name: 'Plate', data: ids.map(() => 'p1'), type: 'STRING' },
        { name: 'Blank', data: ids.map(() => null), type: 'STRING' },
      ],
      rowGroupSize: 700,
      pageSize: 1000,
    });
    await writeFile(join(folder, 'table.parquet'), new Uint8Array(buffer));
    // What tells its format is how it begins, not its name.
    await writeFile(join(folder, 'renamed.csv'), new Uint8Array(buffer));
    const damaged = new Uint8Array(buffer.slice(0));
    const place = parquetMetadata(buffer).row_groups[1]?.columns[1]?.meta_data?.data_page_offset;
    damaged.fill(0x77, Number(place), Number(place) + 40);
    await writeFile(join(folder, 'damaged.parquet'), damaged);
    const rows = images.map((image, row) => `${image ?? ''},${areas[row] ?? ''},${ids[row]},p1,`);
    await writeFile(join(folder, 'table.csv'), `Image,Area,Object ID,Plate,Blank\n${rows.join('\n')}\n`);
    engine = new InProcessEngine();
    for (const [table, file] of [
      ['parquet', 'table.parquet'],
      ['renamed', 'renamed.csv'],
      ['csv', 'table.csv'],
    ] as const) {
      const options = { memory: 64, progressive: table !== 'csv' };
      await engine.endpoint.request('openTable', { table, path: join(folder, file), options }, signal);
    }
  });
  after(async () => {
    engine.dispose();
    await rm(folder, { recursive: true });
  });

  type Requests = Parameters<typeof engine.endpoint.request>;
  /** The response about the Parquet file, which is that about the CSV file with the same rows. */
  async function same(method: Requests[0], params: object): Promise<unknown> {
    const [parquet, renamed, csv] = await Promise.all(
      ['parquet', 'renamed', 'csv'].map(table =>
        engine.endpoint.request(method, { ...params, table }, signal),
      ),
    );
    deepEqual(parquet, csv);
    deepEqual(renamed, csv);
    return parquet;
  }

  it('says its format, and is whole at once', async () => {
    const summary = await engine.endpoint.request('tableSummary', { table: 'parquet' }, signal);
    deepEqual(
      [summary.format, summary.rowCount, summary.reading, summary.raggedRows.count],
      ['Parquet', ROWS, undefined, 0],
    );
    equal((await engine.endpoint.request('tableSummary', { table: 'csv' }, signal)).format, undefined);
  });

  it('shows, sorts, filters, finds, counts and groups as CSV with the same cells does', async () => {
    const sort = [{ column: 2, descending: true }];
    const filters = [{ kind: 'range', column: 1, from: 10, to: 90 }];
    await same('tableRows', { sort: [], start: 690, end: 720 });
    await same('tableRows', { sort, filters, start: 0, end: 50 });
    await same('tableRows', {
      sort: [{ column: 0, descending: false }],
      start: 0,
      end: 300,
      columns: [0, 2],
    });
    for (const filter of [
      { kind: 'values', column: 0, values: ['w3.tif'], missing: true },
      { kind: 'values', column: 1, values: ['1.5', String(areas[8])] },
      { kind: 'values', column: 2, values: [String(BIG), String(BIG + 2n)] },
      { kind: 'text', column: 1, match: 'contains', text: '.125' },
      { kind: 'text', column: 2, match: 'regex', text: '7$' },
      { kind: 'range', column: 2, from: String(BIG + 1n), to: String(BIG + 5n) },
      { kind: 'missing', column: 1, missing: true },
    ])
      await same('tableRows', { sort: [], filters: [filter], start: 0, end: 100 });
    await same('tablePosition', { sort, filters, row: 100 });
    await same('tableFind', { sort, text: 'W5.T', filters });
    await same('tableFindMatches', { sort: [], text: '99', columns: [0, 1, 2] });
    await same('tableStatistics', { sort: [], columns: [0, 1, 2] });
    await same('tableHistogram', { sort: [], filters, column: 1 });
    await same('tableDistinct', { sort: [], column: 0, limit: 10 });
    await same('tableGroups', {
      sort: [],
      by: [0],
      measures: [1],
      statistics: ['count', 'mean', 'sd', 'median'],
      start: 0,
      end: 10,
    });
    await same('tableGroupColumns', {});
    await same('tableConstants', {});
    await same('tableSelection', { sort, start: 5, end: 500, columns: [0, 1] });
    await same('tableCell', { row: 5, column: 2 });
    await same('tablePoints', { sort: [], x: 1, y: 2, color: 0, limit: 500 });
  });

  it('is saved as CSV and as Parquet, of rows and of groups', async () => {
    const save = async (name: string, params: object = { sort: [] }) => {
      const destination = join(folder, name);
      await engine.endpoint.request(
        'tableSave',
        { ...params, table: 'parquet', destination } as never,
        signal,
      );
      return destination;
    };
    equal(await readFile(await save('saved.csv'), 'utf8'), await readFile(join(folder, 'table.csv'), 'utf8'));
    const path = await save('saved.parquet', { sort: [{ column: 1, descending: false }], columns: [1, 2] });
    const options = { memory: 64 };
    await engine.endpoint.request('openTable', { table: 'saved', path, options }, signal);
    const ofCsv = {
      table: 'csv',
      sort: [{ column: 1, descending: false }],
      start: 0,
      end: 40,
      columns: [1, 2],
    };
    deepEqual(
      (await engine.endpoint.request('tableRows', { table: 'saved', sort: [], start: 0, end: 40 }, signal))
        .rows,
      (await engine.endpoint.request('tableRows', ofCsv, signal)).rows,
    );
    const groups = {
      sort: [],
      by: [0],
      measures: [1],
      statistics: ['mean'] as const,
      header: ['Image', 'Rows', 'Area (mean)'],
    };
    for (const name of ['groups.csv', 'groups.parquet'])
      await engine.endpoint.request(
        'tableGroupsSave',
        { ...groups, statistics: ['mean'], table: 'parquet', destination: join(folder, name) },
        signal,
      );
    for (const table of ['groups.csv', 'groups.parquet'])
      await engine.endpoint.request('openTable', { table, path: join(folder, table), options }, signal);
    const rowsOf = async (table: string) =>
      (await engine.endpoint.request('tableRows', { table, sort: [], start: 0, end: 10 }, signal)).rows;
    deepEqual(await rowsOf('groups.parquet'), await rowsOf('groups.csv'));
  });

  it('is read on demand, as its page says, where its columns would pass the memory for tables', async () => {
    const rows = 100_000;
    const columns = Array.from({ length: 2 }, (_, at) => ({
      name: `c${at}`,
      data: Float64Array.from({ length: rows }, (__, row) => row / 8),
    }));
    const path = join(folder, 'large.parquet');
    await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData: columns })));
    const params = { table: 'large', path, options: { memory: 1 } };
    const { reduced } = await engine.endpoint.request('openTable', params, signal);
    deepEqual(reduced, { columnBytes: 2 * 8 * rows, budgetBytes: 1024 * 1024 });
    const view = { table: 'large', sort: [{ column: 1, descending: true }], start: 0, end: 1 };
    const { rows: shown } = await engine.endpoint.request('tableRows', view, signal);
    deepEqual(shown, [[String((rows - 1) / 8), String((rows - 1) / 8)]]);
    deepEqual(await engine.endpoint.request('tableConstants', { table: 'large' }, signal), { constants: [] });
  });

  it('of which a column is damaged shows, sorts and counts by the others, and says which it is', async () => {
    const request = (method: Requests[0], params: object) =>
      engine.endpoint.request(method, { ...params, table: 'damaged' }, signal);
    const path = join(folder, 'damaged.parquet');
    await request('openTable', { path, options: { memory: 64, progressive: false } });
    const sort = [{ column: 2, descending: true }];
    const shown = (await request('tableRows', { filters: [], sort, start: 0, end: 3 })) as {
      rows: string[][];
      cut?: [number, number][];
    };
    const [first] = shown.rows;
    equal(first?.[2], String(ids.reduce((most, id) => (id > most ? id : most))));
    equal(first?.[1], '\u26a0');
    ok(shown.cut?.some(([row, cell]) => row === 0 && cell === 1));
    const isNamed = (error: unknown) =>
      isCoded(error, 'damaged-table') && error.details.reason?.args[0] === 'Area';
    const byArea = [{ column: 1, descending: false }];
    await rejects(request('tableRows', { filters: [], sort: byArea, start: 0, end: 3 }), isNamed);
    const destination = join(folder, 'saved-damaged.csv');
    const columns = [0, 1, 2];
    await rejects(
      request('tableSave', { filters: [], sort: [], columns, destination, overwrite: false }),
      isNamed,
    );
    equal(existsSync(destination), false);
  });

  it('is not saved over itself', async () => {
    const destination = join(folder, 'table.parquet');
    const params = { table: 'parquet', sort: [], destination, overwrite: true };
    await rejects(engine.endpoint.request('tableSave', params, signal), { code: 'bad-request' });
  });
});
