import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../../src/base/errors';
import { maskOf } from '../../../../../src/archives/engine/imageObjects';
import { readLabelImage } from '../../../../../src/comparison/engine/truth/labelImage';
import { pixelsOf } from '../objects';
import { tiff, type TiffPage } from '../../../images/tiffFixture';

describe('readLabelImage', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'labels-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  type Labels = TiffPage['samples'];

  async function written(labels: Labels, width: number, channels = 1): Promise<string> {
    const path = join(folder, 'labels.tif');
    const height = labels.length / width / channels;
    const photometric = channels === 3 ? 2 : 1;
    await writeFile(path, tiff([{ width, height, samples: labels, channels, photometric }]));
    return path;
  }

  async function reasonFor(labels: Labels, width: number, channels?: number): Promise<string | undefined> {
    const path = await written(labels, width, channels);
    return await readLabelImage(path).then(
      () => undefined,
      (error: unknown) => (isCoded(error) ? error.details.reason?.message : String(error)),
    );
  }

  it('gives each label its pixels, in parts, with holes, in the order of the labels', async () => {
    const rows = ['9922..', '9.92..', '999..2', '...511'];
    const width = 6;
    const text = rows.join('');
    const labels = Uint16Array.from(text, character => (character === '.' ? 0 : Number(character)));
    const { objects } = await readLabelImage(await written(labels, width));
    assert.deepEqual([...objects.ids], [1, 2, 5, 9]);
    assert.deepEqual([objects.width, objects.height], [6, 4]);
    for (let object = 0; object < objects.count; object++) {
      const found = pixelsOf(maskOf(objects, object), width);
      const expected = [...text].flatMap((character, at) =>
        character === String(objects.ids[object]) ? [at] : [],
      );
      assert.deepEqual(found, expected, `label ${objects.ids[object]}`);
    }
  });

  it('counts areas of a binary mask that touch nowhere, and makes them objects if it is wanted', async () => {
    const text = ['##..#', '#..#.', '...#.', '.#...', '##..#'].join('');
    const path = await written(
      Uint8Array.from(text, character => (character === '#' ? 255 : 0)),
      5,
    );
    const together = await readLabelImage(path);
    assert.deepEqual([together.areas, [...together.objects.ids]], [4, [255]]);
    const { areas, objects } = await readLabelImage(path, true);
    assert.equal(areas, 4);
    assert.deepEqual([...objects.ids], [1, 2, 3, 4]);
    assert.deepEqual(
      [0, 1, 2, 3].map(object => pixelsOf(maskOf(objects, object), 5)),
      [[0, 1, 5], [4, 8, 13], [16, 20, 21], [24]],
    );
    // Labels say which objects there are: one that is in parts is one object.
    const labels = await readLabelImage(await written(Uint8Array.from([1, 0, 1, 2]), 4), true);
    assert.deepEqual([labels.areas, [...labels.objects.areas]], [0, [2, 1]]);
  });

  it('finds the areas that filling each from a pixel finds, whatever their shapes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 150 }),
        async (width, values) => {
          const height = Math.floor(values.length / width);
          const samples = Uint8Array.from(values.slice(0, width * height), Number);
          fc.pre(samples.includes(1));
          const { areas, objects } = await readLabelImage(await written(samples, width), true);
          const expected = filled(samples, width);
          assert.equal(areas, expected.length);
          const found = Array.from({ length: objects.count }, (_, object) =>
            pixelsOf(maskOf(objects, object), width),
          );
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  /** The areas of an image, each filled from its first pixel over sides and corners. */
  function filled(samples: Uint8Array, width: number): number[][] {
    const left = new Set([...samples.keys()].filter(at => samples[at] === 1));
    const areas: number[][] = [];
    for (const first of left) {
      const area = [first];
      left.delete(first);
      for (const at of area)
        for (let y = -1; y <= 1; y++)
          for (let x = -1; x <= 1; x++) {
            const column = (at % width) + x;
            const next = at + y * width + x;
            if (column >= 0 && column < width && left.delete(next)) area.push(next);
          }
      areas.push(area.sort((one, other) => one - other));
    }
    return areas;
  }

  it('keeps labels that single precision would round, and the largest of 32 bits', async () => {
    const large = [16_777_216, 16_777_217, 4_294_967_295];
    const { objects } = await readLabelImage(await written(Uint32Array.from([...large, 0]), 2));
    assert.deepEqual([...objects.ids], large);
    assert.deepEqual([...objects.areas], [1, 1, 1]);
  });

  it('reads signed labels, as Python writes them', async () => {
    const { objects } = await readLabelImage(await written(Int32Array.from([0, 3, 3, 1]), 2));
    assert.deepEqual([...objects.ids], [1, 3]);
  });

  it('reads labels of 64 bits, the integers of Python, in either byte order, compressed or not', async () => {
    const largest = 2n ** 32n - 1n;
    const path = join(folder, 'labels.tif');
    for (const samples of [BigInt64Array.of(0n, 3n, largest, 3n), BigUint64Array.of(0n, 3n, largest, 3n)])
      for (const compression of [1, 8])
        for (const littleEndian of [true, false]) {
          await writeFile(path, tiff([{ width: 2, height: 2, samples, compression }], littleEndian));
          const { objects } = await readLabelImage(path);
          assert.deepEqual([...objects.ids], [3, 4_294_967_295]);
          assert.deepEqual([...objects.areas], [2, 1]);
        }
  });

  it('says which label of 64 bits is negative or beyond 32 bits, instead of taking another for it', async () => {
    assert.equal(await reasonFor(BigInt64Array.of(0n, -1n), 2), 'It has a negative label, {0}');
    assert.equal(
      await reasonFor(BigUint64Array.of(1n, 2n ** 32n), 2),
      'It has a label of more than 32 bits, {0}',
    );
    assert.equal(
      await reasonFor(BigUint64Array.of(1n, 2n ** 64n - 1n), 2),
      'It has a label of more than 32 bits, {0}',
    );
  });

  it('has no objects where there are no labels', async () => {
    assert.equal((await readLabelImage(await written(new Uint8Array(12), 4))).objects.count, 0);
  });

  it('refuses floating-point and negative labels, and images of several channels', async () => {
    assert.equal(
      await reasonFor(Float32Array.from([0, 1, 1, 2]), 2),
      'Its labels are floating-point numbers; labels must be whole numbers',
    );
    assert.equal(await reasonFor(Int32Array.from([0, -1, 1, 2]), 2), 'It has a negative label, {0}');
    assert.equal(await reasonFor(new Uint8Array(12), 2, 3), 'It has several channels; a label image has one');
  });

  it('takes places in a palette for labels', async () => {
    const path = join(folder, 'labels.tif');
    const samples = Uint8Array.from([0, 200, 7, 7]);
    const colorMap = Array.from({ length: 768 }, (_, at) => (at * 257) % 65_536);
    await writeFile(path, tiff([{ width: 2, height: 2, samples, photometric: 3, colorMap }]));
    assert.deepEqual([...(await readLabelImage(path)).objects.ids], [7, 200]);
    const png = join(folder, 'labels.png');
    // 13 × 11 pixels of 2 bits: the place of x, y is (x + 2·y) mod 3.
    const bytes =
      'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALAgMAAAGu299kAAAACVBMVEUBAgMoMjzI0tzO4TVdAAAASklEQVR42mNQYHRgdGAKYGpjbmG5wyDB4nmbQWUC46RtDJ4KjJPWMU0KYDbfwuL5HSTYNslTnmmSp2oDc6jqJBMWVSCXQSKxjQEAUo8R/cKt4WoAAAAASUVORK5CYII=';
    await writeFile(png, Buffer.from(bytes, 'base64'));
    const { objects } = await readLabelImage(png);
    assert.deepEqual([...objects.ids], [1, 2]);
    assert.deepEqual([...objects.areas], [47, 48]);
  });

  it('says which PNG file is cut off, wherever it ends', async () => {
    const path = join(folder, 'labels.png');
    // 2 × 2 labels of 8 bits.
    const whole = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNgYGRgYgYAABEAB56iKhIAAAAASUVORK5CYII=',
      'base64',
    );
    await writeFile(path, whole);
    assert.deepEqual([...(await readLabelImage(path)).objects.ids], [1, 2, 3]);
    for (let end = 4; end < whole.length; end++) {
      await writeFile(path, whole.subarray(0, end));
      await assert.rejects(
        readLabelImage(path),
        (error: unknown) => isCoded(error, 'bad-request') && error.details.subject === 'labels.png',
        `${end} bytes`,
      );
    }
  });

  it('refuses several planes: which one is meant?', async () => {
    const path = join(folder, 'labels.tif');
    const page = { width: 2, height: 2, samples: Uint8Array.from([0, 1, 1, 2]) };
    await writeFile(path, tiff([page, page]));
    await assert.rejects(
      readLabelImage(path),
      (error: unknown) =>
        isCoded(error) && error.details.reason?.message === 'It has {0} planes; a label image has one',
    );
  });

  it('refuses an image in which nearly each of millions of pixels is a label of its own', async () => {
    const side = 1536;
    const labels = Uint32Array.from({ length: side * side }, (_, at) => at + 1);
    assert.equal(await reasonFor(labels, side), 'It has more than {0} labels');
  });
});
