import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../src/base/errors';
import { labelsThatShow } from '../../../../src/archives/labelRuns';
import { encodeCounts } from '../../../../src/archives/runLengthEncoding';
import { image, index, goldenMasks, record, rectangle } from './archives';
import { withMasks } from './withMasks';

const TILE = 256;

const bits = (...objects: number[]) => {
  const bytes = new Uint8Array(4);
  for (const object of objects) bytes[object >> 3] = (bytes[object >> 3] ?? 0) | (1 << (object & 7));
  return bytes;
};

describe('label tiles with hidden objects', () => {
  const nested = [
    rectangle(1, 0, 0, 9, 9),
    rectangle(2, 2, 2, 7, 7),
    rectangle(3, 4, 4, 5, 5),
    rectangle(4, 20, 20, 22, 22),
  ];
  const at = (labels: Uint32Array, x: number, y: number) => labels[y * TILE + x];

  it('show the objects below, and report whether any overlap', async () => {
    await withMasks({ 'a_objects.json': image('a', 300, 300, nested) }, async masks => {
      const tile = (hidden?: Uint8Array, x = 0) => masks.labelTile(0, { level: 0, x, y: 0 }, hidden);
      const all = await tile();
      assert.deepEqual(
        [0, 2, 4, 20].map(x => at(all.labels, x, x)),
        [1, 2, 3, 4],
      );
      assert.equal(all.overlaps, true);
      const without = await tile(bits(1));
      assert.deepEqual(
        [0, 2, 4, 20].map(x => at(without.labels, x, x)),
        [1, 1, 3, 4],
      );
      assert.equal(without.overlaps, true);
      const more = await tile(bits(0, 2, 3));
      assert.deepEqual(
        [0, 2, 4, 20].map(x => at(more.labels, x, x)),
        [0, 2, 2, 0],
      );
      assert.ok((await tile(bits(0, 1, 2, 3))).labels.every(label => label === 0));
      assert.deepEqual((await tile()).labels, all.labels);
      assert.equal((await tile(undefined, 1)).overlaps, false);
    });
  });

  it('agree with a pixel-by-pixel painter at any level, with any overlaps and hidden objects', async () => {
    const shape = fc.record({
      x: fc.integer({ min: 0, max: 50 }),
      y: fc.integer({ min: 0, max: 50 }),
      width: fc.integer({ min: 1, max: 14 }),
      height: fc.integer({ min: 1, max: 14 }),
      seed: fc.nat(),
      hidden: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 20 }), fc.nat(3), async (shapes, level) => {
        const bitmaps = shapes.map(({ width, height, seed }) =>
          Uint8Array.from({ length: width * height }, (_, n) => ((seed >> (n % 20)) ^ (n * 7)) & 1),
        );
        const records = shapes.map(({ x, y, width, height }, at) => {
          const runs: number[] = [];
          let [last, length] = [0, 0];
          for (const bit of bitmaps[at] ?? []) {
            if (bit !== last) {
              runs.push(length);
              length = 0;
              last = bit;
            }
            length++;
          }
          runs.push(length);
          return record(at + 1, [x, y, x + width, y + height], [height, width], encodeCounts(runs));
        });
        const covers = (at: number, px: number, py: number) => {
          const { x, y, width, height } = shapes[at] ?? { x: 0, y: 0, width: 0, height: 0 };
          return (
            px >= x &&
            py >= y &&
            px < x + width &&
            py < y + height &&
            bitmaps[at]?.[(px - x) * height + py - y] === 1
          );
        };
        const areas = bitmaps.map(bitmap => bitmap.reduce((sum, bit) => sum + bit, 0));
        const hidden = bits(...shapes.flatMap((item, at) => (item.hidden ? [at] : [])));
        await withMasks(
          { 'index.json': index('Cell'), 'a_objects.json': image('a', 64, 64, records) },
          async masks => {
            const { labels, overlaps } = await masks.labelTile(0, { level, x: 0, y: 0 }, hidden);
            const all = await masks.labelTile(0, { level, x: 0, y: 0 }, undefined);
            const isHidden = (label: number) => shapes[label - 1]?.hidden === true;
            const ofAll = { top: all.labels, beneath: all.beneath ?? new Uint32Array(0) };
            const showing = labelsThatShow(all.labels, ofAll, isHidden);
            const step = 2 ** level;
            let meet = false;
            for (let y = 0; y < 64 / step; y++)
              for (let x = 0; x < 64 / step; x++) {
                const [px, py] = [x * step + (step >> 1), y * step + (step >> 1)];
                const all = shapes.map((_, at) => at).filter(at => covers(at, px, py));
                if (all.length > 1) meet = true;
                const [top] = all
                  .filter(at => !shapes[at]?.hidden)
                  .sort((a, b) => (areas[a] ?? 0) - (areas[b] ?? 0) || a - b);
                assert.equal(labels[y * TILE + x], (top ?? -1) + 1, `${x} ${y}`);
                const shows = showing[y * TILE + x] ?? 0;
                assert.equal(isHidden(shows) ? 0 : shows, (top ?? -1) + 1, `${x} ${y} of all`);
              }
            assert.equal(overlaps, meet);
          },
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('covered labels of a tile', () => {
  it('come with the labels of all objects, from the top, and not with those of some', async () => {
    const records = [rectangle(1, 0, 0, 9, 9), rectangle(2, 0, 0, 3, 1), rectangle(3, 0, 0, 2, 2)];
    await withMasks({ 'a_objects.json': image('a', 300, 300, records) }, async masks => {
      const tile = (hidden?: Uint8Array) => masks.labelTile(0, { level: 0, x: 0, y: 0 }, hidden);
      const length = (pixels: number) => (pixels - 1) << 16;
      const { beneath } = await tile();
      assert.deepEqual(
        [...(beneath ?? [])],
        [length(2), 2, 3, 1, 2 | length(1), 1, 1, TILE | length(2), 1, 1],
      );
      assert.equal((await tile(bits(1))).beneath, undefined);
    });
  });

  it('are left out if they are more than the tile has pixels', async () => {
    const records = Array.from({ length: 3 }, (_, at) => rectangle(at + 1, 0, 0, TILE, TILE - at));
    await withMasks({ 'a_objects.json': image('a', 300, 300, records) }, async masks => {
      const { beneath, overlaps } = await masks.labelTile(0, { level: 0, x: 0, y: 0 }, undefined);
      assert.deepEqual([beneath, overlaps], [undefined, true]);
    });
  });
});

describe('objects of an image', () => {
  const cells = [
    rectangle(11, 0, 0, 10, 10, 'Small'),
    rectangle(12, 100, 50, 110, 70, 'Large'),
    rectangle(13, 3, 3, 4, 4, 'Small'),
  ];
  const entries = { 'index.json': index('Small', 'Large'), 'a_objects.json': image('a', 200, 100, cells) };

  it('are measured, all or some', async () => {
    await withMasks(entries, async masks => {
      const all = await masks.measures(0, [0, 1, 2]);
      assert.deepEqual([...all.areas], [100, 200, 1]);
      assert.deepEqual([...all.centroids], [5, 5, 105, 60, 3.5, 3.5]);
      assert.deepEqual([...all.perimeters], [36, 56, 0]);
      const some = await masks.measures(0, [2, 0]);
      assert.deepEqual([...some.areas], [1, 100]);
      for (const wrong of [3, -1, 0.5])
        await assert.rejects(masks.measures(0, [wrong]), error => isCoded(error, 'bad-request'));
      await assert.rejects(masks.measures(0, [0], AbortSignal.abort()), error => isCoded(error, 'cancelled'));
    });
  });

  it('measure as scikit-image does', async () => {
    const archive: Record<string, unknown> = { 'index.json': index('Cell') };
    goldenMasks.forEach((mask, at) => {
      const [height, width] = mask.size;
      archive[`m${at}_objects.json`] = image(`m${at}`, width, height, [
        record(1, mask.bbox, mask.cropped.size, mask.cropped.counts),
      ]);
    });
    await withMasks(archive, async masks => {
      for (const { index: at, id } of masks.summary.images) {
        const mask = goldenMasks[Number(id.slice(1))];
        assert.ok(mask);
        const { areas, centroids, perimeters } = await masks.measures(at, [0]);
        assert.equal(areas[0], mask.area, mask.name);
        mask.centroid.forEach((value, axis) =>
          assert.ok(Math.abs((centroids[axis] ?? NaN) - value) < 1e-9, mask.name),
        );
        assert.ok(Math.abs((perimeters[0] ?? NaN) - mask.perimeter) < 1e-9, mask.name);
      }
    });
  });

  it('are found in a region by their centroid', async () => {
    await withMasks(entries, async masks => {
      assert.deepEqual(await masks.objectsInRegion(0, { box: [0, 0, 200, 100] }), [0, 1, 2]);
      assert.deepEqual(await masks.objectsInRegion(0, { box: [3, 3, 4, 4] }), [2]);
      assert.deepEqual(await masks.objectsInRegion(0, { box: [10, 10, 0, 0] }), [0, 2]);
      // A notch cut out of the square leaves the centroid at (5, 5) outside.
      assert.deepEqual(
        await masks.objectsInRegion(0, { polygon: [0, 0, 20, 0, 4.6, 4.8, 20, 20, 0, 20] }),
        [2],
      );
      assert.deepEqual(
        await masks.objectsInRegion(0, { polygon: [104, 0, 106, 0, 106, 200, 104, 200] }),
        [1],
      );
      for (const polygon of [[], [1, 2, 3, 4], [1, 2, 3, 4, 5], [0, 0, NaN, 1, 1, 1]])
        await assert.rejects(masks.objectsInRegion(0, { polygon }), error => isCoded(error, 'bad-request'));
    });
  });

  it('are iterated one by one for an export', async () => {
    const scored = [{ ...cells[0], model_score: 0.5 }, cells[1] ?? {}];
    await withMasks({ ...entries, 'a_objects.json': image('a', 200, 100, scored) }, async masks => {
      const found: unknown[] = [];
      for await (const { mask, ...rest } of masks.eachObject(0))
        found.push({ ...rest, pixels: mask.width * mask.height });
      assert.deepEqual(found, [
        { index: 0, id: 11, className: 'Small', score: 0.5, bbox: [0, 0, 10, 10], pixels: 100 },
        { index: 1, id: 12, className: 'Large', bbox: [100, 50, 110, 70], pixels: 200 },
      ]);
      await assert.rejects(masks.eachObject(0, AbortSignal.abort()).next(), error =>
        isCoded(error, 'cancelled'),
      );
    });
  });

  it('appear in a thumbnail with their classes, even those smaller than its pixels', async () => {
    const many = [rectangle(1, 0, 0, 500, 1000, 'Large'), rectangle(2, 731, 211, 732, 212, 'Small')];
    await withMasks(
      { 'index.json': index('Small', 'Large'), 'a_objects.json': image('a', 1000, 2000, many) },
      async masks => {
        const { width, height, labels, classes } = await masks.thumbnail(0, 20);
        assert.deepEqual([width, height, labels.length], [10, 20, 200]);
        const counts = [0, 0, 0];
        for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
        assert.deepEqual(counts, [149, 50, 1]);
        assert.equal(labels[2 * 10 + 7], 2);
        assert.equal(classes[2 * 10 + 7], 1);
        assert.equal(classes[0], 2);
        for (const size of [0, 513, 1.5])
          await assert.rejects(masks.thumbnail(0, size), error => isCoded(error, 'bad-request'));
      },
    );
    await withMasks(entries, async masks => {
      const { width, height, labels } = await masks.thumbnail(0, 512);
      assert.deepEqual([width, height], [200, 100]);
      const tile = await masks.labelTile(0, { level: 0, x: 0, y: 0 }, undefined);
      for (let y = 0; y < height; y++)
        assert.deepEqual(
          labels.subarray(y * width, (y + 1) * width),
          tile.labels.subarray(y * TILE, y * TILE + width),
          `row ${y}`,
        );
    });
  });
});

describe('a thumbnail of any size', () => {
  it('shows at each pixel the object that lies where its sample is taken', async () => {
    // All sides of boxes from 0 to 699: wherever a sample falls, some begin and end.
    const cells = Array.from({ length: 100 }, (_, at) => {
      const [x, y] = [(at % 10) * 70 + (at % 7), Math.floor(at / 10) * 70 + (at % 5)];
      return rectangle(at + 1, x, y, x + 61, y + 63);
    });
    await withMasks({ 'a_objects.json': image('a', 700, 700, cells) }, async masks => {
      for (const size of [15, 39, 151]) {
        const { width, height, labels } = await masks.thumbnail(0, size);
        const step = 700 / size;
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++) {
            const [object = -1] = await masks.objectsAt(0, step / 2 + x * step, step / 2 + y * step);
            if (labels[y * width + x] !== object + 1) assert.fail(`size ${size}, pixel ${x}, ${y}`);
          }
      }
    });
  });
});

describe('an image of 100,000 × 100,000 pixels', () => {
  const side = 100_000;
  const cells = Array.from({ length: 20_000 }, (_, at) => {
    const x = (at % 200) * 500 + 3;
    const y = Math.floor(at / 200) * 1000 + 5;
    return rectangle(at + 1, x, y, x + 20, y + 30);
  });
  const corner = rectangle(20_001, side - 1, side - 1, side, side);

  it('is opened and painted in the memory of its runs', async () => {
    await withMasks({ 'a_objects.json': image('a', side, side, [...cells, corner]) }, async masks => {
      const before = process.memoryUsage().arrayBuffers;
      const near = await masks.labelTile(0, { level: 0, x: 0, y: 0 }, undefined);
      assert.equal(near.labels[5 * TILE + 3], 1);
      const far = await masks.labelTile(
        0,
        { level: 0, x: Math.floor(side / TILE), y: Math.floor(side / TILE) },
        undefined,
      );
      const place = (side - 1) % TILE;
      assert.equal(far.labels[place * TILE + place], 20_001);
      const overview = await masks.labelTile(0, { level: 9, x: 0, y: 0 }, undefined);
      assert.ok(overview.labels.some(label => label > 0));
      assert.deepEqual(await masks.objectsAt(0, side - 1, side - 1), [20_000]);
      await masks.thumbnail(0, 128);
      assert.ok(process.memoryUsage().arrayBuffers - before < 20e6);
    });
  });
});
