import * as path from 'node:path';
import { CodedError, throwIfCanceled } from '../../base/errors';
import type { ExportedFile, ExportReport, ExportRequest } from '../exportRequest';
import { pathOfImage } from '../../masks/masksSummary';
import type { Masks } from '../../masks/engine/masks';
import { exporters, isExportFormat } from './exportFormats';
import type { Exporter } from './exporter';
import { manifestName, manifestOf, type ImageFile } from './manifest';
import { OutputFolder } from './outputFolder';
import { select } from './selection';

/** Progress steps of one image. */
const STEPS = 100;

/**
 * Exports masks; all files appear together at the end, or none. Throws `exists`, `not-found` (no such folder, image or
 * class), `bad-request` and `too-many-objects` where a format can't represent what is exported, `no-space`, `cancelled`.
 */
export async function exportMasks(
  masks: Pick<Masks, 'summary' | 'each'>,
  request: ExportRequest,
  signal?: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ExportReport> {
  const exporter = exporterOf(request.format);
  const report: ExportReport = { files: [], objects: 0, unreadable: [], unreadableCount: 0, overlapped: 0 };
  const selection = select(masks, request, report);
  const { summary } = masks;
  for (const { image } of selection.images) exporter.check?.(image);
  throwIfCanceled(signal);
  const names = exporter.fileNames(request, selection, summary);
  const folder = await OutputFolder.open(request.destination, names, request.overwrite ?? false);
  const total = selection.images.length * STEPS;
  onProgress(0, total);
  const ofImages: ImageFile[] = [];
  try {
    await exporter.write({
      request,
      summary,
      selection,
      folder,
      writeOfImage: (image, name, write) =>
        folder.write(name, async file => {
          const objects = await write(file);
          report.objects += objects;
          ofImages.push({ name, image, objects });
        }),
      report,
      signal,
      progress: (at, share) => onProgress(Math.min(total, Math.floor((at + share) * STEPS)), total),
    });
    throwIfCanceled(signal);
    // An existing manifest may be that of another export into the folder.
    const manifest = manifestName(request);
    const enough = request.part === 'selected' ? 1 : 2;
    if (ofImages.length >= enough && (request.overwrite || !(await folder.hasFile(manifest))))
      await folder.write(manifest, file => file.appendText(manifestOf(ofImages, request)));
    report.files = withImages(await folder.commit(), ofImages);
    return report;
  } finally {
    await folder.discard();
  }
}

/** Adds which image each file is about. */
function withImages(files: readonly ExportedFile[], ofImages: readonly ImageFile[]): ExportedFile[] {
  const byName = new Map(ofImages.map(file => [file.name, file]));
  return files.map(file => {
    const of = byName.get(path.basename(file.path));
    return of ? { ...file, image: of.image.id, imagePath: pathOfImage(of.image), objects: of.objects } : file;
  });
}

function exporterOf(format: string): Exporter {
  if (isExportFormat(format)) return exporters[format];
  throw new CodedError('bad-request', `There is no export format "${format}"`, { subject: format });
}
