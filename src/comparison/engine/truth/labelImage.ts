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
 * A label image has the number of its object at each pixel, 0 for none; a palette only says how
 * that is painted. It is read in bands of rows; each object becomes the vertical spans of its
 * pixels, so that memory depends on outlines, but for PNG files, which are decoded at once.
 */

/** Samples of a PNG file to decode at once: at 16 bits, 400 MB with the decoder's memory. */
const MAX_PNG_SAMPLES = 128e6;
/** Pixels of a band. */
const BAND_PIXELS = 2 ** 21;
const MIN_BAND_ROWS = 64;
/** Decoded blocks of a TIFF file in memory. Bytes. */
const BLOCK_MEMORY = 64 * 1024 ** 2;
/** The largest of 32 bits: IDs of objects. */
const MAX_LABEL = 2 ** 32 - 1;
/** Maximum objects of a label image, and their spans: beyond, it is another kind of image. */
const MAX_LABELS = 2 ** 21;
const MAX_SPANS = 2 ** 25;

/**
 * The objects of a label image, in the order of their labels, which are their IDs. Where it has one
 * label, as a binary mask has, `areas` counts the areas that don't touch, also not at corners, and
 * is 0 elsewhere; these are objects each if `separatesAreas`, numbered from 1 from the top, those
 * of one row from the left. Throws `bad-request` with the reason for labels that are no whole
 * numbers from 0 to 2³² − 1, `too-many-objects`, `not-a-file`, `cancelled`.
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
    // Other kinds change values.
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

/** Vertical spans of equal labels, in the order of the rows in which they end. */
class LabelSpans {
  count = 0;
  labels = new Uint32Array(1024);
  /** Column, first row and row after the last of each span. */
  places = new Uint32Array(3 * 1024);
  private row = 0;
  private readonly current: Float64Array;
  private readonly began: Uint32Array;

  constructor(
    readonly width: number,
    readonly fileName: string,
  ) {
    this.current = new Float64Array(width);
    this.began = new Uint32Array(width);
  }

  /** Adds the next row, which begins at a place of `samples`. */
  addRow(samples: Samples, from: number): void {
    const { current, began, width, row } = this;
    for (let x = 0; x < width; x++) {
      const label = samples[from + x] as number;
      if (label === current[x]) continue;
      if (label < 0) throw unreadableRaster(this.fileName, reason('It has a negative label, {0}', label));
      if (label > MAX_LABEL)
        throw unreadableRaster(this.fileName, reason('It has a label of more than 32 bits, {0}', label));
      if (current[x] !== 0) this.add(x, began[x] as number, row);
      current[x] = label;
      began[x] = row;
    }
    this.row++;
  }

  get hasOneLabel(): boolean {
    for (let n = 1; n < this.count; n++) if (this.labels[n] !== this.labels[0]) return false;
    return this.count > 0;
  }

  /** After the last row. */
  end(): void {
    for (let x = 0; x < this.width; x++)
      if (this.current[x] !== 0) this.add(x, this.began[x] as number, this.row);
  }

  private add(x: number, from: number, to: number): void {
    if (this.count === this.labels.length) {
      // At the first such size, long before all spans of an image of 16 million labels are here.
      const isTooMany = this.count === 2 * MAX_LABELS && distinctLabels(this.labels).length > MAX_LABELS;
      if (this.count >= MAX_SPANS || isTooMany) throw tooManyLabels(this.fileName);
      this.labels = larger(this.labels);
      this.places = larger(this.places);
    }
    const at = this.count * 3;
    this.labels[this.count++] = this.current[x] as number;
    this.places[at] = x;
    this.places[at + 1] = from;
    this.places[at + 2] = to;
  }
}

function larger(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(array.length * 2);
  next.set(array);
  return next;
}

async function objectsOf(spans: LabelSpans, height: number, pacer: Pacer): Promise<ImageObjects> {
  const { labels, places, starts } = sorted(spans);
  const columns = new ObjectColumns(64 * 1024);
  for (let object = 0; object < labels.length; object++) {
    if (pacer.isDue) await pacer.pause();
    const own = places.subarray((starts[object] as number) * 3, (starts[object + 1] as number) * 3);
    let top = height;
    let bottom = 0;
    for (let at = 0; at < own.length; at += 3) {
      top = Math.min(top, own[at + 1] as number);
      bottom = Math.max(bottom, own[at + 2] as number);
    }
    const left = own[0] as number;
    const across = (own[own.length - 3] as number) + 1 - left;
    const mask = {
      x: left,
      y: top,
      width: across,
      height: bottom - top,
      runs: runsOfSpans(own, left, top, across, bottom - top),
    };
    columns.addMask(mask, { id: labels[object] as number, classIndex: 0, score: NaN });
  }
  return columns.finish(spans.width, height);
}

