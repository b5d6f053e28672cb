import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TableHandlers } from '../../../../src/columns/engine/tableHandlers';
import type { AddedColumns } from '../../../../src/columns/tableSummary';
import type { Filter, SortKey } from '../../../../src/columns/viewSpec';

const signal = new AbortController().signal;
const TABLE = 'objects';
const all = { table: TABLE, sort: [] };

const CSV = [
  'Image,ID,Area',
  'a/1.tif,1,10',
  'b/1.tif,1,20',
  '"c,1.tif",1,',
  'a/1.tif,2,40',
  'd.tif,1,50,extra',
  '',
].join('\n');

const added: AddedColumns = {
  keyColumn: 0,
  keys: ['a/1.tif', 'b/1.tif', 'c,1.tif'],
  columns: [
    { name: 'Drug', values: ['-Dox', '+IL2', ''] },
    { name: 'Dose', values: ['007', '0,5', 'NA'] },
  ],
};
const [DRUG, DOSE] = [4, 5];

describe('Columns of a table that are in no file', () => {
  let folder: string;
  let tables: TableHandlers;
  let changed: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'added-columns-'));
    await writeFile(join(folder, 'objects.csv'), CSV);
    changed = [];
    tables = new TableHandlers({
      startProgress: () => () => undefined,
      onOpened: () => undefined,
      onChanged: table => changed.push(table),
      onGrowth: () => undefined,
    });
    await tables.handlers.openTable(
      { table: TABLE, path: join(folder, 'objects.csv'), options: { memory: 64 } },
      signal,
    );
  });

  afterEach(async () => {
    tables.dispose();
    await rm(folder, { recursive: true });
  });

  const extend = (columns: AddedColumns = added) =>
    tables.handlers.extendTable({ table: TABLE, ...columns }, signal);

  async function rowsOf(filters: Filter[], sort: SortKey[] = []) {
    const found = await tables.handlers.tableRows(
      { table: TABLE, sort, filters, start: 0, end: 10, columns: [DRUG, 1, DOSE] },
      signal,
    );
    return found.rows.map(row => row.join('|'));
  }

  it('follow those of the file, with kinds as in a file', async () => {
    const { columns } = await extend();
    assert.deepEqual(
      columns.map(({ index, name, kind, ofImage }) => [index, name, kind, ofImage]),
      [
        [0, 'Image', 'text', undefined],
        [1, 'ID', 'number', undefined],
        [2, 'Area', 'number', undefined],
        [3, '', 'text', undefined],
        [4, 'Drug', 'text', true],
        [5, 'Dose', 'number', true],
      ],
    );
    assert.deepEqual(changed, [TABLE]);
  });

  it('are shown as they were typed, beside cells of the file', async () => {
    await extend();
    assert.deepEqual(await rowsOf([]), ['-Dox|1|007', '+IL2|1|0,5', '|1|NA', '-Dox|2|007', '|1|']);
  });

  it('are filtered and sorted', async () => {
    await extend();
    assert.deepEqual(await rowsOf([{ kind: 'values', column: DRUG, values: ['-Dox'] }]), [
      '-Dox|1|007',
      '-Dox|2|007',
    ]);
    assert.deepEqual(await rowsOf([{ kind: 'missing', column: DRUG, missing: true }]), ['|1|NA', '|1|']);
    assert.deepEqual(await rowsOf([{ kind: 'range', column: DOSE, from: 0, to: 1 }]), ['+IL2|1|0,5']);
    assert.deepEqual(await rowsOf([], [{ column: DOSE, descending: false }]), [
      '+IL2|1|0,5',
      '-Dox|1|007',
      '-Dox|2|007',
      '|1|NA',
      '|1|',
    ]);
  });

  it('are found', async () => {
    await extend();
    const search = { ...all, text: 'il2', columns: [0, DRUG, DOSE] };
    const { found } = await tables.handlers.tableFind(search, signal);
    assert.deepEqual(found, { position: 1, row: 1, column: DRUG });
    const matches = await tables.handlers.tableFindMatches({ ...search, text: '0' }, signal);
    assert.equal(matches.matches, 3);
  });

  it('are grouped, and tell how many values are missing', async () => {
    await extend();
    const { groups } = await tables.handlers.tableGroup({ ...all, by: [DRUG], measures: [2, DOSE] }, signal);
    assert.deepEqual(
      groups.map(({ keys, rows, measures }) => [keys[0], rows, measures[0]?.mean, measures[1]?.mean]),
      [
        ['-Dox', 2, 25, 7],
        ['+IL2', 1, 20, 0.5],
        [null, 2, 50, null],
      ],
    );
    const { statistics } = await tables.handlers.tableStatistics({ ...all, columns: [DOSE, DRUG] }, signal);
    assert.deepEqual(
      statistics.map(({ count, missing }) => [count, missing]),
      [
        [3, 2],
        [3, 2],
      ],
    );
  });

  it('are saved with the others', async () => {
    await extend();
    const destination = join(folder, 'saved.csv');
    await tables.handlers.tableSave({ ...all, destination, columns: [0, DRUG, DOSE] }, signal);
    assert.equal(
      await readFile(destination, 'utf8'),
      'Image,Drug,Dose\na/1.tif,-Dox,007\nb/1.tif,+IL2,"0,5"\n"c,1.tif",,NA\na/1.tif,-Dox,007\nd.tif,,\n',
    );
  });

  it('have other values once they are changed', async () => {
    await extend();
    const filter: Filter = { kind: 'values', column: DRUG, values: ['-Dox'] };
    assert.equal((await rowsOf([filter])).length, 2);
    await extend({ ...added, columns: [{ name: 'Drug', values: ['x', '-Dox', '-Dox'] }] });
    assert.equal((await tables.handlers.tableView({ ...all, filters: [filter] }, signal)).rowCount, 2);
    const { rows } = await tables.handlers.tableRows(
      { ...all, filters: [filter], start: 0, end: 9, columns: [0] },
      signal,
    );
    assert.deepEqual(rows, [['b/1.tif'], ['c,1.tif']]);
    const { columns } = await extend({ ...added, columns: [] });
    assert.equal(columns.length, 4);
  });

  it('are of text where one value is no number, or a double would round it', async () => {
    const kinds = async (...values: string[]) =>
      (await extend({ ...added, columns: [{ name: 'x', values }] })).columns.at(-1)?.kind;
    assert.equal(await kinds('1', 'x', ''), 'text');
    assert.equal(await kinds('9007199254740993', '1', ''), 'text');
    assert.equal(await kinds('NA', '', ''), 'text');
    assert.equal(await kinds('1e3', '-', ''), 'number');
  });

  it('are refused for a column of keys that the file lacks', async () => {
    await assert.rejects(async () => extend({ ...added, keyColumn: 9 }), { code: 'bad-request' });
  });

  describe('that have another one in another unit', () => {
    const AREA = 2;
    const MICRONS = 6;
    const inMicrons: AddedColumns = {
      ...added,
      keys: [...added.keys, 'd.tif'],
      columns: added.columns.map(({ name, values }) => ({ name, values: [...values, ''] })),
      converted: [{ name: 'Area (µm²)', of: AREA, factors: [0.325 ** 2, 4, 1, null] }],
    };

    it('have its numbers times the factor of their key, as text and as number, and none where it is not known', async () => {
      const { columns } = await extend(inMicrons);
      assert.deepEqual(columns[MICRONS], {
        index: MICRONS,
        name: 'Area (µm²)',
        kind: 'number',
        converted: { of: AREA },
      });
      const { rows } = await tables.handlers.tableRows(
        { ...all, start: 0, end: 5, columns: [MICRONS] },
        signal,
      );
      assert.deepEqual(rows.flat(), ['1.05625', '80', '', '4.225', '']);
      // The cells of the file are as they were.
      const own = await tables.handlers.tableRows({ ...all, start: 0, end: 5, columns: [AREA] }, signal);
      assert.deepEqual(own.rows.flat(), ['10', '20', '', '40', '50']);
      const { min, max } = await tables.handlers.tableHistogram({ ...all, column: MICRONS, bins: 4 }, signal);
      assert.deepEqual([min, max], [1.05625, 80]);
    });

    it('are sorted, filtered, found and grouped by what they show', async () => {
      await extend(inMicrons);
      const sort: SortKey[] = [{ column: MICRONS, descending: true }];
      const sorted = await tables.handlers.tableRows(
        { ...all, sort, start: 0, end: 3, columns: [MICRONS] },
        signal,
      );
      assert.deepEqual(sorted.rows.flat(), ['80', '4.225', '1.05625']);
      const filters: Filter[] = [{ kind: 'range', column: MICRONS, from: 1.05625, to: 4.225 }];
      assert.equal((await tables.handlers.tableView({ ...all, filters }, signal)).rowCount, 2);
      const { values } = await tables.handlers.tableDistinct(
        { ...all, column: MICRONS, limit: 9, filters: [] },
        signal,
      );
      assert.deepEqual(values.map(({ text }) => text).sort(), ['1.05625', '4.225', '80']);
      const columns = [AREA, MICRONS];
      const find = (text: string) =>
        tables.handlers.tableFindMatches(
          { ...all, text, columns, at: { position: 0, column: AREA } },
          signal,
        );
      assert.equal((await find('4.22')).matches, 1);
      assert.equal((await find('80')).matches, 1);
      assert.equal((await find('50')).matches, 1);
      assert.equal((await find('x')).matches, 0);
    });
  });
});
