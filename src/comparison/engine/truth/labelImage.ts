import { basename } from 'node:path';
import { type CodedError, throwIfCanceled } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import { reason } from '../../../base/reasons';
import { decodePng } from '../../../images/decodePng';
import { checkRasterStart } from '../../../images/decodeRaster';
import { BlockCache } from '../../../images/engine/blockCache';
import { rasterSource, type BackgroundImageSource } from '../../../images/imageSource';
import { FileByteSource } from '../../../images/engine/fileByteSource';
import { inflate } from '../../../images/engine/openImageFile';
import { TiffSource } from '../../../images/tiff/tiffSource';
import { namingFile, type Samples, unreadableRaster } from '../../../images/raster';
import { tiffEncoding } from '../../../images/tiff/tiffDirectory';
import { type ImageObjects, ObjectColumns } from '../../../archives/engine/imageObjects';
import { tooManyObjects } from '../../../archives/node/archiveContents';
import { runsOfSpans } from './polygonMasks';

/*
 * A label image has the number of an object at each pixel, 0 without one; a palette only sets
 * colors. It is read in bands of rows, and each object becomes the vertical spans of its pixels. So
 * memory depends on the outlines, except for PNG files, which are decoded at once.
 */

/** Maximum number of samples of a PNG file: at 16 bits, 400 MB with the decoder's memory. */
const MAX_PNG_SAMPLES = 128e6;
/** Number of pixels in a band. */
const BAND_PIXELS = 2 ** 21;
const MIN_BAND_ROWS = 64;
/** Memory for decoded blocks of a TIFF file, in bytes. */
const BLOCK_MEMORY = 64 * 1024 ** 2;
/** The largest ID of an object, with 32 bits. */
const MAX_LABEL = 2 ** 32 - 1;
/**
 * Maximum number of objects of a label image, and of their spans. A file with more probably isn't a
 * label image.
 */
const MAX_LABELS = 2 ** 21;
const MAX_SPANS = 2 ** 25;

/**
 * The objects of a label image in the order of their labels, which are their IDs. For an image with
 * a single label, such as a binary mask, `areas` counts the separate areas, which don't even touch
 * at corners; else it is 0. With `separatesAreas`, these areas are the objects, numbered from 1 by
 * row, then by column. Throws `bad-request` with the reason unless labels are whole numbers from 0
 * to 2³² − 1, `too-many-objects`, `not-a-file`, `cancelled`.
 */
export async function readLabelImage(
  path: string,
  separatesAreas = false,
  signal?: AbortSignal,
): Promise<{ objects: ImageObjects; areas: number }> {
  const fileName = basename(path);
  const source = await openSource(path, fileName, signal);
  try {
    const { facts } = source;
    if (facts.channels.length !== 1 || facts.rgb)
      throw unreadableRaster(fileName, reason('It has several channels; a label image has one'));
    if (facts.kind === 'float')
      throw unreadableRaster(
        fileName,
        reason('Its labels are floating-point numbers; labels must be whole numbers'),
      );
    const planes = facts.axes.page * facts.axes.z * facts.axes.t;
    if (planes > 1)
      throw unreadableRaster(fileName, reason('It has {0} planes; a label image has one', planes));
    const [size] = facts.levels;
    if (!size) throw unreadableRaster(fileName, reason('The file contains no image'));
    const { width, height } = size;
    const spans = new LabelSpans(width, fileName);
    const rows = Math.max(MIN_BAND_ROWS, Math.floor(BAND_PIXELS / width));
    const position = { page: 0, z: 0, t: 0 };
    const pacer = new Pacer(signal);
    for (let y = 0; y < height; y += rows) {
      const window = { x: 0, y, width, height: Math.min(rows, height - y) };
      const samples = await source.read(position, 0, 0, window, signal);
      throwIfCanceled(signal);
      for (let row = 0; row < window.height; row++) {
        spans.addRow(samples, row * width);
        if (pacer.isDue) await pacer.pause();
      }
    }
    spans.end();
    const areas = spans.hasOneLabel ? areasOf(spans) : undefined;
    if (areas && separatesAreas) spans.labels = areas.labels;
    return { objects: await objectsOf(spans, height, pacer), areas: areas?.count ?? 0 };
  } finally {
    await source.release();
  }
}

