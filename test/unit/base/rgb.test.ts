import { deepEqual, equal } from 'node:assert/strict';
import { fromHex, packed, toHex } from '../../../src/base/colors';

describe('colors', () => {
  it('survive being written and read', () => {
    deepEqual(fromHex(toHex([0, 10, 255])), [0, 10, 255]);
    equal(fromHex('red'), undefined);
    equal(fromHex('#12345'), undefined);
  });

  it('are packed as the bytes of image data', () => {
    deepEqual([...new Uint8Array(new Uint32Array([packed([1, 2, 3], 4)]).buffer)], [1, 2, 3, 4]);
  });
});
