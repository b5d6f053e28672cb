import { deepEqual } from 'node:assert/strict';
import { memorySource } from '../../../src/images/byteSource';
import { decodeRaster } from '../../../src/images/decodeRaster';
import { tiff } from '../images/tiffFixture';

describe('Bytes in memory', () => {
  it('stay as they are when slices of what is read change', async () => {
    const bytes = Buffer.from([1, 2, 3]);
    const read = await memorySource(bytes).read(0, 2);
    read.slice().fill(9);
    deepEqual([...bytes], [1, 2, 3]);
  });

  it('are decoded as the same image each time, also in a Buffer', async () => {
    const samples = Uint16Array.of(1, 2, 3, 4);
    const file = Buffer.from(tiff([{ width: 2, height: 2, samples }], false));
    for (let time = 0; time < 2; time++)
      deepEqual([...(await decodeRaster(file, 'cells')).samples], [...samples]);
  });
});
