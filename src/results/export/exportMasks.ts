import { throwIfCancelled } from '../../base/errors';
import type { ExportFormat, ExportReport, ExportRequest } from '../../formats/exportRequest';
import type { Masks } from '../masks/masks';
import { coco } from './coco';
import type { Exporter } from './exporter';
import { imagejRois } from './imagejRois';
import { labelPngs, labelTiffs } from './labelImages';
import { OutputFolder } from './outputFolder';
import { qupathGeojson } from './qupathGeojson';
import { select } from './selection';

const exporters: Readonly<Record<ExportFormat, Exporter>> = {
  coco,
  geojson: qupathGeojson,
  'imagej-roi': imagejRois,
  'labels-tiff': labelTiffs,
  'labels-png': labelPngs,
};

/** Steps of progress an image has. */
const STEPS = 100;

/**
 * Exports masks; all files appear together at the end, or none. Throws `exists`, `not-found` (no such folder, image or
 * class), `bad-request` and `too-many-objects` where a format cannot hold what is asked for, `no-space`, `cancelled`.
 */
export async function exportMasks(
  masks: Pick<Masks, 'summary' | 'each'>,
  request: ExportRequest,
  signal?: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ExportReport> {
  const report: ExportReport = { files: [], objects: 0, unreadable: [], unreadableCount: 0, overlapped: 0 };
  const selection = select(masks, request, report);
  const { summary } = masks;
  const exporter = exporters[request.format];
  for (const { image } of selection.images) exporter.check?.(image);
  throwIfCancelled(signal);
  const names = exporter.fileNames(request, selection, summary);
  const folder = await OutputFolder.open(request.destination, names, request.overwrite ?? false);
  const total = selection.images.length * STEPS;
  onProgress(0, total);
  try {
    await exporter.write({
      request,
      summary,
      selection,
      folder,
      report,
      signal,
      progress: (at, share) => onProgress(Math.min(total, Math.floor((at + share) * STEPS)), total),
    });
    throwIfCancelled(signal);
    report.files = await folder.commit();
    return report;
  } finally {
    await folder.discard();
  }
}
