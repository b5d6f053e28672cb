import assert from 'node:assert/strict';
import { positionOffset } from '../../../src/formats/positionOffset';

describe('positions in a table', () => {
  it('that lie off the masks by as much everywhere have an offset, missing ones left out', () => {
    const offset = positionOffset(Float64Array.of(-0.5, -0.5, NaN, -0.5), Float64Array.of(0, 0.1, 9, -0.1));
    assert.deepEqual(offset, { x: -0.5, y: 0, constant: true });
  });

  it('may be rounded to whole pixels', () => {
    const rounded = Float64Array.of(-0.5, 0.5, 0);
    assert.equal(positionOffset(rounded, new Float64Array(3))?.constant, true);
  });

  it('in other units have none that is the same for all', () => {
    const offset = positionOffset(Float64Array.of(-10, -200, -35), Float64Array.of(-7, -20, -300));
    assert.equal(offset?.constant, false);
  });

  it('are not judged where there are none', () => {
    assert.equal(positionOffset(new Float64Array(0), new Float64Array(0)), undefined);
    assert.equal(positionOffset(Float64Array.of(NaN), Float64Array.of(1)), undefined);
  });
});
