// Writes the slides of test/golden/slides, which recordSlides.py then has read by OpenSlide.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bigTiff } from '../unit/images/slides/bigTiffFixture';
import { ndpi } from '../unit/images/slides/ndpiFixture';
import { level, smallBif, smallNdpi, smallScn, tissue } from '../unit/images/slides/slideImages';

mkdirSync('test/golden/slides', { recursive: true });

/** A slide of Aperio's of 3 × 2 tiles that makeJpeg2000.sh has written. */
function aperio(tiles: string, compression: number, photometric: number): Uint8Array {
  const tile = (x: number, y: number) =>
    new Uint8Array(readFileSync(`test/golden/slides/tiles/${tiles}${3 * y + x}.j2k`));
  const description = 'Aperio Image Library v10.0\r\n192x96 |AppMag = 20|MPP = 0.5';
  const size = { width: 190, height: 90, tileWidth: 64, tileHeight: 48 };
  return bigTiff([{ ...size, tile, compression, photometric, description, subsampling: [1, 1] }]);
}

const slides = {
  'rgb-33005.svs': aperio('rgb', 33005, 2),
  'ycbcr-33003.svs': aperio('ycc', 33003, 2),
  'ycbcr422-33003.svs': aperio('ycc422-', 33003, 2),
  'half-rows-422.ndpi': smallNdpi([2, 1]).bytes,
  'half-rows-444.ndpi': smallNdpi([1, 1]).bytes,
  'two-areas.scn': smallScn(),
  'overlaps.bif': smallBif({ x: [8], y: 6 }),
  'uneven-overlaps.bif': smallBif({ x: [7, 8], y: 5 }),
  'without-table.ndpi': ndpi([
    level({ width: 256, height: 64, sampling: [2, 1], restart: 8 }, { lens: 40, starts: 'none' }, tissue()),
  ]).bytes,
  // The frame can't say how wide it is.
  'wide.ndpi': ndpi([
    level(
      { width: 70_144, height: 16, sampling: [2, 1], restart: 137, stated: { width: 0, height: 16 } },
      { lens: 20 },
      (x, y) => tissue()(x >> 6, y & ~7),
    ),
    level({ width: 548, height: 8, sampling: [2, 1] }, { lens: 0.15625, starts: 'none' }, tissue(4)),
  ]).bytes,
};
for (const [name, bytes] of Object.entries(slides)) writeFileSync(`test/golden/slides/${name}`, bytes);
