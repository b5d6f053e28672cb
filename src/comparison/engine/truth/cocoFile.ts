import { stat } from 'node:fs/promises';
import { CodedError, isCoded, toPlainError } from '../../../base/errors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { reason, type Reason, countedReason } from '../../../base/reasons';
import { ClassNames } from '../../../archives/engine/classNames';
import { type ImageObjects, ObjectColumns } from '../../../archives/engine/imageObjects';
import type { UnreadableObjects } from '../../../archives/masksSummary';
import { maskFromRuns, type ObjectMask } from '../../../archives/objectMask';
import { decodeCounts, readPlainRuns, unreadableMask } from '../../../archives/runLengthEncoding';
import { jsonRecords } from './jsonRecords';
import { maskOfCocoPolygons } from './polygonMasks';
import {
  locatedReference,
  masksOfReference,
  MAX_LISTED,
  type OnRead,
  type ReferenceMasks,
} from './referenceMasks';

/*
 * COCO's annotations of instances (https://cocodataset.org/#format-data): images, categories and
 * annotations, with a segmentation of polygons, compressed runs or plain runs. A first pass reads
 * the images, as annotations may come before them.
 */

/** Maximum width and height in pixels, as for masks archives. */
const MAX_SIDE = 2 ** 24;
/** Initial bytes for an image's columns: a file can have 100,000 images with few objects each. */
const FIRST_BYTES = 1024;

type Id = string | number;

/** An image whose annotations are collected. */
interface CollectedImage extends UnreadableObjects {
  id: string;
  filename: string;
  width: number;
  height: number;
  failure: CodedError | undefined;
  /** Undefined before the first object. */
  objects: ObjectColumns | undefined;
  crowds: ObjectColumns | undefined;
  /** The object of each annotation ID. */
  objectOf: Map<Id, number>;
}

/**
 * Reads a COCO file. Throws `bad-request` for other files, `too-many-objects`, `not-a-file`,
 * `cancelled`.
 */
export async function readCocoFile(
  path: string,
  onRead: OnRead,
  signal?: AbortSignal,
): Promise<ReferenceMasks> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadableFile(error, path);
  });
  const images = new Map<Id, CollectedImage>();
  const imagesWithSameId: CollectedImage[] = [];
  const withoutId = { images: 0, categories: 0 };
  const notCoco = reason("This isn't a COCO file with images and annotations");
  const classNames = new ClassNames();
  const classes = new Map<Id, number>();
  const head = { members: ['images', 'categories'], ifMissing: notCoco };
  for await (const records of jsonRecords(path, size, head, done => onRead(done, 2 * size), signal)) {
    for (const { member, value } of records) {
      const fields = fieldsOf(value);
      const id = idOf(fields['id']);
      if (id === undefined) {
        withoutId[member === 'images' ? 'images' : 'categories']++;
        continue;
      }
      if (member === 'categories') classes.set(id, classNames.indexOf(textOf(fields['name']) ?? String(id)));
      else {
        const image = imageOf(id, fields);
        const earlier = images.get(id);
        if (!earlier) images.set(id, image);
        else if (earlier.filename !== image.filename) {
          // The annotations of this ID can't be assigned to one of the images.
          image.failure = earlier.failure = unusableImage(
            reason('Another image has the same ID, {0}', String(id)),
          );
          imagesWithSameId.push(image);
        }
      }
    }
  }
  if (images.size === 0)
    throw new CodedError('bad-request', 'No COCO images', { reason: notCoco, subject: path });
  let withoutImage = 0;
  const body = { members: ['annotations'], ifMissing: notCoco };
  for await (const records of jsonRecords(path, size, body, done => onRead(size + done, 2 * size), signal)) {
    for (const { value } of records) {
      const fields = fieldsOf(value);
      const image = images.get(idOf(fields['image_id']) ?? '');
      if (!image) withoutImage++;
      else if (!image.failure)
        addAnnotation(image, fields, category => classOf(category, classes, classNames));
    }
  }
  const allImages = [...images.values(), ...imagesWithSameId];
  const crowds = allImages.reduce((sum, image) => sum + (image.crowds?.count ?? 0), 0);
  const notes: Reason[] = [];
  if (withoutId.images > 0)
    notes.push(
      countedReason(
        withoutId.images,
        '1 image without an ID was left out',
        '{0} images without an ID were left out',
      ),
    );
  if (withoutId.categories > 0)
    notes.push(
      countedReason(
        withoutId.categories,
        '1 category without an ID was left out',
        '{0} categories without an ID were left out',
      ),
    );
  if (withoutImage > 0)
    notes.push(
      countedReason(
        withoutImage,
        "1 annotation was left out: its image isn't in the file",
        "{0} annotations were left out: their images aren't in the file",
      ),
    );
  if (crowds > 0)
    notes.push(
      countedReason(
        crowds,
        '1 annotation is a crowd (iscrowd): a region to ignore, not an object',
        '{0} annotations are crowds (iscrowd): regions to ignore, not objects',
      ),
    );
  return referenceOf(allImages, classNames, notes);
}

