import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { traceContours, twiceArea, type ContourPart, type Ring } from '../../../src/archives/contours';
import { maskFromRuns } from '../../../src/archives/objectMask';
import { area, runsFromMask } from '../../../src/archives/runLengthEncoding';
import golden from '../../golden/masks.json';

/** A mask drawn with # for its pixels, its top left corner at (left, top). */
function drawn(rows: string[], left = 0, top = 0) {
  const width = rows[0]?.length ?? 0;
  const pixels = rows.flatMap(row => [...row].map(cell => (cell === '#' ? 1 : 0)));
  return maskFromRuns(runsFromMask(pixels, width, rows.length), rows.length, left, top);
}

function ringsOf(parts: ContourPart[]): Ring[] {
  return parts.flatMap(({ outer, holes }) => [outer, ...holes]);
}

/** Twice the area of all parts, their holes left out. */
function twiceTotal(parts: ContourPart[]): number {
  return ringsOf(parts).reduce((sum, ring) => sum + twiceArea(ring), 0);
}

/** Whether pixel (x, y) lies inside, by the even-odd rule along its row. */
function holds(parts: ContourPart[], x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of ringsOf(parts)) {
    for (let at = 0; at < ring.length; at += 2) {
      const after = (at + 2) % ring.length;
      if (ring[at] !== ring[after] || (ring[at] ?? 0) > x) continue;
      const [a = 0, b = 0] = [ring[at + 1], ring[after + 1]];
      if (Math.min(a, b) <= y && y < Math.max(a, b)) crossings++;
    }
  }
  return crossings % 2 === 1;
}

function assertProper(parts: ContourPart[]): void {
  for (const { outer, holes } of parts) {
    assert.ok(twiceArea(outer) > 0, 'what surrounds a part runs clockwise on the screen');
    for (const hole of holes) assert.ok(twiceArea(hole) < 0, 'a hole runs the other way');
  }
  for (const ring of ringsOf(parts)) {
    const seen = new Set<string>();
    for (let at = 0; at < ring.length; at += 2) {
      const corner = `${ring[at]} ${ring[at + 1]}`;
      assert.ok(!seen.has(corner), `a ring passes ${corner} twice`);
      seen.add(corner);
      const after = (at + 2) % ring.length;
      const straight = Number(ring[at] !== ring[after]) + Number(ring[at + 1] !== ring[after + 1]);
      assert.equal(straight, 1, 'every piece lies along pixel edges');
    }
  }
}

describe('Contours of a mask', () => {
  it('surround one pixel by its four corners', () => {
    const [part, ...others] = traceContours(drawn(['#'], 3, 5));
    assert.deepEqual(others, []);
    assert.deepEqual(part?.holes, []);
    assert.deepEqual([...(part?.outer ?? [])].sort(), [3, 3, 4, 4, 5, 5, 6, 6]);
  });

  it('have none for a mask without pixels', () => {
    assert.deepEqual(traceContours(drawn(['...'])), []);
  });

  it('give a ring its hole, and the island in the hole a part of its own', () => {
    const parts = traceContours(drawn(['#####', '#...#', '#.#.#', '#...#', '#####']));
    assert.deepEqual(
      parts.map(({ holes }) => holes.length),
      [1, 0],
    );
    assertProper(parts);
    assert.equal(twiceTotal(parts), 2 * 17);
  });

  it('separate pixels that touch only at a corner', () => {
    for (const rows of [
      ['#.', '.#'],
      ['.#', '#.'],
    ]) {
      const parts = traceContours(drawn(rows));
      assert.equal(parts.length, 2);
      assertProper(parts);
    }
  });

  it('split a hole where it touches itself diagonally', () => {
    const parts = traceContours(drawn(['####', '#.##', '##.#', '####']));
    assert.equal(parts.length, 1);
    assert.equal(parts[0]?.holes.length, 2);
    assertProper(parts);
  });

  it('have a hole where a part encloses background by touching itself diagonally', () => {
    for (const rows of [
      ['###.', '#.##', '##..'],
      ['.###', '##.#', '..##'],
      ['.##', '#.#', '###'],
      ['##.', '#.#', '###'],
    ]) {
      const parts = traceContours(drawn(rows));
      assertProper(parts);
      assert.deepEqual(
        parts.map(({ holes }) => holes.length),
        [1],
        rows.join('/'),
      );
    }
  });

  it('enclose exactly the pixels of every golden mask, in as many parts as scikit-image counts', () => {
    for (const { name, size, runs, parts4 } of golden.masks) {
      const [height = 0, width = 0] = size;
      const mask = maskFromRuns(Uint32Array.from(runs), height);
      const parts = traceContours(mask);
      assertProper(parts);
      assert.equal(twiceTotal(parts), 2 * area(mask.runs), name);
      assert.equal(parts.length, parts4 ?? 0, name);
      assert.equal(width > 0, true);
    }
  });

  it('enclose exactly the pixels of any mask', () => {
    const bitmap = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
      .chain(([width, height]) =>
        fc.record({
          width: fc.constant(width),
          height: fc.constant(height),
          pixels: fc.array(fc.integer({ min: 0, max: 1 }), {
            minLength: width * height,
            maxLength: width * height,
          }),
        }),
      );
    fc.assert(
      fc.property(bitmap, ({ width, height, pixels }) => {
        const mask = maskFromRuns(runsFromMask(pixels, width, height), height);
        const parts = traceContours(mask);
        assertProper(parts);
        assert.equal(twiceTotal(parts), 2 * area(mask.runs));
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) assert.equal(holds(parts, x, y), pixels[y * width + x] === 1);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
