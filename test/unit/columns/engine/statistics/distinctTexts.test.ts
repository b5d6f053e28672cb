import assert from 'node:assert/strict';
import { distinctTexts } from '../../../../../src/columns/engine/statistics/distinctTexts';
import { TableTexts } from '../tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

describe('the different values of a column', () => {
  it('leave out the words that mean no value in a column of numbers, and count them as missing', async () => {
    const table = await texts.table('n,t\n1,NA\nNA,x\n1.0,\n,NA\n1,x\nnull,NA\n');
    const all = { rows: undefined, count: 6 };
    assert.deepEqual(await distinctTexts(table, { column: 0, limit: 9 }, all), {
      values: [
        { text: '1', count: 2 },
        { text: '1.0', count: 1 },
      ],
      distinct: 2,
      missing: 3,
    });
    const { values, missing } = await distinctTexts(table, { column: 1, limit: 9 }, all);
    assert.deepEqual([values[0], missing], [{ text: 'NA', count: 3 }, 1]);
  });

  it('match as many rows as they count when used as a filter, also long ones', async () => {
    const long = 'x'.repeat(3000);
    const view = await texts.view(`t\n${long}y\n${long}z\n${long}y\n`);
    const { values } = await distinctTexts(
      view.table,
      { column: 0, limit: 9 },
      { rows: undefined, count: 3 },
    );
    assert.deepEqual(
      values.map(({ count }) => count),
      [2, 1],
    );
    for (const { text, count } of values) {
      const subset = await view.filteredRows([{ kind: 'values', column: 0, values: [text] }]);
      assert.equal(subset.count, count);
    }
  });

  it('fit in a small message', async () => {
    const table = await texts.table(`t\n${'x'.repeat(1_500_000)}\n${'y'.repeat(900_000)}\nz\n`);
    const { values, distinct } = await distinctTexts(
      table,
      { column: 0, limit: 9 },
      { rows: undefined, count: 3 },
    );
    assert.deepEqual(
      values.map(({ text }) => text.length),
      [900_000, 1],
    );
    assert.equal(distinct, 3);
  });
});
