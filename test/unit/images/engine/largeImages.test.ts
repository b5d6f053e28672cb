import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { BlockCache } from '../../../../src/images/engine/blockCache';
import { BackgroundImage } from '../../../../src/images/engine/backgroundImage';
import { TiffSource } from '../../../../src/images/tiff/tiffSource';
import { SyntheticTiff, type SyntheticLevel } from './syntheticTiff';
import { codedReason } from '../../../../src/base/reasons';
import type { ByteSource } from '../../../../src/images/byteSource';
import { damagedData, whyUndecodable } from '../../../../src/images/raster';
import { reasonText } from '../../words/reasonText';

const MB = 1024 ** 2;
const TILE = 256;

/** Levels of one image whose samples change slowly, so that every level shows nearly the same. */
function pyramid(edge: number, factors: readonly number[]): SyntheticLevel[] {
  return factors.map(factor => ({
    width: Math.floor(edge / factor),
    height: Math.floor(edge / factor),
    tile: TILE,
    sample: (x, y) => ((x * factor) >> 10) + ((y * factor) >> 10),
  }));
}

async function open(
  file: SyntheticTiff,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
) {
  const blocks = new BlockCache(32 * MB);
  const source = await TiffSource.open({ file, fileName: 'slide.tif', blocks, key: '1' }, signal);
  return { image: await BackgroundImage.open(source, 0, signal, onProgress), blocks };
}

/** Percentiles of (x >> 7) + (y >> 7) over a whole image, counted by blocks of 128 × 128 pixels. */
function percentiles(width: number, height: number): { low: number; high: number } {
  const counts = new Map<number, number>();
  for (let x = 0; x < width; x += 128)
    for (let y = 0; y < height; y += 128) {
      const value = (x >> 7) + (y >> 7);
      const pixels = Math.min(128, width - x) * Math.min(128, height - y);
      counts.set(value, (counts.get(value) ?? 0) + pixels);
    }
  const at = (share: number) => {
    let left = share * width * height;
    for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) if ((left -= count) < 0) return value;
    return NaN;
  };
  return { low: at(0.0035), high: at(0.9965) };
}

const shown = (tile: Uint8Array, x: number, y: number) => tile[(y * TILE + x) * 4] ?? NaN;

describe('An image of 100,000 × 100,000 pixels', () => {
  it('is opened, painted at every level and sampled from few of its bytes', async () => {
    const file = new SyntheticTiff(pyramid(100_000, [1, 4, 16, 64]));
    assert.ok(file.size > 10e9);
    const { image, blocks } = await open(file);
    assert.deepEqual(image.source.facts.levels.at(-1), { width: 1562, height: 1562 });
    // The coarsest level is read for the contrast, and nothing finer.
    assert.ok(file.bytesRead < 4 * MB, `${file.bytesRead} bytes to open it`);
    const before = file.bytesRead;
    const look = {
      ...image.look,
      channels: image.look.channels.map(c => ({ ...c, low: 0, high: 255 })),
    };
    for (let level = 0; level <= 9; level++) {
      const scale = 2 ** level;
      const at = Math.floor(60_000 / (TILE * scale));
      const tile = await image.tile(level, at, at, look);
      const [x, y] = [10, 20].map(place => (at * TILE + place) * scale);
      const expected = ((x ?? 0) >> 10) + ((y ?? 0) >> 10);
      assert.ok(Math.abs(shown(tile, 10, 20) - expected) <= 1 + scale / 512, `level ${level}`);
    }
    assert.ok(file.bytesRead - before < 12 * MB, `${file.bytesRead - before} bytes for ten tiles`);
    assert.ok(blocks.bytes <= 32 * MB);
    assert.deepEqual(await image.values(99_999, 1), [97]);
    assert.deepEqual(await image.values(100_000, 1), []);
    assert.deepEqual(await image.values(-1, 1), []);
  });

  it('reads the samples of a tile once while they are in the cache', async () => {
    const file = new SyntheticTiff(pyramid(100_000, [1, 4, 16, 64]));
    const { image } = await open(file);
    await image.tile(0, 7, 8);
    const { reads } = file;
    await image.tile(0, 7, 8);
    assert.equal(file.reads, reads);
  });
});

