import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { receivedLabels, type SentLabels } from '../../../../src/archives/labelRuns';
import { type NumberKind, unpackIntegers } from '../../../../src/protocol/packed';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { MasksHandlers, MAX_OBJECTS } from '../../../../src/archives/engine/masksHandlers';
import { image, index, rectangle, writeArchive } from './archives';

const signal = new AbortController().signal;

/**
 * Handlers with an open archive of one image; `onStarted` is called where it is shown while it is
 * read.
 */
async function withArchive(
  entry: ReturnType<typeof image>,
  use: (masks: MasksHandlers) => Promise<void>,
  options: { largeArchive?: { minBytes: number }; onStarted?: (masks: MasksHandlers) => void } = {},
): Promise<void> {
  const entries = { 'index.json': index('Small', 'Large'), 'a_objects.json': entry };
  const { path, remove } = await writeArchive(entries);
  const masks = new MasksHandlers({
    startProgress: () => () => undefined,
    onOpened: () => undefined,
    onStarted: () => options.onStarted?.(masks),
    onImages: () => undefined,
    rowOf: () => null,
    largeArchive: options.largeArchive,
  });
  try {
    await masks.handlers.openMasks({ path }, signal);
    await use(masks);
  } finally {
    masks.dispose();
    await remove();
  }
}

function bytesOf(response: object): number {
  return Object.values(response).reduce<number>(
    (sum, value) => sum + (value instanceof ArrayBuffer ? value.byteLength : 0),
    0,
  );
}

function labelsOf(tile: SentLabels): Uint32Array {
  return receivedLabels(tile, TILE_SIZE ** 2);
}

function boxesOf({ boxes, kind }: { boxes: ArrayBuffer; kind: NumberKind }) {
  return unpackIntegers(boxes, kind);
}

function areasOf({ areas, kind }: { areas: ArrayBuffer; kind: NumberKind }) {
  return unpackIntegers(areas, kind);
}

function maximum(labels: Uint32Array): number {
  return labels.reduce((most, label) => Math.max(most, label), 0);
}

