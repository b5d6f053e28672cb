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
  const decoded = new Uint32Array(pixels);
  for (let index = 0; index + 1 < words.length; index += 2) {
    const word = words[index] as number;
    decoded.fill(words[index + 1] as number, firstPixel(word), firstPixel(word) + runLength(word));
  }
  return decoded;
}

function toRuns(labels: Uint32Array): Uint32Array<ArrayBuffer> | undefined {
  let count = 0;
  let leftLabel = 0;
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index] as number;
    if (label !== leftLabel && label !== 0) count++;
    leftLabel = label;
  }
  if (count * 2 >= labels.length) return undefined;
  const runs = new Uint32Array(count * 2);
  let end = 0;
  for (let index = 0; index < labels.length;) {
    const label = labels[index] as number;
    const start = index++;
    while (index < labels.length && labels[index] === label) index++;
    if (label === 0) continue;
    runs[end++] = runWord(start, index - start);
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
  /** The index of the last run's first word. */
  let runStart = -1;
  for (let index = 0; index < beneath.length;) {
    const pixel = beneath[index] as number;
    let end = index;
    while (end < beneath.length && beneath[end] === pixel) end += 2;
    const depth = (end - index) / 2;
    const word = runStart < 0 ? 0 : (words[runStart] as number);
    let isSame =
      runStart >= 0 && firstPixel(word) + runLength(word) === pixel && words[runStart + 1] === depth;
    for (let n = 0; isSame && n < depth; n++) isSame = words[runStart + 2 + n] === beneath[index + 2 * n + 1];
    if (isSame) words[runStart] = runWord(firstPixel(word), runLength(word) + 1);
    else {
      runStart = words.length;
      words.push(runWord(pixel, 1), depth);
      for (let n = 0; n < depth; n++) words.push(beneath[index + 2 * n + 1] as number);
    }
    index = end;
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
  for (let index = 0; index < beneath.length;) {
    const word = beneath[index] as number;
    const depth = beneath[index + 1] as number;
    const labelsStart = index + 2;
    index = labelsStart + depth;
    let below = 0;
    let isKnown = false;
    const end = firstPixel(word) + runLength(word);
    for (let pixel = firstPixel(word); pixel < end; pixel++) {
      // Pixels that cover the same labels can have different topmost labels.
      let label = top[pixel] as number;
      if (isHidden(label)) {
        if (!isKnown) {
          let visible = labelsStart;
          while (visible < index && isHidden(beneath[visible] as number)) visible++;
          below = visible < index ? (beneath[visible] as number) : 0;
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

function runWord(first: number, length: number): number {
  return (first | ((length - 1) << 16)) >>> 0;
}

function firstPixel(word: number): number {
  return word & 0xffff;
}

function runLength(word: number): number {
  return (word >>> 16) + 1;
}