describe('A large image without a pyramid', () => {
  const strips = (onRead?: () => void) =>
    new SyntheticTiff(
      [{ width: 9000, height: 6000, tile: 0, sample: (x, y) => ((x >> 7) + (y >> 7)) & 255 }],
      onRead,
    );

  it('is read once, with progress, and then painted from its overview', async () => {
    const file = strips();
    const progress: number[] = [];
    const { image, blocks } = await open(file, undefined, (done, total) => {
      assert.equal(total, 6000);
      progress.push(done);
    });
    assert.ok(progress.length > 5 && progress.at(-1) === 6000);
    assert.deepEqual(
      progress,
      [...progress].sort((a, b) => a - b),
    );
    // Every sample once, and the lists of strips.
    assert.ok(file.bytesRead < 9000 * 6000 * 1.1, `${file.bytesRead} bytes`);
    assert.ok(blocks.bytes <= 32 * MB);
    assert.deepEqual(image.contrast, [percentiles(9000, 6000)]);
    const { reads } = file;
    const look = {
      ...image.look,
      channels: image.look.channels.map(c => ({ ...c, low: 0, high: 255 })),
    };
    const whole = await image.tile(6, 0, 0, look);
    assert.equal(file.reads, reads);
    assert.ok(Math.abs(shown(whole, 100, 50) - ((6400 >> 7) + (3200 >> 7))) <= 1);
    const detail = await image.tile(0, 20, 10, look);
    assert.equal(shown(detail, 3, 4), ((20 * TILE + 3) >> 7) + ((10 * TILE + 4) >> 7));
  });

  it('is not read further once it is canceled', async () => {
    const controller = new AbortController();
    let reads = 0;
    const file = strips(() => {
      if (++reads === 400) controller.abort();
    });
    await assert.rejects(open(file, controller.signal), error => isCoded(error, 'cancelled'));
    assert.ok(file.reads < 420, `${file.reads} reads`);
  });

  it('is shown as far as it reaches when it is cut off, and what is missing counts nowhere', async () => {
    const file = strips();
    const rows = 2048;
    Object.defineProperty(file, 'size', { value: file.size - 9000 * (6000 - rows) });
    const { image } = await open(file);
    assert.deepEqual(
      whyUndecodable(image.damage),
      codedReason('undecodable', 'The file is damaged or cut off'),
    );
    assert.deepEqual(image.contrast, [percentiles(9000, rows)]);
    const [spread] = await image.spread();
    assert.deepEqual([spread?.lowest, spread?.highest], [0, (8999 >> 7) + ((rows - 1) >> 7)]);
    let damaged = 0;
    const whole = await image.tile(6, 0, 0, image.look, undefined, () => damaged++);
    assert.ok(damaged > 0);
    const isHatched = (x: number, y: number) => [96, 160].includes(shown(whole, x, y));
    const column = Array.from({ length: 8 }, (_, x) => x + 20);
    assert.ok(column.every(x => isHatched(x, rows / 64 + 1) && isHatched(x, 90)));
    assert.ok(!column.every(x => isHatched(x, rows / 64 - 1)));
    // A part that is not damaged is painted without a word.
    damaged = 0;
    await image.tile(0, 3, 3, image.look, undefined, () => damaged++);
    assert.equal(damaged, 0);
  });

  it('is refused with the reason when none of it can be decoded', async () => {
    const file = strips();
    Object.defineProperty(file, 'size', { value: file.size - 9000 * 6000 });
    await assert.rejects(
      open(file),
      error => isCoded(error, 'bad-request') && /cut off/.test(reasonText(error)),
    );
  });

  it('whose tiles are damaged one by one is hatched there, and right elsewhere', async () => {
    const sample = (x: number, y: number) => ((x >> 7) + (y >> 7)) & 255;
    const file = new SyntheticTiff([{ width: 5000, height: 4000, tile: TILE, sample }]);
    const [across, first] = [Math.ceil(5000 / TILE), file.size - TILE * TILE * 20 * 16];
    const damagedTile = 5 * across + 7;
    const source: ByteSource = {
      size: file.size,
      read: (at, length) => {
        if (at === first + damagedTile * TILE * TILE) throw damagedData('Deflate');
        return file.read(at, length);
      },
    };
    const parts = { file: source, fileName: 'slide.tif', blocks: new BlockCache(32 * MB), key: '1' };
    const image = await BackgroundImage.open(await TiffSource.open(parts));
    assert.deepEqual(
      whyUndecodable(image.damage),
      codedReason('undecodable', 'The {0} data is damaged or cut off', 'Deflate'),
    );
    const look = {
      ...image.look,
      channels: image.look.channels.map(c => ({ ...c, low: 0, high: 255 })),
    };
    // At half of its size: 128 pixels from (7, 5) times 128 on.
    const tile = await image.tile(1, 3, 2, look, undefined, () => undefined);
    for (let y = 0; y < TILE; y++)
      for (let x = 0; x < TILE; x++) {
        const isDamaged = x >= 128 && y >= 128;
        const expected = sample((3 * TILE + x) * 2, (2 * TILE + y) * 2);
        assert.equal(shown(tile, x, y), isDamaged ? [96, 160][((x + y) >> 3) & 1] : expected, `${x}, ${y}`);
      }
    await assert.rejects(image.values(7 * TILE, 5 * TILE), error => isCoded(error, 'bad-request'));
  });
});
