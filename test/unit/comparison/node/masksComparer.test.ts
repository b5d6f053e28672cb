import type { AnalyzedItem } from '../../../../src/archives/imageIdentity';
import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import {
  comparableFile,
  type ComparableSource,
  MasksComparer,
  type OpenedComparison,
} from '../../../../src/comparison/node/masksComparer';
import { tiff } from '../../images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { InProcessEngine } from '../../session/node/inProcessEngine';

describe('Comparing masks in a thread of their own', () => {
  let folder: string;
  let engines: InProcessEngine[];
  const archives: { remove: () => Promise<void> }[] = [];
  const opened: OpenedComparison[] = [];

  beforeEach(async () => {
    engines = [];
    folder = await mkdtemp(join(tmpdir(), 'comparer-'));
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) each.dispose();
    for (const { remove } of archives.splice(0)) await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const { signal } = new AbortController();

  const comparer = () =>
    new MasksComparer({
      startEngine: () => {
        const engine = new InProcessEngine();
        engines.push(engine);
        return engine;
      },
      log: silentLog,
    });

  async function archive(
    entries: Record<string, unknown>,
    items?: readonly AnalyzedItem[],
  ): Promise<ComparableSource> {
    const made = await writeArchive({ 'index.json': index('Cell', 'Nucleus'), ...entries });
    archives.push(made);
    return {
      title: 'masks.zip',
      mayBeEmpty: false,
      path: () => Promise.resolve(made.path),
      items: () => Promise.resolve(items),
    };
  }

  async function compared(a: ComparableSource, b: ComparableSource): Promise<OpenedComparison> {
    const comparison = await comparer().open(a, b, () => undefined, signal);
    opened.push(comparison);
    return comparison;
  }

  const fileUri = (path: string) => ({
    scheme: 'file',
    path,
    fsPath: path,
    toString: () => `file://${path}`,
  });

  const two = () => ({
    'a_objects.json': image('a', 20, 20, [rectangle(1, 0, 0, 4, 4), rectangle(2, 10, 10, 14, 14, 'Nucleus')]),
    'b_objects.json': image('b', 20, 20, [rectangle(1, 0, 0, 4, 4)]),
  });

  it('compares the images that both have, and tells the others', async () => {
    const a = await archive({ ...two(), 'c_objects.json': image('c', 9, 9, []) });
    const b = await archive({
      'a_objects.json': image('a', 20, 20, [rectangle(7, 0, 0, 4, 5), rectangle(8, 10, 10, 14, 14)]),
      'b_objects.json': image('b', 20, 30, [rectangle(1, 0, 0, 4, 4)]),
      'd_objects.json': image('d', 9, 9, []),
    });
    const comparison = await compared(a, b);
    assert.deepEqual(await comparison.compare({ classes: 'all' }, () => undefined, signal), []);
    assert.deepEqual(
      [comparison.unpaired('a'), comparison.unpaired('b')].map(images => images.map(({ path }) => path)),
      [
        ['b.tif', 'c.tif'],
        ['b.tif', 'd.tif'],
      ],
    );
    assert.deepEqual(comparison.pairs.doubtful, [{ a: 1, b: 1, why: 'size' }]);
    await comparison.pairByHand(comparison.keysOf([{ a: 1, b: 1 }]));
    const skipped = await comparison.compare({ classes: 'all' }, () => undefined, signal);
    assert.deepEqual(
      skipped.map(pair => [pair.a, pair.b, pair.reason.message]),
      [[1, 1, 'The sizes differ: {0} × {1} and {2} × {3} pixels']],
    );
    const all = await comparison.scores(0.5, signal);
    assert.deepEqual([all.pooled.tp, all.pooled.fp, all.pooled.fn, all.images.length], [2, 0, 0, 1]);
    assert.deepEqual(all.confusions, [
      { a: 'Cell', b: 'Cell', count: 1 },
      { a: 'Nucleus', b: 'Cell', count: 1 },
    ]);
    assert.equal((await comparison.scores(0.95, signal)).pooled.tp, 1);
    await assert.rejects(comparison.scores(0.51, signal), (error: unknown) => isCoded(error, 'bad-request'));

    await comparison.compare({ classes: 'each' }, () => undefined, signal);
    const each = await comparison.scores(0.5, signal);
    assert.deepEqual(
      each.byClass.map(({ a: one, b: other, scores }) => [one, other, scores.tp, scores.fp, scores.fn]),
      [
        ['Cell', 'Cell', 1, 1, 0],
        ['Nucleus', undefined, 0, 0, 1],
      ],
    );
    assert.deepEqual(each.meanOverClasses.precision, { mean: 0.5, n: 1 });
  });

  it('counts objects of a class that the other side lacks as missed or extra', async () => {
    const both = (other: string) =>
      archive({
        'a_objects.json': image('a', 80, 60, [
          rectangle(1, 12, 15, 29, 26, 'Nucleus'),
          rectangle(2, 42, 25, 59, 36, other),
        ]),
      });
    const comparison = await compared(await both('Mitotic'), await both('Debris'));
    await comparison.compare({ classes: 'each' }, () => undefined, signal);
    const { pooled, classes } = await comparison.scores(0.5, signal);
    assert.deepEqual([pooled.tp, pooled.fn, pooled.fp, pooled.f1], [1, 1, 1, 0.5]);
    assert.deepEqual(classes.pairs, [{ a: 'Nucleus', b: 'Nucleus' }, { a: 'Mitotic' }, { b: 'Debris' }]);
  });

  it('ignores objects in crowds of their class, also where no other object of A has it', async () => {
    const corners = (x: number, y: number, side: number) => [
      [x, y, x + side, y, x + side, y + side, x, y + side],
    ];
    const truth = {
      images: [{ id: 1, file_name: 'a.tif', width: 20, height: 20 }],
      categories: [
        { id: 1, name: 'Cell' },
        { id: 2, name: 'Nucleus' },
      ],
      annotations: [
        { id: 1, image_id: 1, category_id: 1, segmentation: corners(0, 0, 4) },
        { id: 2, image_id: 1, category_id: 2, segmentation: corners(9, 9, 10), iscrowd: 1 },
      ],
    };
    const path = join(folder, 'truth.json');
    await writeFile(path, JSON.stringify(truth));
    const comparison = await compared(comparableFile(fileUri(path)), await archive(two()));
    await comparison.compare({ classes: 'each' }, () => undefined, signal);
    const { pooled, ignored } = await comparison.scores(0.5, signal);
    assert.deepEqual([pooled.tp, pooled.fp, pooled.fn, ignored], [1, 0, 0, 1]);
  });

  it('pairs images of two jobs by the hashes of their files', async () => {
    const a = await archive(two(), [
      { id: 'item 1', path: 'one/a.tif', sha256: 'x' },
      { id: 'item 2', path: 'one/b.tif', sha256: 'y' },
    ]);
    const b = await archive(
      {
        'p_objects.json': image('p', 20, 20, []),
        'q_objects.json': image('q', 20, 20, []),
      },
      [
        { id: 'item 3', path: 'two/p.tif', sha256: 'y' },
        { id: 'item 4', path: 'two/q.tif', sha256: 'x' },
      ],
    );
    const { pairs } = (await compared(a, b)).pairs;
    assert.deepEqual(pairs, [
      { a: 0, b: 1, by: 'hash' },
      { a: 1, b: 0, by: 'hash' },
    ]);
  });

  it('compares the rest where an entry of an archive is damaged', async () => {
    const a = await archive({ ...two(), 'b_objects.json': '{"broken' });
    const comparison = await compared(a, await archive(two()));
    const skipped = await comparison.compare({ classes: 'all' }, () => undefined, signal);
    const { images, pooled } = await comparison.scores(0.5, signal);
    assert.deepEqual([images.length, pooled.tp], [1, 2]);
    const failure = comparison.a.summary.images.find(({ failure: why }) => why);
    assert.ok(failure);
    // Its name tells the pair where its beginning could be read, else it has no partner.
    assert.ok(skipped.length === 1 || comparison.unpaired('a').length === 1);
  });

  it('has no figures where the two have no image in common', async () => {
    const b = await archive({ 'z_objects.json': image('z', 20, 20, [rectangle(1, 0, 0, 4, 4)]) });
    const comparison = await compared(await archive(two()), b);
    assert.deepEqual(await comparison.compare({ classes: 'all' }, () => undefined, signal), []);
    const { images, pooled } = await comparison.scores(0.5, signal);
    assert.deepEqual([images, pooled.tp, pooled.precision, pooled.f1], [[], 0, null, null]);
  });

  it('compares a file of ground truth with an archive, whatever its size is called', async () => {
    const path = join(folder, 'a_masks.geojson');
    const ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
    ];
    const feature = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties: {} };
    await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
    const comparison = await compared(comparableFile(fileUri(path)), await archive(two()));
    assert.deepEqual(await comparison.compare({ classes: 'all' }, () => undefined, signal), []);
    const { pooled } = await comparison.scores(0.95, signal);
    assert.deepEqual([pooled.tp, pooled.fp, pooled.fn], [1, 1, 0]);
  });

  it('makes areas of a binary mask objects each, and one again, also where that is canceled in between', async () => {
    const samples = new Uint8Array(400);
    for (let y = 0; y < 4; y++)
      for (const corner of [0, 210]) samples.fill(255, corner + y * 20, corner + y * 20 + 4);
    const path = join(folder, 'a_masks.tif');
    await writeFile(path, tiff([{ width: 20, height: 20, samples }]));
    const comparison = await compared(comparableFile(fileUri(path)), await archive(two()));
    const counts = async () => {
      await comparison.compare({ classes: 'all' }, () => undefined, signal);
      const { pooled } = await comparison.scores(0.5, signal);
      return [pooled.tp, pooled.fn, pooled.fp, comparison.a.summary.notes[0]?.message];
    };
    const together = await counts();
    assert.deepEqual(together, [
      1,
      0,
      1,
      '1 image has several areas with one label, as a binary mask has: all of them are one object',
    ]);
    await assert.rejects(comparison.separateAreas(true, () => undefined, AbortSignal.abort()));
    assert.deepEqual(await counts(), together);
    await comparison.separateAreas(true, () => undefined, signal);
    assert.deepEqual(await counts(), [
      2,
      0,
      0,
      '1 image has one label, as a binary mask has: each of its areas is an object',
    ]);
    await comparison.separateAreas(false, () => undefined, signal);
    assert.deepEqual(await counts(), together);
  });

  it('pairs by hand, and takes that back', async () => {
    const b = await archive({ 'z_objects.json': image('z', 20, 20, [rectangle(1, 0, 0, 4, 4)]) });
    const comparison = await compared(await archive(two()), b);
    const pair = { a: 'a\na.tif', b: 'z\nz.tif' };
    await comparison.pairByHand([pair]);
    assert.deepEqual(comparison.pairs.pairs, [{ a: 0, b: 0, by: 'hand' }]);
    await comparison.compare({ classes: 'all' }, () => undefined, signal);
    assert.equal((await comparison.scores(0.5, signal)).pooled.tp, 1);
    await comparison.pairByHand([]);
    assert.deepEqual(comparison.pairs.pairs, []);
  });

  it('saves all files, or none where one is there', async () => {
    const comparison = await compared(await archive(two()), await archive(two()));
    await comparison.compare({ classes: 'all' }, () => undefined, signal);
    const choice = { destination: folder, threshold: 0.5, overwrite: false };
    const { files } = await comparison.save(choice, signal);
    const names = ['images.csv', 'pairs.csv', 'classes.csv', 'thresholds.csv'].map(
      end => `masks vs masks-${end}`,
    );
    assert.deepEqual(
      files.map(({ path }) => basename(path)),
      [...names, 'masks vs masks.json'],
    );
    const pairs = await readFile(join(folder, 'masks vs masks-pairs.csv'), 'utf8');
    assert.deepEqual(pairs.trimEnd().split('\r\n'), [
      'Image,Outcome,A ID,B ID,A class,B class,IoU,A area (px²),B area (px²),Area ratio (B ÷ A),Center distance (px),Split,Merged',
      'a.tif,matched,1,1,Cell,Cell,1,16,16,1,0,,',
      'a.tif,matched,2,2,Nucleus,Nucleus,1,16,16,1,0,,',
      'b.tif,matched,1,1,Cell,Cell,1,16,16,1,0,,',
    ]);
    const json = JSON.parse(await readFile(join(folder, 'masks vs masks.json'), 'utf8')) as {
      matching: unknown;
      thresholds: unknown[];
    };
    assert.deepEqual(json.matching, { classes: 'all' });
    assert.equal(json.thresholds.length, 10);
    await rm(join(folder, 'masks vs masks.json'));
    await assert.rejects(comparison.save(choice, signal), (error: unknown) => isCoded(error, 'exists'));
    assert.deepEqual((await readdir(folder)).sort(), [...names].sort());
    await comparison.save({ ...choice, overwrite: true }, signal);
    assert.equal((await readdir(folder)).length, 5);
  });

  it('ends its thread where a side can not be opened', async () => {
    await mkdir(join(folder, 'empty'));
    const b = comparableFile(fileUri(join(folder, 'empty')));
    await assert.rejects(
      comparer().open(await archive(two()), b, () => undefined, signal),
      (error: unknown) => isCoded(error, 'bad-request'),
    );
    await assert.rejects(engines[0]?.endpoint.request('comparisonCurve', {}) ?? Promise.resolve());
  });

  it('tells how far it is, up to the end', async () => {
    const shares: (number | undefined)[] = [];
    const onProgress = (_phase: string, share: number | undefined) => void shares.push(share);
    const comparison = await comparer().open(await archive(two()), await archive(two()), onProgress, signal);
    opened.push(comparison);
    assert.equal(shares.at(-1), 1);
    await comparison.compare({ classes: 'all' }, onProgress, signal);
    assert.equal(shares.at(-1), 1);
  });
});
