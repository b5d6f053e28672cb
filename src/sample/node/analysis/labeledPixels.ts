/** The pixels of every label in one array: label n has `pixels` from `starts[n]` to `starts[n + 1]`, ascending. */
export interface LabeledPixels {
  pixels: Int32Array;
  starts: Int32Array;
  /** Highest label. */
  count: number;
}

/** Collects pixel positions by label (counting sort); 0 is background and is left out. */
export function labeledPixels(labels: Int32Array): LabeledPixels {
  let count = 0;
  for (let i = 0; i < labels.length; i++) count = Math.max(count, labels[i] ?? 0);
  const starts = new Int32Array(count + 2);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label > 0) starts[label + 1] = (starts[label + 1] ?? 0) + 1;
  }
  for (let label = 1; label < starts.length; label++)
    starts[label] = (starts[label] ?? 0) + (starts[label - 1] ?? 0);
  const pixels = new Int32Array(starts[count + 1] ?? 0);
  const next = starts.slice();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label === 0) continue;
    const place = next[label] ?? 0;
    pixels[place] = i;
    next[label] = place + 1;
  }
  return { pixels, starts, count };
}

/** A rectangle of an image and, row-major, which of its pixels belong to an object. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
  mask: Uint8Array;
}

/** The smallest rectangle around pixel positions of an image of the given width, with those pixels set. */
export function cropOf(positions: Int32Array, imageWidth: number): Crop {
  let x1 = Infinity;
  let x2 = -Infinity;
  for (const position of positions) {
    const x = position % imageWidth;
    if (x < x1) x1 = x;
    if (x > x2) x2 = x;
  }
  // Positions ascend, so the first and the last give the rows.
  const y1 = Math.floor((positions[0] ?? 0) / imageWidth);
  const y2 = Math.floor((positions.at(-1) ?? 0) / imageWidth);
  const width = x2 - x1 + 1;
  const height = y2 - y1 + 1;
  const mask = new Uint8Array(width * height);
  for (const position of positions) {
    const x = position % imageWidth;
    mask[((position - x) / imageWidth - y1) * width + x - x1] = 1;
  }
  return { x: x1, y: y1, width, height, mask };
}
