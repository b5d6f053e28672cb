import type { Rgb } from './classPalette';
import { traceContours, type ContourPart } from './contours';
import type { ObjectMask } from './objectMask';

/** Bytes of the first header; coordinates follow. */
const HEADER = 64;
const HEADER2 = 64;
const VERSION = 227;
const RECTANGLE = 1;
const TRACED = 8;

/** Coordinates that ImageJ reads back from its 16 bits, its own slack left: beyond, shapes are given as floats. */
const FARTHEST = 60_000;
/** Corners relative to the box are read as signed 16-bit numbers, as is their count in older readers. */
const LARGEST_SIDE = 32_767;

const MOVE_TO = 0;
const LINE_TO = 1;
const CLOSE = 4;

/**
 * A mask as a file of ImageJ (.roi, big-endian; ij.io.RoiDecoder tells the format). One part without holes that fits in 16
 * bits becomes a traced polygon; anything else a composite of all its rings. The mask must have pixels.
 */
export function encodeImagejRoi(mask: ObjectMask, name: string, colour?: Rgb): Uint8Array {
  const parts = traceContours(mask);
  const [first] = parts;
  const fits =
    mask.x + mask.width <= FARTHEST &&
    mask.y + mask.height <= FARTHEST &&
    Math.max(mask.width, mask.height) <= LARGEST_SIDE;
  const simple =
    parts.length === 1 && first && first.holes.length === 0 && first.outer.length / 2 <= LARGEST_SIDE && fits;
  return simple ? tracedRoi(mask, first, name, colour) : compositeRoi(mask, parts, name, colour);
}

/** x of every corner, then y, as 16-bit numbers from the box's corner. */
function tracedRoi(
  mask: ObjectMask,
  { outer }: ContourPart,
  name: string,
  colour: Rgb | undefined,
): Uint8Array {
  const corners = outer.length / 2;
  const { bytes, view } = newRoi(mask, TRACED, corners * 4, name, colour);
  view.setUint16(16, corners);
  for (let at = 0; at < corners; at++) {
    view.setInt16(HEADER + at * 2, (outer[at * 2] ?? 0) - mask.x);
    view.setInt16(HEADER + (corners + at) * 2, (outer[at * 2 + 1] ?? 0) - mask.y);
  }
  return bytes;
}

/** Rings as a path of 32-bit floats in image pixels: move, lines, close. Exact to 16,777,216. */
function compositeRoi(
  mask: ObjectMask,
  parts: readonly ContourPart[],
  name: string,
  colour: Rgb | undefined,
): Uint8Array {
  const rings = parts.flatMap(({ outer, holes }) => [outer, ...holes]);
  const floats = rings.reduce((sum, ring) => sum + (ring.length / 2) * 3 + 1, 0);
  const { bytes, view } = newRoi(mask, RECTANGLE, floats * 4, name, colour);
  view.setInt32(36, floats);
  let at = HEADER;
  const put = (value: number) => {
    view.setFloat32(at, value);
    at += 4;
  };
  for (const ring of rings) {
    for (let corner = 0; corner < ring.length; corner += 2) {
      put(corner === 0 ? MOVE_TO : LINE_TO);
      put(ring[corner] ?? 0);
      put(ring[corner + 1] ?? 0);
    }
    put(CLOSE);
  }
  return bytes;
}

/** The bytes of a ROI with everything but its coordinates. */
function newRoi(
  { x, y, width, height }: ObjectMask,
  type: number,
  coordinateBytes: number,
  name: string,
  colour: Rgb | undefined,
): { bytes: Uint8Array; view: DataView } {
  const header2 = HEADER + coordinateBytes;
  const bytes = new Uint8Array(header2 + HEADER2 + name.length * 2);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x6f, 0x75, 0x74]);
  view.setInt16(4, VERSION);
  view.setUint8(6, type);
  // A composite's box is taken from its path; numbers that do not fit are cut to those that do.
  [y, x, y + height, x + width].forEach((side, at) => view.setUint16(8 + at * 2, Math.min(side, FARTHEST)));
  if (colour) view.setUint32(40, ((0xff << 24) | (colour[0] << 16) | (colour[1] << 8) | colour[2]) >>> 0);
  view.setInt32(60, header2);
  view.setInt32(header2 + 16, header2 + HEADER2);
  view.setInt32(header2 + 20, name.length);
  for (let at = 0; at < name.length; at++) view.setUint16(header2 + HEADER2 + at * 2, name.charCodeAt(at));
  return { bytes, view };
}
