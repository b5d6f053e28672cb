import assert from 'node:assert/strict';
import { isCoded } from '../../../src/base/errors';
import { decodeRaster } from '../../../src/images/decodeRaster';
import { decodeJpegBlock } from '../../../src/images/tiff/tiffCompressions';
import { portableCodecs } from '../../../src/images/tiff/tiffBlock';
import { reasonText } from '../words/reasonText';
import { jpeg } from './jpegFixture';

const [WIDTH, HEIGHT] = [64, 48];

function image(progressive = false): Promise<Uint8Array> {
  const rgba = Uint8ClampedArray.from({ length: WIDTH * HEIGHT * 4 }, (_, at) => (at * 7919) >> 3);
  return jpeg(rgba, WIDTH, HEIGHT, { progressive });
}

const find = (bytes: Uint8Array, marker: number) =>
  bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === marker);

const lastScan = (bytes: Uint8Array) =>
  bytes.findLastIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xda);

const insert = (bytes: Uint8Array, at: number, more: readonly number[]) =>
  Uint8Array.from([...bytes.subarray(0, at), ...more, ...bytes.subarray(at)]);

/** Ways to have the codec warn of what no sample depends on, before it comes to the samples. */
const ODDITIES: [name: string, change: (bytes: Uint8Array) => Uint8Array][] = [
  ['a JFIF version of 2', bytes => bytes.map((byte, at) => (at === find(bytes, 0xe0) + 9 ? 2 : byte))],
  [
    'a scan header that decoders ignore',
    bytes => bytes.map((byte, at) => (at === afterScan(bytes) - 2 ? 62 : byte)),
  ],
  ['an Adobe segment of an unknown transform', bytes => insert(withoutJfif(bytes), 2, adobe(14, 9))],
];
const BETWEEN: typeof ODDITIES = [
  ['two bytes too many before the scan', bytes => insert(bytes, find(bytes, 0xda), [0x12, 0x34])],
  ['bytes before its first marker', bytes => insert(bytes, 2, [0xff, 0, 0x12, 0x34])],
];

const afterScan = (bytes: Uint8Array) => find(bytes, 0xda) + 2 + (bytes[find(bytes, 0xda) + 3] ?? 0);

function withoutJfif(bytes: Uint8Array): Uint8Array {
  const at = find(bytes, 0xe0);
  return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 18)]);
}

/** APP14 of a length; its last byte is the transform, if it has one. */
function adobe(length: number, transform: number): number[] {
  const content = [0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform, 0, 0, 0];
  return [0xff, 0xee, 0, length, ...content.slice(0, Math.max(0, length - 2))];
}

const damaged = (error: unknown) =>
  isCoded(error, 'bad-request') && error.details.reason?.message === 'The {0} data is damaged or cut off';

describe('A JPEG stream with something to warn about', () => {
  for (const [name, change] of [...ODDITIES, ...BETWEEN]) {
    it(`has its samples with ${name}, and is refused if it is cut off`, async () => {
      const bytes = await image();
      const { samples } = await decodeRaster(bytes, 'cells');
      const odd = change(bytes);
      const raster = await decodeRaster(odd, 'cells');
      // Such bytes may be what is left of a segment.
      const notes = BETWEEN.some(([between]) => between === name)
        ? ['The JPEG data is partly damaged; some pixels may be wrong']
        : [];
      assert.deepEqual([raster.samples, raster.notes.map(({ message }) => message)], [samples, notes]);
      const scan = afterScan(odd);
      const half = odd.subarray(0, scan + ((odd.length - scan) >> 1));
      await assert.rejects(decodeRaster(half, 'cells'), damaged);
      // Some tools put the end marker back.
      await assert.rejects(decodeRaster(insert(half, half.length, [0xff, 0xd9]), 'cells'), damaged);
    });
  }

  it('is refused if it is cut off behind a damaged place in its samples', async () => {
    const bytes = await image();
    bytes.fill(0x7f, afterScan(bytes) + 100, afterScan(bytes) + 160);
    assert.deepEqual(
      (await decodeRaster(bytes, 'cells')).notes.map(({ message }) => message),
      ['The JPEG data is partly damaged; some pixels may be wrong'],
    );
    await assert.rejects(decodeRaster(bytes.subarray(0, bytes.length >> 1), 'cells'), damaged);
  });

  it('has a note if it ends behind a scan that is not the last, and is refused without its end marker', async () => {
    const bytes = await image(true);
    const { notes } = await decodeRaster(bytes, 'cells');
    assert.deepEqual(notes, []);
    const cut = bytes.subarray(0, lastScan(bytes));
    const raster = await decodeRaster(insert(cut, cut.length, [0xff, 0xd9]), 'cells');
    assert.deepEqual(
      raster.notes.map(({ message }) => message),
      ['The JPEG data is partly damaged; some pixels may be wrong'],
    );
    await assert.rejects(decodeRaster(cut, 'cells'), damaged);
  });

  it('is refused if a channel has no scan at all, which would be gray', async () => {
    const rgba = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(90);
    const gray = await jpeg(rgba, WIDTH, HEIGHT, { gray: true });
    const frame = find(gray, 0xc0);
    const color = insert(gray, frame + 13, [2, 0x11, 0, 3, 0x11, 0]);
    color[frame + 3] = 17;
    color[frame + 9] = 3;
    await assert.rejects(decodeRaster(color, 'cells'), damaged);
  });

  it('has the colors that libjpeg reads, with an Adobe segment of any length', async () => {
    const bytes = withoutJfif(await image());
    const { samples } = await decodeRaster(bytes, 'cells');
    const rgb = await decodeRaster(insert(bytes, 2, adobe(14, 0)), 'cells');
    assert.notDeepEqual(rgb.samples, samples);
    for (const length of [15, 16, 17]) {
      const raster = await decodeRaster(insert(bytes, 2, adobe(length, 0)), 'cells');
      assert.deepEqual(raster.samples, rgb.samples, `${length} bytes`);
    }
    // Without a transform it says nothing.
    for (const length of [0, 1, 2, 7, 9, 13]) {
      const raster = await decodeRaster(insert(bytes, 2, adobe(length, 0)), 'cells');
      assert.deepEqual(raster.samples, samples, `${length} bytes`);
    }
  });

  it('keeps fill bytes and restarts in its samples', async () => {
    const bytes = await image();
    const { samples } = await decodeRaster(bytes, 'cells');
    const filled = insert(bytes, bytes.length - 2, [0xff, 0xff]);
    const raster = await decodeRaster(filled, 'cells');
    assert.deepEqual([raster.samples, raster.notes], [samples, []]);
  });
});

