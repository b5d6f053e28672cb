import { classColor, fromHex, type Rgb } from '../../base/colors';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { MaskedObject, Masks } from '../../masks/engine/masks';
import {
  type ArchiveImage,
  type ArchiveSummary,
  type MaskImage,
  pathOfImage,
} from '../../masks/masksSummary';
import { type ExportReport, type ExportRequest, namedImages, nameOfPart } from '../exportRequest';
import { fileStems } from '../node/fileStems';
import type { OutputFile, OutputFolder } from './outputFolder';

/** What the exporter of a format works with. */
export interface ExportWork {
  request: ExportRequest;
  summary: ArchiveSummary;
  selection: ExportSelection;
  folder: OutputFolder;
  /** Writes a file about one image; `write` returns how many objects it wrote, which are added to the report. */
  writeOfImage(image: MaskImage, name: string, write: (file: OutputFile) => Promise<number>): Promise<void>;
  /** The exporter adds its counts. */
  report: ExportReport;
  signal: AbortSignal | undefined;
  /** Reports how much of an image is done, 0…1; `at` is its position among those selected. */
  progress: (at: number, share: number) => void;
}

/** One format of export. */
export interface Exporter {
  /** Names of the files that `write` may create. */
  fileNames(request: ExportRequest, selection: ExportSelection, summary: ArchiveSummary): string[];
  /** Throws `bad-request` for an image that the format can't represent; called before anything is written. */
  check?(image: MaskImage): void;
  write(work: ExportWork): Promise<void>;
}

/** Objects that a report lists one by one. */
const MAX_LISTED = 5000;

type LeftOut = Pick<ExportReport, 'unreadable' | 'unreadableCount'>;

/** The part of an archive that is exported. */
export interface ExportSelection {
  images: { image: ArchiveImage; stem: string }[];
  /** Indices of the classes that are exported, ascending. */
  classes: number[];
  /** The objects of an image that are exported, in the archive's order. */
  objects(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined>;
}

/**
 * Finds the images, classes and objects that a request names. Objects that can't be exported are added to `report`: those
 * without pixels when `objects` reaches them. Throws `not-found` for an unknown image or class.
 */
export function select(
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
      reason: failure.details?.reason ?? reason('quoted', failure.message),
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
            reason: reason('mask-without-pixels'),
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

/** The colors of classes: those given as #rrggbb, and the palette's for others. */
export function classColors(
  classes: readonly { name: string }[],
  given: Readonly<Record<string, string>> = {},
): (className: string) => Rgb {
  const colors = new Map<string, Rgb>();
  classes.forEach(({ name }, index) => {
    const hex = Object.hasOwn(given, name) ? (given[name] ?? '') : '';
    colors.set(name, fromHex(hex) ?? classColor(index));
  });
  return className => colors.get(className) ?? classColor(0);
}
