import assert from 'node:assert/strict';
import { FiltersToShow } from '../../../../src/table/node/filtersToShow';
import { canceledError, CodedError } from '../../../../src/base/errors';
import type { ViewSpec } from '../../../../src/columns/viewSpec';
import type { TableShown } from '../../../../src/linking/shownRows';

const view = (column: number): ViewSpec => ({
  sort: [],
  filters: [{ kind: 'range', column, from: 1, to: null }],
});
const shownOf = (column: number, rowCount: number): TableShown => ({
  view: view(column),
  rowCount,
  total: 9,
});
const settled = () => new Promise(resolve => setImmediate(resolve));

describe('filters that the table page is about to show', () => {
  let counts: { respond: (rowCount: number) => void; fail: (error: Error) => void }[];
  let shown: (TableShown | null)[];
  let passOn: () => void;
  let filters: FiltersToShow;

  beforeEach(() => {
    [counts, shown] = [[], []];
    const tables = {
      request: () =>
        new Promise((resolve, reject) =>
          counts.push({ respond: rowCount => resolve({ rowCount }), fail: reject }),
        ),
    };
    const rows = {
      setShown: (each: TableShown | null) => {
        shown.push(each);
        return new Promise<void>(resolve => (passOn = resolve));
      },
    };
    filters = new FiltersToShow(tables as never, rows);
  });

  const apply = (column: number, signal = new AbortController().signal) =>
    filters.apply({ view: view(column), total: 9 }, signal);

  it('reach other panels before the page has its count', async () => {
    let counted: number | undefined;
    const applied = apply(0).then(({ rowCount }) => (counted = rowCount));
    counts[0]?.respond(5);
    await settled();
    assert.deepEqual(shown, [shownOf(0, 5)]);
    assert.equal(counted, undefined);
    passOn();
    await applied;
    assert.equal(counted, 5);
  });

  it('do not keep the page waiting for a panel that takes long', async () => {
    const applied = apply(0);
    counts[0]?.respond(5);
    assert.deepEqual(await applied, { rowCount: 5 });
  });

  it('reach no other panel once others are wanted, or none', async () => {
    const canceled = new AbortController();
    const both = Promise.all([apply(0), apply(1, canceled.signal)]);
    canceled.abort();
    counts[0]?.respond(5);
    counts[1]?.respond(6);
    await both;
    assert.deepEqual(shown, []);
  });

  it('give way to what the page shows where it keeps that, since the latest were refused', async () => {
    filters.confirm(shownOf(7, 3));
    const first = apply(0);
    counts[0]?.respond(5);
    await settled();
    const second = apply(1);
    passOn();
    await first;
    counts[1]?.fail(new CodedError('bad-request', 'No column 1'));
    await assert.rejects(second);
    assert.deepEqual(shown, [shownOf(7, 3), shownOf(0, 5), shownOf(7, 3)]);
  });

  it('stay with others that are being counted where they were canceled', async () => {
    const first = apply(0);
    counts[0]?.fail(canceledError());
    await assert.rejects(first);
    assert.deepEqual(shown, []);
  });
});
