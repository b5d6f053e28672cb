import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ROW_HEIGHT } from '../../../../../../src/table/page/grid/gridLook';
import { ScrollRange } from '../../../../../../src/table/page/grid/gridScroll';

const rowHeight = ROW_HEIGHT;
const bodyHeight = 600;
/** The tallest element of Chromium, about. */
const TALLEST = 32_000_000;

const rangeOf = (rowCount: number) =>
  new ScrollRange(rowCount, bodyHeight, Math.min(TALLEST, rowCount * rowHeight) - bodyHeight);

describe('a grid that stretches its scroll range', () => {
  it('shows other rows at the same scroll position once it has more', () => {
    const scroll = 227 * rowHeight;
    assert.equal(rangeOf(1_300_000).stretch, 1);
    assert.equal(rangeOf(1_300_000).anchorAt(scroll).row, 227);
    assert.ok(rangeOf(10_000_000).anchorAt(scroll).row > 1700);
  });

  it('scrolls to where all of a row is seen, in the middle or at the top as far as the rows go', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom('top' as const, 'middle' as const),
        (rowCount, share, where) => {
          const range = rangeOf(rowCount);
          const row = Math.floor(share * rowCount);
          const scroll = range.scrollOfRow(row, where);
          assert.ok(scroll >= 0 && scroll <= range.lastScroll);
          const place = row * rowHeight - range.anchorAt(scroll).above;
          // Where scrolling is stretched a pixel of it passes several pixels of rows.
          const slack = range.stretch + 1;
          assert.ok(place >= -slack && place + rowHeight <= bodyHeight + slack);
          const wanted = where === 'top' ? 0 : (bodyHeight - rowHeight) / 2;
          const isAtEnd = scroll === 0 || scroll === range.lastScroll;
          assert.ok(isAtEnd || Math.abs(place - wanted) <= slack);
        },
      ),
    );
  });

  it('keeps its first row as it grows, from any place and in any steps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 1_500_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 60 }),
        (first, share, steps) => {
          let [rowCount, range] = [first, rangeOf(first)];
          const anchor = range.anchorAt(Math.floor(share * range.lastScroll));
          for (const step of steps) {
            rowCount += step;
            range = rangeOf(rowCount);
            const scroll = range.scrollOfAnchor(anchor);
            const { row, above } = range.anchorAt(scroll);
            assert.equal(row, anchor.row);
            assert.ok(Number.isInteger(scroll) && Math.abs(above - anchor.above) < rowHeight);
          }
        },
      ),
    );
  });
});
