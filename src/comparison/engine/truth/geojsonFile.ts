import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CodedError, isCoded } from '../../../base/errors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { reason, type Reason, codedReason } from '../../../base/reasons';
import type { ClassIndex } from '../../../archives/engine/classNames';
import { type ImageObjects, maskOf, ObjectColumns } from '../../../archives/engine/imageObjects';
import { unreadableMask } from '../../../archives/runLengthEncoding';
import { overlapsOf } from '../overlaps';
import { type JsonRecord, jsonRecords } from './jsonRecords';
import { type Corners, maskOfPolygons } from './polygonMasks';
import {
  countNote,
  leaveOutOtherPlanes,
  MAX_LISTED,
  type OnRead,
  type StackPlane,
  type ReferenceImage,
} from './referenceMasks';

/*
 * GeoJSON as QuPath exports it: the objects of one image as features with polygons, in pixels of
 * the full resolution. The file has the image's name only in its own name, and not its size.
 *
 * "Export all objects" also writes the regions that a pipeline was run in: annotations that contain
 * detections. They aren't objects.
 */

const FIRST_BYTES = 64 * 1024;
/** Maximum size of a file that is a single feature. */
const MAX_FEATURE_BYTES = 256 * 1024 ** 2;

/**
 * Reads a GeoJSON file as an image. Throws `bad-request` for other files, `too-many-objects`,
 * `not-a-file`, `cancelled`.
 */
export async function readGeojsonFile(
  path: string,
  classNames: ClassIndex,
  onRead: OnRead,
  signal?: AbortSignal,
): Promise<ReferenceImage & { objects: ImageObjects }> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadableFile(error, path);
  });
  const features = new Features(classNames);
  for await (const records of recordsOf(path, size, onRead, signal))
    for (const { value } of records) features.add(value);
  // COCO's results are an array of annotations, without images.
  if (features.count > 0 && !features.hasFeatures)
    throw new CodedError('bad-request', 'No features', {
      reason: features.isCoco
        ? reason("This isn't a COCO file with images and annotations")
        : codedReason('not-geojson', "This isn't GeoJSON as QuPath exports it"),
      subject: path,
    });
  const filename = basename(path);
  const { image } = features;
  return { id: filename, filename, objects: await features.finish(signal), ...image };
}

/** The features of a collection or an array, or the single feature that the file is. */
async function* recordsOf(
  path: string,
  size: number,
  onRead: OnRead,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly JsonRecord[], void, undefined> {
  const wantedRecords = {
    members: ['features', ''],
    ifMissing: codedReason('not-geojson', "This isn't GeoJSON as QuPath exports it"),
  };
  try {
    yield* jsonRecords(path, size, wantedRecords, onRead, signal);
  } catch (error) {
    const isNoCollection = isCoded(error, 'bad-request') && error.details.reason?.code === 'not-geojson';
    if (!isNoCollection || size > MAX_FEATURE_BYTES) throw error;
    // jsonRecords has read the whole file, so it is valid JSON.
    const value = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, '')) as { type?: unknown };
    if (value.type !== 'Feature') throw error;
    yield [{ member: '', value }];
  }
}

/** Objects with the plane of each. */
class ObjectList {
  readonly columns = new ObjectColumns(FIRST_BYTES);
  readonly planes: StackPlane[] = [];
}

/** QuPath's types of objects that are always regions. */
const REGION_TYPES: readonly unknown[] = ['tma_core', 'tmaCore', 'root'];

/** The features of an image while they are read. */
class Features {
  readonly image: Pick<ReferenceImage, 'unreadable' | 'unreadableCount'> & {
    notes: NonNullable<ReferenceImage['notes']>;
  } = { unreadable: [], unreadableCount: 0, notes: new Map() };
  count = 0;
  hasFeatures = false;
  isCoco = false;
  private readonly annotations = new ObjectList();
  private readonly others = new ObjectList();
  /** Whether a feature is marked as a detection. */
  private hasDetections = false;
  private right = 1;
  private bottom = 1;

  constructor(private readonly classNames: ClassIndex) {}

  add(value: unknown): void {
    this.count++;
    const fields = (value ?? {}) as Partial<Record<'geometry' | 'nucleusGeometry' | 'properties', unknown>>;
    const { geometry, properties, nucleusGeometry } = fields;
    this.hasFeatures ||= geometry !== undefined;
    this.isCoco ||= (fields as { image_id?: unknown }).image_id !== undefined;
    const { name, classification, objectType } = (properties ?? {}) as Record<string, unknown>;
    if (REGION_TYPES.includes(objectType)) return this.note('regions-left-out');
    const isAnnotation = objectType === 'annotation';
    const { columns, planes } = isAnnotation ? this.annotations : this.others;
    try {
      const { mask, overlaps } = maskOfPolygons(polygonsOf(geometry));
      this.right = Math.max(this.right, mask.x + mask.width);
      this.bottom = Math.max(this.bottom, mask.y + mask.height);
      columns.addMask(mask, {
        id: numberOf(name) ?? this.count,
        classIndex: this.classNames.indexOf(classOf(classification)),
        score: NaN,
      });
      planes.push(planeOf(geometry));
      this.hasDetections ||= !isAnnotation && objectType !== undefined;
      if (overlaps) this.note('polygons-overlap');
      if (nucleusGeometry) this.note('nuclei-left-out');
    } catch (error) {
      if (!isCoded(error, 'damaged-archive')) throw error;
      this.image.unreadableCount++;
      const key = typeof name === 'string' ? name : String(this.count);
      const why: Reason = error.details.reason ?? reason("The feature isn't an area");
      if (this.image.unreadable.length < MAX_LISTED) this.image.unreadable.push({ key, reason: why });
    }
  }

