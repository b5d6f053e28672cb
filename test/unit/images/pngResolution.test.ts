import { deepEqual, equal } from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { decode } from 'fast-png';
import { pngWithResolution } from '../../../src/images/pngResolution';

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}

/** A gray PNG of two pixels, with other chunks before its data. */
function png(...before: Buffer[]): Uint8Array<ArrayBuffer> {
  const header = Uint8Array.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      ...before,
      chunk('IDAT', deflateSync(Uint8Array.from([0, 7, 250]))),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}

const resolution = (perMeter: number) => {
  const content = Buffer.alloc(9);
  content.writeUInt32BE(perMeter, 0);
  content.writeUInt32BE(perMeter, 4);
  content[8] = 1;
  return chunk('pHYs', content);
};

describe('A PNG', () => {
  it('says how large it is, and is the same image', () => {
    const written = pngWithResolution(png(), 11_811);
    // As Node.js would write the chunk, its checksum included.
    deepEqual(Buffer.from(written), Buffer.from(png(resolution(11_811))));
    const { data, resolution: read } = decode(written, { checkCrc: true });
    deepEqual([...data], [7, 250]);
    deepEqual(read, { x: 11_811, y: 11_811, unit: 1 });
  });

  it('has one resolution, also where it had another', () => {
    const gamma = chunk('gAMA', Uint8Array.from([0, 0, 0xb1, 0x8f]));
    const written = pngWithResolution(png(gamma, resolution(2835)), 11_811);
    deepEqual(Buffer.from(written), Buffer.from(png(resolution(11_811), gamma)));
  });

  it('is left as it is where it is none', () => {
    const text = new TextEncoder().encode('no image at all, but as long as one would be');
    equal(pngWithResolution(text, 1), text);
  });
});
