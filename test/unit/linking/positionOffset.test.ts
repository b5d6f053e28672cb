import assert from 'node:assert/strict';
import { positionOffset } from '../../../src/linking/engine/rowLinking';

describe('positions in a table', () => {
  it('that differ from the masks by a constant have an offset; missing ones are ignored', () => {
    const offset = positionOffset(Float64Array.of(-0.5, -0.5, NaN, -0.5), Float64Array.of(0, 0.1, 9, -0.1));
    assert.deepEqual(offset, { x: -0.5, y: 0, constant: true });
  });

  it('may be rounded to whole pixels', () => {
    const rounded = Float64Array.of(-0.5, 0.5, 0);
    assert.equal(positionOffset(rounded, new Float64Array(3))?.constant, true);
  });

  it('in other units have no constant offset', () => {
    const offset = positionOffset(Float64Array.of(-10, -200, -35), Float64Array.of(-7, -20, -300));
    assert.equal(offset?.constant, false);
  });

  it('without values have no offset', () => {
    assert.equal(positionOffset(new Float64Array(0), new Float64Array(0)), undefined);
    assert.equal(positionOffset(Float64Array.of(NaN), Float64Array.of(1)), undefined);
  });
});