  /** The features that are objects. Throws `too-many-objects`, `cancelled`. */
  async finish(signal: AbortSignal | undefined): Promise<ImageObjects> {
    leaveOutOtherPlanes([this.annotations, this.others], this.image.notes);
    const { annotations, others, right, bottom } = this;
    const annotationObjects = annotations.columns.finish(right, bottom);
    if (annotationObjects.count === 0) return others.columns.finish(right, bottom);
    if (others.columns.count === 0) {
      this.note('annotations-hold-annotations', await countHoldersOfSeveral(annotationObjects, signal));
      return annotationObjects;
    }
    const otherObjects = others.columns.finish(right, bottom);
    const regions = this.hasDetections
      ? await holdersOf(annotationObjects, otherObjects, signal)
      : new Map<number, number>();
    this.note('regions-left-out', regions.size);
    if (this.hasDetections) this.note('annotations-as-objects', annotationObjects.count - regions.size);
    const allObjects = new ObjectColumns(FIRST_BYTES);
    for (const [objects, leftOut] of [
      [otherObjects, undefined],
      [annotationObjects, regions],
    ] as const)
      for (let object = 0; object < objects.count; object++)
        if (!leftOut?.has(object)) {
          const { [object]: id = 0 } = objects.ids;
          allObjects.addMask(maskOf(objects, object), {
            id,
            classIndex: objects.classes[object] ?? 0,
            score: NaN,
          });
        }
    return allObjects.finish(right, bottom);
  }

  private note(kind: Parameters<typeof countNote>[1], count = 1): void {
    countNote(this.image.notes, kind, count);
  }
}

/** One record for the many objects in the first plane. */
const FIRST_PLANE: StackPlane = { t: 0, z: 0 };

/** The plane of a geometry; the first one if absent. */
function planeOf(geometry: unknown): StackPlane {
  const { plane } = (geometry ?? {}) as { plane?: unknown };
  const { t, z } = (plane ?? {}) as { t?: unknown; z?: unknown };
  const [planeT = 0, planeZ = 0] = [t, z].map(value => (typeof value === 'number' ? value : 0));
  return planeT === 0 && planeZ === 0 ? FIRST_PLANE : { t: planeT, z: planeZ };
}

/**
 * For each holder, the number of objects of which it contains at least half. Holders of no object
 * are left out.
 */
async function holdersOf(
  holders: ImageObjects,
  objects: ImageObjects,
  signal: AbortSignal | undefined,
): Promise<Map<number, number>> {
  const countOfHolder = new Map<number, number>();
  const { count, a, b, shared } = await overlapsOf(holders, objects, signal);
  for (let n = 0; n < count; n++) {
    const holder = a[n] as number;
    if (2 * (shared[n] as number) >= (objects.areas[b[n] as number] as number))
      countOfHolder.set(holder, (countOfHolder.get(holder) ?? 0) + 1);
  }
  return countOfHolder;
}

/** An object may be a region if it is at least this many times larger than the median. */
const REGION_FACTOR = 4;

/** Counts the objects that contain two or more others, as a region around them does. */
async function countHoldersOfSeveral(
  objects: ImageObjects,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sorted = objects.areas.slice().sort();
  const minArea = REGION_FACTOR * (sorted[Math.floor(sorted.length / 2)] ?? 0);
  const candidates = new ObjectColumns(FIRST_BYTES);
  for (let object = 0; object < objects.count; object++)
    if ((objects.areas[object] as number) >= minArea && minArea > 0)
      candidates.addMask(maskOf(objects, object), { id: object, classIndex: 0, score: NaN });
  const countOfHolder = await holdersOf(candidates.finish(objects.width, objects.height), objects, signal);
  // Each one contains itself.
  return [...countOfHolder.values()].filter(count => count > 2).length;
}

/** Polygons, each with its outer ring first. */
function polygonsOf(geometry: unknown): Corners[][] {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : undefined;
  if (!Array.isArray(polygons)) throw unreadableMask(reason("The feature isn't an area"));
  return polygons.map(polygon => {
    if (!Array.isArray(polygon)) throw unreadableMask(reason("The polygon's coordinates aren't valid"));
    return polygon.map(cornersOf);
  });
}

function cornersOf(ring: unknown): number[] {
  if (!Array.isArray(ring)) throw unreadableMask(reason("The polygon's coordinates aren't valid"));
  return ring.flatMap((position: unknown) => {
    const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
    if (!isCoordinate(x) || !isCoordinate(y))
      throw unreadableMask(reason("The polygon's coordinates aren't valid"));
    return [x, y];
  });
}

/** Larger coordinates can't be of an image. */
const MAX_COORDINATE = 2 ** 24;

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE;
}

/** The number that is an object's name, as in our own exports. */
function numberOf(name: unknown): number | undefined {
  if (typeof name !== 'string' || !/^\d{1,15}$/.test(name)) return undefined;
  return Number(name);
}

/** The class of an object: QuPath writes `name`, or `names` of a class and its derived classes. */
function classOf(classification: unknown): string {
  const { name, names } = (classification ?? {}) as { name?: unknown; names?: unknown };
  if (typeof name === 'string') return name;
  return Array.isArray(names) ? names.map(String).join(': ') : '';
}
