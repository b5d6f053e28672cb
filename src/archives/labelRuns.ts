/*
 * Labels of a tile, and the labels they cover, as runs: most pixels of a tile are background or
 * have the label of their left neighbor, and few lie in two objects. A run is stored in 32-bit
 * words. The first has its first pixel in the lower half and its length − 1 in the upper half,
 * since a tile has at most 65,536 pixels.
 */

/** Pixels of the largest tile. */
const MAX_PIXELS = 2 ** 16;

/** A tile's labels in a message: uint32 per pixel, or runs if these are shorter. */
export interface SentLabels {
  labels: ArrayBuffer;
  /** The labels are runs of two words, pixels and label. Pixels outside of runs are 0. */
  inRuns: boolean;
}

/** Encodes labels for a message; without a copy if runs would be longer. */
export function sentLabels(labels: Uint32Array<ArrayBuffer>): SentLabels {
  const runs = labels.length <= MAX_PIXELS ? toRuns(labels) : undefined;
  return runs ? { labels: runs.buffer, inRuns: true } : { labels: labels.buffer, inRuns: false };
}

/** Decodes the labels of a tile with this number of pixels. */
export function receivedLabels({ labels, inRuns }: SentLabels, pixels: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(labels);
  if (!inRuns) return words;
  const all = new Uint32Array(pixels);
  for (let at = 0; at + 1 < words.length; at += 2) {
    const place = words[at] as number;
    all.fill(words[at + 1] as number, firstPixel(place), firstPixel(place) + runLength(place));
  }
  return all;
}

function toRuns(labels: Uint32Array): Uint32Array<ArrayBuffer> | undefined {
  let count = 0;
  let last = 0;
  for (let at = 0; at < labels.length; at++) {
    const label = labels[at] as number;
    if (label !== last && label !== 0) count++;
    last = label;
  }
  if (count * 2 >= labels.length) return undefined;
  const runs = new Uint32Array(count * 2);
  let end = 0;
  for (let at = 0; at < labels.length;) {
    const label = labels[at] as number;
    const start = at++;
    while (at < labels.length && labels[at] === label) at++;
    if (label === 0) continue;
    runs[end++] = placeOf(start, at - start);
    runs[end++] = label;
  }
  return runs;
}

/**
 * Encodes covered labels as runs of pixels that cover the same labels: pixels, number of labels,
 * labels from the top. `beneath` has a pixel and a label for each, by pixel, then from the top.
 */
export function beneathInRuns(beneath: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const words: number[] = [];
  /** The start of the last run's words. */
  let run = -1;
  for (let at = 0; at < beneath.length;) {
    const pixel = beneath[at] as number;
    let end = at;
    while (end < beneath.length && beneath[end] === pixel) end += 2;
    const depth = (end - at) / 2;
    const place = run < 0 ? 0 : (words[run] as number);
    let isSame = run >= 0 && firstPixel(place) + runLength(place) === pixel && words[run + 1] === depth;
    for (let n = 0; isSame && n < depth; n++) isSame = words[run + 2 + n] === beneath[at + 2 * n + 1];
    if (isSame) words[run] = placeOf(firstPixel(place), runLength(place) + 1);
    else {
      run = words.length;
      words.push(placeOf(pixel, 1), depth);
      for (let n = 0; n < depth; n++) words.push(beneath[at + 2 * n + 1] as number);
    }
    at = end;
  }
  return Uint32Array.from(words);
}

/**
 * Labels of a tile with some objects hidden: of a pixel's objects, the topmost visible one, or 0. A
 * pixel of one object keeps its label, hidden or not. `top` has the labels with no object hidden;
 * `labels` are returned unless they change.
 */
export function labelsThatShow(
  labels: Uint32Array<ArrayBuffer>,
  { top, beneath }: { top: Uint32Array; beneath: Uint32Array },
  isHidden: (label: number) => boolean,
): Uint32Array<ArrayBuffer> {
  let changed = labels;
  for (let at = 0; at < beneath.length;) {
    const place = beneath[at] as number;
    const depth = beneath[at + 1] as number;
    const from = at + 2;
    at = from + depth;
    let below = 0;
    let isKnown = false;
    const end = firstPixel(place) + runLength(place);
    for (let pixel = firstPixel(place); pixel < end; pixel++) {
      // Pixels that cover the same labels can have different topmost labels.
      let label = top[pixel] as number;
      if (isHidden(label)) {
        if (!isKnown) {
          let n = from;
          while (n < at && isHidden(beneath[n] as number)) n++;
          below = n < at ? (beneath[n] as number) : 0;
          isKnown = true;
        }
        label = below;
      }
      if (changed[pixel] === label) continue;
      if (changed === labels) changed = labels.slice();
      changed[pixel] = label;
    }
  }
  return changed;
}

function placeOf(first: number, length: number): number {
  return (first | ((length - 1) << 16)) >>> 0;
}

function firstPixel(place: number): number {
  return place & 0xffff;
}

function runLength(place: number): number {
  return (place >>> 16) + 1;
}
