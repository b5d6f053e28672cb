import type { Rgb } from '../../base/colors';
import { type ContourPart, traceContours } from '../../archives/contours';
import type { MaskedObject } from '../../archives/engine/masks';
import type { ObjectMask } from '../../archives/objectMask';
import { safeFileName, uniqueNames } from '../../results/node/fileStems';
import { classColors, type Exporter } from './exporter';
import { ZipWriter } from './zipWriter';

/**
 * Writes a RoiSet.zip for ImageJ's ROI Manager, one per image with objects. A ROI's name has the
 * object's class and ID.
 */
export const imagejRois: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => roiSetName(stem)),

  async write({ request, summary, selection, writeOfImage, signal, progress }) {
    const colorOf = classColors(summary.classes, request.colors);
    for (const [position, { image, stem }] of selection.images.entries()) {
      const objects = selection.objects(image.index, signal);
      const first = await objects.next();
      if (!first.done) {
        await writeOfImage(image, roiSetName(stem), async file => {
          let count = 0;
          const zip = new ZipWriter(file);
          const uniqueName = uniqueNames();
          try {
            for (
              let next: IteratorResult<MaskedObject, void> = first;
              !next.done;
              next = await objects.next()
            ) {
              const { index, className, mask } = next.value;
              const name = uniqueName(roiName(next.value));
              await zip.add(`${name}.roi`, encodeImagejRoi(mask, name, colorOf(className)));
              count++;
              progress(position, index / image.objectCount);
            }
          } finally {
            await objects.return();
          }
          await zip.finish();
          return count;
        });
      }
      progress(position, 1);
    }
  },
};

function roiSetName(stem: string): string {
  return `${stem}_RoiSet.zip`;
}

function roiName({ className, id }: MaskedObject): string {
  return safeFileName(className === '' ? String(id) : `${className} ${id}`);
}

/** Bytes of the first header; coordinates follow. */
const HEADER_BYTES = 64;
const HEADER2_BYTES = 64;
const VERSION = 227;
const RECTANGLE = 1;
const TRACED = 8;

/** Maximum coordinate that ImageJ reads from 16 bits; larger shapes are written as floats. */
const MAX_COORDINATE = 60_000;
/** Maximum side and number of corners: older readers use signed 16-bit numbers for them. */
const MAX_SIDE = 32_767;

const MOVE_TO = 0;
const LINE_TO = 1;
const CLOSE = 4;

interface RoiLabel {
  name: string;
  color: Rgb | undefined;
}

/**
 * Encodes a mask as an ImageJ file (.roi, big-endian; see ij.io.RoiDecoder). A single part without
 * holes that fits in 16 bits becomes a traced polygon; other masks become a composite of all rings.
 * The mask must have pixels.
 */
export function encodeImagejRoi(mask: ObjectMask, name: string, color?: Rgb): Uint8Array {
  const label = { name, color };
  const parts = traceContours(mask);
  const [first] = parts;
  const fits =
    mask.x + mask.width <= MAX_COORDINATE &&
    mask.y + mask.height <= MAX_COORDINATE &&
    Math.max(mask.width, mask.height) <= MAX_SIDE;
  const isSimple =
    parts.length === 1 && first && first.holes.length === 0 && first.outer.length / 2 <= MAX_SIDE && fits;
  return isSimple ? tracedRoi(mask, first, label) : compositeRoi(mask, parts, label);
}

/** A traced polygon: x of all corners, then y, as 16-bit numbers relative to the bounding box. */
function tracedRoi(mask: ObjectMask, { outer }: ContourPart, label: RoiLabel): Uint8Array {
  const corners = outer.length / 2;
  const { bytes, view } = newRoi(mask, TRACED, corners * 4, label);
  view.setUint16(16, corners);
  for (let i = 0; i < corners; i++) {
    view.setInt16(HEADER_BYTES + i * 2, (outer[i * 2] ?? 0) - mask.x);
    view.setInt16(HEADER_BYTES + (corners + i) * 2, (outer[i * 2 + 1] ?? 0) - mask.y);
  }
  return bytes;
}

/** A composite: all rings as a path of 32-bit floats in image pixels, exact up to 16,777,216. */
function compositeRoi(mask: ObjectMask, parts: readonly ContourPart[], label: RoiLabel): Uint8Array {
  const rings = parts.flatMap(({ outer, holes }) => [outer, ...holes]);
  const floats = rings.reduce((sum, ring) => sum + (ring.length / 2) * 3 + 1, 0);
  const { bytes, view } = newRoi(mask, RECTANGLE, floats * 4, label);
  view.setInt32(36, floats);
  let position = HEADER_BYTES;
  const write = (value: number) => {
    view.setFloat32(position, value);
    position += 4;
  };
  for (const ring of rings) {
    for (let corner = 0; corner < ring.length; corner += 2) {
      write(corner === 0 ? MOVE_TO : LINE_TO);
      write(ring[corner] ?? 0);
      write(ring[corner + 1] ?? 0);
    }
    write(CLOSE);
  }
  return bytes;
}

/** The bytes of a ROI without its coordinates. */
function newRoi(
  { x, y, width, height }: ObjectMask,
  type: number,
  coordinateBytes: number,
  { name, color }: RoiLabel,
): { bytes: Uint8Array; view: DataView } {
  const header2 = HEADER_BYTES + coordinateBytes;
  const bytes = new Uint8Array(header2 + HEADER2_BYTES + name.length * 2);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x6f, 0x75, 0x74]);
  view.setInt16(4, VERSION);
  view.setUint8(6, type);
  // Clamp the box to 16 bits. ImageJ computes the box of a composite from its path anyway.
  [y, x, y + height, x + width].forEach((side, index) =>
    view.setUint16(8 + index * 2, Math.min(side, MAX_COORDINATE)),
  );
  if (color) view.setUint32(40, ((0xff << 24) | (color[0] << 16) | (color[1] << 8) | color[2]) >>> 0);
  view.setInt32(60, header2);
  view.setInt32(header2 + 16, header2 + HEADER2_BYTES);
  view.setInt32(header2 + 20, name.length);
  for (let i = 0; i < name.length; i++) view.setUint16(header2 + HEADER2_BYTES + i * 2, name.charCodeAt(i));
  return { bytes, view };
}
