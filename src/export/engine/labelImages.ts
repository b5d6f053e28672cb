import { CodedError, throwIfCanceled } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import { csvLine } from '../../columns/csv/csvGrammar';
import type { MaskedObject } from '../../archives/engine/masks';
import { type ArchiveSummary, type MaskImage, pathOfImage } from '../../archives/masksSummary';
import { forEachColumnSpan, type ObjectMask } from '../../archives/objectMask';
import { area } from '../../archives/runLengthEncoding';
import type { ExportRequest } from '../exportRequest';
import { safeFileName, safeNamePart, uniqueNames } from '../../results/node/fileStems';
import type { Exporter, ExportSelection, ExportWork } from './exporter';
import type { OutputFile } from '../../base/node/outputFolder';
import { PngWriter } from './pngWriter';
import { rowsPerStrip, TiffWriter } from './tiffWriter';

/** The description in every label image. */
const DESCRIPTION =
  'Label image: 0 is background. Where objects overlap the smaller is on top; of equally large ones the first.';

const COLUMNS = ['file', 'image', 'label', 'object', 'class', 'area', 'overlapped', 'image_path'];

/** Maximum label of a 16-bit image, and of a 32-bit one. */
const MAX_LABEL_16 = 2 ** 16 - 1;
const MAX_LABEL_32 = 2 ** 32 - 1;

/** Number of rows that are passed to the PNG writer at a time. */
const PNG_ROWS = 16;

/** Label images as TIFF of 16 bits, or 32 where 16 aren't enough. */
export const labelTiffs: Exporter = labelExporter('tif');
/** Label images as 16-bit PNG. */
export const labelPngs: Exporter = labelExporter('png');

/** One label image of an image: with all objects, or the objects of a class. */
interface LabelImage {
  image: MaskImage;
  name: string;
  objects: MaskedObject[];
}

/** The arguments of a writer of label images. */
interface PaintedLabels {
  width: number;
  height: number;
  bits: 16 | 32;
  /** The value in the file for each painted label; 0 is background. */
  values: Uint32Array;
  /** Paints the labels in bands of a multiple of `rowStep` rows. */
  bands: (rowStep: number) => AsyncIterable<LabelBand>;
  /** Called with the number of rows written. */
  onRows: (rows: number) => void;
}

/**
 * Writes a label image for each image, or for each class in an image. One CSV file lists the object
 * of each label, and the number of its pixels that other objects cover.
 */
function labelExporter(extension: 'tif' | 'png'): Exporter {
  return {
    fileNames(request, selection, summary) {
      const names = labelNames(request, selection, summary, extension);
      return [mapName(request, extension), ...names.flatMap(namesOfImage => [...namesOfImage.values()])];
    },

    async write(work) {
      const { request, summary, selection, folder, signal, progress } = work;
      const names = labelNames(request, selection, summary, extension);
      await folder.write(mapName(request, extension), async map => {
        await map.appendText(csvLine(COLUMNS));
        for (const [index, { image }] of selection.images.entries()) {
          const labelImages = new Map<string, LabelImage>(
            [...(names[index] ?? [])].map(([className, name]) => [className, { image, name, objects: [] }]),
          );
          for await (const object of selection.objects(image.index, signal))
            labelImages.get(request.perClass ? object.className : ALL_CLASSES)?.objects.push(object);
          // With perClass, the request's filters may empty a class.
          const filled = [...labelImages.values()].filter(
            ({ objects }) => !request.perClass || objects.length > 0,
          );
          for (const [done, labelImage] of filled.entries()) {
            const share = (rows: number) => progress(index, (done + rows / image.height) / filled.length);
            await writeLabelImage({ work, map, extension, progress: share }, labelImage);
          }
          progress(index, 1);
        }
      });
    },
  };
}

/** The key for all classes together; no class has this name. */
const ALL_CLASSES = '\0';

function mapName({ name, perClass }: ExportRequest, extension: string): string {
  return `${safeFileName(name)}_${perClass ? 'class_' : ''}labels.${extension}.csv`;
}

/** Names of the label images of each image: one per class, or one for all. */
function labelNames(
  { perClass }: ExportRequest,
  { images, classes }: ExportSelection,
  summary: ArchiveSummary,
  extension: string,
): Map<string, string>[] {
  // Names must be unique in the whole export: image "a" with class "b_c" and image "a_b" with class
  // "c" would have the same name.
  const uniqueName = uniqueNames();
  return images.map(({ image, stem }) => {
    const entryOf = (className: string, name: string) =>
      [className, `${uniqueName(`${name}_labels`)}.${extension}`] as const;
    if (!perClass) return new Map([entryOf(ALL_CLASSES, stem)]);
    // Skip empty label images: plates have many classes, but most images have objects of few.
    const present = classes.filter(index => image.classCounts[index] !== 0);
    const names = present.map(index => summary.classes[index]?.name ?? '');
    return new Map(names.map(name => entryOf(name, `${stem}_${safeNamePart(name)}`)));
  });
}

