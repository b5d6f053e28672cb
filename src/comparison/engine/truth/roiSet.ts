import { basename } from 'node:path';
import { isCoded } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import type { ClassIndex } from '../../../archives/engine/classNames';
import { type ImageObjects, ObjectColumns } from '../../../archives/engine/imageObjects';
import { EntryQueue, MasksArchive } from '../../../archives/engine/masksArchive';
import type { ObjectMask } from '../../../archives/objectMask';
import { unreadableMask } from '../../../archives/runLengthEncoding';
import { type Corners, maskOfPolygons, maskOfRings } from './polygonMasks';
import {
  countNote,
  leaveOutOtherPlanes,
  MAX_LISTED,
  type OnRead,
  type ReferenceImage,
} from './referenceMasks';

/*
 * A RoiSet.zip of ImageJ's ROI Manager: one file for each ROI, big-endian, as in ij.io.RoiDecoder.
 * Like GeoJSON, it has the image's name only in its own name, and not its size. A ROI has the
 * pixels whose centers are inside.
 */

const FIRST_BYTES = 64 * 1024;
/** Maximum number of ROIs in a set; more take minutes to list. */
const MAX_ROIS = 2 ** 18;

/**
 * Reads the ROIs of a set as objects of an image. Throws `damaged-archive`, `too-many-objects`,
 * `not-a-file`, `cancelled`.
 */
export async function readRoiSet(
  path: string,
  classNames: ClassIndex,
  onRead: OnRead,
  signal?: AbortSignal,
): Promise<ReferenceImage & { objects: ImageObjects }> {
  const archive = await MasksArchive.openRois(path, MAX_ROIS, signal);
  try {
    return await readRois(archive, basename(path), classNames, onRead, signal);
  } finally {
    archive.dispose();
  }
}

async function readRois(
  archive: MasksArchive,
  filename: string,
  classNames: ClassIndex,
  onRead: OnRead,
  signal: AbortSignal | undefined,
): Promise<ReferenceImage & { objects: ImageObjects }> {
  const { rois } = archive.contents;
  const columns = new ObjectColumns(FIRST_BYTES);
  const planes: { z: number; t: number }[] = [];
  const notes: NonNullable<ReferenceImage['notes']> = new Map();
  const image = {
    id: filename,
    filename,
    unreadable: [] as ReferenceImage['unreadable'],
    unreadableCount: 0,
    notes,
  };
  const classIndex = classNames.indexOf('');
  let right = 1;
  let bottom = 1;
  const pacer = new Pacer(signal);
  await using queue = new EntryQueue(archive, rois, signal);
  for (const [index, { fileName }] of rois.entries()) {
    if (pacer.isDue) {
      onRead(index, rois.length);
      await pacer.pause();
    }
    const chunks: Uint8Array[] = [];
    const name = basename(fileName).replace(/\.roi$/i, '');
    try {
      for await (const chunk of queue.chunks(index)) chunks.push(Buffer.from(chunk));
      const roi = readRoi(Buffer.concat(chunks));
      const { mask, overlaps } = roi.shape();
      right = Math.max(right, mask.x + mask.width);
      bottom = Math.max(bottom, mask.y + mask.height);
      // Our own exports end names with IDs.
      const id = Number(/(?:^| )(\d{1,15})$/.exec(name)?.[1] ?? index + 1);
      columns.addMask(mask, { id, classIndex, score: NaN });
      planes.push(roi);
      if (overlaps) countNote(notes, 'polygons-overlap', 1);
    } catch (error) {
      if (!isCoded(error, 'damaged-archive')) throw error;
      image.unreadableCount++;
      const cause = error.details.reason ?? reason("The feature isn't an area");
      if (image.unreadable.length < MAX_LISTED) image.unreadable.push({ key: name, reason: cause });
    }
  }
  leaveOutOtherPlanes([{ columns, planes }], notes);
  return { ...image, objects: columns.finish(right, bottom) };
}

/** A ROI with its plane; its mask may be invalid. */
interface Roi {
  z: number;
  t: number;
  /** Throws `damaged-archive` with the reason. */
  shape(): { mask: ObjectMask; overlaps: boolean };
}

const HEADER_BYTES = 64;
/** Offsets of fields in the header. */
const OFFSETS = {
  type: 6,
  box: 8,
  count: 16,
  floats: 18,
  shapeFloats: 36,
  subtype: 48,
  options: 50,
  position: 56,
  header2: 60,
};
const SUB_PIXEL = 128;
/** The first version that may have floats as coordinates. */
const FIRST_FLOATS_VERSION = 222;
/** Subtypes that are drawings rather than areas: text, arrows and images. */
const DRAWINGS: readonly number[] = [1, 2, 4];

const enum RoiType {
  Polygon,
  Rectangle,
  Oval,
  Freehand = 7,
  Traced = 8,
}

function readRoi(bytes: Buffer): Roi {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'Iout')
    throw unreadableMask(reason("The file isn't a ROI of ImageJ"));
  const header2 = bytes.readInt32BE(OFFSETS.header2);
  const hasHeader2 = header2 > 0 && header2 + 16 <= bytes.length;
  const [z, t] = hasHeader2 ? [bytes.readInt32BE(header2 + 8), bytes.readInt32BE(header2 + 12)] : [0, 0];
  // A ROI without a position in a hyperstack may have one in a stack.
  const plane = z === 0 && t === 0 ? { z: bytes.readInt32BE(OFFSETS.position), t: 0 } : { z, t };
  return { ...plane, shape: () => shapeOf(bytes) };
}

