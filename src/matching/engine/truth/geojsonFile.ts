import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CodedError, isCoded } from '../../../base/errors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { reason, type Reason } from '../../../base/reasons';
import type { ClassIndex } from '../../../masks/engine/classNames';
import { type ImageObjects, ObjectColumns } from '../../../masks/engine/imageObjects';
import { jsonRecords } from './jsonRecords';
import { type Corners, maskOfRings } from './polygonMasks';
import { MAX_LISTED, type OnRead, type ReadReference } from './referenceMasks';
import { unreadableMask } from '../../../masks/runLengthEncoding';

/*
 * GeoJSON as QuPath exports it: the objects of one image as features with polygons, in pixels of the full resolution. The file
 * says neither which image it is, but for its name, nor how large that is.
 */

const FIRST_BYTES = 64 * 1024;

/** Reads a GeoJSON file as an image. Throws `bad-request` where it isn't one, `too-many-objects`, `not-a-file`, `cancelled`. */
export async function readGeojsonFile(
  path: string,
  classNames: ClassIndex,
  onRead: OnRead,
  signal?: AbortSignal,
): Promise<ReadReference & { objects: ImageObjects }> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadableFile(error, path);
  });
  const columns = new ObjectColumns(FIRST_BYTES);
  const image: Pick<ReadReference, 'unreadable' | 'unreadableCount'> = { unreadable: [], unreadableCount: 0 };
  let number = 0;
  let hasFeatures = false;
  let isCoco = false;
  let right = 1;
  let bottom = 1;
  const wanted = { members: ['features', ''], otherwise: reason('not-geojson') };
  for await (const records of jsonRecords(path, size, wanted, onRead, signal)) {
    for (const { value } of records) {
      number++;
      const fields = (value ?? {}) as { geometry?: unknown; properties?: unknown; image_id?: unknown };
      const { geometry, properties } = fields;
      hasFeatures ||= geometry !== undefined;
      isCoco ||= fields.image_id !== undefined;
      const { name, classification } = (properties ?? {}) as { name?: unknown; classification?: unknown };
      try {
        const mask = maskOfRings(ringsOf(geometry));
        right = Math.max(right, mask.x + mask.width);
        bottom = Math.max(bottom, mask.y + mask.height);
        columns.addMask(mask, {
          id: numberOf(name) ?? number,
          classIndex: classNames.indexOf(classOf(classification)),
          score: NaN,
        });
      } catch (error) {
        if (!isCoded(error, 'damaged-archive')) throw error;
        image.unreadableCount++;
        const key = typeof name === 'string' ? name : String(number);
        const why: Reason = error.details.reason ?? reason('not-an-area');
        if (image.unreadable.length < MAX_LISTED) image.unreadable.push({ key, reason: why });
      }
    }
  }
  // COCO's results are an array of annotations, without images.
  if (number > 0 && !hasFeatures)
    throw new CodedError('bad-request', 'No features', {
      reason: reason(isCoco ? 'not-coco' : 'not-geojson'),
      subject: path,
    });
  const filename = basename(path);
  return { id: filename, filename, objects: columns.finish(right, bottom), ...image };
}

/** Polygons with their holes; those of several parts don't overlap. */
function ringsOf(geometry: unknown): Corners[] {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : undefined;
  if (!Array.isArray(polygons)) throw unreadableMask(reason('not-an-area'));
  return polygons.flatMap(polygon => {
    if (!Array.isArray(polygon)) throw unreadableMask(reason('polygon-invalid'));
    return polygon.map(cornersOf);
  });
}

function cornersOf(ring: unknown): number[] {
  if (!Array.isArray(ring)) throw unreadableMask(reason('polygon-invalid'));
  return ring.flatMap((position: unknown) => {
    const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
    if (!isCoordinate(x) || !isCoordinate(y)) throw unreadableMask(reason('polygon-invalid'));
    return [x, y];
  });
}

/** Coordinates beyond can't be of an image. */
const MAX_COORDINATE = 2 ** 24;

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE;
}

/** The number that names an object, as our own exports have it. */
function numberOf(name: unknown): number | undefined {
  if (typeof name !== 'string' || !/^\d{1,15}$/.test(name)) return undefined;
  return Number(name);
}

/** QuPath has written the name of a class in two ways: as `name`, and as `names` of a class and those derived from it. */
function classOf(classification: unknown): string {
  const { name, names } = (classification ?? {}) as { name?: unknown; names?: unknown };
  if (typeof name === 'string') return name;
  return Array.isArray(names) ? names.map(String).join(': ') : '';
}
