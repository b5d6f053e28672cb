import * as assert from 'node:assert/strict';
import { svgPath, traceOutlines } from '../../../../src/comparison/page/stage/outlines';

const alone = { right: 'outside', below: 'outside', isLeftmost: true, isTopmost: true } as const;

/** A tile of four pixels a side, from rows of digits. */
function tile(...rows: string[]): Uint32Array {
  return Uint32Array.from(rows.join(''), Number);
}

/** Length of all lines, in sides of pixels. */
function length(lines: readonly Int16Array[]): number {
  let sum = 0;
  for (const line of lines) {
    for (let at = 2; at < line.length; at += 2) {
      const [x = 0, y = 0, fromX = 0, fromY = 0] = [line[at], line[at + 1], line[at - 2], line[at - 1]];
      sum += Math.abs(x - fromX) + Math.abs(y - fromY);
    }
  }
  return sum;
}

describe('The outlines of a tile', () => {
  it('are one closed line around an object, with its corners alone', () => {
    const lines = traceOutlines(tile('0000', '0110', '0110', '0000'), 4, alone);
    assert.equal(lines.length, 1);
    const [line = new Int16Array()] = lines;
    assert.deepEqual([...line.slice(0, 2)], [...line.slice(-2)]);
    assert.equal(length(lines), 8);
    assert.equal(svgPath(lines, 10, 20, 2), 'M12 22L16 22L16 26L12 26L12 22');
  });

  it('have the line between two objects once', () => {
    assert.equal(length(traceOutlines(tile('1122', '1122', '0000', '0000'), 4, alone)), 2 * (4 + 2) + 2);
  });

  it('go around objects that touch at a corner', () => {
    assert.equal(length(traceOutlines(tile('1000', '0100', '0000', '0000'), 4, alone)), 8);
  });

  it('end at a border where the same object goes on, and follow it where another one begins', () => {
    const labels = tile('0000', '0011', '0011', '0000');
    const next = tile('0000', '1000', '2000', '0000');
    // Three sides, and half of the fourth: below the first row lies another object.
    assert.equal(length(traceOutlines(labels, 4, { ...alone, right: next })), 2 + 2 + 2 + 1);
    assert.equal(length(traceOutlines(labels, 4, { ...alone, right: undefined })), 2 + 2 + 2);
    assert.equal(length(traceOutlines(labels, 4, alone)), 8);
  });

  it('have the border of the image only where it begins', () => {
    const full = tile('1111', '1111', '1111', '1111');
    assert.equal(length(traceOutlines(full, 4, alone)), 16);
    assert.equal(length(traceOutlines(full, 4, { ...alone, isLeftmost: false, isTopmost: false })), 8);
  });
});
