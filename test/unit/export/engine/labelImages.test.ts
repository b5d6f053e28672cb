import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { maskFromRuns, type ObjectMask } from '../../../../src/archives/objectMask';
import { runsFromMask } from '../../../../src/archives/runLengthEncoding';
import { labelValues, paintLabelBands } from '../../../../src/export/engine/labelImages';
import { OutputFile } from '../../../../src/base/node/outputFolder';
import { TiffWriter } from '../../../../src/export/engine/tiffWriter';
import { readLabels } from './readLabels';

describe('Labels of objects', () => {
  it('are their IDs where possible', () => {
    assert.deepEqual(labelValues([3, 1, 65_535], 65_535), [3, 1, 65_535]);
  });

  it('are the next numbers after all IDs for 0, negative, fractional, repeated and too large IDs', () => {
    assert.deepEqual(labelValues([0, 5, -2, 2.5, 5, 70_000, NaN], 65_535), [6, 5, 7, 8, 9, 10, 11]);
  });

  it('are the lowest free numbers where the largest label is an ID', () => {
    assert.deepEqual(labelValues([4, 0, 2, -1], 4), [4, 1, 2, 3]);
  });

  it('are never 0 and never equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 30 }), { maxLength: 20 }), ids => {
        const values = labelValues(ids, 20);
        assert.equal(new Set(values).size, ids.length);
        assert.ok(values.every(value => value >= 1 && value <= 20));
      }),
    );
  });

  it('are limited: more objects are rejected', () => {
    assert.throws(
      () => labelValues([1, 2, 3], 2),
      error => isCoded(error, 'too-many-objects'),
    );
  });
});

/** A filled rectangle. */
function block(x: number, y: number, width: number, height: number): ObjectMask {
  return { x, y, width, height, runs: Uint32Array.of(0, width * height) };
}

describe('Label images painted in bands', () => {
  it('need at most 32 MB for 20,000 × 20,000 pixels', async () => {
    const size = { width: 20_000, height: 20_000 };
    const lost = new Float64Array(2);
    let rows = 0;
    let largest = 0;
    const buffers = new Set<ArrayBufferLike>();
    for await (const band of paintLabelBands(
      [block(5, 10, 3, 19_000), block(6, 100, 1, 50)],
      size,
      13,
      lost,
    )) {
      assert.equal(band.top, rows);
      rows += band.rows;
      largest = Math.max(largest, band.labels.byteLength);
      buffers.add(band.labels.buffer);
      for (let row = 0; row < band.rows; row++) {
        const y = band.top + row;
        const first = y >= 10 && y < 19_010 ? 1 : 0;
        assert.equal(band.labels[row * band.stride + 5], first);
        assert.equal(band.labels[row * band.stride + 6], y >= 100 && y < 150 ? 2 : first);
        assert.equal(band.labels[row * band.stride + 8], 0);
      }
    }
    assert.equal(rows, 20_000);
    assert.equal(buffers.size, 1);
    assert.ok(largest <= 32 * 1024 ** 2);
    assert.deepEqual([...lost], [50, 0]);
  });

  it('have the smallest object at every pixel', async () => {
    const side = 7;
    const bitmaps = fc.array(fc.array(fc.boolean(), { minLength: side * side, maxLength: side * side }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(bitmaps, async pixels => {
        const masks = pixels.map(one => maskFromRuns(runsFromMask(one.map(Number), side, side), side));
        const areas = pixels.map(one => one.filter(Boolean).length);
        const lost = new Float64Array(masks.length);
        const covered = new Float64Array(masks.length);
        for await (const { labels, stride } of paintLabelBands(
          masks,
          { width: side, height: side },
          1,
          lost,
        )) {
          for (let at = 0; at < side * side; at++) {
            const here = pixels.flatMap((one, object) => (one[at] ? [object] : []));
            here.sort((a, b) => (areas[a] ?? 0) - (areas[b] ?? 0) || a - b);
            const [top] = here;
            assert.equal(
              labels[Math.floor(at / side) * stride + (at % side)],
              top === undefined ? 0 : top + 1,
            );
            for (const object of here.slice(1)) covered[object] = (covered[object] ?? 0) + 1;
          }
        }
        assert.deepEqual(lost, covered);
      }),
    );
  });
});

describe('The TIFF writer', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tiff-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function written(bits: 16 | 32, classicLimit?: number): Promise<string> {
    const place = join(folder, `${bits}-${classicLimit}.tif`);
    const file = new OutputFile(place, await open(place, 'w'));
    const image = { width: 700, height: 500, bits, description: 'a description' };
    const writer = await TiffWriter.begin(file, image, classicLimit);
    const samples = bits === 16 ? new Uint16Array(700 * 500) : new Uint32Array(700 * 500);
    samples.forEach((_, at) => (samples[at] = at % 65_521));
    const strip = (writer.rowsPerStrip * 700 * bits) / 8;
    const bytes = new Uint8Array(samples.buffer);
    for (let at = 0; at < bytes.length; at += strip) await writer.addStrips([bytes.subarray(at, at + strip)]);
    await writer.finish();
    await file.close();
    return place;
  }

  for (const bits of [16, 32] as const) {
    for (const [name, limit] of [
      ['TIFF', undefined],
      ['BigTIFF', 0],
    ] as const) {
      it(`writes ${bits} bits in strips that another library reads from a ${name}`, async () => {
        const place = await written(bits, limit);
        const read = await readLabels(place);
        assert.deepEqual([read.width, read.height, read.bits], [700, 500, bits]);
        for (let at = 0; at < 700 * 500; at++)
          if (read.labels[at] !== at % 65_521) assert.fail(`pixel ${at} is ${read.labels[at]}`);
        const handle = await open(place);
        const { buffer } = await handle.read(new Uint8Array(4), 0, 4, 0);
        await handle.close();
        assert.deepEqual([...buffer], [0x49, 0x49, limit === undefined ? 42 : 43, 0]);
      });
    }
  }
});
