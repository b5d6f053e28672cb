// Writes the slides of test/golden/slides, which recordSlides.py then has read by OpenSlide.
import { mkdirSync, writeFileSync } from 'node:fs';
import { ndpi } from '../unit/images/slides/ndpiFixture';
import { level, smallBif, smallNdpi, smallScn, tissue } from '../unit/images/slides/slideImages';

mkdirSync('test/golden/slides', { recursive: true });
const slides = {
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
