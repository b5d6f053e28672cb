import { CodedError } from '../../base/errors';
import type { ExportReport, ExportRequest } from '../../formats/exportRequest';
import type { MaskImage } from '../../formats/masksSummary';
import type { MaskedObject, Masks } from '../masks/masks';
import { chosenImages } from './chosenImages';
import { fileStems } from './fileStems';

/** Most that a report lists by name. */
const MOST_LISTED = 5000;

type LeftOut = Pick<ExportReport, 'unreadable' | 'unreadableCount'>;

/** What of an archive is exported. */
export interface ExportSelection {
  images: { image: MaskImage; stem: string }[];
  /** Indices of the classes that are exported, ascending. */
  classes: number[];
  /** The objects of an image that are exported, in the archive's order. */
  objects(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined>;
}

/**
 * Finds what a request asks for. Objects that cannot be exported are told to `report`, those without a pixel when they are
 * met. Throws `not-found` for an image or a class that is not there.
 */
export function select(
  masks: Pick<Masks, 'summary' | 'each'>,
  request: Pick<ExportRequest, 'images' | 'classes' | 'shown'>,
  report: LeftOut,
): ExportSelection {
  const { summary } = masks;
  const chosen = chosenImages(summary.images, request.images);
  const stems = fileStems(summary.images.map(({ filename }) => filename));
  const images = chosen.flatMap(image => {
    for (const { key, reason } of image.unreadable) leaveOut(report, { image: image.id, id: key, reason });
    report.unreadableCount += image.unreadableCount - image.unreadable.length;
    const { failure } = image;
    if (!failure) return [{ image, stem: stems[image.index] ?? '' }];
    leaveOut(report, { image: image.id, id: '', reason: failure.details?.reason ?? failure.message });
    return [];
  });
  const classes = chosenClasses(
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
            reason: 'Its mask has no pixels',
          });
      }
    },
  };
}

function leaveOut(report: LeftOut, object: ExportReport['unreadable'][number]): void {
  report.unreadableCount++;
  if (report.unreadable.length < MOST_LISTED) report.unreadable.push(object);
}

function chosenClasses(names: readonly string[], wanted: readonly string[] | undefined): number[] {
  if (!wanted) return names.map((_, index) => index);
  const chosen = new Set(
    wanted.map(name => {
      const index = names.indexOf(name);
      if (index < 0) throw new CodedError('not-found', 'There is no such class', { subject: name });
      return index;
    }),
  );
  return [...chosen].sort((a, b) => a - b);
}
