import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import type { ExportReport, ExportRequest } from '../../../../src/export/exportRequest';
import { exportFormats, type ExportFormat } from '../../../../src/export/engine/exportFormats';
import { exportMasks } from '../../../../src/export/engine/exportMasks';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';

describe('Export formats', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-formats-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Exports two images of overlapping objects of two classes. */
  async function exported(request: Pick<ExportRequest, 'format' | 'perClass'>): Promise<ExportReport> {
    const objects = [rectangle(1, 0, 0, 6, 6, 'Nucleus'), rectangle(2, 4, 4, 8, 8, 'Cell')];
    const archive = await writeArchive({
      'index.json': index('Nucleus', 'Cell'),
      'one_objects.json': image('one', 20, 12, objects, 'one.tif'),
      'two_objects.json': image('two', 20, 12, objects, 'two.tif'),
    });
    const masks = await openMasks(archive.path);
    try {
      return await exportMasks(masks, { ...request, destination: folder, name: 'job', overwrite: true });
    } finally {
      masks.dispose();
      await archive.remove();
    }
  }

  /** The table beside label images isn't counted. */
  const fileCount = ({ files }: ExportReport) => files.filter(({ path }) => !path.endsWith('.csv')).length;

  for (const format of Object.keys(exportFormats) as ExportFormat[]) {
    const { filePer, overlap, perClass } = exportFormats[format];

    it(`writes ${format} as its entry describes`, async () => {
      const report = await exported({ format });
      assert.equal(fileCount(report), filePer === 'export' ? 1 : 2);
      assert.equal(report.overlapped > 0, overlap === 'smallest-on-top');
      const apart = await exported({ format, perClass: true });
      assert.equal(fileCount(apart), fileCount(report) * (perClass ? 2 : 1));
    });
  }

  it('rejects a format that is not in the record, also a name that every object inherits', async () => {
    for (const format of ['svg', 'toString'])
      await assert.rejects(exported({ format }), error => isCoded(error, 'bad-request'));
  });
});
