import assert from 'node:assert/strict';
import { cancelledError } from '../../../../src/base/errors';
import type { Filter, TableSummary, ViewSpec } from '../../../../src/protocol/tableEngine';
import type { PageFilter } from '../../../../src/webview/table/filterList';
import { figureRows } from '../../../../src/webview/table/rowLevels';
import { TableModel } from '../../../../src/webview/table/tableModel';

interface Asked {
  filters: unknown[];
  answer: (rowCount: number) => Promise<void>;
}

/** A panel whose answers to "how many rows" are given by hand. */
function handPanel() {
  const asked: Asked[] = [];
  const request = (_question: string, { filters }: { filters: unknown[] }, signal?: AbortSignal) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(cancelledError()));
      asked.push({
        filters,
        answer: async rowCount => {
          resolve({ rowCount });
          // What hangs on the answer is done when all that is due has run.
          await new Promise<void>(done => setImmediate(done));
        },
      });
    });
  return { asked, panel: { request } as never };
}

const table = (rowCount: number, reading: boolean): TableSummary => ({
  columns: [{ index: 0, name: 'n', kind: 'number' }],
  rowCount,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
  ...(reading && { reading: true }),
});

const range = (from: number): PageFilter => ({ filter: { kind: 'range', column: 0, from, to: null } });

describe('the rows that a table page counts', () => {
  it('are those of the filters in force when reading ended while they changed', async () => {
    const { asked, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const first = model.setFilters([range(1)]);
    await asked[0]?.answer(5);
    await first;
    const second = model.setFilters([range(2)]);
    const grown = model.grow(table(100, false));
    // The change was counted before the last rows came, the growth under the filters before it.
    await asked[1]?.answer(3);
    for (let at = 2; at < asked.length; at++)
      await asked[at]?.answer(
        JSON.stringify(asked[at]?.filters) === JSON.stringify([range(2).filter]) ? 30 : 50,
      );
    await Promise.all([second, grown]);
    assert.deepEqual(model.filters, [range(2)]);
    assert.equal(model.rowCount, 30);
  });

  it('are told of when reading ended although the user changed the filters meanwhile', async () => {
    const { asked, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const first = model.setFilters([range(1)]);
    await asked[0]?.answer(5);
    await first;
    const changes: string[] = [];
    model.onDidChange(change => changes.push(change));
    const grown = model.grow(table(100, false));
    const second = model.setFilters([range(2)]);
    for (let at = 1; at < asked.length; at++) await asked[at]?.answer(30);
    await Promise.all([grown, second]);
    assert.deepEqual([model.rowCount, changes.includes('table')], [30, true]);
  });

  it('are of a table read anew, with its lassos drawn again, when its thread was lost', async () => {
    let sets = 1;
    const lasso = { x: 0, y: 0, polygon: [0, 0, 9, 0, 9, 9] };
    const lassoed = (set: number): PageFilter => ({ filter: { kind: 'rowSet', set }, lasso, rows: 4 });
    const request = (question: string, { filters }: { filters?: Filter[] }) => {
      if (question === 'tableLasso') return Promise.resolve({ set: ++sets, rows: 4 });
      return Promise.resolve({ rowCount: filters?.length === 1 ? 4 : 0 });
    };
    const model = new TableModel({ request } as never, table(100, false));
    const changes: string[] = [];
    await model.setFilters([lassoed(1), { filter: { kind: 'rowSet', set: 9 }, rows: 2 }]);
    model.onDidChange(change => changes.push(change));
    await model.grow(table(10, true));
    assert.deepEqual(changes, ['table']);
    await model.grow(table(100, false));
    assert.deepEqual([model.filters, model.rowCount], [[lassoed(2)], 4]);
    assert.deepEqual(changes, ['table', 'filters', 'table']);
  });

  it('stay the rows that were there when they were put in order, until all have come', async () => {
    const asked: ViewSpec[] = [];
    const request = (_question: string, spec: ViewSpec) => {
      asked.push(spec);
      return Promise.resolve({ rowCount: (spec.upTo ?? 100) / 2 });
    };
    const model = new TableModel({ request } as never, table(10, true));
    const sort = [{ column: 0, descending: true }];
    model.setSort(sort);
    await model.grow(table(20, true));
    assert.deepEqual([model.rowCount, model.spec], [10, { sort, filters: [], upTo: 10 }]);
    await model.setFilters([range(1)]);
    await model.grow(table(30, true));
    assert.deepEqual([model.rowCount, model.spec.upTo, asked.at(-1)?.upTo], [10, 20, 20]);
    model.setSort([]);
    assert.deepEqual([model.rowCount, model.spec.upTo], [10, 20]);
    await model.setFilters([]);
    assert.deepEqual([model.rowCount, model.spec.upTo], [30, undefined]);
    await model.setFilters([range(1)]);
    await model.grow(table(100, false));
    assert.deepEqual([model.rowCount, model.spec.upTo], [50, undefined]);
  });

  it('are told with lassos as large as they are once all have come', async () => {
    const lasso = { x: 0, y: 0, polygon: [0, 0, 9, 0, 9, 9] };
    const lassoed = (set: number, rows: number): PageFilter => ({
      filter: { kind: 'rowSet', set },
      lasso,
      rows,
    });
    const request = (question: string) =>
      Promise.resolve(question === 'tableLasso' ? { set: 2, rows: 40 } : { rowCount: 40 });
    const model = new TableModel({ request } as never, table(10, true));
    const picked: PageFilter = { filter: { kind: 'rowSet', set: 9 }, rows: 2 };
    await model.setFilters([lassoed(1, 4), picked]);
    await model.grow(table(100, false));
    assert.deepEqual([model.filters, model.rowCount], [[lassoed(2, 40), picked], 40]);
  });

  it('wait for no answer without filters', async () => {
    const { asked, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    await model.grow(table(20, true));
    assert.deepEqual([model.rowCount, asked.length], [20, 0]);
  });
});

describe('figures of a table with rows of groups and of images', () => {
  const images: Filter = { kind: 'values', column: 0, values: ['image'] };
  const groups: Filter = { kind: 'values', column: 0, values: ['group'], missing: true };

  async function aggregateTable(filters: PageFilter[]) {
    const levels = { column: 0, groupRows: 2, imageRows: 8, groupFilter: groups, imageFilter: images };
    const request = () => Promise.resolve({ rowCount: 5 });
    const model = new TableModel({ request } as never, table(10, false));
    model.keepApart(figureRows(levels));
    await model.setFilters(filters);
    return model;
  }

  it('are about images where both kinds are shown, and that can be said', async () => {
    const model = await aggregateTable([range(1)]);
    assert.deepEqual(model.figures, { filters: [range(1).filter, images], among: [images] });
    assert.equal(model.figuresAreNarrower, true);
  });

  it('are about groups where groups are shown, compared with groups only', async () => {
    const model = await aggregateTable([{ filter: groups }]);
    assert.deepEqual(model.figures.among, [groups]);
    assert.equal(model.figuresAreNarrower, false);
  });

  it('are about every row of another table', () => {
    const model = new TableModel({} as never, table(10, false));
    assert.deepEqual(model.figures, { filters: [] });
  });
});