/** The destination of label images; `map` is the CSV file that maps labels to objects. */
interface LabelOutput {
  work: ExportWork;
  map: OutputFile;
  extension: 'tif' | 'png';
  /** Called with the number of rows written of the image. */
  progress: (rows: number) => void;
}

async function writeLabelImage(
  { work, map, extension, progress }: LabelOutput,
  { image, name, objects }: LabelImage,
): Promise<void> {
  const { writeOfImage, report, signal } = work;
  const { width, height } = image;
  const values = Uint32Array.from([
    0,
    ...labelValues(
      objects.map(({ id }) => id),
      extension === 'png' ? MAX_LABEL_16 : MAX_LABEL_32,
    ),
  ]);
  const coveredPixels = new Float64Array(objects.length);
  const bands = (rowStep: number) =>
    paintLabelBands(
      objects.map(({ mask }) => mask),
      image,
      rowStep,
      coveredPixels,
      signal,
    );
  const onRows = (rows: number) => {
    // Check for a cancel within a band, because compressing a band takes too long.
    throwIfCanceled(signal);
    progress(rows);
  };
  const bits = values.every(value => value <= MAX_LABEL_16) ? 16 : 32;
  const painted: PaintedLabels = { width, height, bits, values, bands, onRows };
  await writeOfImage(image, name, async file => {
    await (extension === 'png' ? writePng : writeTiff)(file, painted);
    return objects.length;
  });
  for (const [index, { id, className, mask }] of objects.entries()) {
    const numbers = [area(mask.runs), coveredPixels[index] ?? 0].map(String);
    const label = String(values[index + 1] ?? 0);
    await map.appendText(
      csvLine([name, image.id, label, String(id), className, ...numbers, pathOfImage(image)]),
    );
    report.overlapped += coveredPixels[index] ?? 0;
  }
}

async function writeTiff(file: OutputFile, painted: PaintedLabels): Promise<void> {
  const { width, height, bits, values, bands, onRows } = painted;
  const format = { width, bits, values, littleEndian: true };
  const writer = await TiffWriter.begin(file, { width, height, bits, description: DESCRIPTION });
  for await (const band of bands(rowsPerStrip((width * bits) / 8, height))) {
    // Convert few strips at a time, because the samples of a whole band would double the memory.
    for (let row = 0; row < band.rows; row += writer.rowsPerStrip * MAX_STRIPS) {
      const strips: Uint8Array[] = [];
      for (let strip = 0; strip < MAX_STRIPS; strip++) {
        const first = row + strip * writer.rowsPerStrip;
        const rows = Math.min(writer.rowsPerStrip, band.rows - first);
        if (rows > 0) strips.push(samplesOf(band, { first, rows }, format));
      }
      await writer.addStrips(strips);
      onRows(band.top + row);
    }
  }
  await writer.finish();
}

const MAX_STRIPS = 4;

async function writePng(file: OutputFile, painted: PaintedLabels): Promise<void> {
  const { width, height, values, bands, onRows } = painted;
  const format = { width, bits: 16, values, littleEndian: false } as const;
  const writer = await PngWriter.begin(file, { width, height, description: DESCRIPTION });
  try {
    for await (const band of bands(PNG_ROWS)) {
      for (let row = 0; row < band.rows; row += PNG_ROWS) {
        const rows = Math.min(PNG_ROWS, band.rows - row);
        await writer.addRows(samplesOf(band, { first: row, rows }, format));
        onRows(band.top + row);
      }
    }
    await writer.finish();
  } finally {
    writer.abandon();
  }
}

/** The format that labels are converted to. */
interface SampleFormat extends Pick<PaintedLabels, 'width' | 'bits' | 'values'> {
  littleEndian: boolean;
}

/** Converts rows of a band to samples of an image file. */
function samplesOf(
  { labels, stride }: LabelBand,
  { first, rows }: { first: number; rows: number },
  { width, bits, values, littleEndian }: SampleFormat,
): Uint8Array {
  const bytes = new Uint8Array((rows * width * bits) / 8);
  const view = new DataView(bytes.buffer);
  let position = 0;
  for (let row = first; row < first + rows; row++) {
    for (let x = 0, from = row * stride; x < width; x++, from++) {
      const label = labels[from] as number;
      if (label !== 0) {
        if (bits === 16) view.setUint16(position, values[label] as number, littleEndian);
        else view.setUint32(position, values[label] as number, littleEndian);
      }
      position += bits / 8;
    }
  }
  return bytes;
}

/**
 * The value of each object in a label image: its ID if that is an integer from 1 to `maxValue` that
 * no earlier object has. Other objects get the next number after all IDs, or the lowest free
 * number. Throws `too-many-objects`.
 */
