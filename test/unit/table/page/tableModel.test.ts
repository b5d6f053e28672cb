import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { Filter, ViewSpec } from '../../../../src/columns/viewSpec';
import assert from 'node:assert/strict';
import { canceledError, CodedError } from '../../../../src/base/errors';
import type { PageFilter } from '../../../../src/table/page/filterList';
import { statisticsRows } from '../../../../src/table/page/tableFilters';
import { TableModel } from '../../../../src/table/page/tableModel';

interface CountRequest {
  method: string;
  filters: unknown[];
  respond: (rowCount: number) => Promise<void>;
  refuse: () => Promise<void>;
}

/** A panel whose responses to requests for the number of rows are given by hand. */
function handPanel() {
  const requests: CountRequest[] = [];
  type Params = { filters: unknown[] } | { view: { filters: unknown[] } };
  const request = (method: string, params: Params, signal?: AbortSignal) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(canceledError()));
      const { filters } = 'view' in params ? params.view : params;
      requests.push({
        method,
        filters,
        respond: rowCount => {
          resolve({ rowCount });
          return allDue();
        },
        refuse: () => {
          reject(new CodedError('bad-request', 'missing closing )'));
          return allDue();
        },
      });
    });
  return { requests, panel: { request } as never };
}

/** What hangs on a response is done when all that is due has run. */
const allDue = () => new Promise<void>(done => setImmediate(done));

const table = (rowCount: number, reading: boolean): TableSummary => ({
  columns: [{ index: 0, name: 'n', kind: 'number' }],
  rowCount,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
  ...(reading && { reading: true }),
});

const range = (from: number): PageFilter => ({ filter: { kind: 'range', column: 0, from, to: null } });

describe('the rows that a table page counts', () => {
  it('keep the order, and what else the user has changed, while columns of images come', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, false));
    const first = model.setFilters([range(1)]);
    await requests[0]?.respond(5);
    await first;
    const extending = model.extend(table(10, false), [range(1)], []);
    const sort = [{ column: 0, descending: true }];
    model.setSort(sort);
    const withOff = [...model.filters, { ...range(9), off: true as const }];
    await model.setFilters(withOff);
    await requests[1]?.respond(5);
    await extending;
    assert.deepEqual([model.sort, model.filters, model.rowCount], [sort, withOff, 5]);
  });

  it('are those of the filters in force when reading ended while they changed', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const first = model.setFilters([range(1)]);
    await requests[0]?.respond(5);
    await first;
    const second = model.setFilters([range(2)]);
    const grown = model.grow(table(100, false));
    // The change was counted before the last rows came, the growth under the filters before it.
    await requests[1]?.respond(3);
    for (let at = 2; at < requests.length; at++)
      await requests[at]?.respond(
        JSON.stringify(requests[at]?.filters) === JSON.stringify([range(2).filter]) ? 30 : 50,
      );
    await Promise.all([second, grown]);
    assert.deepEqual(model.filters, [range(2)]);
    assert.equal(model.rowCount, 30);
  });

  it('are those of the filters that are on, and are not counted again when one that is off is removed', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(100, false));
    const changes: string[] = [];
    model.onDidChange(change => changes.push(change));
    model.onDidChangeList(() => changes.push('list'));
    const [on, off] = [range(1), { ...range(2), off: true as const }];
    const set = model.setFilters([on, off]);
    await requests[0]?.respond(5);
    await set;
    assert.deepEqual([requests[0]?.filters, model.spec.filters], [[on.filter], [on.filter]]);
    await model.setFilters([on]);
    assert.deepEqual([changes, requests.length, model.filters], [['filters', 'list'], 1, [on]]);
    await model.setFilters([{ ...on, off: true }]);
    assert.deepEqual([model.isFiltered, model.rowCount, requests.length], [false, 100, 1]);
    assert.deepEqual(model.statisticsFilters.filters, []);
  });

  it('are set again for other panels that show filters which were canceled, even if they are those of before', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(100, false));
    const first = model.setFilters([range(1)]);
    await requests[0]?.respond(5);
    await first;
    const canceled = assert.rejects(model.setFilters([range(2)]));
    const back = model.setFilters(model.filters);
    await requests.at(-1)?.respond(5);
    await Promise.all([canceled, back]);
    assert.deepEqual(
      requests.map(({ filters }) => filters),
      [range(1), range(2), range(1)].map(({ filter }) => [filter]),
    );
  });

  it('are counted of filters that other panels may show before, and only for the page after the last rows', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const set = model.setFilters([range(1)]);
    await requests[0]?.respond(5);
    await set;
    const grown = model.grow(table(100, false));
    await requests[1]?.respond(50);
    await grown;
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['applyFilters', 'tableView'],
    );
  });

  it('are reported at the end of reading even if the filters changed meanwhile', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const first = model.setFilters([range(1)]);
    await requests[0]?.respond(5);
    await first;
    const changes: string[] = [];
    model.onDidChange(change => changes.push(change));
    const grown = model.grow(table(100, false));
    const second = model.setFilters([range(2)]);
    for (let at = 1; at < requests.length; at++) await requests[at]?.respond(30);
    await Promise.all([grown, second]);
    assert.deepEqual([model.rowCount, changes.includes('table')], [30, true]);
  });

  it('are counted to the end of reading even if a filter that is off was removed meanwhile', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    const set = model.setFilters([range(1), { ...range(2), off: true }]);
    await requests[0]?.respond(5);
    await set;
    const grown = model.grow(table(100, false));
    await model.setFilters(model.filters.slice(0, 1));
    await requests[1]?.respond(50);
    await grown;
    assert.deepEqual([model.filters, model.rowCount], [[range(1)], 50]);
  });

  it('are of the table as read again, lassos included, after its worker was lost', async () => {
    let sets = 1;
    const lasso = { x: 0, y: 0, polygon: [0, 0, 9, 0, 9, 9] };
    const lassoed = (set: number): PageFilter => ({ filter: { kind: 'rowSet', set }, lasso });
    const request = (method: string, { filters }: { filters?: Filter[] }) => {
      if (method === 'tableLasso') return Promise.resolve({ set: ++sets, rows: 4 });
      return Promise.resolve({ rowCount: filters?.length === 1 ? 4 : 0 });
    };
    const model = new TableModel({ request } as never, table(100, false));
    const changes: string[] = [];
    await model.setFilters([lassoed(1), { filter: { kind: 'rowSet', set: 9 } }]);
    model.onDidChange(change => changes.push(change));
    await model.grow(table(10, true));
    assert.deepEqual(changes, ['table']);
    await model.grow(table(100, false));
    assert.deepEqual([model.filters, model.rowCount], [[lassoed(2)], 4]);
    assert.deepEqual(changes, ['table', 'filters', 'table']);
  });

  it('stay the rows that were there when they were put in order, until all have come', async () => {
    const requests: ViewSpec[] = [];
    const request = (_method: string, params: ViewSpec | { view: ViewSpec }) => {
      const spec = 'view' in params ? params.view : params;
      requests.push(spec);
      return Promise.resolve({ rowCount: (spec.upTo ?? 100) / 2 });
    };
    const model = new TableModel({ request } as never, table(10, true));
    const sort = [{ column: 0, descending: true }];
    model.setSort(sort);
    await model.grow(table(20, true));
    assert.deepEqual([model.rowCount, model.spec], [10, { sort, filters: [], upTo: 10 }]);
    await model.setFilters([range(1)]);
    await model.grow(table(30, true));
    assert.deepEqual([model.rowCount, model.spec.upTo, requests.at(-1)?.upTo], [10, 20, 20]);
    model.setSort([]);
    assert.deepEqual([model.rowCount, model.spec.upTo], [10, 20]);
    await model.setFilters([]);
    assert.deepEqual([model.rowCount, model.spec.upTo], [30, undefined]);
    await model.setFilters([range(1)]);
    await model.grow(table(100, false));
    assert.deepEqual([model.rowCount, model.spec.upTo], [50, undefined]);
  });

  it('match the filters last set, which the next change starts from even if they are still being applied', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, false));
    const first = model.setFilters([range(1)]);
    assert.deepEqual([model.filters, model.latestFilters], [[], [range(1)]]);
    const second = model.setFilters([...model.latestFilters, range(2)]);
    await assert.rejects(first, { code: 'cancelled' });
    assert.deepEqual(model.latestFilters, [range(1), range(2)]);
    await requests[1]?.respond(3);
    await second;
    assert.deepEqual(
      [model.filters, model.latestFilters],
      [
        [range(1), range(2)],
        [range(1), range(2)],
      ],
    );

    const refused = new TableModel(
      { request: () => Promise.reject(new Error('refused')) } as never,
      table(10, false),
    );
    await assert.rejects(refused.setFilters([range(1)]));
    assert.deepEqual(refused.latestFilters, []);
  });

  it('match the filters that were being applied when others were set that are refused', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(100, false));
    const sets = [[range(1)], [range(1), range(2)], [range(1), range(3)]].map(filters =>
      assert.rejects(model.setFilters(filters)),
    );
    await requests[2]?.refuse();
    assert.deepEqual(model.latestFilters, [range(1), range(2)]);
    await requests[3]?.refuse();
    await requests[4]?.respond(20);
    await Promise.all(sets);
    assert.deepEqual([model.filters, model.rowCount], [[range(1)], 20]);
    assert.equal(model.latestFilters, model.filters);
  });

  it('wait for no response without filters', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, true));
    await model.grow(table(20, true));
    assert.deepEqual([model.rowCount, requests.length], [20, 0]);
  });
});

