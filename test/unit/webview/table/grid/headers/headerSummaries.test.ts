import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { HeaderCell } from '../../../../../../src/webview/table/grid/headers/headerCell';
import { HeaderSummaries } from '../../../../../../src/webview/table/grid/headers/headerSummaries';
import type { TableModel } from '../../../../../../src/webview/table/tableModel';

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
      filters: [],
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

  it('is shown together where results arrive shortly after each other', async () => {
    const done: string[] = [];
    const model = {
      filters: [],
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
});
