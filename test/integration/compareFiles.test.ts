import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import golden from '../golden/matching.json';
import { tiff } from '../unit/images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../unit/archives/engine/archives';
import { call, type ComparisonReport, expectError, withFolder } from './contract';

async function compare(
  folder: string,
  a: string,
  b: string,
  options: Record<string, unknown> = {},
): Promise<ComparisonReport> {
  return await call<ComparisonReport>('compareMasks', {
    a: sideOf(folder, a),
    b: sideOf(folder, b),
    ...options,
  });
}

function sideOf(folder: string, name: string): { uri: string } {
  return { uri: vscode.Uri.file(join(folder, name)).toString() };
}

async function writeJson(folder: string, name: string, content: unknown): Promise<void> {
  await writeFile(join(folder, name), JSON.stringify(content));
}

describe('A program that compares files as test/golden/makeMatching.py defines it', () => {
  const { images, pooled, meanOverImages } = golden;

  /** The masks of a side of all golden images as a COCO file. */
  function cocoOf(side: 'a' | 'b') {
    return {
      images: images.map(({ name, size: [height, width] }, at) => ({
        id: at + 1,
        file_name: name,
        width,
        height,
      })),
      categories: [{ id: 1, name: 'Cell' }],
      annotations: images
        .flatMap(({ size, [side]: masks }, at) => masks.map(counts => ({ image_id: at + 1, size, counts })))
        .map(({ image_id, ...segmentation }, at) => ({ id: at + 1, image_id, category_id: 1, segmentation })),
    };
  }

  function assertClose(actual: number | null, expected: number | null, what: string): void {
    if (actual === null || expected === null) assert.equal(actual, expected, what);
    else assert.ok(Math.abs(actual - expected) <= 1e-12, `${what}: ${actual} instead of ${expected}`);
  }

  /** The number in a cell; null where it is empty. */
  function numberIn(cell: string | undefined): number | null {
    return cell === '' || cell === undefined ? null : Number(cell);
  }

  async function rowsOf(folder: string, name: string): Promise<Record<string, string>[]> {
    const [head = [], ...rows] = (await readFile(join(folder, name), 'utf8'))
      .trimEnd()
      .split('\r\n')
      // Names of golden images have commas.
      .map(line => line.split(/,(?! )/).map(cell => cell.replace(/^"|"$/g, '')));
    return rows.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
  }

  it('gets its figures of 32 pairs of images at all thresholds', async () => {
    await withFolder(async folder => {
      await writeJson(folder, 'a.json', cocoOf('a'));
      await writeJson(folder, 'b.json', cocoOf('b'));
      for (const [at, expected] of pooled.entries()) {
        const where = `at ${expected.threshold}`;
        const { threshold, tp, fp, fn } = expected;
        const report = await compare(folder, 'a.json', 'b.json', { threshold });
        assert.deepEqual(
          [report.images, report.pairs, report.onlyB, report.onlyA],
          [images.length, tp, fp, fn],
          where,
        );
        for (const name of ['precision', 'recall', 'f1', 'panopticQuality'] as const)
          assertClose(report[name], expected[name], `${name} ${where}`);
        if (at % 3 !== 0) continue;
        const destination = vscode.Uri.file(folder).toString();
        await compare(folder, 'a.json', 'b.json', { threshold, destination, overwrite: true });
        for (const row of await rowsOf(folder, 'a vs b-images.csv')) {
          const image = images.find(({ name }) => name === row['image_a']);
          const ofImage = image?.at[at];
          assert.ok(ofImage, row['image_a']);
          const { split, merged } = image;
          assert.deepEqual(
            [row['tp'], row['fp'], row['fn'], row['split'], row['merged']].map(Number),
            [ofImage.tp, ofImage.fp, ofImage.fn, split.length, merged.length],
            `${row['image_a']} ${where}`,
          );
          for (const [column, value] of [
            ['precision', ofImage.precision],
            ['recall', ofImage.recall],
            ['f1', ofImage.f1],
            ['accuracy', ofImage.accuracy],
            ['mean_matched_iou', ofImage.meanMatchedIou],
            ['panoptic_quality', ofImage.panopticQuality],
          ] as const)
            assertClose(numberIn(row[column]), value, `${column} of ${row['image_a']} ${where}`);
        }
      }
      const thresholds = await rowsOf(folder, 'a vs b-thresholds.csv');
      assert.equal(thresholds.length, meanOverImages.length);
      for (const [at, row] of thresholds.entries()) {
        const expected = meanOverImages[at];
        assert.ok(expected);
        for (const [column, { mean, n }] of [
          ['precision', expected.precision],
          ['recall', expected.recall],
          ['f1', expected.f1],
          ['accuracy', expected.accuracy],
          ['mean_matched_iou', expected.meanMatchedIou],
          ['panoptic_quality', expected.panopticQuality],
        ] as const) {
          assertClose(numberIn(row[`mean_${column}`]), mean, `mean ${column} at ${row['threshold']}`);
          assert.equal(Number(row[`images_with_${column}`]), n);
        }
      }
    });
  });
});

