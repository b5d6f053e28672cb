import assert from 'node:assert/strict';
import { canceledError, CodedError } from '../../../../src/base/errors';
import { MasksOpening } from '../../../../src/session/node/masksOpening';
import type { ShownMasks } from '../../../../src/session/node/sessionMasks';
import type { ArchiveSummary } from '../../../../src/archives/masksSummary';

const summary = (...ids: string[]): ArchiveSummary => ({
  classes: [],
  images: ids.map((id, index) => ({
    index,
    id,
    filename: `${id}.tif`,
    width: 10,
    height: 10,
    objectCount: 0,
    classCounts: [],
    unreadable: [],
    unreadableCount: 0,
  })),
  notes: [],
});

/** A promise that the test settles. */
function settledLater<T>() {
  let settle!: { resolve: (value: T) => void; reject: (error: Error) => void };
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}

/** A panel's opening of masks that are shown, and read to their end, when the test says so. */
function opening() {
  const calls: string[] = [];
  const closing = new AbortController();
  const shown = settledLater<ShownMasks>();
  const read = settledLater<ArchiveSummary>();
  const session = {
    show: () => {
      calls.push('show');
      return shown.promise;
    },
    open: () => {
      calls.push('open');
      return read.promise;
    },
  };
  const masks = new MasksOpening({
    masks: session,
    signal: closing.signal,
    onRead: ({ images }) => calls.push(`read ${images.length}`),
    onReload: () => calls.push('reload'),
  });
  return { masks, calls, closing, shown, read };
}

describe('the masks of a panel', () => {
  it('are opened before its page requests them, and pending until then', async () => {
    const { masks, calls, shown } = opening();
    assert.deepEqual(calls, ['show']);
    assert.ok(masks.isPending);
    const first = masks.opened();
    shown.resolve({ summary: summary('a'), isWhole: true });
    assert.equal((await first).isWhole, true);
    assert.ok(!masks.isPending);
  });

  it('are followed to their end while a page shows what was read so far', async () => {
    const { masks, calls, shown, read } = opening();
    shown.resolve({ summary: summary('a', 'b'), isWhole: false });
    const following = masks.follow((await masks.opened()).summary);
    assert.ok(!masks.isPending);
    read.resolve(summary('a', 'b'));
    await following;
    assert.deepEqual(calls, ['show', 'show', 'open', 'read 2']);
  });

  it('load the page again if they turn out to have other images', async () => {
    const { masks, calls, read } = opening();
    read.resolve(summary('b', 'a'));
    await masks.follow(summary('a', 'b'));
    assert.deepEqual(calls, ['show', 'open', 'reload']);
    void masks.open();
    assert.equal(calls.at(-1), 'show');
  });

  it('are shown only as a whole after they proved damaged while they were read', async () => {
    const { masks, calls, read } = opening();
    read.reject(new CodedError('damaged-archive', 'No'));
    await masks.follow(summary('a'));
    assert.deepEqual(calls, ['show', 'open', 'reload']);
    await assert.rejects(masks.open(), /No/);
    assert.equal(calls.at(-1), 'open');
  });

  it('do nothing more once the panel is closed', async () => {
    const { masks, calls, closing, read } = opening();
    closing.abort();
    read.reject(canceledError());
    await masks.follow(summary('a'));
    assert.deepEqual(calls, ['show', 'open']);
  });
});
