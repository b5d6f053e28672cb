import type { ObjectMask } from '../../objectMask';

/** The decoded objects of one image, as columns; object n is the n-th that could be decoded. */
export interface ImageObjects {
  width: number;
  height: number;
  count: number;
  ids: Float64Array;
  /** The IDs by object that are other integers than their doubles in `ids`. */
  longIds: ReadonlyMap<number, bigint>;
  /** Index into the archive's classes. */
  classes: Uint16Array;
  /** NaN where the archive gives none. */
  scores: Float64Array;
  /** Tight box of each object: x1, y1, x2, y2 (exclusive); four per object. */
  boxes: Int32Array;
  /** Mask pixels. */
  areas: Float64Array;
  /** Column-major runs inside each box, one object after the other; those of n begin at runStarts[n]. */
  runs: Uint32Array;
  runStarts: Uint32Array;
}

/** The mask of one object, sharing the image's runs. */
export function maskOf(objects: ImageObjects, object: number): ObjectMask {
  const at = object * 4;
  const x = objects.boxes[at] ?? 0;
  const y = objects.boxes[at + 1] ?? 0;
  return {
    x,
    y,
    width: (objects.boxes[at + 2] ?? 0) - x,
    height: (objects.boxes[at + 3] ?? 0) - y,
    runs: objects.runs.subarray(objects.runStarts[object], objects.runStarts[object + 1]),
  };
}
