import assert from 'node:assert/strict';
import { sentences } from '../../words/reasonText';
import { reason } from '../../../../src/base/reasons';
import fc from 'fast-check';
import { isCoded } from '../../../../src/base/errors';
import type { Masks } from '../../../../src/archives/engine/masks';
import { withMasks } from './withMasks';
import { goldenMasks, image, index, record, rectangle, type GoldenMask } from './archives';

const TILE = 256;

/** The slow way: expands plain column-major runs of a whole frame, pixel by pixel. */
function expand({ runs, size: [height, width] }: GoldenMask): (x: number, y: number) => boolean {
  const pixels = new Uint8Array(height * width);
  let at = 0;
  runs.forEach((run, i) => {
    for (let n = 0; n < run; n++) pixels[at++] = i % 2;
  });
  return (x, y) => x < width && y < height && pixels[x * height + y] === 1;
}

async function tile(masks: Masks, imageIndex: number, level = 0, x = 0, y = 0): Promise<Uint32Array> {
  return (await masks.labelTile(imageIndex, { level, x, y }, undefined)).labels;
}

describe('label tiles of golden masks', () => {
  for (const shape of ['cropped', 'full-frame'] as const) {
    it(`agree with a slow decoder, ${shape}, at every level`, async () => {
      const entries: Record<string, unknown> = { 'index.json': index('Cell') };
      goldenMasks.forEach((mask, at) => {
        const [height, width] = mask.size;
        const size = shape === 'cropped' ? mask.cropped.size : mask.size;
        const counts = shape === 'cropped' ? mask.cropped.counts : mask.counts;
        entries[`m${at}_objects.json`] = image(`m${at}`, width, height, [record(7, mask.bbox, size, counts)]);
      });
      await withMasks(entries, async masks => {
        assert.deepEqual(masks.summary.notes, []);
        for (const summary of masks.summary.images) {
          const mask = goldenMasks[Number(summary.id.slice(1))];
          assert.ok(mask);
          assert.equal(summary.objectCount, 1, mask.name);
          const covers = expand(mask);
          for (const level of [0, 1, 2, 5]) {
            const step = 2 ** level;
            for (const [tileX, tileY] of [
              [0, 0],
              [1, 0],
              [0, 1],
              [3, 4],
            ] as const) {
              const labels = await tile(masks, summary.index, level, tileX, tileY);
              let wrong = 0;
              for (let y = 0; y < TILE; y++)
                for (let x = 0; x < TILE; x++) {
                  const pixelX = (tileX * TILE + x) * step + Math.floor(step / 2);
                  const pixelY = (tileY * TILE + y) * step + Math.floor(step / 2);
                  if ((labels[y * TILE + x] === 1) !== covers(pixelX, pixelY)) wrong++;
                }
              assert.equal(wrong, 0, `${mask.name}, level ${level}, tile ${tileX} ${tileY}`);
            }
          }
          const facts = await masks.facts(summary.index, 0);
          assert.equal(facts.id, 7);
          assert.equal(facts.area, mask.area);
          assert.deepEqual(facts.bbox, mask.bbox);
          assert.ok(Math.abs(facts.centroid[0] - mask.centroid[0]) < 1e-9);
          assert.ok(Math.abs(facts.perimeter - mask.perimeter) < 1e-6 * (1 + mask.perimeter));
        }
      });
    });
  }
});

