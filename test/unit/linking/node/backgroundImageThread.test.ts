import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineThread } from '../../../../src/session/node/engineThread';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { EngineThreads } from '../../session/node/engineThreads';

const GOLDEN = 'test/golden/images';

describe('background images in an engine thread', () => {
  const threads = new EngineThreads();
  let thread: EngineThread;

  before(async () => {
    await threads.start();
    thread = threads.thread();
  });
  after(() => threads.end());

  it('of every format are opened and painted, since the thread has all that decoders need', async () => {
    const names = (await readdir(GOLDEN)).filter(name => /\.(tif|svs|webp)$/.test(name));
    assert.ok(names.length > 20);
    for (const name of names) {
      const { backgroundImage } = await thread.endpoint.request('openBackgroundImage', {
        path: join(GOLDEN, name),
      });
      const { pixels } = await thread.endpoint.request('backgroundImageTile', {
        backgroundImage,
        level: 0,
        x: 0,
        y: 0,
      });
      const tile = new Uint8Array(pixels);
      assert.equal(tile.length, TILE_SIZE * TILE_SIZE * 4, name);
      assert.equal(tile[(10 * TILE_SIZE + 10) * 4 + 3], 255, name);
      await thread.endpoint.request('closeBackgroundImage', { backgroundImage });
    }
  });
});
