import { forEachColumnSpan, type ObjectMask } from '../../masks/objectMask';
import { area } from '../../masks/runLengthEncoding';
import { Pacer } from '../../base/node/slices';

/*
 * A label image of a slide has more pixels than memory. So it is painted from top to bottom in bands of at most 32 MB, each
 * from the largest object to the smallest, and the writer gets one band at a time.
 */

/** Bytes of the labels of one band. */
const MAX_BAND_BYTES = 32 * 1024 ** 2;

/** Some rows of a label image. */
export interface LabelBand {
  /** First row. */
  top: number;
  rows: number;
  /** Row-major, rows `stride` apart: 0, or 1 + the index of the object on top. */
  labels: Uint32Array;
  stride: number;
}

/**
 * Paints objects from the top of the image to its bottom, in bands of a multiple of `rowStep` rows. Where objects overlap
 * the smaller is on top, and of equally large ones the first. Adds to `lost`, by object, the number of its pixels that are
 * covered by others. The array of labels is reused for the next band.
 */
export async function* paintLabelBands(
  masks: readonly ObjectMask[],
  { width, height }: { width: number; height: number },
  rowStep: number,
  lost: Float64Array,
  signal?: AbortSignal,
): AsyncGenerator<LabelBand, void, undefined> {
  // With an odd stride the pixels of a column don't compete for the same lines of the processor's cache.
  const stride = width | 1;
  const bandRows = Math.min(
    height,
    Math.max(1, Math.floor(MAX_BAND_BYTES / (stride * 4 * rowStep))) * rowStep,
  );
  const labels = new Uint32Array(stride * bandRows);
  const areas = Float64Array.from(masks, ({ runs }) => area(runs));
  const bottomUp = Uint32Array.from(masks, (_, at) => at).sort(
    (a, b) => (areas[b] ?? 0) - (areas[a] ?? 0) || b - a,
  );
  const pacer = new Pacer(signal);
  for (let top = 0; top < height; top += bandRows) {
    const bottom = Math.min(height, top + bandRows);
    labels.fill(0);
    for (const object of bottomUp) {
      const mask = masks[object];
      if (!mask || mask.y >= bottom || mask.y + mask.height <= top) continue;
      if (pacer.isDue) await pacer.pause();
      paint(mask, object + 1, labels, { top, bottom, stride }, lost);
    }
    yield { top, rows: bottom - top, labels, stride };
  }
}

function paint(
  mask: ObjectMask,
  label: number,
  labels: Uint32Array,
  { top, bottom, stride }: { top: number; bottom: number; stride: number },
  lost: Float64Array,
): void {
  forEachColumnSpan(mask, (x, y0, y1) => {
    const end = (Math.min(y1, bottom) - top) * stride + x;
    for (let at = (Math.max(y0, top) - top) * stride + x; at < end; at += stride) {
      const below = labels[at] as number;
      if (below !== 0) lost[below - 1] = (lost[below - 1] as number) + 1;
      labels[at] = label;
    }
  });
}