describe('objects that overlap', () => {
  it('have the smaller on top, in any order in the file', async () => {
    const boxes = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
      ),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(boxes, async given => {
        const records = given.map(([x, y, w, h], at) => rectangle(at + 1, x, y, x + w, y + h));
        await withMasks(
          { 'index.json': index('Cell'), 'a_objects.json': image('a', 40, 40, records) },
          async masks => {
            const labels = await tile(masks, 0);
            for (let y = 0; y < 40; y++)
              for (let x = 0; x < 40; x++) {
                const covering = given
                  .map(([left, top, w, h], object) => ({ object, left, top, w, h }))
                  .filter(({ left, top, w, h }) => x >= left && x < left + w && y >= top && y < top + h)
                  .sort((a, b) => a.w * a.h - b.w * b.h || a.object - b.object)
                  .map(({ object }) => object);
                assert.equal(labels[y * TILE + x], (covering[0] ?? -1) + 1);
                assert.deepEqual(await masks.objectsAt(0, x + 0.5, y + 0.9), covering);
              }
          },
        );
      }),
      { numRuns: 15 },
    );
  });

  it('are found under a hole of the one above only where its pixels are', async () => {
    const ring = goldenMasks.find(mask => mask.name === 'ring');
    assert.ok(ring);
    const [height, width] = ring.size;
    const [x1, y1, x2, y2] = ring.bbox;
    const records = [record(1, ring.bbox, ring.size, ring.counts), rectangle(2, 0, 0, width, height)];
    await withMasks({ 'a_objects.json': image('a', width, height, records) }, async masks => {
      assert.deepEqual(await masks.objectsAt(0, (x1 + x2) / 2, (y1 + y2) / 2), [1]);
      assert.deepEqual(await masks.objectsAt(0, x1 + 1, (y1 + y2) / 2), [0, 1]);
      assert.deepEqual(await masks.objectsAt(0, -1, 5), []);
    });
  });
});

