import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, isCoded } from '../../../../../src/base/errors';
import type { Masks } from '../../../../../src/archives/engine/masks';
import { openReference } from '../../../../../src/comparison/engine/truth/openReference';
import type { ReferenceMasks } from '../../../../../src/comparison/engine/truth/referenceMasks';
import { pixelsOf } from '../objects';
import { goldenArchive } from '../../../archives/engine/goldenArchive';
import { writeArchive } from '../../../archives/engine/archives';

const GOLDEN = 'test/golden/export';

describe('openReference', () => {
  let folder: string;
  const opened: ReferenceMasks[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'truth-'));
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) each.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function reference(path: string): Promise<ReferenceMasks> {
    const masks = await openReference(path, {}, () => undefined);
    opened.push(masks);
    return masks;
  }

  async function written(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** The golden archive that the golden exports were made of. */
  async function archive(): Promise<ReferenceMasks> {
    const { path, remove } = await writeArchive(goldenArchive());
    await copyFile(path, join(folder, 'masks.zip'));
    await remove();
    return await reference(join(folder, 'masks.zip'));
  }

  const coco = (fields: Record<string, unknown> = {}) => ({
    images: [{ id: 7, file_name: 'plate/a.tif', width: 10, height: 8 }],
    categories: [
      { id: 3, name: 'Nucleus' },
      { id: 4, name: 'Cell' },
    ],
    annotations: [],
    ...fields,
  });

  const square = [[1, 1, 5, 1, 5, 5, 1, 5]];
  const annotation = (fields: Record<string, unknown>) => ({
    id: 1,
    image_id: 7,
    category_id: 3,
    segmentation: square,
    iscrowd: 0,
    ...fields,
  });

  it('reads the masks of our own COCO export as they were', async () => {
    const masks = (await archive()).masks;
    const { masks: read, format } = await reference(`${GOLDEN}/coco/golden_coco.json`);
    assert.equal(format, 'coco');
    assert.deepEqual(await withPixels(read), await withPixels(masks));
  });

  it('reads the masks of our own GeoJSON export as they were', async () => {
    const masks = (await archive()).masks;
    for (const { index, filename } of masks.summary.images) {
      const stem = filename.replace(/^.*\//, '').replace(/\.tif$/, '');
      const { masks: read, format, unknownSizes } = await reference(`${GOLDEN}/geojson/${stem}.geojson`);
      assert.equal(format, 'geojson');
      assert.ok(unknownSizes.has(0));
      const size = masks.summary.images[index] ?? { width: 0 };
      const expected = await objectsOf(masks, index, size);
      assert.deepEqual(await objectsOf(read, 0, size), expected, filename);
    }
  });

  for (const [kind, extension] of [
    ['labels-png', 'png'],
    ['labels-tiff', 'tif'],
  ]) {
    it(`reads the label images of our own export (${extension}) as they were, but for pixels beneath others`, async () => {
      const masks = (await archive()).masks;
      const { masks: read, format } = await reference(`${GOLDEN}/${kind}`);
      assert.equal(format, 'folder');
      assert.deepEqual(
        read.summary.images.map(({ filename }) => filename),
        ['5x7', '14x14', '50x40', '64x48'].map(size => `${size}_labels.${extension}`),
      );
      for (const { index, filename, width, height } of read.summary.images) {
        const original = masks.summary.images.find(image =>
          filename.startsWith(`${image.width}x${image.height}_`),
        );
        assert.ok(original);
        assert.deepEqual([width, height], [original.width, original.height]);
        const objects = (await objectsOf(masks, original.index, original)).map(
          ([, pixels]) => new Set(pixels),
        );
        // IDs that don't fit into the file got other numbers.
        const labels = await objectsOf(read, index, { width });
        assert.ok(labels.length > 0);
        for (const [id, pixels] of labels)
          assert.ok(
            objects.some(object => pixels.every(pixel => object.has(pixel))),
            `${filename}, ${id}`,
          );
      }
    });
  }

  it('reads polygons, compressed and plain runs of COCO, whatever the order of its members', async () => {
    const whole = coco({
      annotations: [
        annotation({ id: 5 }),
        annotation({ id: 6, category_id: 4, segmentation: { size: [8, 10], counts: [10, 4, 66] } }),
        annotation({ id: 9, segmentation: { size: [8, 10], counts: ':4R2' } }),
      ],
    });
    const { annotations, ...head } = whole;
    for (const content of [whole, { annotations, ...head }]) {
      const { masks, crowds } = await reference(await written('truth.json', content));
      assert.equal(crowds.size, 0);
      const [image] = masks.summary.images;
      assert.deepEqual(
        [image?.id, image?.filename, image?.width, image?.height],
        ['7', 'plate/a.tif', 10, 8],
      );
      assert.deepEqual(
        masks.summary.classes.map(({ name, count }) => [name, count]),
        [
          ['Nucleus', 2],
          ['Cell', 1],
        ],
      );
      const objects = await masks.objects(0);
      assert.deepEqual([...objects.ids], [5, 6, 9]);
      assert.deepEqual([...objects.areas], [16, 4, 4]);
    }
  });

  it('makes crowds of COCO no objects', async () => {
    const content = coco({
      annotations: [
        annotation({}),
        annotation({ id: 2, iscrowd: 1, segmentation: { size: [8, 10], counts: [0, 80] } }),
      ],
    });
    const { masks, crowds } = await reference(await written('truth.json', content));
    assert.equal((await masks.objects(0)).count, 1);
    assert.equal(crowds.get(0)?.count, 1);
    assert.equal(crowds.get(0)?.areas[0], 80);
    assert.deepEqual(
      masks.summary.notes.map(({ message, args }) => [message, ...args]),
      [['1 annotation is a crowd (iscrowd): a region to ignore, not an object', 1]],
    );
  });

  it('tells which annotations of COCO it can not read, and reads the others', async () => {
    const content = coco({
      images: [
        { id: 7, file_name: 'a.tif', width: 10, height: 8 },
        // As two joined files have it.
        { id: 7, file_name: 'a.tif', width: 10, height: 8 },
        { id: 8, file_name: 'c.tif', width: 'wide', height: 8 },
        { id: 9, file_name: 'd.tif', width: 10, height: 8 },
        { id: 9, file_name: 'e.tif', width: 10, height: 8 },
      ],
      annotations: [
        annotation({ id: 1 }),
        annotation({ id: 1, segmentation: [[0, 0, 2, 0, 2, 2, 0, 2]] }),
        annotation({ id: 2, segmentation: { size: [80, 10], counts: [800] } }),
        annotation({ id: 3, segmentation: undefined }),
        annotation({ id: 4, image_id: 99 }),
        annotation({ id: 5, image_id: 8 }),
        // Of d.tif or of e.tif?
        annotation({ id: 6, image_id: 9 }),
      ],
    });
    const { masks } = await reference(await written('truth.json', content));
    const { images, notes } = masks.summary;
    assert.deepEqual(
      notes.map(({ message, args }) => [message, ...args]),
      [["1 annotation was left out: its image isn't in the file", 1]],
    );
    assert.deepEqual(
      images[0]?.unreadable.map(({ key, reason }) => [key, reason.message]),
      [
        ['1', 'A later annotation has the same ID'],
        ['2', 'The mask size of {0} × {1} matches neither the image nor the bounding box'],
        ['3', 'The annotation has no segmentation'],
      ],
    );
    // The later one of the same ID counts.
    assert.deepEqual([...(await masks.objects(0)).areas], [4]);
    assert.deepEqual(
      images.map(({ filename, failure }) => [filename, failure?.details?.reason?.message]),
      [
        ['a.tif', undefined],
        ['c.tif', "The image's width isn't a number of pixels"],
        ['d.tif', 'Another image has the same ID, {0}'],
        ['e.tif', 'Another image has the same ID, {0}'],
      ],
    );
  });

  it('reads cells and parts of QuPath, and tells what is no area', async () => {
    const ring = (x: number, y: number, side: number) => [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ];
    const feature = (geometry: unknown, properties: unknown) => ({
      type: 'Feature',
      id: 'x',
      geometry,
      properties,
    });
    const content = [
      feature(
        { type: 'Polygon', coordinates: [ring(2, 2, 4)] },
        { name: '12', classification: { name: 'Tumor' } },
      ),
      feature(
        { type: 'MultiPolygon', coordinates: [[ring(0, 0, 1)], [ring(9, 9, 2)]] },
        { classification: { names: ['Tumor', 'Positive'] } },
      ),
      feature({ type: 'Point', coordinates: [1, 1] }, {}),
      feature({ type: 'Polygon', coordinates: 'none' }, { name: 'broken' }),
    ];
    const { masks, format } = await reference(await written('slide.json', content));
    assert.equal(format, 'geojson');
    const { images, classes } = masks.summary;
    assert.deepEqual(
      classes.filter(({ count }) => count > 0).map(({ name }) => name),
      ['Tumor', 'Tumor: Positive'],
    );
    const objects = await masks.objects(0);
    assert.deepEqual([...objects.ids], [12, 2]);
    assert.deepEqual([...objects.areas], [16, 5]);
    assert.deepEqual(
      images[0]?.unreadable.map(({ key, reason }) => [key, reason.message]),
      [
        ['3', "The feature isn't an area"],
        ['broken', "The polygon's coordinates aren't valid"],
      ],
    );
  });

  it('reads features wherever their file says what it is, and files without any', async () => {
    const corners = [
      [0, 0],
      [3, 0],
      [3, 3],
    ];
    const features = [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [corners] } }];
    const cases: [content: unknown, objects: number][] = [
      [{ features, type: 'FeatureCollection' }, 1],
      [{ name: 'a', crs: { type: 'name', properties: {} }, type: 'FeatureCollection', features }, 1],
      [{ type: 'FeatureCollection', features: [] }, 0],
      [[], 0],
      // A single feature is GeoJSON, too; one without a place has no object.
      [{ ...features[0], bbox: [0, 0, 3, 3] }, 1],
      [{ type: 'Feature', geometry: null, properties: {} }, 0],
    ];
    for (const [content, objects] of cases) {
      const { masks, format } = await reference(await written('slide.json', content));
      assert.equal(format, 'geojson');
      assert.equal((await masks.objects(0)).count, objects);
    }
  });

  describe('of objects and regions as QuPath exports them', () => {
    const box = (x: number, y: number, width: number, height = width) => [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
      [x, y],
    ];
    const shape = (coordinates: unknown, properties: object = {}, more: object = {}) => ({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates },
      properties,
      ...more,
    });
    const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
    const read = async (content: unknown) => {
      const { masks } = await reference(await written('slide.geojson', content));
      const { ids, areas, count } = await masks.objects(0);
      return {
        count,
        ids: [...ids],
        areas: [...areas],
        notes: masks.summary.notes.map(({ message, args }) => [message, ...args]),
      };
    };
    const detection = (x: number, y: number) => shape([box(x, y, 4)], { objectType: 'detection' });

    it('leaves out annotations that hold detections, and says so of those that do not', async () => {
      const { count, areas, notes } = await read(
        collection(
          shape([box(0, 0, 30, 20)], { objectType: 'annotation' }),
          detection(2, 2),
          detection(10, 2),
          // Half of it lies in a region, that is enough.
          detection(28, 2),
          shape([box(50, 50, 3)], { objectType: 'annotation', name: '7' }),
          shape([box(0, 0, 90)], { objectType: 'tma_core' }),
        ),
      );
      assert.deepEqual([count, areas], [4, [16, 16, 16, 9]]);
      assert.deepEqual(notes, [
        ["{0} regions that hold detections were left out: they aren't objects", 2],
        ['1 annotation that holds no detection counts as an object', 1],
      ]);
    });

    it('takes annotations as objects where there is nothing else, and says which hold several', async () => {
      const annotation = (...[x, y, width]: [number, number, number]) =>
        shape([box(x, y, width)], { objectType: 'annotation' });
      assert.deepEqual((await read(collection(annotation(0, 0, 4), annotation(1, 1, 2)))).notes, []);
      const { count, notes } = await read(
        collection(annotation(0, 0, 40), ...[0, 8, 16, 24].map(x => annotation(x, 2, 4))),
      );
      assert.equal(count, 5);
      assert.deepEqual(notes, [
        [
          '1 annotation holds several others and counts as an object; if it is a region, export without it',
          1,
        ],
      ]);
    });

    it('says that nuclei of cells, and objects of other planes, are left out', async () => {
      const cell = { properties: { objectType: 'cell' } };
      const inPlane = (x: number, plane?: object) => ({
        ...shape([box(x, 0, 4)]),
        ...cell,
        geometry: { type: 'Polygon', coordinates: [box(x, 0, 4)], ...(plane && { plane }) },
      });
      const nucleusGeometry = { type: 'Polygon', coordinates: [box(1, 1, 2)] };
      const { count, notes } = await read(
        collection(
          { ...inPlane(0), nucleusGeometry },
          inPlane(10, { c: 2, z: 1, t: 0 }),
          inPlane(20, { c: -1, z: 0, t: 0 }),
          inPlane(30, { c: -1, z: 0, t: 3 }),
        ),
      );
      assert.equal(count, 2);
      assert.deepEqual(notes, [
        ['1 cell has a nucleus, which was left out: the mask is that of the cell', 1],
        ['{0} objects were left out: they are in other planes (z, t) than the first', 2],
      ]);
      // In one plane, whichever it is, all are read.
      const plane = { c: -1, z: 4, t: 0 };
      const same = await read(collection(inPlane(0, plane), inPlane(10, plane)));
      assert.deepEqual([same.count, same.notes], [2, []]);
    });

    it('joins parts of an object that overlap, and a ring that is walked twice, and says so', async () => {
      const multi = (name: string, ...polygons: unknown[]) => ({
        ...shape([], { name }),
        geometry: { type: 'MultiPolygon', coordinates: polygons },
      });
      const walked = box(100, 60, 20);
      const { ids, areas, notes } = await read(
        collection(
          multi('2', [box(50, 10, 20)], [box(60, 10, 20)]),
          multi('3', [box(100, 10, 30)], [box(110, 20, 10)]),
          shape([[...walked, ...walked.slice(1)]], { name: '7' }),
          shape([walked, walked], { name: '8' }),
          // Valid ones: parts side by side, and in each other's holes.
          multi('10', [box(0, 0, 10)], [box(10, 0, 10)]),
          multi('11', [box(0, 20, 20), box(5, 25, 10)], [box(8, 28, 4)]),
        ),
      );
      assert.deepEqual(ids, [2, 3, 7, 8, 10, 11]);
      assert.deepEqual(areas, [600, 900, 400, 400, 200, 316]);
      assert.deepEqual(notes, [
        ['{0} objects have polygons that overlap or cross themselves: all that they hold is their mask', 4],
      ]);
    });

    it('adds up what is said of the files of a folder', async () => {
      await mkdir(join(folder, 'slides'));
      const content = collection(shape([box(0, 0, 30)], { objectType: 'annotation' }), detection(2, 2));
      for (const name of ['a', 'b']) await written(join('slides', `${name}.geojson`), content);
      const { masks } = await reference(join(folder, 'slides'));
      assert.deepEqual(
        masks.summary.notes.map(({ message, args }) => [message, ...args]),
        [["{0} regions that hold detections were left out: they aren't objects", 2]],
      );
    });
  });

  it('refuses files that are none of these', async () => {
    const cases: [name: string, content: string, code: string, reason: string | undefined][] = [
      ['a.json', '{"images": []}', 'bad-request', "This isn't a COCO file with images and annotations"],
      ['b.json', '{"images": [1', 'bad-request', 'The JSON ends early, after {0} bytes'],
      [
        'without annotations.json',
        '{"images": [{"id": 1, "width": 2, "height": 2}]}',
        'bad-request',
        "This isn't a COCO file with images and annotations",
      ],
      [
        'results.json',
        '[{"image_id": 1, "segmentation": []}]',
        'bad-request',
        "This isn't a COCO file with images and annotations",
      ],
      ['c.geojson', '{"type":"FeatureCollection","features":[}', 'bad-request', 'Invalid JSON at byte {0}'],
      [
        'geometry.geojson',
        '{"type":"Polygon","coordinates":[]}',
        'bad-request',
        "This isn't GeoJSON as QuPath exports it",
      ],
      ['numbers.json', '[1, 2]', 'bad-request', "This isn't GeoJSON as QuPath exports it"],
      ['d.png', 'no image', 'bad-request', "The file isn't a PNG, JPEG, WebP or TIFF file"],
      ['e.zip', 'PK\u0003\u0004 cut off', 'damaged-archive', undefined],
    ];
    for (const [name, content, code, why] of cases) {
      await assert.rejects(reference(await written(name, content)), (error: unknown) => {
        assert.ok(error instanceof CodedError, String(error));
        assert.equal(error.code, code, name);
        if (why !== undefined) assert.equal(error.details.reason?.message, why, name);
        return true;
      });
    }
    await mkdir(join(folder, 'empty'));
    await assert.rejects(reference(join(folder, 'empty')), (error: unknown) => isCoded(error, 'bad-request'));
    await assert.rejects(reference(join(folder, 'missing.json')), (error: unknown) =>
      isCoded(error, 'not-a-file'),
    );
  });

  it('reads the other files of a folder where one is damaged', async () => {
    await copyFile(`${GOLDEN}/labels-png/5x7_labels.png`, join(folder, 'good_masks.png'));
    await written('bad_masks.png', 'no image');
    await written('notes.txt', 'not masks');
    await written('labels.csv', 'a table beside them');
    const { masks } = await reference(folder);
    assert.deepEqual(
      masks.summary.notes.map(({ message, args }) => [message, ...args]),
      [['1 file was left out: it is no PNG, TIFF, GeoJSON or RoiSet.zip file ({1})', 1, 'notes.txt']],
    );
    assert.deepEqual(
      masks.summary.images.map(({ filename, failure }) => [filename, failure?.code]),
      [
        ['bad_masks.png', 'bad-request'],
        ['good_masks.png', undefined],
      ],
    );
  });

  it('gives no objects of a file that was changed or deleted since it was compared', async () => {
    const files = ['a', 'b', 'c'].map(name => join(folder, `${name}_masks.png`));
    for (const file of files) await copyFile(`${GOLDEN}/labels-png/5x7_labels.png`, file);
    const { masks } = await openReference(folder, { memory: 0 }, () => undefined);
    const [, changed = '', deleted = ''] = files;
    await copyFile(`${GOLDEN}/labels-png/14x14_labels.png`, changed);
    await rm(deleted);
    assert.ok((await masks.objects(0)).count > 0);
    await assert.rejects(masks.objects(1), { code: 'file-changed' });
    await assert.rejects(masks.objects(2), { code: 'not-a-file' });
  });

  it('stops when it is canceled', async () => {
    const controller = new AbortController();
    const path = await written('truth.json', coco());
    controller.abort();
    await assert.rejects(
      openReference(path, {}, () => undefined, controller.signal),
      (error: unknown) => isCoded(error, 'cancelled'),
    );
  });
});

/** IDs and pixels of objects that have any, by ID. */
async function objectsOf(
  masks: Masks,
  image: number,
  { width }: { width: number },
): Promise<[id: number, pixels: number[]][]> {
  const found: [number, number[]][] = [];
  for await (const { id, mask } of masks.eachObject(image))
    if (mask.width > 0) found.push([Number(id), pixelsOf(mask, width)]);
  return found.sort(([one], [other]) => one - other);
}

/**
 * All objects with pixels by the name of their image. COCO numbers objects anew, so without their
 * IDs.
 */
async function withPixels(masks: Masks): Promise<Record<string, number[][]>> {
  const images: Record<string, number[][]> = {};
  for (const { index, filename, width } of masks.summary.images) {
    const objects = await objectsOf(masks, index, { width });
    images[filename] = objects.map(([, pixels]) => pixels).sort((one, other) => comparePixels(one, other));
  }
  return images;
}

function comparePixels(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one.join(), other.join()];
  return a < b ? -1 : a > b ? 1 : 0;
}
