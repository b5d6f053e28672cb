import { deepEqual, equal, ok } from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { type MasksBeingRead, openMasks } from '../../../../src/archives/engine/openMasks';
import type { Masks } from '../../../../src/archives/engine/masks';
import { image, index, rectangle, writeArchive } from './archives';

const SIDE = 1024;
const { signal } = new AbortController();

/** Overlapping rectangles of changing sizes, all over an image. */
function rectangles(count: number, classes: readonly string[] = ['Cell']) {
  return Array.from({ length: count }, (_, at) => {
    const x = (at * 37) % (SIDE - 40);
    const y = (at * 101) % (SIDE - 40);
    return rectangle(at + 1, x, y, x + 3 + (at % 31), y + 5 + (at % 23), classes[at % classes.length]);
  });
}

/** Opens an archive as a large one; `look` is called once it is being read. */
async function openWhileLooking<T>(
  entries: Record<string, unknown>,
  look: (reading: MasksBeingRead) => Promise<T>,
  use: (masks: Masks, seen: T) => Promise<void> | void,
): Promise<void> {
  const { path, remove } = await writeArchive(entries);
  let seen: Promise<T> | undefined;
  const masks = await openMasks(path, {
    listener: {
      minBytes: 0,
      onStarted: reading => {
        seen = look(reading);
      },
      onImages: () => undefined,
    },
  });
  try {
    ok(seen, 'It was not shown while it was read');
    await use(masks, await seen);
  } finally {
    masks.dispose();
    await remove();
  }
}

/** Opens an archive without a listener, in its own order. */
async function openAtOnce<T>(
  entries: Record<string, unknown>,
  use: (masks: Masks) => Promise<T>,
): Promise<T> {
  const { path, remove } = await writeArchive(entries);
  const masks = await openMasks(path);
  try {
    return await use(masks);
  } finally {
    masks.dispose();
    await remove();
  }
}

const PLACES = [
  { level: 0, x: 1, y: 2 },
  { level: 1, x: 0, y: 1 },
  { level: 2, x: 0, y: 0 },
];