describe('handlers of masks requests', () => {
  it('return pages of less than 4 MB', async () => {
    const count = 120_001;
    const records = Array.from({ length: count }, (_, at) => {
      const x = at % 990;
      const y = Math.floor(at / 990);
      return { ...rectangle(at + 1, x, y, x + 1, y + 1), pred_class: at % 2 === 0 ? 'Small' : 'Large' };
    });
    await withArchive(image('a', 1000, 1000, records), async ({ handlers }) => {
      let from = 0;
      let pages = 0;
      while (from < count) {
        const boxes = await handlers.objectBoxes({ image: 0, from, count: MAX_OBJECTS }, signal);
        const measures = await handlers.objectMeasures({ image: 0, from }, signal);
        const areas = await handlers.objectAreas({ image: 0, from }, signal);
        assert.deepEqual([...areasOf(areas)], [...new Float64Array(measures.areas)]);
        for (const response of [boxes, measures, areas]) assert.ok(bytesOf(response) <= 4 * 1024 ** 2);
        assert.equal(measures.from, from);
        assert.equal(boxes.kind, 'uint16');
        assert.equal(boxesOf(boxes).length, 4 * measures.count);
        const [x1 = 0, y1 = 0] = boxesOf(boxes);
        assert.equal(y1 * 990 + x1, from);
        const [x, y] = new Float64Array(measures.centroids);
        assert.deepEqual([x, y], [x1 + 0.5, y1 + 0.5]);
        assert.equal(new Float64Array(measures.areas).length, measures.count);
        from += measures.count;
        pages++;
      }
      assert.equal(from, count);
      assert.equal(pages, 2);
      for (const wrong of [-1, count + 1, 0.5])
        await assert.rejects(
          async () => handlers.objectBoxes({ image: 0, from: wrong, count: 1 }, signal),
          error => isCoded(error, 'bad-request'),
        );
    });
  });

  it('paint as many objects as have known classes while others are being read', async () => {
    const records = Array.from({ length: 60_000 }, (_, at) => {
      const x = at % 250;
      const y = Math.floor(at / 250);
      return rectangle(at + 1, x, y, x + 1, y + 1);
    });
    const place = { image: 0, level: 0, x: 0, y: 0 };
    const requestBoth = ({ handlers }: MasksHandlers) =>
      Promise.all([
        handlers.objectClasses({ image: 0 }, signal),
        handlers.labelTile({ ...place, count: 'known' }, signal),
      ]);
    let both: ReturnType<typeof requestBoth> | undefined;
    await withArchive(
      image('a', 250, 240, records),
      async ({ handlers }) => {
        const [classes, tile] = (await both) ?? [];
        assert.ok(classes && tile);
        assert.ok(classes.count > 1 && classes.count < records.length, `${classes.count} objects were read`);
        assert.equal(tile.count, classes.count);
        assert.equal(maximum(labelsOf(tile)), classes.count);
        const whole = await handlers.labelTile({ ...place, count: 'known' }, signal);
        assert.equal(whole.count, undefined);
        assert.equal(maximum(labelsOf(whole)), records.length);
      },
      {
        largeArchive: { minBytes: 0 },
        onStarted: masks => {
          both = requestBoth(masks);
        },
      },
    );
  });

  it('return the smallest of thousands of overlapping objects', async () => {
    const records = Array.from({ length: 3000 }, (_, at) => rectangle(at + 1, 0, 0, 1, 3000 - at));
    await withArchive(image('a', 1, 3000, records), async ({ handlers }) => {
      const { objects } = await handlers.objectsAt({ image: 0, x: 0, y: 0 }, signal);
      assert.deepEqual([objects.length, objects[0], objects[999]], [1000, 2999, 2000]);
    });
  });

  it('leave hidden objects out of a tile, measure objects, find those in a region, and paint a thumbnail', async () => {
    const records = [rectangle(1, 0, 0, 20, 20, 'Small'), rectangle(2, 5, 5, 10, 10, 'Large')];
    await withArchive(image('a', 1000, 1000, records), async ({ handlers }) => {
      const place = { image: 0, level: 0, x: 0, y: 0 };
      const all = await handlers.labelTile(place, signal);
      assert.equal(labelsOf(all)[6 * 256 + 6], 2);
      assert.equal(all.overlaps, true);
      const some = await handlers.labelTile({ ...place, hidden: Uint8Array.of(2).buffer }, signal);
      assert.equal(labelsOf(some)[6 * 256 + 6], 1);
      const { areas, count } = await handlers.objectMeasures({ image: 0, objects: [1] }, signal);
      assert.deepEqual([count, ...new Float64Array(areas)], [1, 25]);
      const known = await handlers.objectAreas({ image: 0 }, signal);
      assert.deepEqual([known.count, ...areasOf(known)], [2, 400, 25]);
      const second = await handlers.objectAreas({ image: 0, from: 1 }, signal);
      assert.deepEqual([second.from, second.count, ...areasOf(second)], [1, 1, 25]);
      const box: [number, number, number, number] = [7, 7, 8, 8];
      assert.deepEqual(await handlers.objectsInRegion({ image: 0, box }, signal), { objects: [1] });
      await assert.rejects(
        async () => handlers.objectsInRegion({ image: 0 }, signal),
        error => isCoded(error, 'bad-request'),
      );
      const thumbnail = await handlers.thumbnail({ image: 0, size: 50 }, signal);
      assert.deepEqual([thumbnail.width, thumbnail.height], [50, 50]);
      assert.deepEqual([...new Uint16Array(thumbnail.classes).subarray(0, 2)], [1, 0]);
      assert.equal(new Uint32Array(thumbnail.labels)[0], 1);
    });
  });
});
