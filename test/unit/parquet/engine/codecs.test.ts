import { deepEqual } from 'node:assert/strict';
import { snappyUncompress } from 'hyparquet';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { compressSnappy, decompressPage } from '../../../../src/parquet/engine/codecs';

/** Bytes that repeat themselves more or less, up to more than a block of Snappy. */
function* samples(): Generator<Uint8Array> {
  let state = 12345;
  const next = (below: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  yield new Uint8Array(0);
  for (let round = 0; round < 60; round++) {
    const bytes = new Uint8Array(next(round % 10 === 0 ? 200_000 : 500) + 1);
    const different = [2, 5, 256][round % 3] ?? 2;
    for (let at = 0; at < bytes.length; at++) {
      if (at > 100 && next(50) === 0) {
        const length = Math.min(next(90), bytes.length - at);
        const offset = 1 + next(at);
        for (let copied = 0; copied < length; copied++, at++) bytes[at] = bytes[at - offset] ?? 0;
      }
      if (at < bytes.length) bytes[at] = next(different);
    }
    yield bytes;
  }
  yield new Uint8Array(300_000);
}

describe('Snappy', () => {
  it('is compressed so that another decoder reads it, and read from another encoder', () => {
    for (const bytes of samples()) {
      const output = new Uint8Array(bytes.length);
      if (bytes.length > 0) snappyUncompress(compressSnappy(bytes), output);
      deepEqual(output, bytes);
      deepEqual(decompressPage(compressSnappy(bytes), bytes.length, 'SNAPPY'), bytes);
      deepEqual(decompressPage(snappyCompress(bytes), bytes.length, 'SNAPPY'), bytes);
    }
  });
});
