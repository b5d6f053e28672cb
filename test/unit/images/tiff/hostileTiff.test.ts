import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { tiffCompressions } from '../../../../src/images/tiff/tiffCompressions';
import { reasonText, sentences } from '../../words/reasonText';
import { type ByteSource, memorySource } from '../../../../src/images/byteSource';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { omeSeries, readOmeXml } from '../../../../src/images/tiff/omeSeries';
import { portableCodecs, readBlock } from '../../../../src/images/tiff/tiffBlock';
import { readDirectories } from '../../../../src/images/tiff/tiffDirectory';
import { readTiffImage } from '../../../../src/images/tiff/tiffImage';
import { readTiffLayout } from '../../../../src/images/tiff/tiffLayout';
import type { TiffPlane } from '../../../../src/images/tiff/tiffPlanes';
import { tiff } from '../tiffFixture';

const BITS = 258;
const ORIENTATION = 274;
const STRIP_BYTES = 279;
const FILL_ORDER = 266;

const firstBlock = { x: 0, y: 0, plane: 0 };

/** Changes the entry of a tag in the first directory of a little-endian file. */
function patch(file: Uint8Array, tag: number, change: (entry: DataView) => void): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const directory = view.getUint32(4, true);
  for (let at = directory + 2; at < directory + 2 + view.getUint16(directory, true) * 12; at += 12)
    if (view.getUint16(at, true) === tag) change(new DataView(file.buffer, file.byteOffset + at, 12));
  return file;
}

/** A file that goes on with zeros for gigabytes; keeps the length of the longest read. */
function endless(start: Uint8Array, size = 8e9): ByteSource & { longest: number } {
  return {
    size,
    longest: 0,
    async read(offset, length) {
      this.longest = Math.max(this.longest, length);
      assert.ok(length < 64e6, `${length} bytes at once`);
      const bytes = new Uint8Array(length);
      bytes.set(start.subarray(Math.min(start.length, offset), Math.min(start.length, offset + length)));
      return bytes;
    },
  };
}

const page = { width: 4, height: 4, samples: new Uint8Array(16) };

const refused = (reason: RegExp) => (error: unknown) =>
  isCoded(error, 'bad-request') && reason.test(reasonText(error));

describe('a hostile TIFF file', () => {
  it('with more fields in a directory than any real one has is damaged: overlapping directories would repeat them', async () => {
    const file = new Uint8Array(100_000);
    file.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0x88, 0x13]);
    await assert.rejects(readDirectories(memorySource(file)), /A TIFF directory has 5000 fields/);
  });

  it('with a hundred million values of a field is damaged, and none is read', async () => {
    const file = endless(patch(tiff([page]), BITS, entry => entry.setUint32(4, 100_000_000, true)));
    const { planes } = await readTiffLayout(file, 'cells');
    const directory = planes[0]?.[0]?.directory ?? assert.fail();
    await assert.rejects(readTiffImage(directory, 'cells'), /A TIFF field has 100000000 values/);
    assert.ok(file.longest < 1000);
  });

  it('whose block claims the length of the file is read no further than a block can reach', async () => {
    const packed = tiff([{ ...page, compression: 8 }]);
    const file = endless(patch(packed, STRIP_BYTES, entry => entry.setUint32(8, 4_000_000_000, true)));
    const { planes } = await readTiffLayout(file, 'cells');
    const image = await readTiffImage(planes[0]?.[0]?.directory ?? assert.fail(), 'cells');
    assert.deepEqual((await readBlock(image, firstBlock, portableCodecs())).samples, new Uint8Array(16));
    assert.ok(file.longest < 2e6);
  });

  it('of one packed block of gigabytes is too large', async () => {
    const wide = { ...page, width: 20_000, height: 20_000, samples: new Float64Array(2), compression: 8 };
    const { planes } = await readTiffLayout(memorySource(tiff([wide])), 'cells');
    const directory = planes[0]?.[0]?.directory ?? assert.fail();
    await assert.rejects(readTiffImage(directory, 'cells'), refused(/limit of 100 million samples/));
  });

  it('of ImageJ that claims a billion images has those of its directories', async () => {
    const description = 'ImageJ=1.53t\nimages=1000000000\nslices=1000000000\n';
    const file = endless(tiff([{ width: 1, height: 1, samples: new Uint8Array(1), description }]));
    const { planes, notes } = await readTiffLayout(file, 'cells');
    assert.equal(planes.length, 1);
    assert.match(sentences(notes), /lists 1000000000 images/);
  });

  it('whose bits are in the other order is refused, not misread', async () => {
    const file = patch(tiff([{ ...page, orientation: 2 }]), ORIENTATION, entry =>
      entry.setUint16(0, FILL_ORDER, true),
    );
    await assert.rejects(decodeRaster(file, 'cells'), refused(/lowest bit first/));
  });
});

