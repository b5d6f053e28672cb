import * as path from 'node:path';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { imageColumnName } from '../../columns/imageColumnName';
import { reason, quoted } from '../../base/reasons';
import { csvLine } from '../../columns/csv/csvGrammar';
import type { Masks } from '../../archives/engine/masks';
import { type MaskImage, pathOfImage } from '../../archives/masksSummary';
import type { OpenInEngine } from '../../session/engine/openInEngine';
import type { RequestHandlers } from '../../protocol/rpc';
import {
  type ExportedFile,
  type ExportReport,
  type ExportRequest,
  type ExportRequests,
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
 * Exports masks; all files appear together at the end, or none. Throws `exists`, `not-found` (no
 * such folder, image or class), `bad-request` and `too-many-objects` if a format can't represent
 * the content, `no-space`, `cancelled`.
 */
export async function exportMasks(
  masks: Pick<Masks, 'summary' | 'each'>,
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
    // An existing manifest may be from another export to the folder.
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

/** Beside the files of an export: which image each is about. */
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
 * A CSV line (RFC 4180) for each file about one image; `selection` is all, visible or selected
 * objects. Metadata of images follows; a column named like one of the manifest's is a separate
 * column.
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

/** Objects that a report lists one by one. */
const MAX_LISTED = 5000;

type LeftOut = Pick<ExportReport, 'unreadable' | 'unreadableCount'>;

/**
 * Finds the images, classes and objects of a request. Adds objects that can't be exported to
 * `report`: those without pixels when `objects` reaches them. Throws `not-found` for an unknown
 * image or class.
 */
function select(
  masks: Pick<Masks, 'summary' | 'each'>,
  request: Pick<ExportRequest, 'images' | 'classes' | 'shown' | 'part'>,
  report: LeftOut,
): ExportSelection {
  const { summary } = masks;
  const named = namedImages(summary.images, request.images);
  const stems = fileStems(summary.images.map(pathOfImage));
  const images = named.flatMap(image => {
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
  const wanted = new Set(classes.map(index => summary.classes[index]?.name ?? ''));
  const shown = new Map(request.shown?.map(one => [one.image, new Uint8Array(one.shown)]));
  return {
    images,
    classes,
    async *objects(image, signal) {
      const seen = shown.get(image);
      for await (const object of masks.each(image, signal)) {
        if (!wanted.has(object.className) || (seen && seen[object.index] !== 1)) continue;
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

function namedClasses(names: readonly string[], wanted: readonly string[] | undefined): number[] {
  if (!wanted) return names.map((_, index) => index);
  const indices = new Set(
    wanted.map(name => {
      const index = names.indexOf(name);
      if (index < 0) throw new CodedError('not-found', 'There is no such class', { subject: name });
      return index;
    }),
  );
  return [...indices].sort((a, b) => a - b);
}

/** The handlers of export requests. `opened` returns the open masks, or throws `bad-request`. */
export function exportHandlers({
  startProgress,
  masks: open,
}: Pick<OpenInEngine, 'startProgress'> & {
  masks: Pick<OpenInEngine['masks'], 'opened'>;
}): RequestHandlers<ExportRequests> {
  const running = new Set<Promise<unknown>>();
  return {
    exportMasks: async (request, signal) => {
      const masks = open.opened();
      if (request.paths) masks.setPaths(new Map(request.paths.map(({ image, path }) => [image, path])));
      const work = exportMasks(masks, request, signal, startProgress('export', request.name));
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    exportSettled: async () => {
      await Promise.allSettled(running);
      return {};
    },
  };
}