export function labelValues(ids: readonly (number | bigint)[], maxValue: number): number[] {
  if (ids.length > maxValue) {
    throw new CodedError('too-many-objects', 'Too many objects for a label image', {
      reason: reason('The image has {0} objects; this format allows {1}', ids.length, maxValue),
    });
  }
  const takenValues = new Set<number>();
  const valuesFromIds = ids.map(id => {
    const fits =
      typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= maxValue && !takenValues.has(id);
    if (fits) takenValues.add(id);
    return fits ? id : undefined;
  });
  let highest = 0;
  for (const id of takenValues) highest = Math.max(highest, id);
  let lowest = 0;
  const nextFree = (): number => {
    if (highest < maxValue) return ++highest;
    do lowest++;
    while (takenValues.has(lowest));
    takenValues.add(lowest);
    return lowest;
  };
  return valuesFromIds.map(id => {
    if (id !== undefined) return id;
    const value = nextFree();
    takenValues.add(value);
    return value;
  });
}

/*
 * A label image of a slide may not fit in memory. So it is painted from top to bottom in bands of
 * at most 32 MB. In each band, objects are painted from the largest to the smallest, and the writer
 * gets one band at a time.
 */
/** Maximum bytes of the labels of one band. */
const MAX_BAND_BYTES = 32 * 1024 ** 2;

/** Some rows of a label image. */
interface LabelBand {
  /** First row. */
  top: number;
  rows: number;
  /** Row-major, rows `stride` apart: 0, or 1 + the index of the object on top. */
  labels: Uint32Array;
  stride: number;
}

/**
 * Paints objects in bands of a multiple of `rowStep` rows, from top to bottom. If objects overlap,
 * the smaller one is on top; of equally large ones, the first. Adds each object's number of covered
 * pixels to `coveredPixels`. The array of labels is reused for the next band.
 */
export async function* paintLabelBands(
  masks: readonly ObjectMask[],
  { width, height }: { width: number; height: number },
  rowStep: number,
  coveredPixels: Float64Array,
  signal?: AbortSignal,
): AsyncGenerator<LabelBand, void, undefined> {
  // An odd stride avoids that the pixels of a column compete for the same cache lines.
  const stride = width | 1;
  const bandRows = Math.min(
    height,
    Math.max(1, Math.floor(MAX_BAND_BYTES / (stride * 4 * rowStep))) * rowStep,
  );
  const labels = new Uint32Array(stride * bandRows);
  const areas = Float64Array.from(masks, ({ runs }) => area(runs));
  const bottomUp = Uint32Array.from(masks, (_, index) => index).sort(
    (a, b) => (areas[b] ?? 0) - (areas[a] ?? 0) || b - a,
  );
  const inBands = objectsByBand(masks, bottomUp, bandRows, Math.ceil(height / bandRows));
  const pacer = new Pacer(signal);
  for (let band = 0; band < inBands.length; band++) {
    const top = band * bandRows;
    const bottom = Math.min(height, top + bandRows);
    labels.fill(0);
    for (const object of inBands[band] ?? []) {
      const mask = masks[object];
      if (!mask) continue;
      if (pacer.isDue) await pacer.pause();
      paint(mask, object + 1, labels, { top, bottom, stride }, coveredPixels);
    }
    yield { top, rows: bottom - top, labels, stride };
  }
}

/**
 * The objects in each band of rows, in the given order. Without these lists, checking all objects
 * in each band takes longer than painting.
 */
function objectsByBand(
  masks: readonly ObjectMask[],
  order: Uint32Array,
  bandRows: number,
  bands: number,
): Uint32Array[] {
  const bandsOf = ({ y, height }: ObjectMask): [first: number, end: number] => [
    Math.floor(y / bandRows),
    height === 0 ? 0 : Math.ceil((y + height) / bandRows),
  ];
  const counts = new Uint32Array(bands);
  for (const mask of masks) {
    const [first, end] = bandsOf(mask);
    for (let band = first; band < end; band++) counts[band] = (counts[band] ?? 0) + 1;
  }
  const inBands = Array.from(counts, count => new Uint32Array(count));
  counts.fill(0);
  for (const object of order) {
    const mask = masks[object];
    if (!mask) continue;
    const [first, end] = bandsOf(mask);
    for (let band = first; band < end; band++) {
      const position = counts[band] ?? 0;
      counts[band] = position + 1;
      (inBands[band] as Uint32Array)[position] = object;
    }
  }
  return inBands;
}

function paint(
  mask: ObjectMask,
  label: number,
  labels: Uint32Array,
  { top, bottom, stride }: { top: number; bottom: number; stride: number },
  coveredPixels: Float64Array,
): void {
  forEachColumnSpan(mask, (x, y0, y1) => {
    const end = (Math.min(y1, bottom) - top) * stride + x;
    for (let i = (Math.max(y0, top) - top) * stride + x; i < end; i += stride) {
      const below = labels[i] as number;
      if (below !== 0) coveredPixels[below - 1] = (coveredPixels[below - 1] as number) + 1;
      labels[i] = label;
    }
  });
}