function referenceOf(
  images: readonly CollectedImage[],
  classNames: ClassNames,
  notes: Reason[],
): ReferenceMasks {
  const crowds = new Map<number, ImageObjects>();
  const objectsOfImages = images.map(image => {
    const objects = (image.objects ?? newColumns()).finish(image.width, image.height);
    // Drops the columns at once: otherwise memory would double until all images are finished.
    image.objects = undefined;
    return objects;
  });
  const references = images.map((image, position) => {
    const { id, filename, unreadable, unreadableCount, failure } = image;
    const objects = failure ? undefined : objectsOfImages[position];
    if (image.crowds && objects) crowds.set(position, image.crowds.finish(image.width, image.height));
    return locatedReference(
      {
        id,
        filename,
        objects,
        unreadable,
        unreadableCount,
        ...(failure && { failure: toPlainError(failure) }),
      },
      position,
    );
  });
  const masks = masksOfReference(references, classNames, notes, position => {
    const objects = objectsOfImages[position];
    return objects
      ? Promise.resolve(objects)
      : Promise.reject(new CodedError('bad-request', `No image ${position}`));
  });
  return { format: 'coco', masks, crowds, unknownSizes: new Set(), dispose: () => masks.dispose() };
}

function imageOf(id: Id, fields: Record<string, unknown>): CollectedImage {
  const { width, height } = fields;
  const isSized = isSide(width) && isSide(height);
  return {
    // Our own exports have the archive's ID.
    id: textOf(fields['source_id']) ?? String(id),
    filename: textOf(fields['file_name']) ?? String(id),
    width: isSized ? width : 0,
    height: isSized ? height : 0,
    failure: isSized
      ? undefined
      : unusableImage(
          isSide(width)
            ? reason("The image's height isn't a number of pixels")
            : reason("The image's width isn't a number of pixels"),
        ),
    unreadable: [],
    unreadableCount: 0,
    objects: undefined,
    crowds: undefined,
    objectOf: new Map(),
  };
}

function addAnnotation(
  image: CollectedImage,
  fields: Record<string, unknown>,
  classIndexOf: (category: unknown) => number,
): void {
  const id = idOf(fields['id']);
  try {
    const mask = maskOf(fields['segmentation'], image.width, image.height);
    const score = typeof fields['score'] === 'number' ? fields['score'] : NaN;
    const columns = isCrowd(fields['iscrowd'])
      ? (image.crowds ??= newColumns())
      : (image.objects ??= newColumns());
    const object = columns.count;
    columns.addMask(mask, {
      // An ID that isn't a number can't be shown: the object's position, from 1, replaces it.
      id: typeof id === 'number' ? id : object + 1,
      classIndex: classIndexOf(fields['category_id']),
      score,
    });
    if (columns !== image.objects || id === undefined) return;
    const earlier = image.objectOf.get(id);
    image.objectOf.set(id, object);
    if (earlier === undefined) return;
    columns.drop(earlier);
    skipAnnotation(image, String(id), reason('A later annotation has the same ID'));
  } catch (error) {
    if (!isCoded(error, 'damaged-archive')) throw error;
    skipAnnotation(
      image,
      String(id ?? ''),
      error.details.reason ?? reason('The annotation has no segmentation'),
    );
  }
}

function newColumns(): ObjectColumns {
  const columns = new ObjectColumns(FIRST_BYTES);
  // The number of objects is unknown, so the runs grow in small steps.
  columns.share = 1;
  return columns;
}

function skipAnnotation(image: UnreadableObjects, key: string, skipReason: Reason): void {
  image.unreadableCount++;
  if (image.unreadable.length < MAX_LISTED) image.unreadable.push({ key, reason: skipReason });
}

function maskOf(segmentation: unknown, width: number, height: number): ObjectMask {
  if (Array.isArray(segmentation)) return maskOfCocoPolygons(segmentation, height, width);
  const { size, counts } = fieldsOf(segmentation);
  if (!Array.isArray(size) || size.length !== 2)
    throw unreadableMask(reason('The annotation has no segmentation'));
  if (size[0] !== height || size[1] !== width)
    throw unreadableMask(
      reason(
        'The mask size of {0} × {1} matches neither the image nor the bounding box',
        Number(size[0]),
        Number(size[1]),
      ),
    );
  if (Array.isArray(counts)) return maskFromRuns(readPlainRuns(counts, height, width), height);
  if (typeof counts !== 'string') throw unreadableMask(reason('The run-length encoding has no runs'));
  return maskFromRuns(decodeCounts(counts, height, width), height);
}

/** The class of a category; an unlisted category is named by its ID. */
function classOf(category: unknown, classes: Map<Id, number>, classNames: ClassNames): number {
  const id = idOf(category);
  if (id === undefined) return classNames.indexOf('');
  let index = classes.get(id);
  if (index === undefined) {
    index = classNames.indexOf(String(id));
    classes.set(id, index);
  }
  return index;
}

function isCrowd(value: unknown): boolean {
  return value === 1 || value === true;
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;
}

function idOf(value: unknown): Id | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function unusableImage(cause: Reason): CodedError {
  return new CodedError('damaged-archive', 'The image is not usable', { reason: cause });
}