function shapeOf(bytes: Buffer): { mask: ObjectMask; overlaps: boolean } {
  try {
    if (DRAWINGS.includes(bytes.readUInt16BE(OFFSETS.subtype)))
      throw unreadableMask(reason("The feature isn't an area"));
    const type = bytes.readUInt8(OFFSETS.type);
    const floats = bytes.readInt32BE(OFFSETS.shapeFloats);
    if (type === RoiType.Rectangle && floats > 0)
      return { mask: maskOfRings(ringsOfPath(bytes, floats)), overlaps: false };
    if (type === RoiType.Rectangle || type === RoiType.Oval) {
      const { left, top, right, bottom } = boxOf(bytes);
      const ring =
        type === RoiType.Oval
          ? ellipse(left, top, right, bottom)
          : [left, top, right, top, right, bottom, left, bottom];
      return { mask: maskOfRings([ring]), overlaps: false };
    }
    if (type !== RoiType.Polygon && type !== RoiType.Freehand && type !== RoiType.Traced)
      throw unreadableMask(reason("The feature isn't an area"));
    return maskOfPolygons([[cornersOf(bytes)]]);
  } catch (error) {
    throw error instanceof RangeError ? unreadableMask(reason("The file isn't a ROI of ImageJ")) : error;
  }
}

function hasFloats(bytes: Buffer): boolean {
  return (
    bytes.readUInt16BE(4) >= FIRST_FLOATS_VERSION && (bytes.readUInt16BE(OFFSETS.options) & SUB_PIXEL) !== 0
  );
}

function boxOf(bytes: Buffer): { left: number; top: number; right: number; bottom: number } {
  if (hasFloats(bytes)) {
    const [left, top, width, height] = [0, 4, 8, 12].map(offset =>
      bytes.readFloatBE(OFFSETS.floats + offset),
    ) as [number, number, number, number];
    return { left, top, right: left + width, bottom: top + height };
  }
  // Left and top may be negative; right and bottom beyond 32,767 are read like ImageJ does.
  const [top, left] = [bytes.readInt16BE(OFFSETS.box), bytes.readInt16BE(OFFSETS.box + 2)];
  const [bottom, right] = [bytes.readUInt16BE(OFFSETS.box + 4), bytes.readUInt16BE(OFFSETS.box + 6)];
  return { left: unsignedIfPossible(left, right), top: unsignedIfPossible(top, bottom), right, bottom };
}

/** A negative side as unsigned, as long as it doesn't pass the opposite side then. */
function unsignedIfPossible(side: number, opposite: number): number {
  return side < 0 && side + 65_536 < opposite ? side + 65_536 : side;
}

function cornersOf(bytes: Buffer): Corners {
  const count = bytes.readUInt16BE(OFFSETS.count) || bytes.readInt32BE(OFFSETS.floats);
  if (count < 3) throw unreadableMask(reason("The polygon's coordinates aren't valid"));
  const corners: number[] = [];
  if (hasFloats(bytes)) {
    const start = HEADER_BYTES + 4 * count;
    for (let n = 0; n < count; n++)
      corners.push(bytes.readFloatBE(start + 4 * n), bytes.readFloatBE(start + 4 * (count + n)));
    return checkedCorners(corners);
  }
  const { left, top } = boxOf(bytes);
  for (let n = 0; n < count; n++)
    corners.push(
      left + bytes.readInt16BE(HEADER_BYTES + 2 * n),
      top + bytes.readInt16BE(HEADER_BYTES + 2 * (count + n)),
    );
  return checkedCorners(corners);
}

/** Number of lines that approximate a curve of a path. */
const CURVE_LINES = 16;

/** The rings of a composite ROI: a path of moves, lines and curves, as floats. */
function ringsOfPath(bytes: Buffer, floats: number): Corners[] {
  const rings: number[][] = [];
  let index = 0;
  const nextFloat = (): number => bytes.readFloatBE(HEADER_BYTES + 4 * index++);
  while (index < floats) {
    const segment = nextFloat();
    // 0 moves, 1 is a line, 2 and 3 are curves with as many points, 4 closes the ring.
    if (segment === 4) continue;
    if (![0, 1, 2, 3].includes(segment))
      throw unreadableMask(reason("The polygon's coordinates aren't valid"));
    const points = Array.from({ length: 2 * Math.max(1, segment) }, nextFloat);
    const ring = rings.at(-1);
    if (segment === 0 || !ring) rings.push(points);
    else if (segment === 1) ring.push(...points);
    else addCurve(ring, points);
  }
  return rings.map(checkedCorners);
}

/** Adds a Bézier curve that starts at the ring's last corner. */
function addCurve(ring: number[], points: readonly number[]): void {
  const control = [...ring.slice(-2), ...points];
  for (let step = 1; step <= CURVE_LINES; step++) {
    const share = step / CURVE_LINES;
    // De Casteljau's algorithm.
    let reduced = control;
    while (reduced.length > 2)
      reduced = reduced.slice(2).map((value, n) => (1 - share) * (reduced[n] as number) + share * value);
    ring.push(...reduced);
  }
}

function ellipse(left: number, top: number, right: number, bottom: number): Corners {
  const [radiusX, radiusY] = [(right - left) / 2, (bottom - top) / 2];
  const count = Math.ceil(Math.min(1e5, 64 + 8 * (radiusX + radiusY)));
  const corners: number[] = [];
  for (let n = 0; n < count; n++) {
    const angle = (2 * Math.PI * n) / count;
    corners.push(left + radiusX * (1 + Math.cos(angle)), top + radiusY * (1 + Math.sin(angle)));
  }
  return checkedCorners(corners);
}

/** Larger coordinates can't be of an image. */
const MAX_COORDINATE = 2 ** 24;

function checkedCorners(corners: Corners): Corners {
  if (!corners.every(value => Math.abs(value) <= MAX_COORDINATE))
    throw unreadableMask(reason("The polygon's coordinates aren't valid"));
  return corners;
}
