import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { receivedLabels } from '../../../../src/archives/labelRuns';
import { Outcome } from '../../../../src/comparison/comparison';
import { InProcessEngine } from '../../session/node/inProcessEngine';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';

describe('Requests about a comparison', () => {
  let folder: string;
  let engine: InProcessEngine;
  const archives: { remove: () => Promise<void> }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'matching-'));
    engine = new InProcessEngine();
    const sides = {
      a: [rectangle(1, 0, 0, 4, 4), rectangle(2, 10, 0, 20, 4), rectangle(3, 30, 30, 32, 32)],
      b: [rectangle(5, 0, 1, 4, 5), rectangle(6, 10, 0, 14, 4), rectangle(7, 14, 0, 20, 4)],
    };
    for (const side of ['a', 'b'] as const) {
      const made = await writeArchive({
        'index.json': index('Cell'),
        'x_objects.json': image('x', 40, 40, sides[side]),
      });
      archives.push(made);
      await engine.endpoint.request('openCompared', { side, path: made.path });
    }
    const pairs = [{ a: 0, b: 0 }];
    await engine.endpoint.request('compareImages', { pairs, classes: 'all', classPairs: [] });
  });

  after(async () => {
    engine.dispose();
    for (const { remove } of archives) await remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('say what became of each object, and of its partner, some at a time', async () => {
    const request = { side: 'a', image: 0, threshold: 0.5 } as const;
    const a = await engine.endpoint.request('comparedObjects', request);
    assert.deepEqual(
      [...new Uint8Array(a.outcomes)],
      [Outcome.Matched, Outcome.Matched | Outcome.SplitOrMerged, 0],
    );
    assert.deepEqual([...new Int32Array(a.partners)], [0, 2, -1]);
    assert.deepEqual([a.from, a.count, a.isLast], [0, 3, true]);
    const b = await engine.endpoint.request('comparedObjects', { ...request, side: 'b', from: 1 });
    assert.deepEqual([...new Int32Array(b.partners)], [-1, 1]);
    assert.deepEqual([...new Uint8Array(b.outcomes)], [0, Outcome.Matched]);
  });

  it('follow the threshold, as the curve does', async () => {
    const { points } = await engine.endpoint.request('comparisonCurve', {});
    assert.deepEqual(
      points.map(({ threshold, pooled }) => [threshold, pooled.tp]),
      // 12 of 20 pixels, and 24 of 40.
      [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95].map(threshold => [
        threshold,
        threshold <= 0.6 ? 2 : 0,
      ]),
    );
    const scores = await engine.endpoint.request('comparisonScores', { threshold: 0.65 });
    assert.deepEqual([scores.pooled.fp, scores.pooled.fn, scores.split, scores.merged], [3, 3, 1, 0]);
  });

  it('give tiles, objects and what is known of them, of both sides', async () => {
    const place = { image: 0, level: 0, x: 0, y: 0 };
    const tile = await engine.endpoint.request('comparedTile', { side: 'b', ...place });
    const labels = receivedLabels(tile, 256 * 256);
    assert.deepEqual([labels[0], labels[256], labels[10], labels[14]], [0, 1, 2, 3]);
    const at = { image: 0, x: 12.5, y: 2.5 };
    assert.deepEqual(await engine.endpoint.request('comparedObjectsAt', { side: 'a', ...at }), {
      objects: [1],
    });
    const facts = await engine.endpoint.request('comparedFacts', { side: 'b', image: 0, object: 2 });
    assert.deepEqual([facts.id, facts.area, facts.className], [7, 24, 'Cell']);
  });

  it('give the IoU of two objects, matched or not', async () => {
    const iou = async (a: number, b: number) =>
      (await engine.endpoint.request('comparedIou', { image: 0, a, b })).iou;
    assert.deepEqual(
      [await iou(0, 0), await iou(1, 2), await iou(1, 1), await iou(2, 0)],
      [0.6, 0.6, 0.4, 0],
    );
  });

  it('write pairs as a table like any other', async () => {
    const path = join(folder, 'pairs.csv');
    assert.deepEqual(await engine.endpoint.request('writePairsTable', { path, threshold: 0.5 }), { rows: 4 });
    await engine.endpoint.request('openTable', { table: 'objects', path, options: { memory: 64 } });
    const { rows } = await engine.endpoint.request('tableRows', {
      table: 'objects',
      sort: [{ column: 6, descending: true }],
      start: 0,
      end: 4,
      columns: [1, 2, 3, 6, 9, 10, 11],
    });
    assert.deepEqual(rows, [
      ['matched', '1', '5', '0.6', '1', '1', ''],
      ['matched', '2', '7', '0.6', '0.6', '2', 'yes'],
      ['only A', '3', '', '', '', '', ''],
      ['only B', '', '6', '', '', '', ''],
    ]);
  });

  it('receive that they are canceled between small images, and leave what was compared before', async () => {
    const pairs = Array.from({ length: 5000 }, () => ({ a: 0, b: 0 }));
    const controller = new AbortController();
    const many = { pairs, classes: 'all', classPairs: [] } as const;
    const comparing = engine.endpoint.request('compareImages', many, controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(comparing, { code: 'cancelled' });
    // By then it would have compared them all.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    const { images } = await engine.endpoint.request('comparisonScores', { threshold: 0.5 });
    assert.equal(images.length, 1);
  });

  it('are refused for what there is not', async () => {
    const refused = (work: Promise<unknown>) =>
      assert.rejects(work, (error: unknown) => isCoded(error, 'bad-request'));
    await refused(engine.endpoint.request('comparisonScores', { threshold: 0.525 }));
    await refused(engine.endpoint.request('comparedObjects', { side: 'a', image: 1, threshold: 0.5 }));
    await refused(engine.endpoint.request('comparedIou', { image: 1, a: 0, b: 0 }));
    const other = new InProcessEngine();
    await refused(other.endpoint.request('comparisonCurve', {}));
    await refused(other.endpoint.request('compareImages', { pairs: [], classes: 'all', classPairs: [] }));
    other.dispose();
  });
});