describe('A program that compares files that are damaged or unusual', () => {
  const square = (x: number, y: number, side = 10) => [[x, y, x + side, y, x + side, y + side, x, y + side]];
  const annotation = (id: number, imageId: number, x: number, y: number) => ({
    id,
    image_id: imageId,
    category_id: 1,
    segmentation: square(x, y),
  });
  const coco = (annotations: unknown[], names = ['a.tif', 'b.tif']) => ({
    images: names.map((file_name, at) => ({ id: at + 1, file_name, width: 80, height: 60 })),
    categories: [{ id: 1, name: 'Cell' }],
    annotations,
  });

  async function writeMasks(folder: string, name: string, entries: Record<string, unknown>): Promise<void> {
    const archive = await writeArchive({ 'index.json': index('Cell'), ...entries });
    await copyFile(archive.path, join(folder, name));
    await archive.remove();
  }

  const found = (names = ['a', 'b']) =>
    Object.fromEntries(
      names.map(name => [
        `${name}_objects.json`,
        image(name, 80, 60, [rectangle(1, 0, 0, 10, 10), rectangle(2, 20, 0, 30, 10)]),
      ]),
    );

  /** The samples of a label image that has what `found` has. */
  const labels = <T extends { [at: number]: number }>(samples: T): T => {
    for (let y = 0; y < 10; y++)
      for (let x = 0; x < 10; x++) {
        samples[y * 80 + x] = 1;
        samples[y * 80 + x + 20] = 2;
      }
    return samples;
  };

  it('is told which images have no partner where none is in common', async () => {
    await withFolder(async folder => {
      await writeMasks(folder, 'one.zip', found());
      await writeMasks(folder, 'other.zip', found(['c']));
      const report = await compare(folder, 'one.zip', 'other.zip');
      assert.deepEqual(report.unpaired, [
        { side: 'a', image: 'a.tif' },
        { side: 'a', image: 'b.tif' },
        { side: 'b', image: 'c.tif' },
      ]);
      const { images, pairs, onlyA, onlyB, precision, recall, f1, panopticQuality } = report;
      assert.deepEqual([images, pairs, onlyA, onlyB], [0, 0, 0, 0]);
      assert.deepEqual([precision, recall, f1, panopticQuality], [null, null, null, null]);
    });
  });

  it('has overlapping objects of the ground truth matched one to one', async () => {
    await withFolder(async folder => {
      const twice = [annotation(1, 1, 0, 0), annotation(2, 1, 0, 0), annotation(3, 1, 5, 0)];
      await writeJson(folder, 'truth.json', coco([...twice, annotation(4, 2, 20, 0)]));
      await writeMasks(folder, 'found.zip', found());
      const { images, pairs, onlyA, onlyB } = await compare(folder, 'truth.json', 'found.zip');
      assert.deepEqual([images, pairs, onlyA, onlyB], [2, 2, 2, 2]);
    });
  });

  it('is told of annotations with the same ID, and of those of unknown images', async () => {
    await withFolder(async folder => {
      const annotations = [
        annotation(1, 1, 40, 40),
        annotation(1, 1, 0, 0),
        annotation(2, 77, 0, 0),
        // IDs tell objects of one image apart.
        annotation(1, 2, 20, 0),
      ];
      await writeJson(folder, 'truth.json', coco(annotations));
      await writeMasks(folder, 'found.zip', found());
      const { pairs, onlyA, onlyB, unreadable, notes } = await compare(folder, 'truth.json', 'found.zip');
      assert.deepEqual([pairs, onlyA, onlyB], [2, 0, 2]);
      assert.deepEqual(unreadable, { a: 1, b: 0 });
      assert.deepEqual(notes, [
        { side: 'a', reason: "1 annotation was left out: its image isn't in the file" },
        { side: 'a', image: 'a.tif', id: '1', reason: 'A later annotation has the same ID' },
      ]);
    });
  });

  it('is told which classes were matched, and that a label image has none', async () => {
    await withFolder(async folder => {
      const masks = (other: string) => ({
        'index.json': index('Nucleus', other),
        'a_objects.json': image('a', 80, 60, [
          rectangle(1, 0, 0, 10, 10, 'Nucleus'),
          rectangle(2, 20, 0, 30, 10, other),
        ]),
      });
      await writeMasks(folder, 'a.zip', masks('Mitotic'));
      await writeMasks(folder, 'b.zip', masks('Debris'));
      const { pairs, onlyA, onlyB, f1, classes, classPairs } = await compare(folder, 'a.zip', 'b.zip', {
        classes: 'each',
      });
      assert.deepEqual([pairs, onlyA, onlyB, f1, classes], [1, 1, 1, 0.5, 'each']);
      assert.deepEqual(classPairs, [{ a: 'Nucleus', b: 'Nucleus' }, { a: 'Mitotic' }, { b: 'Debris' }]);
      const samples = labels(new Uint16Array(80 * 60));
      await writeFile(join(folder, 'a.tif'), tiff([{ width: 80, height: 60, samples }]));
      const ofLabels = await compare(folder, 'a.tif', 'b.zip', { classes: 'each' });
      assert.deepEqual([ofLabels.pairs, ofLabels.classes, ofLabels.classPairs], [2, 'all', []]);
      assert.deepEqual(ofLabels.notes, [
        { side: 'a', reason: 'Its objects have no class, so they are matched whatever the class' },
      ]);
    });
  });

  it('is told that a binary mask is one object, and has its areas compared instead if it wants', async () => {
    await withFolder(async folder => {
      const samples = labels(new Uint16Array(80 * 60)).map(label => (label > 0 ? 255 : 0));
      await writeFile(join(folder, 'a.tif'), tiff([{ width: 80, height: 60, samples }]));
      await writeMasks(folder, 'found.zip', found(['a']));
      const together = await compare(folder, 'a.tif', 'found.zip');
      assert.deepEqual([together.pairs, together.onlyA, together.onlyB], [1, 0, 1]);
      assert.deepEqual(together.notes, [
        {
          side: 'a',
          reason:
            '1 image has several areas with one label, as a binary mask has: all of them are one object',
        },
      ]);
      const { pairs, f1 } = await compare(folder, 'a.tif', 'found.zip', { separateAreas: true });
      assert.deepEqual([pairs, f1], [2, 1]);
    });
  });

  it('is told which label images are no such, and gets the others compared', async () => {
    await withFolder(async folder => {
      await mkdir(join(folder, 'labels'));
      const write = async (name: string, samples: Float32Array | Uint16Array | Uint32Array, width = 80) =>
        await writeFile(
          join(folder, 'labels', name),
          tiff([{ width, height: samples.length / width, samples }]),
        );
      await write('a_masks.tif', labels(new Uint16Array(80 * 60)));
      await write('b_label.tif', labels(new Float32Array(80 * 60)));
      await write(
        'c.tif',
        Uint32Array.from({ length: 4096 ** 2 }, (_, at) => at + 1),
        4096,
      );
      await writeFile(join(folder, 'labels', 'd.tif'), 'no image');
      await writeMasks(folder, 'found.zip', found(['a', 'b', 'c', 'd']));
      const report = await compare(folder, 'labels', 'found.zip');
      assert.deepEqual([report.images, report.pairs, report.onlyA, report.onlyB], [1, 2, 0, 0]);
      assert.deepEqual(report.skipped, [
        {
          image: 'b_label.tif',
          reason: 'Its labels are floating-point numbers; labels must be whole numbers',
        },
        { image: 'c.tif', reason: 'It has more than 2097152 labels' },
        { image: 'd.tif', reason: "The file isn't a PNG, JPEG, WebP or TIFF file" },
      ]);
      // A file that is compared alone is refused.
      const refused = await expectError('bad-request', 'compareMasks', {
        a: sideOf(folder, 'labels/b_label.tif'),
        b: sideOf(folder, 'found.zip'),
      });
      assert.match(refused.message, /^b_label\.tif .*floating-point numbers/);
    });
  });

  it('is told which entry of an archive is damaged, and gets the others compared', async () => {
    await withFolder(async folder => {
      await writeMasks(folder, 'damaged.zip', found());
      await writeMasks(folder, 'found.zip', found());
      const path = join(folder, 'damaged.zip');
      const bytes = await readFile(path);
      // The compressed bytes of an entry begin behind its header of 30 bytes and its name.
      const name = 'a_objects.json';
      const start = bytes.indexOf(name) + name.length;
      bytes.fill(0xff, start + 8, start + 24);
      await writeFile(path, bytes);
      const { images, pairs, unpaired, notes } = await compare(folder, 'damaged.zip', 'found.zip');
      assert.deepEqual([images, pairs], [1, 2]);
      assert.deepEqual(unpaired, [
        { side: 'a', image: name },
        { side: 'b', image: 'a.tif' },
      ]);
      assert.deepEqual(notes, [{ side: 'a', image: name, reason: `"${name}" is damaged` }]);
    });
  });
});
