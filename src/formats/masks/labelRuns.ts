/*
 * Labels of a tile, and what lies beneath them, as runs of 32-bit words: most pixels of a tile are background or have the label
 * of their left neighbor, and few lie in two objects. A tile has at most 65,536 pixels, so that the first pixel of a run and
 * its length − 1 share a word, in the lower and the upper half.
 */

/** Pixels of the largest tile. */
const MAX_PIXELS = 2 ** 16;

/** A tile's labels as they travel: uint32 per pixel or, where these are fewer bytes, runs. */
export interface SentLabels {
  labels: ArrayBuffer;
  /** The labels are runs: for each one its pixels and its label; other pixels are 0. */
  inRuns: boolean;
}

/** Labels to send; `labels` itself where runs would take more room. */
export function sentLabels(labels: Uint32Array<ArrayBuffer>): SentLabels {
  const runs = labels.length <= MAX_PIXELS ? toRuns(labels) : undefined;
  return runs ? { labels: runs.buffer, inRuns: true } : { labels: labels.buffer, inRuns: false };
}

/** Labels of so many pixels as they were before they were sent. */
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
 * The labels beneath the topmost of a tile's pixels, as words: for each run of pixels that have the same ones its place, how
 * many they are, and they themselves from the top. `beneath` has pixel and label of each, ordered by pixel, then from the top.
 */
export function beneathInRuns(beneath: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const words: number[] = [];
  /** Where the words of the last run begin. */
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
 * The labels where of the objects on a pixel the topmost that shows counts, 0 where none does; `labels` themselves where that
 * makes no difference. Pixels of one object alone keep its label also where it is hidden. `top` are the labels with all objects.
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
      // Over the same labels there may be several topmost ones.
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