async function openSource(
  path: string,
  fileName: string,
  signal: AbortSignal | undefined,
): Promise<BackgroundImageSource> {
  const file = await FileByteSource.of(path);
  try {
    const start = await file.read(0, Math.min(4, file.size), signal);
    if (tiffEncoding(start))
      return await TiffSource.open(
        { file, fileName, inflate, blocks: new BlockCache(BLOCK_MEMORY), key: 'labels', isLabels: true },
        signal,
      );
    // Lossy formats change labels.
    if (checkRasterStart(start, fileName).compression !== 'Deflate')
      throw unreadableRaster(fileName, reason('A label image must be a PNG or TIFF file'));
    const bytes = await file.read(0, file.size, signal);
    await file.release();
    return rasterSource(
      await namingFile(fileName, () => decodePng(bytes, fileName, MAX_PNG_SAMPLES, { ignoresPalette: true })),
    );
  } catch (error) {
    await file.release();
    throw error;
  }
}

/** Vertical spans of equal labels, in the order of the rows where they end. */
class LabelSpans {
  count = 0;
  labels = new Uint32Array(1024);
  /** For each span: column, first row, and the row after the last. */
  bounds = new Uint32Array(3 * 1024);
  private row = 0;
  private readonly current: Float64Array;
  private readonly startRows: Uint32Array;

  constructor(
    readonly width: number,
    readonly fileName: string,
  ) {
    this.current = new Float64Array(width);
    this.startRows = new Uint32Array(width);
  }

  /** Adds the next row, which starts at an index of `samples`. */
  addRow(samples: Samples, from: number): void {
    const { current, startRows, width, row } = this;
    for (let x = 0; x < width; x++) {
      const label = samples[from + x] as number;
      if (label === current[x]) continue;
      if (label < 0) throw unreadableRaster(this.fileName, reason('It has a negative label, {0}', label));
      if (label > MAX_LABEL)
        throw unreadableRaster(this.fileName, reason('It has a label of more than 32 bits, {0}', label));
      if (current[x] !== 0) this.add(x, startRows[x] as number, row);
      current[x] = label;
      startRows[x] = row;
    }
    this.row++;
  }

  get hasOneLabel(): boolean {
    for (let n = 1; n < this.count; n++) if (this.labels[n] !== this.labels[0]) return false;
    return this.count > 0;
  }

  /** Ends the open spans after the last row. */
  end(): void {
    for (let x = 0; x < this.width; x++)
      if (this.current[x] !== 0) this.add(x, this.startRows[x] as number, this.row);
  }

