import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { memorySource } from '../../../../src/images/byteSource';
import { reasonText } from '../../words/reasonText';
import { bigTiff, type TiledDirectory } from './bigTiffFixture';
import { goldenSlide, largestDifference, openSlide, recorded, samplesOf } from './openSlide';

const tileOf = (name: string) => new Uint8Array(readFileSync(`test/golden/slides/tiles/${name}`));

const ONE: Omit<TiledDirectory, 'tile'> = {
  width: 64,
  height: 48,
  tileWidth: 64,
  tileHeight: 48,
  compression: 34712,
};

const open = (tile: Uint8Array | undefined, more: Partial<TiledDirectory> = {}) =>
  openSlide(memorySource(bigTiff([{ ...ONE, photometric: 2, tile: () => tile, ...more }])), 'a.tif');

describe('JPEG 2000 in a TIFF file', () => {
  for (const name of ['rgb-33005.svs', 'ycbcr-33003.svs', 'ycbcr422-33003.svs'])
    it(`has the pixels that OpenSlide reads: ${name}`, async () => {
      const source = await openSlide(memorySource(goldenSlide(name)), name);
      assert.equal(source.facts.magnification, Number(recorded(name).power));
      assert.match(source.facts.compression ?? '', /^JPEG 2000 \(Aperio, /);
      assert.ok(largestDifference(await samplesOf(source), recorded(name).levels[0] ?? assert.fail()) <= 1);
    });

  it('may be a JP2 file in each tile', async () => {
    // Without loss: the sample that makeJpeg2000.sh writes.
    const { samples } = await samplesOf(await open(tileOf('rgb0.jp2')));
    for (const [x, y] of [
      [5, 7],
      [40, 30],
      [63, 47],
    ] as const) {
      const isDark = (Math.floor(x / 12) + Math.floor(y / 9)) % 3 === 0;
      const color = isDark ? [92, 60 + x, 150] : [214 - (y % 40), 130 + ((x * y) % 50), 190 - y];
      assert.deepEqual([...samples.slice((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)], color);
    }
  });

  it('may have 16 bits', async () => {
    const source = await open(tileOf('gray16.j2k'), { samples: 1, bits: 16, photometric: 1 });
    const { samples } = await samplesOf(source);
    for (let y = 0; y < 48; y++)
      for (let x = 0; x < 64; x++) assert.equal(samples[y * 64 + x], (x * 1000 + y * 7) % 65536);
  });

  it('that is cut off, of another size or of other channels is an error', async () => {
    const whole = tileOf('rgb0.j2k');
    const refused = async (tile: Uint8Array, what: RegExp, more: Partial<TiledDirectory> = {}) =>
      assert.rejects(samplesOf(await open(tile, more)), error => what.test(reasonText(error)), String(what));
    for (const length of [2, 44, 60, 200, 1200, whole.length - 60])
      await refused(whole.slice(0, length), /JPEG 2000 data is damaged/);
    await refused(whole, /different size/, { tileWidth: 48, width: 48 });
    await refused(whole, /different size/, { samples: 1, photometric: 1 });
    await refused(tileOf('gray16.j2k'), /1 channels of 16 bits/, { samples: 1, photometric: 1 });
    // A tile afterwards is read as if nothing had been.
    await samplesOf(await open(whole));
  });

  it('that claims sizes without bounds is refused before it is decoded', async () => {
    const claims = (at: number, value: number) => {
      const tile = tileOf('rgb0.j2k');
      new DataView(tile.buffer, tile.byteOffset).setUint32(at, value);
      return tile;
    };
    for (const [at, value] of [
      [8, 2 ** 31],
      [12, 2 ** 32 - 1],
      [24, 1],
      [24, 0],
      [28, 1],
      [16, 7],
    ] as const)
      await assert.rejects(
        samplesOf(await open(claims(at, value))),
        /data has a different size than its tile|data is damaged or cut off/,
      );
  });

  it('that is absent is outside of the image', async () => {
    const { samples } = await samplesOf(await open(undefined));
    assert.ok(samples.every(Number.isNaN));
  });
});
