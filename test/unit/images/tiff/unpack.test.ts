import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unpackLzw, unpackPackBits } from '../../../../src/images/tiff/tiffCompressions';

/** TIFF's LZW, written slowly and plainly: a table of strings. */
function packLzw(bytes: Uint8Array): Uint8Array {
  const bits: number[] = [];
  let width = 9;
  const put = (code: number) => {
    for (let bit = width - 1; bit >= 0; bit--) bits.push((code >> bit) & 1);
  };
  let table = new Map<string, number>();
  const reset = () => {
    put(256);
    table = new Map(Array.from({ length: 256 }, (_, code) => [String(code), code]));
    width = 9;
  };
  reset();
  let next = 258;
  let word = '';
  for (const byte of bytes) {
    const longer = word === '' ? String(byte) : `${word},${byte}`;
    if (table.has(longer)) {
      word = longer;
      continue;
    }
    put(table.get(word) ?? 0);
    table.set(longer, next++);
    if (next === 511 || next === 1023 || next === 2047) width++;
    if (next === 4094) {
      reset();
      next = 258;
    }
    word = String(byte);
  }
  if (word !== '') put(table.get(word) ?? 0);
  // One more entry would have been made by now: its width counts for the end.
  if (next + 1 === 511 || next + 1 === 1023 || next + 1 === 2047) width++;
  put(257);
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => (packed[i >> 3] = (packed[i >> 3] ?? 0) | (bit << (7 - (i & 7)))));
  return packed;
}

describe('unpacking', () => {
  it('restores whatever was packed by LZW', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 256 }),
        (seed, times, values) => {
          const bytes = Uint8Array.from(
            { length: seed.length * times },
            (_, i) => (seed[i % seed.length] ?? 0) % values,
          );
          const out = new Uint8Array(bytes.length);
          assert.equal(unpackLzw(packLzw(bytes), out), bytes.length);
          assert.deepEqual(out, bytes);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('writes no further than there is room, and returns how far it got', () => {
    const bytes = new Uint8Array(100_000).fill(7);
    const packed = packLzw(bytes);
    const room = new Uint8Array(10);
    assert.equal(unpackLzw(packed, room), 10);
    assert.ok(unpackLzw(packed.subarray(0, packed.length / 2), new Uint8Array(100_000)) < 100_000);
  });

  it('refuses impossible LZW codes', () => {
    // Clear, then code 300, which nothing has made yet.
    assert.throws(() => unpackLzw(Uint8Array.of(0x80, 0x4b, 0x00), new Uint8Array(9)), /LZW/);
  });

  it('handles any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        for (const unpack of [unpackLzw, unpackPackBits]) {
          try {
            assert.ok(unpack(bytes, new Uint8Array(500)) <= 500);
          } catch (error) {
            assert.match(
              String(error),
              /data is damaged or cut off|LZW compression from before TIFF 6\.0 isn't supported/,
            );
          }
        }
      }),
    );
  });

  it('reads PackBits: copies, repeats and the byte without meaning', () => {
    const out = new Uint8Array(7);
    assert.equal(unpackPackBits(Uint8Array.of(2, 1, 2, 3, 128, 253, 9, 0, 5), out), 7);
    assert.deepEqual([...out], [1, 2, 3, 9, 9, 9, 9]);
  });
});