describe('the position of a row in the view', () => {
  it('is that in the file, without a request, where all rows are shown in the order of the file', async () => {
    const { requests, panel } = handPanel();
    const model = new TableModel(panel, table(10, false));
    assert.deepEqual([await model.position(3), await model.position(10), requests.length], [3, -1, 0]);
    model.setSort([{ column: 0, descending: true }]);
    void model.position(3);
    assert.equal(requests.length, 1);
  });
});

describe('statistics of a table with rows of groups and of images', () => {
  const images: Filter = { kind: 'values', column: 0, values: ['image'] };
  const groups: Filter = { kind: 'values', column: 0, values: ['group'], missing: true };

  async function aggregateTable(filters: PageFilter[]) {
    const levels = { column: 0, groupRows: 2, imageRows: 8, groupFilter: groups, imageFilter: images };
    const request = () => Promise.resolve({ rowCount: 5 });
    const model = new TableModel({ request } as never, table(10, false));
    model.separateLevels(statisticsRows(levels));
    await model.setFilters(filters);
    return model;
  }

  it('count images where both kinds are shown and images are known', async () => {
    const model = await aggregateTable([range(1)]);
    assert.deepEqual(model.statisticsFilters, { filters: [range(1).filter, images], among: [images] });
    assert.equal(model.statisticsAreNarrower, true);
  });

  it('are about groups where groups are shown, compared with groups only', async () => {
    const model = await aggregateTable([{ filter: groups }]);
    assert.deepEqual(model.statisticsFilters.among, [groups]);
    assert.equal(model.statisticsAreNarrower, false);
  });

  it('are about every row of another table', () => {
    const model = new TableModel({} as never, table(10, false));
    assert.deepEqual(model.statisticsFilters, { filters: [] });
  });
});