  private add(x: number, from: number, to: number): void {
    if (this.count === this.labels.length) {
      // Checked when the array first has this size, long before the limit of spans.
      const isTooMany = this.count === 2 * MAX_LABELS && distinctLabels(this.labels).length > MAX_LABELS;
      if (this.count >= MAX_SPANS || isTooMany) throw tooManyLabels(this.fileName);
      this.labels = doubled(this.labels);
      this.bounds = doubled(this.bounds);
    }
    const offset = this.count * 3;
    this.labels[this.count++] = this.current[x] as number;
    this.bounds[offset] = x;
    this.bounds[offset + 1] = from;
    this.bounds[offset + 2] = to;
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(array.length * 2);
  longer.set(array);
  return longer;
}

async function objectsOf(spans: LabelSpans, height: number, pacer: Pacer): Promise<ImageObjects> {
  const { labels, bounds, starts } = sortedByLabel(spans);
  const columns = new ObjectColumns(64 * 1024);
  for (let object = 0; object < labels.length; object++) {
    if (pacer.isDue) await pacer.pause();
    const spansOfObject = bounds.subarray((starts[object] as number) * 3, (starts[object + 1] as number) * 3);
    let top = height;
    let bottom = 0;
    for (let i = 0; i < spansOfObject.length; i += 3) {
      top = Math.min(top, spansOfObject[i + 1] as number);
      bottom = Math.max(bottom, spansOfObject[i + 2] as number);
    }
    const left = spansOfObject[0] as number;
    const width = (spansOfObject[spansOfObject.length - 3] as number) + 1 - left;
    const mask = {
      x: left,
      y: top,
      width: width,
      height: bottom - top,
      runs: runsOfSpans(spansOfObject, left, top, width, bottom - top),
    };
    columns.addMask(mask, { id: labels[object] as number, classIndex: 0, score: NaN });
  }
  return columns.finish(spans.width, height);
}

/**
 * The area of each span. Areas are numbered by their first pixels, by row, then column; different
 * areas don't even touch at corners.
 */
function areasOf({ count, bounds, width }: LabelSpans): {
  count: number;
  labels: Uint32Array<ArrayBuffer>;
} {
  const parents = Uint32Array.from({ length: count }, (_, n) => n);
  const root = (span: number): number => {
    let ancestor = span;
    while (parents[ancestor] !== ancestor) {
      parents[ancestor] = parents[parents[ancestor] as number] as number;
      ancestor = parents[ancestor] as number;
    }
    return ancestor;
  };
  const byColumn = countingOrder(count, width, n => bounds[n * 3] as number);
  // The spans of a column are in row order, so one pass over two neighboring columns finds the
  // touching spans.
  let previousStart = 0;
  let start = 0;
  while (start < count) {
    const column = bounds[(byColumn[start] as number) * 3] as number;
    let end = start;
    while (end < count && bounds[(byColumn[end] as number) * 3] === column) end++;
    const isNext = previousStart < start && bounds[(byColumn[previousStart] as number) * 3] === column - 1;
    for (let left = previousStart, right = start; isNext && left < start && right < end;) {
      const [leftSpan, rightSpan] = [byColumn[left] as number, byColumn[right] as number];
      const [from, to] = [bounds[leftSpan * 3 + 1] as number, bounds[leftSpan * 3 + 2] as number];
      const [otherFrom, otherTo] = [bounds[rightSpan * 3 + 1] as number, bounds[rightSpan * 3 + 2] as number];
      if (from <= otherTo && otherFrom <= to) parents[root(rightSpan)] = root(leftSpan);
      if (to < otherTo) left++;
      else right++;
    }
    previousStart = start;
    start = end;
  }
  const firstPixels = new Map<number, { row: number; column: number }>();
  for (let n = 0; n < count; n++) {
    const [column, row] = [bounds[n * 3] as number, bounds[n * 3 + 1] as number];
    const area = root(n);
    const first = firstPixels.get(area);
    if (!first || row < first.row || (row === first.row && column < first.column))
      firstPixels.set(area, { row, column });
  }
  const order = [...firstPixels].sort(([, a], [, b]) => a.row - b.row || a.column - b.column);
  const numbers = new Map(order.map(([area], index) => [area, index + 1]));
  return {
    count: firstPixels.size,
    labels: Uint32Array.from({ length: count }, (_, n) => numbers.get(root(n)) ?? 0),
  };
}

/**
 * The labels in ascending order, and the spans of each by column, then row; those of label n start
 * at starts[n].
 */
function sortedByLabel(spans: LabelSpans): { labels: Uint32Array; bounds: Uint32Array; starts: Uint32Array } {
  const { count, width, fileName } = spans;
  const sortedLabels = distinctLabels(spans.labels.subarray(0, count));
  if (sortedLabels.length > MAX_LABELS) throw tooManyLabels(fileName);
  const objectOf = new Map<number, number>();
  sortedLabels.forEach((label, object) => objectOf.set(label, object));
  // Two counting sorts: by column, then by label. Spans of a column are already in row order.
  const byColumn = countingOrder(count, width, n => spans.bounds[n * 3] as number);
  const starts = new Uint32Array(sortedLabels.length + 1);
  for (let n = 0; n < count; n++) {
    const object = (objectOf.get(spans.labels[n] as number) as number) + 1;
    starts[object] = (starts[object] as number) + 1;
  }
  for (let object = 0; object < sortedLabels.length; object++)
    starts[object + 1] = (starts[object + 1] as number) + (starts[object] as number);
  const nextPositions = starts.slice();
  const bounds = new Uint32Array(count * 3);
  for (const n of byColumn) {
    const object = objectOf.get(spans.labels[n] as number) as number;
    const to = nextPositions[object] as number;
    nextPositions[object] = to + 1;
    for (let field = 0; field < 3; field++) bounds[to * 3 + field] = spans.bounds[n * 3 + field] as number;
  }
  return { labels: sortedLabels, bounds, starts };
}

function distinctLabels(labels: Uint32Array): Uint32Array {
  const sortedLabels = labels.slice().sort();
  let count = 0;
  for (let i = 0; i < sortedLabels.length; i++)
    if (i === 0 || sortedLabels[i] !== sortedLabels[i - 1]) sortedLabels[count++] = sortedLabels[i] as number;
  return sortedLabels.slice(0, count);
}

/**
 * The positions 0 … `count` − 1, sorted stably by their keys, which are 0 … `keyCount` − 1
 * (counting sort).
 */
function countingOrder(count: number, keyCount: number, keyOf: (n: number) => number): Uint32Array {
  const next = new Uint32Array(keyCount + 1);
  for (let n = 0; n < count; n++) next[keyOf(n) + 1] = (next[keyOf(n) + 1] as number) + 1;
  for (let key = 0; key < keyCount; key++) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
  const order = new Uint32Array(count);
  for (let n = 0; n < count; n++) {
    const key = keyOf(n);
    order[next[key] as number] = n;
    next[key] = (next[key] as number) + 1;
  }
  return order;
}

function tooManyLabels(fileName: string): CodedError {
  return tooManyObjects(reason('It has more than {0} labels', MAX_LABELS), fileName);
}