/**
 * The area of each span, numbered by first pixels in row order; areas touch nowhere, not even at
 * corners.
 */
function areasOf({ count, places, width }: LabelSpans): { count: number; labels: Uint32Array<ArrayBuffer> } {
  const parents = Uint32Array.from({ length: count }, (_, n) => n);
  const root = (span: number): number => {
    let at = span;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] as number] as number;
      at = parents[at] as number;
    }
    return at;
  };
  const byColumn = countingOrder(count, width, n => places[n * 3] as number);
  // Spans of a column are in row order, as are those of the next column: going through both
  // compares them.
  let before = 0;
  let start = 0;
  while (start < count) {
    const column = places[(byColumn[start] as number) * 3] as number;
    let end = start;
    while (end < count && places[(byColumn[end] as number) * 3] === column) end++;
    const isNext = before < start && places[(byColumn[before] as number) * 3] === column - 1;
    for (let left = before, right = start; isNext && left < start && right < end;) {
      const [one, other] = [byColumn[left] as number, byColumn[right] as number];
      const [from, to] = [places[one * 3 + 1] as number, places[one * 3 + 2] as number];
      const [otherFrom, otherTo] = [places[other * 3 + 1] as number, places[other * 3 + 2] as number];
      if (from <= otherTo && otherFrom <= to) parents[root(other)] = root(one);
      if (to < otherTo) left++;
      else right++;
    }
    before = start;
    start = end;
  }
  const firsts = new Map<number, { row: number; column: number }>();
  for (let n = 0; n < count; n++) {
    const [column, row] = [places[n * 3] as number, places[n * 3 + 1] as number];
    const area = root(n);
    const first = firsts.get(area);
    if (!first || row < first.row || (row === first.row && column < first.column))
      firsts.set(area, { row, column });
  }
  const order = [...firsts].sort(([, one], [, other]) => one.row - other.row || one.column - other.column);
  const numbers = new Map(order.map(([area], at) => [area, at + 1]));
  return {
    count: firsts.size,
    labels: Uint32Array.from({ length: count }, (_, n) => numbers.get(root(n)) ?? 0),
  };
}

/**
 * The labels, ascending, and each one's spans by column, then row; those of label n begin at
 * starts[n].
 */
function sorted(spans: LabelSpans): { labels: Uint32Array; places: Uint32Array; starts: Uint32Array } {
  const { count, width, fileName } = spans;
  const distinct = distinctLabels(spans.labels.subarray(0, count));
  if (distinct.length > MAX_LABELS) throw tooManyLabels(fileName);
  const numberOf = new Map<number, number>();
  distinct.forEach((label, at) => numberOf.set(label, at));
  // Twice by counting: by column, then by label. Of one column they are in the order of rows from
  // the start.
  const byColumn = countingOrder(count, width, n => spans.places[n * 3] as number);
  const starts = new Uint32Array(distinct.length + 1);
  for (let n = 0; n < count; n++) {
    const object = (numberOf.get(spans.labels[n] as number) as number) + 1;
    starts[object] = (starts[object] as number) + 1;
  }
  for (let object = 0; object < distinct.length; object++)
    starts[object + 1] = (starts[object + 1] as number) + (starts[object] as number);
  const next = starts.slice();
  const places = new Uint32Array(count * 3);
  for (const n of byColumn) {
    const object = numberOf.get(spans.labels[n] as number) as number;
    const to = next[object] as number;
    next[object] = to + 1;
    for (let part = 0; part < 3; part++) places[to * 3 + part] = spans.places[n * 3 + part] as number;
  }
  return { labels: distinct, places, starts };
}

function distinctLabels(labels: Uint32Array): Uint32Array {
  const all = labels.slice().sort();
  let count = 0;
  for (let at = 0; at < all.length; at++)
    if (at === 0 || all[at] !== all[at - 1]) all[count++] = all[at] as number;
  return all.slice(0, count);
}

function countingOrder(count: number, keys: number, keyOf: (n: number) => number): Uint32Array {
  const next = new Uint32Array(keys + 1);
  for (let n = 0; n < count; n++) next[keyOf(n) + 1] = (next[keyOf(n) + 1] as number) + 1;
  for (let key = 0; key < keys; key++) next[key + 1] = (next[key + 1] as number) + (next[key] as number);
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
