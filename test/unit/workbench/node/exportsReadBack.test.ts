import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../src/base/log';
import { exportFormatNames } from '../../../../src/export/engine/exportFormats';
import { exportMasks } from '../../../../src/export/engine/exportMasks';
import { comparableFile, MasksComparer } from '../../../../src/comparison/node/masksComparer';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import type { ComparisonScores } from '../../../../src/comparison/comparison';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { InProcessEngine } from '../../session/node/inProcessEngine';

/** Names that hide an image, or that no system takes for files as they are. */
const NAMES = [
  '36.ome.tif',
  '36.tif',
  'a.b.c.tif',
  'dots..tif',
  'no extension',
  'x.tif',
  'x_labels.tif',
  'x_cp_masks.tif',
  'A01/img.tif',
  'A02/img.tif',
  'A01_img.tif',
  'deep/er/A01/img.tif',
  'plate 1\\well.tif',
  'donor 1 – s1, a.tif',
  'Über 名前 😀.tif',
  'caf\u00e9.tif',
  'cafe\u0301.tif',
  'Case.tif',
  'case.tif',
  'CON.tif',
  '=sum.tif',
  'what?.tif',
  `${'long '.repeat(40)}1.tif`,
  `${'long '.repeat(40)}2.tif`,
  'same.tif',
  'same.tif',
];

describe('What is exported, compared with the archive that it comes from', () => {
  let folder: string;
  const { signal } = new AbortController();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exported-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const file = (path: string) =>
    comparableFile({ scheme: 'file', path, fsPath: path, toString: () => `file://${path}` });

  /** Two objects in each image, elsewhere in each, one of them with a hole and in parts. */
  function entries(names: readonly string[]): Record<string, unknown> {
    const images = names.map((name, at): [string, unknown] => {
      const left = 3 * at;
      const parts = { size: [4, 5], counts: [0, 5, 2, 1, 3, 1, 4, 2, 1, 1] };
      const odd = { ...rectangle(1, left, 20, left + 5, 24, 'Nucleus'), rle: parts };
      return [
        `item${at}_objects.json`,
        image(`item${at}`, 100, 60, [odd, rectangle(7, left, 2, left + 6, 9)], name),
      ];
    });
    return { 'index.json': index('Cell', 'Nucleus'), ...Object.fromEntries(images) };
  }

  async function exported(archive: string, format: string, destination: string): Promise<void> {
    const masks = await openMasks(archive, {});
    try {
      await exportMasks(masks, { format, destination, name: 'run 1' });
    } finally {
      masks.dispose();
    }
  }

  async function compared(exportedTo: string, archive: string): Promise<ComparisonScores> {
    const comparer = new MasksComparer({ startEngine: () => new InProcessEngine(), log: silentLog });
    const comparison = await comparer.open(file(exportedTo), file(archive), () => undefined, signal);
    try {
      const skipped = await comparison.compare({ classes: 'all' }, () => undefined, signal);
      assert.deepEqual(skipped, []);
      const scores = await comparison.scores(0.95, signal);
      const alone = (['a', 'b'] as const).flatMap(side => comparison.unpaired(side).map(({ path }) => path));
      assert.deepEqual(alone, []);
      return scores;
    } finally {
      // Before its files are removed: not every system removes one that is open.
      comparison.dispose();
    }
  }

  for (const format of exportFormatNames) {
    it(`is the same in all of many images, whatever their names: ${format}`, async () => {
      const archive = await writeArchive(entries(NAMES));
      await exported(archive.path, format, folder);
      const [only] = (await readdir(folder)).filter(name => name.endsWith('_coco.json'));
      const { pooled, images } = await compared(
        only === undefined ? folder : join(folder, only),
        archive.path,
      );
      assert.deepEqual([images.length, pooled.f1, pooled.tp], [NAMES.length, 1, 2 * NAMES.length]);
      await archive.remove();
    }).timeout(60_000);

    it(`is the same in a single image, whatever its name, as a file and in a folder: ${format}`, async () => {
      for (const [at, name] of NAMES.entries()) {
        const archive = await writeArchive(entries([name]));
        const destination = join(folder, String(at));
        await mkdir(destination);
        await exported(archive.path, format, destination);
        const files = (await readdir(destination)).filter(each => !each.endsWith('.csv'));
        const [only = ''] = files;
        assert.equal(files.length, 1, name);
        const paths = [join(destination, only), ...(format === 'coco' ? [] : [destination])];
        for (const path of paths) {
          const { pooled } = await compared(path, archive.path);
          assert.deepEqual([pooled.f1, pooled.tp], [1, 2], `${only} of ${name}`);
        }
        await archive.remove();
      }
    }).timeout(60_000);
  }
});
