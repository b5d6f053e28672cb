import { deepEqual, equal, ok } from 'node:assert/strict';
import { canceledError } from '../../../../../src/base/errors';
import { TileLoader } from '../../../../../src/masks/page/tiles/tileLoader';
import { type Tile, tileKey } from '../../../../../src/masks/page/tiles/tiles';

const tile = (x: number): Tile => ({ level: 0, x, y: 0 });

/** A loader whose requests are responded to by hand. */
function loaderOf(parallel: number) {
  const requested: string[] = [];
  const canceled: string[] = [];
  const loaded: string[] = [];
  const isLast: boolean[] = [];
  const failures: unknown[] = [];
  const responses = new Map<string, { resolve(value: string): void; reject(error: Error): void }>();
  const loader: TileLoader<string> = new TileLoader<string>({
    parallel,
    fetch: (wanted, signal) => {
      const key = tileKey(wanted);
      requested.push(key);
      return new Promise((resolve, reject) => {
        responses.set(key, { resolve, reject });
        signal.addEventListener('abort', () => {
          canceled.push(key);
          reject(canceledError());
        });
      });
    },
    onTile: wanted => {
      loaded.push(tileKey(wanted));
      isLast.push(loader.isLast);
    },
    onFailure: (_, error) => failures.push(error),
  });
  const settled = () => new Promise<void>(resolve => setImmediate(resolve));
  return { loader, requested, canceled, loaded, isLast, failures, responses, settled };
}

describe('loading tiles', () => {
  it('requests a limited number at once, in order, and the next when one arrives', async () => {
    const { loader, requested, responses, loaded, settled } = loaderOf(2);
    loader.want([tile(0), tile(1), tile(2)]);
    deepEqual(requested, ['0/0/0', '0/1/0']);
    responses.get('0/0/0')?.resolve('labels');
    await settled();
    deepEqual(requested, ['0/0/0', '0/1/0', '0/2/0']);
    deepEqual(loaded, ['0/0/0']);
  });

  it('tells for a tile that arrives whether others are expected', async () => {
    const { loader, responses, isLast, settled } = loaderOf(2);
    loader.want([tile(0), tile(1), tile(2)]);
    for (const key of ['0/1/0', '0/0/0', '0/2/0']) {
      responses.get(key)?.resolve('labels');
      await settled();
    }
    deepEqual(isLast, [false, false, true]);
  });

  it('cancels what went out of view and starts what came into it', async () => {
    const { loader, requested, canceled, loaded, failures, responses, settled } = loaderOf(2);
    loader.want([tile(0), tile(1)]);
    loader.want([tile(1), tile(2)]);
    deepEqual(canceled, ['0/0/0']);
    deepEqual(requested, ['0/0/0', '0/1/0', '0/2/0']);
    responses.get('0/1/0')?.resolve('labels');
    await settled();
    deepEqual(loaded, ['0/1/0']);
    deepEqual(failures, []);
  });

  it('does not request a tile twice while it is loading', () => {
    const { loader, requested } = loaderOf(4);
    loader.want([tile(0)]);
    loader.want([tile(0)]);
    deepEqual(requested, ['0/0/0']);
  });

  it('requests a canceled tile again once it is needed', async () => {
    const { loader, requested, loaded, responses, settled } = loaderOf(2);
    loader.want([tile(0)]);
    loader.want([]);
    loader.want([tile(0)]);
    deepEqual(requested, ['0/0/0', '0/0/0']);
    responses.get('0/0/0')?.resolve('labels');
    await settled();
    deepEqual(loaded, ['0/0/0']);
  });

  it('reports a failure once, continues, and does not request that tile again', async () => {
    const { loader, requested, failures, responses, settled } = loaderOf(1);
    loader.want([tile(0), tile(1)]);
    responses.get('0/0/0')?.reject(new Error('broken'));
    await settled();
    equal(failures.length, 1);
    loader.want([tile(0), tile(1)]);
    deepEqual(requested, ['0/0/0', '0/1/0']);
  });

  it('is idle when nothing is under way', async () => {
    const { loader, responses, settled } = loaderOf(1);
    ok(loader.idle);
    loader.want([tile(0)]);
    ok(!loader.idle);
    responses.get('0/0/0')?.resolve('labels');
    await settled();
    ok(loader.idle);
  });

  it('cancels everything when it is disposed', () => {
    const { loader, canceled } = loaderOf(2);
    loader.want([tile(0), tile(1), tile(2)]);
    loader.dispose();
    deepEqual(canceled, ['0/0/0', '0/1/0']);
    ok(loader.idle);
  });
});