describe('A large JPEG file', () => {
  /** The beginning of a file that says it has edge × edge pixels, without samples. */
  async function large(edge: number, { progressive = false, gray = false, sampling = 0x11 } = {}) {
    const rgba = new Uint8ClampedArray(16 * 16 * 4).fill(90);
    const bytes = await jpeg(rgba, 16, 16, { progressive, gray });
    const frame = find(bytes, progressive ? 0xc2 : 0xc0);
    bytes.set([edge >> 8, edge & 255, edge >> 8, edge & 255], frame + 5);
    bytes[frame + 11] = sampling;
    return bytes.subarray(0, find(bytes, 0xda));
  }

  it('is refused if decoding it would take more than 1 GB', async () => {
    for (const [edge, options, millions] of [
      [11_500, {}, 272],
      [9600, {}, 272],
      [7700, { progressive: true }, 176],
      [8500, { progressive: true, sampling: 0x22 }, 214],
      [10_600, { gray: true }, 111],
    ] as const)
      await assert.rejects(
        decodeRaster(await large(edge, options), 'cells'),
        error =>
          isCoded(error, 'bad-request') &&
          reasonText(error) ===
            `${edge} × ${edge} pixels with ${'gray' in options ? 1 : 3} channels are more than the limit of ${millions} million samples`,
        String(edge),
      );
    // These lack their samples alone.
    for (const [edge, options] of [
      [9500, {}],
      [7500, { progressive: true }],
      [8400, { progressive: true, sampling: 0x22 }],
    ] as const)
      await assert.rejects(decodeRaster(await large(edge, options), 'cells'), damaged, String(edge));
  });

  it('counts as progressive where each scan has one channel', async () => {
    const whole = await large(9500);
    const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
    await assert.rejects(decodeRaster(insert(whole, whole.length, scan), 'cells'), error =>
      reasonText(error).endsWith('more than the limit of 176 million samples'),
    );
  });
});

describe('A JPEG block of a TIFF file with something to warn about', () => {
  const block = async (bytes: Uint8Array) =>
    decodeJpegBlock(
      { bits: 8, photometric: 6, kind: 'unsigned', planar: false, blockWidth: WIDTH, blockHeight: HEIGHT },
      bytes,
      { width: WIDTH, height: HEIGHT, channels: 3 },
      portableCodecs(),
    );

  for (const [name, change] of ODDITIES) {
    it(`has its samples with ${name}, and is refused if it is cut off`, async () => {
      const bytes = await image();
      const samples = await block(bytes);
      const odd = change(bytes);
      assert.deepEqual(await block(odd), samples);
      const scan = afterScan(odd);
      const half = odd.subarray(0, scan + ((odd.length - scan) >> 1));
      await assert.rejects(block(half), /The JPEG data is damaged or cut off/);
      await assert.rejects(
        block(insert(half, half.length, [0xff, 0xd9])),
        /The JPEG data is damaged or cut off/,
      );
    });
  }

  it('is refused if it ends behind a scan that is not the last', async () => {
    const bytes = await image(true);
    const cut = bytes.subarray(0, lastScan(bytes));
    await assert.rejects(block(insert(cut, cut.length, [0xff, 0xd9])), /The JPEG data is damaged or cut off/);
  });

  for (const [name, change] of BETWEEN)
    it(`is refused with ${name}: a segment may be missing`, async () => {
      await assert.rejects(block(change(await image())), /The JPEG data is damaged or cut off/);
    });
});
