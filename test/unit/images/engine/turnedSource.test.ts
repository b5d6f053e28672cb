import { orientationNote } from '../../../../src/images/exifOrientation';
import { deepEqual, equal, fail } from 'node:assert/strict';
import { reason } from '../../../../src/base/reasons';
import { rasterSource } from '../../../../src/images/imageSource';
import { type Turn, turnedSource } from '../../../../src/images/engine/turnedSource';

/*
 * Stored in 3 × 2 pixels:    1 2 3
 *                            4 5 6
 * What each orientation makes of it is written down from the table of the EXIF standard (4.6.4, tag
 * 274): 6 has row 0 at the right and column 0 at the top, and so on.
 */
const TURNED: Record<Turn, number[][]> = {
  5: [
    [1, 4],
    [2, 5],
    [3, 6],
  ],
  6: [
    [4, 1],
    [5, 2],
    [6, 3],
  ],
  7: [
    [6, 3],
    [5, 2],
    [4, 1],
  ],
  8: [
    [3, 6],
    [2, 5],
    [1, 4],
  ],
};

const stored = () =>
  rasterSource({
    width: 3,
    height: 2,
    channels: 1,
    bitsPerSample: 8,
    samples: Uint8Array.of(1, 2, 3, 4, 5, 6),
    photometric: 'black-is-zero',
    notes: orientationNote(6),
  });

describe('An image turned by its EXIF orientation', () => {
  for (const turn of [5, 6, 7, 8] as const)
    it(`${turn} has the rows that the standard gives it, in every window`, async () => {
      const source = turnedSource(stored(), turn);
      deepEqual(source.facts.levels, [{ width: 2, height: 3 }]);
      deepEqual(source.facts.notes, [reason("Turned as the file's EXIF orientation says")]);
      for (let y = 0; y < 3; y++)
        for (let x = 0; x < 2; x++)
          for (let height = 1; y + height <= 3; height++)
            for (let width = 1; x + width <= 2; width++) {
              const samples = await source.read({ page: 0, z: 0, t: 0 }, 0, 0, { x, y, width, height });
              const expected = TURNED[turn].slice(y, y + height).flatMap(row => row.slice(x, x + width));
              deepEqual([...samples], expected, `${x}, ${y}, ${width} × ${height}`);
            }
    });
});

describe('A damaged part of an image that is turned', () => {
  for (const turn of [5, 6, 7, 8] as const)
    it(`lies where its pixels are shown, turned by ${turn}`, async () => {
      const [width, height] = [7, 5];
      const part = { x: 2, y: 1, width: 3, height: 2 };
      const samples = Uint8Array.from({ length: width * height }, (_, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        const isIn = x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
        return isIn ? 1 : 0;
      });
      const stored = rasterSource({
        ...{ width, height, channels: 1, bitsPerSample: 8, samples },
        photometric: 'black-is-zero',
        notes: [],
      });
      const source = turnedSource(
        {
          ...stored,
          read: (position, channel, level, window, signal, onDamaged) => {
            onDamaged?.(part, new Error('damaged'));
            return stored.read(position, channel, level, window, signal);
          },
        },
        turn,
      );
      const all = { x: 0, y: 0, width: height, height: width };
      const parts: (typeof part)[] = [];
      const read = await source.read({ page: 0, z: 0, t: 0 }, 0, 0, all, undefined, one => parts.push(one));
      const [found = fail()] = parts;
      for (let y = 0; y < all.height; y++)
        for (let x = 0; x < all.width; x++) {
          const isIn =
            x >= found.x && x < found.x + found.width && y >= found.y && y < found.y + found.height;
          equal(read[y * all.width + x], isIn ? 1 : 0, `${x}, ${y}`);
        }
    });
});
