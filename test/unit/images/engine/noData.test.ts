import { deepEqual, equal, ok } from 'node:assert/strict';
import { reason, countedReason } from '../../../../src/base/reasons';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { BackgroundImage } from '../../../../src/images/engine/backgroundImage';
import { BlockCache } from '../../../../src/images/engine/blockCache';
import { TiffSource } from '../../../../src/images/tiff/tiffSource';
import { memorySource } from '../../../../src/images/byteSource';

const SIDE = 64;
const TILE = 16;

interface SparseImage {
  /** The tile at a place of the grid, samples interleaved; undefined if the file omits it. */
  tile: (x: number, y: number) => Uint16Array | Uint8Array | undefined;
  noData?: string;
  channels?: number;
  bits?: 8 | 16;
}

/** An uncompressed TIFF file of 64 × 64 pixels in 16 tiles. */
function sparseTiff({ tile, noData, channels = 1, bits = 16 }: SparseImage): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 8;
  const put = (bytes: Uint8Array) => {
    parts.push(bytes);
    end += bytes.length;
    return end - bytes.length;
  };
  const [offsets, counts]: [number[], number[]] = [[], []];
  for (let at = 0; at < 16; at++) {
    const samples = tile(at % 4, Math.floor(at / 4));
    offsets.push(samples ? put(new Uint8Array(samples.buffer)) : 0);
    counts.push(samples?.byteLength ?? 0);
  }
  const long = (values: number[]) => put(new Uint8Array(Uint32Array.from(values).buffer));
  const text = Buffer.from(`${noData}\0`);
  const bitsAt = channels > 1 ? long([bits | (bits << 16), bits]) : bits;
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, 4, 1, SIDE],
    [257, 4, 1, SIDE],
    [258, 3, channels, bitsAt],
    [259, 3, 1, 1],
    [262, 3, 1, channels > 1 ? 2 : 1],
    [277, 3, 1, channels],
    [322, 4, 1, TILE],
    [323, 4, 1, TILE],
    [324, 4, 16, long(offsets)],
    [325, 4, 16, long(counts)],
    // Texts of up to four bytes are in the entry itself.
    ...(noData === undefined
      ? []
      : [
          [
            42113,
            2,
            text.length,
            text.length > 4
              ? put(text)
              : (new Uint32Array(Uint8Array.from([...text, 0, 0, 0]).buffer.slice(0, 4))[0] ?? 0),
          ] as [number, number, number, number],
        ]),
  ];
  const directory = new DataView(new ArrayBuffer(6 + 12 * entries.length));
  directory.setUint16(0, entries.length, true);
  entries.forEach(([tag, type, count, value], at) => {
    directory.setUint16(2 + 12 * at, tag, true);
    directory.setUint16(4 + 12 * at, type, true);
    directory.setUint32(6 + 12 * at, count, true);
    directory.setUint32(10 + 12 * at, value, true);
  });
  const start = put(new Uint8Array(directory.buffer));
  const file = new Uint8Array(end);
  file.set([0x49, 0x49, 42, 0, ...new Uint8Array(Uint32Array.of(start).buffer)]);
  let at = 8;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

const whole = { x: 0, y: 0, width: SIDE, height: SIDE };
const first = { page: 0, z: 0, t: 0 };

async function open(bytes: Uint8Array) {
  const source = await TiffSource.open({
    file: memorySource(bytes),
    fileName: 'sparse.tif',
    blocks: new BlockCache(1e8),
    key: '1',
  });
  return { source, image: await BackgroundImage.open(source) };
}

/** Every third tile is left out. */
const isAbsent = (x: number, y: number) => (y * 4 + x) % 3 === 2;
const sampleAt = (x: number, y: number) => 1000 + y * SIDE + x;
/** Samples of no data stand in tiles that are there, too. */
const lacksData = (x: number, y: number) => x === y || isAbsent(x >> 4, y >> 4);

function gray(noData: number) {
  return (tileX: number, tileY: number) =>
    isAbsent(tileX, tileY)
      ? undefined
      : Uint16Array.from({ length: TILE * TILE }, (_, at) => {
          const [x, y] = [tileX * TILE + (at % TILE), tileY * TILE + Math.floor(at / TILE)];
          return x === y ? noData : sampleAt(x, y);
        });
}

