import * as path from 'node:path';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { imageColumnName } from '../../columns/imageColumnName';
import { reason, quoted } from '../../base/reasons';
import { csvLine } from '../../columns/csv/csvGrammar';
import type { Masks } from '../../archives/engine/masks';
import { type MaskImage, pathOfImage } from '../../archives/masksSummary';
import {
  type ExportedFile,
  type ExportReport,
  type ExportRequest,
  namedImages,
  nameOfPart,
} from '../exportRequest';
import { fileStems } from '../../results/node/fileStems';
import type { ExportSelection } from './exporter';
import { canHavePopulations, exporterOf } from './exportFormats';
import { OutputFolder } from '../../base/node/outputFolder';

/** Progress steps of one image. */
const STEPS = 100;

/**
 * Exports masks. Either all files appear at the end, or none. Throws `exists`; `not-found` (unknown
 * folder, image or class); `bad-request` and `too-many-objects` if the format can't represent the
 * content; `no-space`; `cancelled`.
 */
export async function exportMasks(
  masks: Pick<Masks, 'summary' | 'eachObject'>,
  request: ExportRequest,
  signal?: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ExportReport> {
  const exporter = exporterOf(request.format);
  if (request.populations && !canHavePopulations(request.format))
    throw new CodedError('bad-request', `${request.format} can't have populations`, {
      subject: 'populations',
    });
  const report: ExportReport = { files: [], objects: 0, unreadable: [], unreadableCount: 0, overlapped: 0 };
  const selection = select(masks, request, report);
  const { summary } = masks;
  for (const { image } of selection.images) exporter.check?.(image);
  throwIfCanceled(signal);
  const names = exporter.fileNames(request, selection, summary);
  const folder = await OutputFolder.open(request.destination, names, request.overwrite ?? false);
  const total = selection.images.length * STEPS;
  onProgress(0, total);
  const imageFiles: ImageFile[] = [];
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
          imageFiles.push({ name, image, objects });
        }),
      report,
      signal,
      progress: (position, share) =>
        onProgress(Math.min(total, Math.floor((position + share) * STEPS)), total),
    });
    throwIfCanceled(signal);
    // An existing manifest may be from another export to the folder.
    const manifest = manifestName(request);
    const minFiles = request.part === 'selected' ? 1 : 2;
    if (imageFiles.length >= minFiles && (request.overwrite || !(await folder.hasFile(manifest))))
      await folder.write(manifest, file => file.appendText(manifestOf(imageFiles, request)));
    report.files = withImages(await folder.commit(), imageFiles);
    return report;
  } finally {
    await folder.discard();
  }
}

/** Adds the image of each file that is about one image. */
function withImages(files: readonly ExportedFile[], imageFiles: readonly ImageFile[]): ExportedFile[] {
  const byName = new Map(imageFiles.map(file => [file.name, file]));
  return files.map(file => {
    const imageFile = byName.get(path.basename(file.path));
    if (!imageFile) return file;
    const { image, objects } = imageFile;
    return { ...file, image: image.id, imagePath: pathOfImage(image), objects };
  });
}

/** Name of the manifest, which lists the image of each exported file. */
function manifestName(request: Pick<ExportRequest, 'part'>): string {
  return `${nameOfPart('manifest', request)}.csv`;
}

/** A file about one image. */
interface ImageFile {
  name: string;
  image: MaskImage;
  objects: number;
}

/**
 * The manifest as CSV (RFC 4180), with a line for each file about one image. `selection` is all,
 * visible or selected objects. Columns of image metadata follow, renamed if the manifest has the
 * same name.
 */
function manifestOf(
  files: readonly ImageFile[],
  { part, imageColumns = [] }: Pick<ExportRequest, 'part' | 'imageColumns'>,
): string {
  const lines = files.map(({ name, image, objects }) =>
    csvLine([
      name,
      image.id,
      pathOfImage(image),
      ...[image.width, image.height, objects].map(String),
      part ?? 'all',
      ...imageColumns.map(({ values }) => values[image.index] ?? ''),
    ]),
  );
  const header = ['file', 'image', 'image_path', 'width', 'height', 'objects', 'selection'];
  for (const column of imageColumns) header.push(imageColumnName(column.name, header));
  return csvLine(header) + lines.join('');
}

/** Maximum number of objects that a report lists. */
const MAX_LISTED = 5000;

type LeftOut = Pick<ExportReport, 'unreadable' | 'unreadableCount'>;

/**
 * Finds the images, classes and objects of a request. Adds objects that can't be exported to
 * `report`; objects without pixels are added while `objects` iterates. Throws `not-found` for an
 * unknown image or class.
 */
function select(
  masks: Pick<Masks, 'summary' | 'eachObject'>,
  request: Pick<ExportRequest, 'images' | 'classes' | 'shown' | 'part'>,
  report: LeftOut,
): ExportSelection {
  const { summary } = masks;
  const requestedImages = namedImages(summary.images, request.images);
  const stems = fileStems(summary.images.map(pathOfImage));
  const images = requestedImages.flatMap(image => {
    for (const { key, reason: why } of image.unreadable)
      leaveOut(report, { image: image.id, id: key, reason: why });
    report.unreadableCount += image.unreadableCount - image.unreadable.length;
    const { failure } = image;
    if (!failure) return [{ image, stem: nameOfPart(stems[image.index] ?? '', request) }];
    leaveOut(report, {
      image: image.id,
      id: '',
      reason: failure.details?.reason ?? quoted(failure.message),
    });
    return [];
  });
  const classes = namedClasses(
    summary.classes.map(({ name }) => name),
    request.classes,
  );
  const classNames = new Set(classes.map(index => summary.classes[index]?.name ?? ''));
  const shownByImage = new Map(request.shown?.map(({ image, shown }) => [image, new Uint8Array(shown)]));
  return {
    images,
    classes,
    async *objects(image, signal) {
      const shown = shownByImage.get(image);
      for await (const object of masks.eachObject(image, signal)) {
        if (!classNames.has(object.className) || (shown && shown[object.index] !== 1)) continue;
        if (object.mask.width > 0) yield object;
        else
          leaveOut(report, {
            image: summary.images[image]?.id ?? '',
            id: String(object.id),
            reason: reason('The mask has no pixels'),
          });
      }
    },
  };
}

function leaveOut(report: LeftOut, object: ExportReport['unreadable'][number]): void {
  report.unreadableCount++;
  if (report.unreadable.length < MAX_LISTED) report.unreadable.push(object);
}

function namedClasses(names: readonly string[], requested: readonly string[] | undefined): number[] {
  if (!requested) return names.map((_, index) => index);
  const indices = new Set(
    requested.map(name => {
      const index = names.indexOf(name);
      if (index < 0) throw new CodedError('not-found', 'There is no such class', { subject: name });
      return index;
    }),
  );
  return [...indices].sort((a, b) => a - b);
}
