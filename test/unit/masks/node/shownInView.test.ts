import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { SessionRows } from '../../../../src/linking/node/sessionRows';
import { ShownInView } from '../../../../src/masks/node/rowsAndObjects';
import { CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import type { TableFiltered } from '../../../../src/masks/masksPage';
import type { TableShown } from '../../../../src/linking/shownRows';

type ShownChange = Parameters<Parameters<SessionRows['onDidChangeShown']>[0]>[0];

describe('the objects in view that match the filters of the table', () => {
  let changed: Emitter<ShownChange>;
  let rows: { shown: TableShown | null; onDidChangeShown: Emitter<ShownChange>['event'] };
  let requests: { image: number; respond: (bytes: number[]) => void; fail: (error: Error) => void }[];
  let sent: (TableFiltered | null)[];
  let failures: unknown[];
  let view: ShownInView;
  let passing: Promise<void>[];
  const change: ShownChange = { waitUntil: promise => passing.push(promise) };

  const filter = (rowCount: number) => {
    rows.shown = { view: { sort: [], filters: [] }, rowCount, total: 9 };
    changed.fire(change);
  };

  beforeEach(() => {
    changed = new Emitter();
    rows = { shown: null, onDidChangeShown: changed.event };
    [requests, sent, failures, passing] = [[], [], [], []];
    view = new ShownInView({
      rows,
      shownObjects: image =>
        new Promise((resolve, reject) =>
          requests.push({
            image,
            respond: bytes => resolve({ shown: Uint8Array.from(bytes).buffer }),
            fail: reject,
          }),
        ),
      send: filtered => sent.push(filtered),
      onFailure: error => failures.push(error),
    });
    view.image = 3;
  });

  afterEach(() => view.dispose());

  it('are sent with how many rows do', async () => {
    filter(5);
    requests[0]?.respond([1, 0]);
    await Promise.all(passing);
    assert.deepEqual(sent, [
      { rowCount: 5, total: 9, shown: { image: 3, objects: Uint8Array.of(1, 0).buffer } },
    ]);
    assert.equal(requests[0]?.image, 3);
  });

  it('are those of the latest filters, whichever response comes first', async () => {
    filter(5);
    filter(6);
    requests[1]?.respond([0, 1]);
    await setImmediate();
    requests[0]?.respond([1, 0]);
    await setImmediate();
    assert.deepEqual(
      sent.map(filtered => filtered?.rowCount),
      [6],
    );
  });

  it('are not requested if no image is in view or nothing is filtered', () => {
    view.image = undefined;
    filter(5);
    view.image = 3;
    rows.shown = null;
    changed.fire(change);
    assert.deepEqual(sent, [{ rowCount: 5, total: 9 }, null]);
    assert.equal(requests.length, 0);
  });

  it('are left to the page after a failure', async () => {
    filter(5);
    requests[0]?.fail(new CodedError('bad-request', 'No masks are open'));
    await setImmediate();
    assert.deepEqual(sent, [{ rowCount: 5, total: 9 }]);
    assert.equal(failures.length, 1);
  });
});
