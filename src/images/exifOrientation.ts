import { reason, type Reason } from '../base/reasons';

/**
 * The orientation (1…8) in an EXIF block; 1, "as stored", if it can't be read. The block is a small
 * TIFF file: byte order, 42, offset of the first directory. Its tag 274 is the orientation.
 */
export function exifOrientation(exif: Uint8Array): number {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  if (view.byteLength < 8) return 1;
  const littleEndian = view.getUint16(0) === 0x4949;
  if (view.getUint16(2, littleEndian) !== 42) return 1;
  const directory = view.getUint32(4, littleEndian);
  if (directory + 2 > view.byteLength) return 1;
  const entries = view.getUint16(directory, littleEndian);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, littleEndian) === 274) {
      const orientation = view.getUint16(entry + 8, littleEndian);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  }
  return 1;
}

/** The note about an orientation that isn't applied; empty for "as stored". */
export function orientationNote(orientation: number): Reason[] {
  const note = NOT_APPLIED.get(orientation);
  return note ? [note] : [];
}

/** The orientation that a note is about; undefined for other notes. */
export function unappliedOrientation({ message }: Reason): number | undefined {
  return [...NOT_APPLIED].find(([, note]) => note.message === message)?.[0];
}

/** The note about each orientation. */
const NOT_APPLIED: ReadonlyMap<number, Reason> = new Map([
  [2, reason("The file's orientation isn't applied: mirrored")],
  [3, reason("The file's orientation isn't applied: rotated by 180°")],
  [4, reason("The file's orientation isn't applied: flipped vertically")],
  [5, reason("The file's orientation isn't applied: transposed")],
  [6, reason("The file's orientation isn't applied: rotated by 90°")],
  [7, reason("The file's orientation isn't applied: transversed")],
  [8, reason("The file's orientation isn't applied: rotated by 270°")],
]);