describe('a block of a TIFF file', () => {
  it('of a compression without a decoder is refused by number, not given to another decoder', async () => {
    const { planes } = await readTiffLayout(memorySource(tiff([{ ...page, compression: 8 }])), 'cells');
    const image = await readTiffImage(planes[0]?.[0]?.directory ?? assert.fail(), 'cells');
    await assert.rejects(
      readBlock({ ...image, compression: 999 }, firstBlock, portableCodecs()),
      /TIFF compression 999 is unknown/,
    );
  });

  it('of each compression in the record is decoded or refused by name', async () => {
    for (const [number, { name, decoder }] of Object.entries(tiffCompressions)) {
      const { planes } = await readTiffLayout(
        memorySource(tiff([{ ...page, compression: Number(number) }])),
        'cells',
      );
      const read = readTiffImage(planes[0]?.[0]?.directory ?? assert.fail(), 'cells');
      if (decoder) await read;
      else await assert.rejects(read, error => reasonText(error) === `${name} compression isn't supported`);
    }
  });
});

describe('hostile OME metadata', () => {
  it('with a comment that is never closed have nothing inside it', () => {
    const image = '<Image><Pixels SizeX="4"/></Image>';
    assert.equal(readOmeXml(`<OME>${image}<!-- ${'<!--'.repeat(100_000)}${image}</OME>`).length, 1);
  });

  it('that list all planes again and again are not followed', () => {
    const [image] = readOmeXml(
      `<OME><Image><Pixels SizeZ="1000000">${'<TiffData/>'.repeat(1000)}</Pixels></Image></OME>`,
    );
    let reads = 0;
    const planes = new Proxy(
      Array.from({ length: 1000 }, (): TiffPlane => [{ width: 1, height: 1 } as TiffPlane[number]]),
      {
        get(target, name): unknown {
          reads++;
          return Reflect.get(target, name);
        },
      },
    );
    const series = omeSeries(image ?? assert.fail(), planes, 'cells.ome.tif', {
      isOnlyImage: true,
      references: { left: 1_000_000 },
    });
    assert.deepEqual(series?.place({ page: 0, z: 999, t: 0 }, 0), { plane: 999, sample: 0 });
    assert.ok(reads < 10_000, `${reads} looks at 1,000 planes`);
  });

  it('of which each image lists all planes are followed for a million of them', async () => {
    const image = '<Image><Pixels SizeZ="2000"><TiffData/></Pixels></Image>';
    const plane = { width: 1, height: 1, samples: new Uint8Array(1) };
    const description = `<OME>${image.repeat(2000)}</OME>`;
    const pages = Array.from({ length: 2000 }, (_, at) => (at === 0 ? { ...plane, description } : plane));
    const { series, notes } = await readTiffLayout(memorySource(tiff(pages)), 'cells.ome.tif');
    assert.equal(series.length, 500);
    assert.match(sentences(notes), /1500/);
  });
});
