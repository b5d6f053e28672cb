import { equal, ok } from 'node:assert/strict';
import { columnWidth } from '../../../../../src/webview/table/grid/columnWidth';

const measure = (text: string) => text.length * 10;

describe('the width of a column', () => {
  it('shows the widest cell', () => {
    ok(columnWidth('Id', ['1', '1234567890'], measure) >= 100);
  });

  it('shows the header and the mark of its sorting', () => {
    ok(columnWidth('Perimeter', ['1'], measure) > columnWidth('', ['Perimeter'], measure));
  });

  it('stays within limits', () => {
    equal(columnWidth('', [], measure), 80);
    equal(columnWidth('', ['x'.repeat(100_000)], measure), 320);
  });
});
