import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import golden from '../../../../golden/masks.json';
import { isCoded } from '../../../../../src/base/errors';
import { matchImages } from '../../../../../src/archives/imageCatalog';
import { finish } from '../../../../../src/base/steps';
import { findRowColumns } from '../../../../../src/columns/rowColumns';
import { BackgroundImages } from '../../../../../src/images/engine/backgroundImages';
import { SHAPE_COLUMNS, writeMeasuredTable } from '../../../../../src/archives/engine/measuredTable';
import { image, index, record, rectangle } from '../archives';
import { withMasks } from '../withMasks';

interface Expected {
  name: string;
  size: [height: number, width: number];
  counts: string;
  area: number;
  perimeter: number;
  majorAxis: number;
  minorAxis: number;
  /** Not in the reference where scikit-image takes too long. */
  feretMaximum: number | null;
  centroid: [number, number];
}
const shapes = (golden.masks as unknown as Expected[]).filter(({ area }) => area > 0);

const cells = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','));

describe('A table measured from masks', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'measured-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has what scikit-image measures', async () => {
    const entries = Object.fromEntries(
      shapes.map(({ size, counts }, at) => [
        `${at}_objects.json`,
        image(`image-${at}`, size[1], size[0], [record(at + 1, [0, 0, size[1], size[0]], size, counts)]),
      ]),
    );
    await withMasks({ 'index.json': index('Cell'), ...entries }, async masks => {
      const path = join(folder, 'table.csv');
      assert.deepEqual(await writeMeasuredTable(path, masks, []), { rows: shapes.length });
      const [header, ...rows] = cells(await readFile(path, 'utf8'));
      assert.deepEqual(header, [...SHAPE_COLUMNS]);
      const byId = new Map(rows.map(row => [Number(row[1]), row]));
      shapes.forEach((expected, at) => {
        const [name, , className, ...numbers] = byId.get(at + 1) ?? [];
        assert.deepEqual([name, className], [`image-${at}.tif`, 'Cell']);
        const { area, perimeter, majorAxis, minorAxis, feretMaximum, centroid } = expected;
        [area, perimeter, majorAxis, minorAxis, feretMaximum, ...centroid].forEach((value, column) =>
          assert.ok(
            value === null || Math.abs(Number(numbers[column]) - value) <= 1e-9 * Math.max(1, value),
            `${expected.name}: ${SHAPE_COLUMNS[column + 3]} is ${numbers[column]}, not ${value}`,
          ),
        );
      });
    });
  });

  it('is linked by its columns, and keeps names that need quotes', async () => {
    const objects = [rectangle(7, 0, 0, 2, 3, 'Round, "bright"')];
    await withMasks({ 'a_objects.json': image('a', 9, 9, objects, 'plate, 1/a.tif') }, async masks => {
      const path = join(folder, 'table.csv');
      await writeMeasuredTable(path, masks, []);
      const [, line] = (await readFile(path, 'utf8')).split('\r\n');
      assert.ok(line?.startsWith('"plate, 1/a.tif",7,"Round, ""bright""",6,'), line);
    });
    assert.deepEqual(findRowColumns(SHAPE_COLUMNS), { image: 0, id: 1, area: 3, position: { x: 8, y: 9 } });
  });

  it('names images by their ID where a file name would not tell them apart', async () => {
    const one = (id: string, filename: string) => image(id, 9, 9, [rectangle(1, 0, 0, 1, 1)], filename);
    const entries = {
      'a_objects.json': one('a', 'x.tif'),
      'b_objects.json': one('b', 'plate/x.tif'),
      'c_objects.json': one('c', 'y.tif'),
    };
    await withMasks(entries, async masks => {
      const path = join(folder, 'table.csv');
      await writeMeasuredTable(path, masks, []);
      const [, ...rows] = cells(await readFile(path, 'utf8'));
      const named = rows.map(([name = '']) => name);
      assert.deepEqual(new Set(named), new Set(['a', 'plate/x.tif', 'y.tif']));
      assert.deepEqual(finish(matchImages(named, masks.summary.images)), [0, 1, 2]);
    });
  });

  it('has mean intensities where there is a background image, and empty cells elsewhere', async () => {
    const entries = {
      'a_objects.json': image('a', 61, 47, [rectangle(1, 1, 0, 2, 2)]),
      'b_objects.json': image('b', 61, 47, [rectangle(1, 1, 0, 2, 2)]),
    };
    const backgrounds = new BackgroundImages();
    try {
      await withMasks(entries, async masks => {
        const at = masks.summary.images.findIndex(({ id }) => id === 'b');
        const opened = await backgrounds.open('test/golden/images/channels-focus-time.ome.tif');
        const path = join(folder, 'table.csv');
        const channels = ['DAPI & co', 'GFP'];
        await writeMeasuredTable(path, masks, [
          { image: at, channels, open: signal => backgrounds.get(opened.number, signal) },
        ]);
        const [header, ...rows] = cells(await readFile(path, 'utf8'));
        assert.deepEqual(header?.slice(SHAPE_COLUMNS.length), ['Mean of DAPI & co', 'Mean of GFP']);
        const { source, level, look } = opened.image;
        const position = opened.image.position(look);
        const window = { x: 1, y: 0, width: 1, height: 2 };
        for (const row of rows) {
          const means = row.slice(SHAPE_COLUMNS.length);
          if (row[0] === 'a.tif') assert.deepEqual(means, ['', '']);
          else
            for (const channel of [0, 1]) {
              const samples = await source.read(position, channel, level, window);
              assert.equal(Number(means[channel]), ((samples[0] ?? NaN) + (samples[1] ?? NaN)) / 2);
            }
        }
      });
    } finally {
      await backgrounds.release();
    }
  });

  it('reports progress, and leaves nothing behind when it is canceled', async () => {
    const many = Array.from({ length: 50 }, (_, at) => rectangle(at + 1, at, at, at + 9, at + 9));
    await withMasks({ 'a_objects.json': image('a', 99, 99, many) }, async masks => {
      const path = join(folder, 'table.csv');
      const controller = new AbortController();
      const reports: string[] = [];
      const canceled = writeMeasuredTable(path, masks, [], controller.signal, (done, total) => {
        reports.push(`${done} of ${total}`);
        if (done === 10) controller.abort();
      });
      await assert.rejects(canceled, error => isCoded(error, 'cancelled'));
      assert.deepEqual(reports.slice(0, 2), ['0 of 50', '1 of 50']);
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('of an archive without objects has a header alone', async () => {
    await withMasks({ 'a_objects.json': image('a', 9, 9, []) }, async masks => {
      const path = join(folder, 'table.csv');
      assert.deepEqual(await writeMeasuredTable(path, masks, []), { rows: 0 });
      assert.equal(await readFile(path, 'utf8'), `${SHAPE_COLUMNS.join(',')}\r\n`);
    });
  });
});
