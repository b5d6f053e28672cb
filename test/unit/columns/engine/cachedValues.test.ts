import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ViewSpec } from '../../../../src/columns/viewSpec';
import { ValueCache } from '../../../../src/columns/engine/read/tableSource';
import { JoinedTable } from '../../../../src/columns/engine/read/joinedTable';
import type { ReadOptions } from '../../../../src/columns/engine/read/readTable';
import type { Table } from '../../../../src/columns/engine/read/table';
import { columnStatisticsOf } from '../../../../src/columns/engine/statistics/columnStatisticsOf';
import { groupRows } from '../../../../src/columns/engine/statistics/groups';
import { histogram } from '../../../../src/columns/engine/statistics/histogram';
import { TableView } from '../../../../src/columns/engine/tableView';
import { TableTexts } from './tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const ROWS = 5000;

function threeColumns(options?: ReadOptions): Promise<Table> {
  const rows = Array.from({ length: ROWS }, (_, row) => `${(row * 7919) % 1000}.5,${row % 17},${row}`);
  return texts.table(`a,b,c\n${rows.join('\n')}\n`, options);
}

/** Many requests, each with the bytes that its rows take while they are the latest. */
function* requests(view: TableView): Generator<{ ask: () => Promise<unknown>; viewBytes: number }> {
  const { table } = view;
  const all = { rows: undefined, count: table.rowCount };
  const columns = table.columns.filter(({ kind }) => kind === 'number').map(({ index }) => index);
  for (const column of columns) {
    const filters = [{ kind: 'range', column, from: 3, to: null }] as const;
    const sort = columns.map(each => ({ column: each, descending: each === column }));
    yield { ask: () => view.rows({ sort }), viewBytes: 4 * ROWS };
    yield { ask: () => histogram(table, { column, bins: 64 }, all), viewBytes: 4 * ROWS };
    yield { ask: () => columnStatisticsOf(table, column, all), viewBytes: 4 * ROWS };
    yield {
      ask: () => groupRows(table, { by: [1], measures: [column], limit: 9 }, all),
      viewBytes: 4 * ROWS,
    };
    yield { ask: () => view.filteredRows(filters), viewBytes: 4 * ROWS };
    yield { ask: () => view.rows({ sort, filters }), viewBytes: 8 * ROWS };
    yield { ask: () => view.position(7, { sort, filters }), viewBytes: 8 * ROWS };
    yield { ask: () => table.codes(column), viewBytes: 8 * ROWS };
    yield { ask: () => table.candidateRows('5', false), viewBytes: 8 * ROWS };
  }
}

describe('what is kept of a table', () => {
  for (const perRow of [0, 8, 32, 64, 256])
    it(`fits the budget with its columns, or is the latest view: ${perRow} bytes a row`, async () => {
      const budget = perRow * ROWS;
      const table = await threeColumns({ budget });
      equal(table.isReduced, perRow < 32);
      for (const { ask, viewBytes } of requests(new TableView(table))) {
        await ask();
        const held = table.cache.memory;
        ok(held <= Math.max(table.room, viewBytes), `${held} bytes beside ${table.memory} of ${budget}`);
      }
    });

  it('fits the budget of joined tables together', async () => {
    const budget = 20 * ROWS;
    const parts = [await threeColumns({ budget }), await threeColumns({ budget })];
    const joined = new JoinedTable(
      parts.map((table, at) => ({ table, label: String(at) })),
      'Job',
    );
    for (const { ask, viewBytes } of requests(new TableView(joined))) {
      await ask();
      const held = joined.cache.memory;
      ok(parts.every(({ cache }) => cache === joined.cache));
      const room = parts.reduce((sum, table) => sum + table.room, 0);
      ok(held <= Math.max(room, 2 * viewBytes), `${held} bytes of ${room}`);
    }
  });

  it('is the latest view whatever it takes: its rows are requested again and again', async () => {
    const table = await threeColumns({ budget: 1 });
    const view = new TableView(table);
    const spec: ViewSpec = { sort: [{ column: 0, descending: true }] };
    const { order } = await view.rows(spec);
    await table.numbers(1);
    await table.codes(2);
    equal((await view.rows(spec)).order, order);
    equal(table.cache.memory, order?.byteLength);
  });

  it('is the latest view of filtered rows, too, whatever else is requested of other rows', async () => {
    const table = await threeColumns({ budget: 1 });
    const view = new TableView(table);
    const sort = [{ column: 0, descending: true }];
    const filters = [{ kind: 'range', column: 2, from: 100, to: null }] as const;
    for (const spec of [
      { sort, filters },
      { sort: [], filters },
    ]) {
      const { order } = await view.rows(spec);
      equal((await view.rows(spec)).order, order);
      const others = await view.filteredRows([{ kind: 'range', column: 1, from: 5, to: null }]);
      await columnStatisticsOf(table, 0, others);
      equal((await view.rows(spec)).order, order);
    }
  });

  it('counts once what was made again while its first, canceled making ended', async () => {
    const values = new ValueCache(() => 10);
    let made: () => void = () => undefined;
    const promise = new Promise<void>(resolve => (made = resolve));
    const canceled = new AbortController();
    const value = { key: 'a', make: () => promise, bytesOf: () => 4 };
    const first = values.get(value, canceled.signal).catch(() => undefined);
    canceled.abort();
    const second = values.get(value);
    made();
    await Promise.all([first, second]);
    equal(values.memory, 4);
  });

  it('is made once, and again once it was dropped or has failed', async () => {
    const values = new ValueCache(() => 10);
    const made: string[] = [];
    const get = (key: string, bytes: number) =>
      values.get({
        key,
        make: () => {
          made.push(key);
          return made.length === 1 ? Promise.reject(new Error('first')) : Promise.resolve(key);
        },
        bytesOf: () => bytes,
      });
    await get('a', 4).catch(() => undefined);
    await get('a', 4);
    await get('b', 4);
    await get('a', 4);
    await get('c', 4);
    equal(values.memory, 8);
    await get('a', 4);
    await get('b', 4);
    deepEqual(made, ['a', 'a', 'b', 'c', 'b']);
  });
});
