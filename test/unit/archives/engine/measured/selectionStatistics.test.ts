import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import golden from '../../../../golden/masks.json';
import { isCoded } from '../../../../../src/base/errors';
import { shapeMeasures, type ShapeMeasure } from '../../../../../src/archives/selectionStatistics';
import { selectedColumns, selectedShapes } from '../../../../../src/archives/engine/selectionStatistics';
import { openTable } from '../../../../../src/columns/engine/read/readTable';
import { image, index, record, rectangle } from '../archives';
import { withMasks } from '../withMasks';

type Expected = { size: [number, number]; counts: string } & Record<ShapeMeasure, number | null>;
/** Those of which the reference has every number. */
const shapes = (golden.masks as unknown as Expected[]).filter(
  shape => shape.area !== 0 && shapeMeasures.every(measure => shape[measure] !== null),
);

describe('Statistics of several selected objects', () => {
  it('are the mean and the standard deviation (n − 1) of what scikit-image measures', async () => {
    const entries = Object.fromEntries(
      shapes.map(({ size, counts }, at) => [
        `${String(at).padStart(3, '0')}_objects.json`,
        image(`image-${at}`, size[1], size[0], [record(at + 1, [0, 0, size[1], size[0]], size, counts)]),
      ]),
    );
    await withMasks({ 'index.json': index('Cell'), ...entries }, async masks => {
      const selected = shapes.flatMap((shape, at) =>
        at % 2 === 0
          ? { shape, image: masks.summary.images.findIndex(({ id }) => id === `image-${at}`) }
          : [],
      );
      const found = await selectedShapes(
        masks,
        selected.map(({ image: number }) => ({ image: number, objects: [0] })),
      );
      for (const measure of shapeMeasures) {
        const numbers = selected.map(({ shape }) => shape[measure] ?? NaN);
        const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
        const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        const { count, mean: foundMean, sd } = found[measure];
        assert.equal(count, numbers.length);
        assert.ok(Math.abs((foundMean ?? NaN) - mean) <= 1e-9 * mean, measure);
        const expected = Math.sqrt(squares / (numbers.length - 1));
        assert.ok(Math.abs((sd ?? NaN) - expected) <= 1e-9 * expected, measure);
      }
    });
  });

  it('of one object have no deviation, and reject objects that do not exist', async () => {
    await withMasks({ 'a_objects.json': image('a', 9, 9, [rectangle(1, 0, 0, 2, 2)]) }, async masks => {
      const { area } = await selectedShapes(masks, [{ image: 0, objects: [0] }]);
      assert.deepEqual(area, { count: 1, mean: 4, sd: null });
      await assert.rejects(selectedShapes(masks, [{ image: 0, objects: [1] }]), error =>
        isCoded(error, 'bad-request'),
      );
    });
  });

  it('of table columns leave out missing cells, texts and the column of IDs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'columns-'));
    const path = join(folder, 'table.csv');
    await writeFile(path, 'ID,Class,Area,Round\n1,a,2,0.5\n2,b,4,\n3,c,100,1\n4,d,6,1.5\n');
    const table = await openTable(path);
    try {
      const found = await selectedColumns(table, Int32Array.of(3, 0, 1), 'ID');
      assert.deepEqual(found, [
        { name: 'Area', count: 3, mean: 4, sd: 2 },
        { name: 'Round', count: 2, mean: 1, sd: Math.SQRT1_2 },
      ]);
    } finally {
      table.dispose();
      await rm(folder, { recursive: true });
    }
  });
});