describe('Samples of no data', () => {
  it('are outside: neither read, measured, counted nor drawn, and said', async () => {
    const { source, image } = await open(sparseTiff({ tile: gray(65535), noData: '65535' }));
    const samples = await source.read(first, 0, 0, whole);
    const expected = Array.from(samples, (_, at) =>
      lacksData(at % SIDE, Math.floor(at / SIDE)) ? NaN : sampleAt(at % SIDE, Math.floor(at / SIDE)),
    );
    deepEqual([...samples], expected);
    const [spread] = await image.spread();
    const numbers = expected.filter(value => !Number.isNaN(value));
    equal(
      spread?.counts.reduce((sum, count) => sum + count, 0),
      numbers.length,
    );
    deepEqual([spread?.lowest, spread?.highest], [Math.min(...numbers), Math.max(...numbers)]);
    ok((image.contrast?.[0]?.low ?? 0) >= 1000 && (image.contrast?.[0]?.high ?? 65535) < 6000);
    const tile = await image.tile(0, 0, 0);
    for (let at = 0; at < SIDE * SIDE; at++) {
      const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
      equal(tile[(y * 256 + x) * 4 + 3], lacksData(x, y) ? 0 : 255, `${x}, ${y}`);
    }
    deepEqual(source.facts.notes, [
      countedReason(
        5,
        "1 tile isn't in the file; it is shown as outside of the image and not measured",
        "{0} tiles aren't in the file; they are shown as outside of the image and not measured",
      ),
      reason(
        'Samples of {0} are no data in this file; they are shown as outside of the image and not measured',
        65535,
      ),
    ]);
    deepEqual(await image.values(3, 3), [NaN]);
  });

  it('are absent tiles alone where no sample stands for them', async () => {
    const { source } = await open(sparseTiff({ tile: gray(0) }));
    const samples = await source.read(first, 0, 0, whole);
    deepEqual(
      Array.from(samples, Number.isNaN),
      Array.from(samples, (_, at) => isAbsent((at % SIDE) >> 4, Math.floor(at / SIDE) >> 4)),
    );
    deepEqual(source.facts.notes, [
      countedReason(
        5,
        "1 tile isn't in the file; it is shown as outside of the image and not measured",
        "{0} tiles aren't in the file; they are shown as outside of the image and not measured",
      ),
    ]);
  });

  it('of colors are pixels of which all samples are no data', async () => {
    const tile = (x: number, y: number) =>
      isAbsent(x, y)
        ? undefined
        : Uint8Array.from({ length: TILE * TILE * 3 }, (_, at) => (at < 3 || at % 3 === 2 ? 255 : 7));
    const { source, image } = await open(sparseTiff({ tile, noData: '255', channels: 3, bits: 8 }));
    const window = { x: 0, y: 0, width: 2, height: 1 };
    deepEqual([...(await source.read(first, 2, 0, window))], [NaN, 255]);
    deepEqual([...(await source.read(first, 0, 0, window))], [NaN, 7]);
    const pixels = await image.tile(0, 0, 0);
    deepEqual([...pixels.subarray(0, 8)], [0, 0, 0, 0, 7, 7, 255, 255]);
    equal(pixels[(2 * TILE + 1) * 4 + 3], 0);
  });

  it('are as GDAL has them where an image is decoded whole', async () => {
    const raster = await decodeRaster(sparseTiff({ tile: gray(65535), noData: '65535' }), 'sparse.tif');
    const counted = raster.samples.filter(value => value === 65535).length;
    equal(
      counted,
      Array.from({ length: SIDE * SIDE }, (_, at) => at).filter(at =>
        lacksData(at % SIDE, Math.floor(at / SIDE)),
      ).length,
    );
  });

  it('are none where all tiles are there, or no sample can have the value', async () => {
    const tile = () => new Uint16Array(TILE * TILE).fill(9);
    const { source } = await open(sparseTiff({ tile, noData: '-9999' }));
    deepEqual(source.facts.notes, []);
    ok((await source.read(first, 0, 0, whole)) instanceof Uint16Array);
  });
});
