import { deepEqual, equal, ok } from 'node:assert/strict';
import { cancelledError } from '../../../../src/base/errors';
import { TileLoader } from '../../../../src/webview/masks/tileLoader';
import { tileKey, type Tile } from '../../../../src/webview/masks/tileMath';

const tile = (x: number): Tile => ({ level: 0, x, y: 0 });

/** A loader whose requests are answered by hand. */
function loaderOf(parallel: number) {
  const asked: string[] = [];
  const cancelled: string[] = [];
  const loaded: string[] = [];
  const failures: unknown[] = [];
  const answers = new Map<string, { resolve(value: string): void; reject(error: Error): void }>();
  const loader = new TileLoader<string>({
    parallel,
    fetch: (wanted, signal) => {
      const key = tileKey(wanted);
      asked.push(key);
      return new Promise((resolve, reject) => {
        answers.set(key, { resolve, reject });
        signal.addEventListener('abort', () => {
          cancelled.push(key);
          reject(cancelledError());
        });
      });
    },
    onTile: wanted => loaded.push(tileKey(wanted)),
    onFailure: (_, error) => failures.push(error),
  });
  const settled = () => new Promise<void>(resolve => setImmediate(resolve));
  return { loader, asked, cancelled, loaded, failures, answers, settled };
}

describe('loading tiles', () => {
  it('asks for so many at once, the first ones first, and for the next when one has come', async () => {
    const { loader, asked, answers, loaded, settled } = loaderOf(2);
    loader.want([tile(0), tile(1), tile(2)]);
    deepEqual(asked, ['0/0/0', '0/1/0']);
    answers.get('0/0/0')?.resolve('labels');
    await settled();
    deepEqual(asked, ['0/0/0', '0/1/0', '0/2/0']);
    deepEqual(loaded, ['0/0/0']);
  });

  it('cancels what went out of view and starts what came into it', async () => {
    const { loader, asked, cancelled, loaded, failures, answers, settled } = loaderOf(2);
    loader.want([tile(0), tile(1)]);
    loader.want([tile(1), tile(2)]);
    deepEqual(cancelled, ['0/0/0']);
    deepEqual(asked, ['0/0/0', '0/1/0', '0/2/0']);
    answers.get('0/1/0')?.resolve('labels');
    await settled();
    deepEqual(loaded, ['0/1/0']);
    deepEqual(failures, []);
  });

  it('does not ask twice for what is under way', () => {
    const { loader, asked } = loaderOf(4);
    loader.want([tile(0)]);
    loader.want([tile(0)]);
    deepEqual(asked, ['0/0/0']);
  });

  it('asks again for a tile that was cancelled and is wanted again', async () => {
    const { loader, asked, loaded, answers, settled } = loaderOf(2);
    loader.want([tile(0)]);
    loader.want([]);
    loader.want([tile(0)]);
    deepEqual(asked, ['0/0/0', '0/0/0']);
    answers.get('0/0/0')?.resolve('labels');
    await settled();
    deepEqual(loaded, ['0/0/0']);
  });

  it('reports a failure once, goes on, and does not ask for that tile again', async () => {
    const { loader, asked, failures, answers, settled } = loaderOf(1);
    loader.want([tile(0), tile(1)]);
    answers.get('0/0/0')?.reject(new Error('broken'));
    await settled();
    equal(failures.length, 1);
    loader.want([tile(0), tile(1)]);
    deepEqual(asked, ['0/0/0', '0/1/0']);
  });

  it('is idle when nothing is under way', async () => {
    const { loader, answers, settled } = loaderOf(1);
    ok(loader.idle);
    loader.want([tile(0)]);
    ok(!loader.idle);
    answers.get('0/0/0')?.resolve('labels');
    await settled();
    ok(loader.idle);
  });

  it('cancels everything when it is disposed', () => {
    const { loader, cancelled } = loaderOf(2);
    loader.want([tile(0), tile(1), tile(2)]);
    loader.dispose();
    deepEqual(cancelled, ['0/0/0', '0/1/0']);
    ok(loader.idle);
  });
});