describe('a masks archive', () => {
  it('is summarized: classes in the order of the index, images in natural order, objects per class', async () => {
    const entries = {
      'run/b_objects.json': image('b', 10, 10, [rectangle(1, 0, 0, 2, 2, 'Large')], 'img10.tif'),
      'run/a_objects.json': image(
        'a',
        20,
        10,
        [rectangle(3, 0, 0, 2, 2, 'Small'), rectangle(4, 5, 5, 9, 9, 'Large')],
        'img2.tif',
      ),
      'run/c_objects.json': image('c', 20, 10, [], 'img11.tif'),
      'run/': '',
      '__MACOSX/run/._a_objects.json': 'junk',
      'run/index.json': index('Small', 'Large', 'Unused'),
    };
    await withMasks(entries, async masks => {
      const { summary } = masks;
      assert.equal(summary.dateRun, '2026-01-02T03:04:05.678Z');
      assert.deepEqual(summary.classes, [
        { name: 'Small', count: 1 },
        { name: 'Large', count: 2 },
        { name: 'Unused', count: 0 },
      ]);
      assert.deepEqual(
        summary.images.map(({ index: at, id, filename, objectCount, classCounts }) => ({
          at,
          id,
          filename,
          objectCount,
          classCounts,
        })),
        [
          { at: 0, id: 'a', filename: 'img2.tif', objectCount: 2, classCounts: [1, 1, 0] },
          { at: 1, id: 'b', filename: 'img10.tif', objectCount: 1, classCounts: [0, 1, 0] },
          { at: 2, id: 'c', filename: 'img11.tif', objectCount: 0, classCounts: [0, 0, 0] },
        ],
      );
      assert.deepEqual(summary.notes, []);
      const objects = await masks.objects(0);
      assert.deepEqual([...objects.ids], [3, 4]);
      assert.deepEqual([...objects.boxes], [0, 0, 2, 2, 5, 5, 9, 9]);
      assert.deepEqual([...masks.identities(0).areas], [4, 16]);
    });
  });

  it('is read without its index, with unknown classes and with IDs that are not their keys, with notes on each', async () => {
    const odd = image('a', 10, 10, [rectangle(1, 0, 0, 2, 2), rectangle(2, 3, 3, 5, 5, 'Other')]);
    (odd['objects'] as Record<string, Record<string, unknown>>)['1'] = {
      ...rectangle(9, 0, 0, 2, 2),
      model_score: 0.75,
    };
    await withMasks({ 'a_objects.json': odd }, async masks => {
      assert.deepEqual(masks.summary.notes, [
        reason('The archive has no index.json; classes come from the objects'),
        reason('{0} objects have an ID that differs from their key; the ID is used', 1),
      ]);
      assert.deepEqual(await masks.facts(0, 0).then(({ id, score }) => ({ id, score })), {
        id: 9,
        score: 0.75,
      });
    });
    await withMasks({ 'index.json': index('Cell'), 'a_objects.json': odd }, async masks => {
      assert.deepEqual(
        masks.summary.notes[0],
        reason('The class "{0}" isn\'t in the archive\'s index', 'Other'),
      );
    });
    await withMasks({ 'index.json': '{', 'a_objects.json': odd }, async masks => {
      assert.deepEqual(
        masks.summary.notes[0],
        reason("Couldn't read the archive's index.json; classes come from the objects"),
      );
    });
  });

  it("lists objects that can't be read, with the reason, and shows the others", async () => {
    const broken = { ...rectangle(2, 0, 0, 2, 2), rle: { size: [2, 2], counts: [1, 9] } };
    const records = [
      rectangle(1, 0, 0, 2, 2),
      broken,
      { ...rectangle(3, 0, 0, 2, 2), rle: { size: [3, 7], counts: [21] } },
    ];
    await withMasks(
      { 'index.json': index('Cell'), 'a_objects.json': image('a', 10, 10, records) },
      async masks => {
        const [summary] = masks.summary.images;
        assert.equal(summary?.objectCount, 1);
        assert.deepEqual(
          summary?.unreadable.map(({ key }) => key),
          ['2', '3'],
        );
        assert.ok(summary?.unreadable.every(one => sentences([one.reason]).length > 5));
      },
    );
  });

  it("shows the other images when one can't be read", async () => {
    const entries = {
      'a_objects.json': '{"width": 3',
      'b_objects.json': image('b', 10, 10, []),
      'c_objects.json': { id: 'c' },
    };
    await withMasks(entries, async masks => {
      assert.deepEqual(
        masks.summary.images.map(({ failure }) => failure?.code),
        ['damaged-archive', undefined, 'damaged-archive'],
      );
      await assert.rejects(tile(masks, 0), error => isCoded(error, 'damaged-archive'));
      assert.ok((await tile(masks, 1)).every(label => label === 0));
    });
  });

  it('stores decoded images within its memory limit and reads others again', async () => {
    const entries: Record<string, unknown> = { 'index.json': index('Cell') };
    for (let at = 0; at < 30; at++)
      entries[`i${at}_objects.json`] = image(`i${at}`, 50, 50, [rectangle(1, at, at, at + 3, at + 3)]);
    await withMasks(
      entries,
      async masks => {
        for (let round = 0; round < 2; round++)
          for (let at = 0; at < 30; at++) {
            const labels = await tile(masks, at);
            assert.equal(labels[at * TILE + at], 1);
            assert.equal(
              labels.reduce((sum, label) => sum + label, 0),
              9,
            );
          }
        // Several at once share one reading.
        const tiles = await Promise.all([0, 0, 5, 0].map(at => tile(masks, at)));
        assert.deepEqual(tiles[0], tiles[3]);
      },
      500,
    );
  });

  it('has details of objects at hand where they are in memory', async () => {
    const images = [0, 1].map(at => image(`i${at}`, 50, 50, [rectangle(1, at, at, at + 3, at + 3)]));
    const entries = { 'a_objects.json': images[0], 'b_objects.json': images[1] };
    await withMasks(
      entries,
      async masks => {
        const facts = await masks.facts(0, 0);
        assert.deepEqual(masks.factsInMemory(0, 0), facts);
        await masks.facts(1, 0);
        assert.equal(masks.factsInMemory(0, 0), undefined);
      },
      1,
    );
  });

  it('rejects images and objects that do not exist', async () => {
    await withMasks({ 'a_objects.json': image('a', 10, 10, []) }, async masks => {
      await assert.rejects(
        async () => tile(masks, 4),
        error => isCoded(error, 'bad-request'),
      );
      await assert.rejects(masks.facts(0, 0), error => isCoded(error, 'bad-request'));
    });
  });
});
