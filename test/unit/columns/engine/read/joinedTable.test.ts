import assert from 'node:assert/strict';
import { isCoded } from '../../../../../src/base/errors';
import { JoinedTable } from '../../../../../src/columns/engine/read/joinedTable';
import { columnStatisticsOf } from '../../../../../src/columns/engine/statistics/columnStatisticsOf';
import { TableTexts, Viewed, allCells, numbersOf, textsOf } from '../tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

describe('joined tables', () => {
  it('are one below the other, columns by name, each row with its label', async () => {
    const first = await texts.table('id,area,class\n1,5,x\n2,,y\n');
    const second = await texts.table('class,id,extra\ny,1,9\n"long,er",2,8\n');
    const joined = new JoinedTable(
      [
        { table: first, label: 'Job 1' },
        { table: second, label: 'Job 2' },
      ],
      'Job',
    );
    assert.deepEqual(
      joined.columns.map(({ name, kind }) => `${name}: ${kind}`),
      ['Job: text', 'id: number', 'area: number', 'class: text', 'extra: number'],
    );
    assert.deepEqual(allCells(joined), [
      ['Job 1', '1', '5', 'x', ''],
      ['Job 1', '2', '', 'y', ''],
      ['Job 2', '1', '', 'y', '9'],
      ['Job 2', '2', '', 'long,er', '8'],
    ]);
    assert.deepEqual(await numbersOf(joined, 4), [NaN, NaN, 9, 8]);
    assert.deepEqual(await textsOf(joined, 3), ['x', 'y', 'y', 'long,er']);
    const view = new Viewed(joined);
    const sort = [{ column: 1, descending: true }];
    assert.deepEqual(
      (await view.window(0, 9, sort, [{ kind: 'values', column: 0, values: ['Job 2'] }])).fileRows,
      [3, 2],
    );
    assert.deepEqual((await columnStatisticsOf(joined, 2, { rows: undefined, count: 4 })).missingKinds, {
      empty: 1,
      NA: 0,
      NaN: 0,
      null: 0,
      other: 0,
      absent: 2,
    });
    const candidates = await joined.candidateRows('job 2', false);
    assert.deepEqual(
      [0, 1, 2, 3].map(row => candidates.isCandidate(row)),
      [false, false, true, true],
    );
  });

  it('have a column of numbers where a table has none of its values, or no rows at all', async () => {
    const joined = new JoinedTable(
      [
        { table: await texts.table('id,area\n'), label: 'empty' },
        { table: await texts.table('id,area\n1,NA\n2,\n'), label: 'missing' },
        { table: await texts.table('id,area\n1,5\n'), label: 'full' },
      ],
      'Job',
    );
    assert.deepEqual(
      joined.columns.map(({ kind }) => kind),
      ['text', 'number', 'number'],
    );
    assert.deepEqual(await numbersOf(joined, 2), [NaN, NaN, 5]);
    const { missingKinds: missing } = await columnStatisticsOf(joined, 2, { rows: undefined, count: 3 });
    assert.deepEqual([missing.NA, missing.empty], [1, 1]);
  });

  it('have a column of text where one table has text, wherever it stands', async () => {
    const [blank, number, text] = ['a\nNA\n', 'a\n1\n', 'a\nx\n'];
    for (const order of [
      [blank, number, text],
      [text, number, blank],
      [number, text, blank],
    ]) {
      const parts = [];
      for (const each of order) parts.push({ table: await texts.table(each), label: '' });
      assert.equal(new JoinedTable(parts, 'Job').columns[1]?.kind, 'text');
    }
  });

  it('can be canceled while their distinct texts are collected', async () => {
    const many = Array.from({ length: 200_000 }, (_, row) => `text ${row}`).join('\n');
    const table = await texts.table(`a\n${many}\n`);
    const joined = new JoinedTable([{ table, label: 'Job 1' }], 'Job');
    const canceling = new AbortController();
    setImmediate(() => canceling.abort());
    await assert.rejects(joined.codes(1, canceling.signal), error => isCoded(error, 'cancelled'));
    assert.equal((await textsOf(joined, 1))[199_999], 'text 199999');
  });
});
