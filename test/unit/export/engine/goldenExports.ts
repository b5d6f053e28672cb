import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportReport, ExportRequest } from '../../../../src/export/exportRequest';
import { exportMasks } from '../../../../src/export/engine/exportMasks';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import { writeArchive } from '../../archives/engine/archives';
import { goldenArchive, labeledImages } from '../../archives/engine/goldenArchive';

/** The exports that are kept in test/golden/export, by folder. */
const requests: Record<string, Omit<ExportRequest, 'destination' | 'name'>> = {
  coco: { format: 'coco' },
  geojson: { format: 'geojson' },
  'imagej-roi': { format: 'imagej-roi' },
  'labels-tiff': { format: 'labels-tiff', images: labeledImages },
  'labels-png': { format: 'labels-png', images: labeledImages },
};

/** Exports the golden archive into one folder for each way of doing it. */
export async function makeGoldenExports(folder: string): Promise<Record<string, ExportReport>> {
  const archive = await writeArchive(goldenArchive());
  try {
    const masks = await openMasks(archive.path);
    const reports: Record<string, ExportReport> = {};
    for (const [name, request] of Object.entries(requests)) {
      const destination = join(folder, name);
      await mkdir(destination, { recursive: true });
      reports[name] = await exportMasks(masks, { ...request, destination, name: 'golden', overwrite: true });
    }
    masks.dispose();
    return reports;
  } finally {
    await archive.remove();
  }
}