describe('masks while they are being read', () => {
  it('are painted in growing parts, and finally like those of an archive read at once', async () => {
    const count = 60_000;
    const entries = {
      'index.json': index('Cell'),
      'a_objects.json': image('a', SIDE, SIDE, rectangles(count)),
    };
    const all = await openAtOnce(entries, async masks => ({
      tiles: await Promise.all(PLACES.map(place => masks.labelTile(0, place, undefined))),
      objects: await masks.objects(0),
      summary: masks.summary,
    }));
    const look = async (reading: MasksBeingRead) => {
      const soFar = await reading.more(0, 0, signal);
      if (!soFar) return undefined;
      const { count } = soFar.objects;
      const painted = await Promise.all(
        PLACES.map(place => reading.masks.labelTile(0, place, undefined, undefined, soFar.objects)),
      );
      return { count, share: soFar.share, painted };
    };
    await openWhileLooking(entries, look, async (masks, seen) => {
      ok(seen && seen.count > 0 && seen.count < count, `${seen?.count} objects were shown`);
      ok(seen.share > 0 && seen.share <= 1, `a share of ${seen.share}`);
      const first = { ...all.objects, count: seen.count };
      for (const [at, place] of PLACES.entries()) {
        const once = await masks.labelTile(0, place, undefined, undefined, first);
        deepEqual(seen.painted[at], once);
        deepEqual(await masks.labelTile(0, place, undefined), all.tiles[at]);
      }
      deepEqual(masks.summary, all.summary);
    });
  });

  it('are counted alike for classes and tiles that are requested at once', async () => {
    const entries = {
      'index.json': index('Cell'),
      'a_objects.json': image('a', SIDE, SIDE, rectangles(60_000)),
    };
    const look = async (reading: MasksBeingRead) => {
      const [soFar, atOnce] = await Promise.all([reading.more(0, 0, signal), reading.knownCount(0, signal)]);
      const first = [soFar?.objects.count, atOnce, await reading.knownCount(0, signal)];
      const more = await reading.more(0, soFar?.objects.count ?? 0, signal);
      const later = [more?.objects.count, await reading.knownCount(0, signal)];
      await reading.masks.objects(0);
      return { first, later, whole: await reading.knownCount(0, signal) };
    };
    await openWhileLooking(entries, look, (_, { first, later, whole }) => {
      ok(first[0] !== undefined && first[0] > 0);
      deepEqual(first, [first[0], first[0], first[0]]);
      equal(later[0], later[1]);
      equal(whole, undefined);
    });
  });

  it('are listed by name and size, and an image that is requested is read before the others', async () => {
    const entries = {
      'index.json': index('Cell'),
      ...Object.fromEntries(
        ['c', 'b', 'a'].map(id => [`${id}_objects.json`, image(id, SIDE, SIDE, rectangles(4000))]),
      ),
    };
    const look = async ({ masks }: MasksBeingRead) => {
      const listed = masks.summary.images.map(({ filename, width, isPartial }) => [
        filename,
        width,
        isPartial,
      ]);
      const { count } = await masks.objects(0);
      return { listed, count };
    };
    await openWhileLooking(entries, look, (masks, { listed, count }) => {
      deepEqual(
        listed,
        ['a.tif', 'b.tif', 'c.tif'].map(name => [name, SIDE, true]),
      );
      equal(count, 4000);
      deepEqual(
        masks.summary.images.map(each => [each.filename, each.objectCount, each.isPartial]),
        ['a.tif', 'b.tif', 'c.tif'].map(name => [name, 4000, undefined]),
      );
    });
  });

  it('are reported image by image, with the indexes that they are listed with', async () => {
    const { path, remove } = await writeArchive({
      'index.json': index('Cell'),
      'b_objects.json': image('b', SIDE, SIDE, rectangles(20)),
      'a_objects.json': image('a', SIDE, SIDE, rectangles(10)),
    });
    const reports: unknown[] = [];
    // Time passes between any two images.
    const { now } = performance;
    let hours = 0;
    performance.now = () => now.call(performance) + 3_600_000 * hours++;
    try {
      const listener = {
        minBytes: 0,
        onStarted: () => undefined,
        onImages: (images: { index: number; objectCount: number }[], done: number, total: number) =>
          reports.push([images.map(each => [each.index, each.objectCount]), done, total]),
      };
      (await openMasks(path, { listener })).dispose();
    } finally {
      performance.now = now;
      await remove();
    }
    deepEqual(reports, [
      [[[1, 20]], 1, 2],
      [[[0, 10]], 2, 2],
    ]);
  });

  it('have the classes in the order of the archive, whatever was read first', async () => {
    const entries = {
      'c_objects.json': image('c', SIDE, SIDE, rectangles(50, ['Late', 'Later'])),
      'b_objects.json': image('b', SIDE, SIDE, rectangles(50, ['Middle'])),
      'a_objects.json': image('a', SIDE, SIDE, rectangles(50, ['Early', 'Late'])),
    };
    const read = async (masks: Masks) => ({
      summary: masks.summary,
      classes: await Promise.all([0, 1, 2].map(async at => (await masks.objects(at)).classes)),
    });
    const expected = await openAtOnce(entries, read);
    const look = async ({ masks }: MasksBeingRead) => void (await masks.objects(0));
    await openWhileLooking(entries, look, async masks => deepEqual(await read(masks), expected));
  });

  it('are not shown early if an entry begins in another way than the service writes it', async () => {
    const { path, remove } = await writeArchive({
      'a_objects.json': '{"objects":{},"id":"a","filename":"a.tif","height":5,"width":5}',
    });
    let started = false;
    const masks = await openMasks(path, {
      listener: { minBytes: 0, onStarted: () => (started = true), onImages: () => undefined },
    });
    deepEqual([started, masks.summary.images[0]?.filename], [false, 'a.tif']);
    masks.dispose();
    await remove();
  });

  it('have an error for a damaged image, and show the others', async () => {
    const good = image('b', SIDE, SIDE, rectangles(10));
    const entries = {
      'a_objects.json': '{"filename":"a.tif","id":"a","height":5,"width":5,"objects":{"1":',
      'b_objects.json': good,
    };
    const look = ({ masks }: MasksBeingRead) =>
      Promise.all([masks.objects(1), masks.objects(0).catch((error: unknown) => error)]);
    await openWhileLooking(entries, look, (masks, [objects, error]) => {
      equal(objects.count, 10);
      ok(isCoded(error, 'damaged-archive'));
      ok(masks.summary.images[0]?.failure);
    });
  });
});
