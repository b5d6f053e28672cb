import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type HeaderCell, HeaderSummaries } from '../../../../../../src/table/page/grid/headerCell';
import type { TableModel } from '../../../../../../src/table/page/tableModel';

/** A promise that resolves when the test says so. */
function gate() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>(done => (resolve = done));
  return { promise, resolve };
}

describe('what headers show of their columns', () => {
  it('is requested once the first rows are shown, and again once those of the latest filters are', async () => {
    const requested: number[] = [];
    const model = {
      activeFilters: [],
      numbers: (column: number) => {
        requested.push(column);
        return Promise.resolve({ data: undefined, missing: 0, rows: 0 });
      },
    } as unknown as TableModel;
    const failures: unknown[] = [];
    const summaries = new HeaderSummaries(model, error => failures.push(error));
    const header = (column: number) =>
      ({
        column,
        place: column,
        kind: 'number',
        setFiltered: () => false,
        setMissing: () => undefined,
      }) as unknown as HeaderCell;
    summaries.attach(header(1));
    summaries.attach(header(2));
    await setImmediate();
    assert.deepEqual(requested, []);
    summaries.start();
    await setImmediate();
    assert.deepEqual(requested.splice(0), [1, 2]);
    const first = gate();
    summaries.refresh(first.promise);
    const second = gate();
    summaries.refresh(second.promise);
    first.resolve();
    await setImmediate();
    assert.deepEqual(requested, []);
    second.resolve();
    await setImmediate();
    assert.deepEqual(requested, [1, 2]);
    assert.deepEqual(failures, []);
  });

  it('is how many values are missing where these are IDs, whether texts or numbers', async () => {
    const shown: [column: number, missing: number, rows: number][] = [];
    const model = {
      activeFilters: [],
      statisticsFilters: { filters: [] },
      table: {
        columns: [
          { index: 0, name: 'Object ID', kind: 'text' },
          { index: 1, name: 'Cell ID', kind: 'number' },
        ],
      },
      numbers: () => Promise.resolve({ data: undefined, missing: 2, rows: 9 }),
      request: (method: string, { columns }: { columns: number[] }) => {
        assert.deepEqual([method, columns], ['tableStatistics', [0]]);
        return Promise.resolve({ statistics: [{ count: 8, missing: 1 }] });
      },
    } as unknown as TableModel;
    const summaries = new HeaderSummaries(model, error => assert.fail(String(error)));
    for (const column of [0, 1])
      summaries.attach({
        column,
        kind: 'id',
        setFiltered: () => false,
        setMissing: (missing: number, rows: number) => shown.push([column, missing, rows]),
      } as unknown as HeaderCell);
    summaries.start();
    await setImmediate();
    assert.deepEqual(shown, [
      [0, 1, 9],
      [1, 2, 9],
    ]);
  });

  it('is shown together where results arrive shortly after each other', async () => {
    const done: string[] = [];
    const model = {
      activeFilters: [],
      numbers: (column: number) => {
        done.push(`request ${column}`);
        // The first column is scrolled out of view while its request is pending.
        if (column === 1 && headers[0]) summaries.detach(headers[0]);
        return Promise.resolve({ data: undefined, missing: 0, rows: 0 });
      },
    } as unknown as TableModel;
    const summaries = new HeaderSummaries(model, error => assert.fail(String(error)));
    const headers = [1, 2, 3, 4].map(
      column =>
        ({
          column,
          place: column,
          kind: 'number',
          setFiltered: () => false,
          setMissing: () => done.push(`show ${column}`),
        }) as unknown as HeaderCell,
    );
    for (const header of headers) summaries.attach(header);
    summaries.start();
    await setImmediate();
    assert.deepEqual(done, [
      'request 1',
      'request 2',
      'request 3',
      'request 4',
      'show 2',
      'show 3',
      'show 4',
    ]);
  });

  it('is requested from left to right, for a few columns at a time', async () => {
    const requested: number[] = [];
    const responses = new Map<number, () => void>();
    const model = {
      activeFilters: [],
      numbers: (column: number) => {
        requested.push(column);
        const { promise, resolve } = gate();
        responses.set(column, resolve);
        return promise.then(() => ({ data: undefined, missing: 0, rows: 0 }));
      },
    } as unknown as TableModel;
    const shown: number[] = [];
    const summaries = new HeaderSummaries(model, error => assert.fail(String(error)));
    // As the grid makes them after the user scrolled to the left.
    for (const column of [6, 5, 4, 3, 2, 1])
      summaries.attach({
        column,
        place: column,
        kind: 'number',
        setFiltered: () => false,
        setMissing: () => shown.push(column),
      } as unknown as HeaderCell);
    summaries.start();
    await setImmediate();
    assert.deepEqual(requested, [1, 2, 3, 4]);
    responses.get(2)?.();
    await setImmediate();
    assert.deepEqual(requested, [1, 2, 3, 4, 5]);
    responses.get(1)?.();
    for (const column of [3, 4, 5]) responses.get(column)?.();
    await setImmediate();
    assert.deepEqual(shown, []);
    responses.get(6)?.();
    await setImmediate();
    assert.deepEqual(shown.sort(), [1, 2, 3, 4, 5, 6]);
  });
});
