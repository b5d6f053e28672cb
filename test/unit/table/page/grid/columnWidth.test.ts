import { equal, ok } from 'node:assert/strict';
import { columnWidth } from '../../../../../src/table/page/grid/gridColumns';

const measure = (text: string) => text.length * 10;
const width = (header: string, cells: string[], numeric = true) =>
  columnWidth({ header, lines: 2, cells, numeric, measure });

describe('the width of a column', () => {
  it('shows the widest cell', () => {
    ok(width('Id', ['1', '1234567890']) >= 100);
  });

  it('shows the name in some lines', () => {
    // Its longest line, and what is left and right of it.
    equal(width('Length of Major Axis', ['1']), 'Major Axis'.length * 10 + 18);
    const inThree = columnWidth({
      header: 'Length of Major Axis',
      lines: 3,
      cells: ['1'],
      numeric: true,
      measure,
    });
    equal(inThree, 'of Major'.length * 10 + 18);
    ok(width('Perimeter', ['1']) >= 90);
  });

  it('stays within limits', () => {
    equal(width('', []), 64);
    equal(columnWidth({ header: '', lines: 1, cells: ['12'], numeric: true, measure, narrowest: 0 }), 38);
    equal(width('', ['x'.repeat(100_000)]), 320);
    equal(width('', ['x'.repeat(100_000)], false), 120);
  });
});
