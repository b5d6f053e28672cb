import { throwIfCancelled } from '../../base/errors';
import type { ExportRequest } from '../../formats/exportRequest';
import type { ArchiveSummary, MaskImage } from '../../formats/masksSummary';
import { area } from '../../formats/runLengthEncoding';
import { csvLine } from './csvLine';
import type { MaskedObject } from '../masks/masks';
import type { ExportWork, Exporter } from './exporter';
import { safeFileName, uniqueNames } from './fileStems';
import { paintLabelBands, type LabelBand } from './labelBands';
import { labelValues } from './labelValues';
import type { OutputFile } from './outputFolder';
import type { ExportSelection } from './selection';
import { PngWriter } from './pngWriter';
import { rowsPerStrip, TiffWriter } from './tiffWriter';

/** Stands in every label image. */
const DESCRIPTION =
  'Label image: 0 is background. Where objects overlap the smaller is on top; of equally large ones the first.';

const COLUMNS = ['file', 'image', 'label', 'object', 'class', 'area', 'overlapped'];

/** Largest label of a 16-bit image, and of any. */
const LARGEST_16 = 2 ** 16 - 1;
const LARGEST_32 = 2 ** 32 - 1;

/** Rows of a PNG that are painted and passed on at once. */
const PNG_ROWS = 16;

/** Label images as TIFF of 16 bits, or 32 where 16 do not reach. */
export const labelTiffs: Exporter = labelExporter('tif');
/** Label images as 16-bit PNG. */
export const labelPngs: Exporter = labelExporter('png');

/** One label image of an image: all objects, or those of a class. */
interface LabelImage {
  name: string;
  objects: MaskedObject[];
}

/**
 * A label image for each image (or for each of its classes), and one CSV file for all, which says what each label is and how
 * many pixels of it others took.
 */
function labelExporter(extension: 'tif' | 'png'): Exporter {
  return {
    fileNames(request, selection, summary) {
      const names = labelNames(request, selection, summary, extension);
      return [mapName(request, extension), ...names.flatMap(ofImage => [...ofImage.values()])];
    },

    async write(work) {
      const { request, summary, selection, folder, report, signal, progress } = work;
      const names = labelNames(request, selection, summary, extension);
      await folder.write(mapName(request, extension), async map => {
        await map.appendText(csvLine(COLUMNS));
        for (const [at, { image }] of selection.images.entries()) {
          const labelImages = new Map(
            [...(names[at] ?? [])].map(([className, name]) => [
              className,
              { name, objects: [] as MaskedObject[] },
            ]),
          );
          for await (const object of selection.objects(image.index, signal))
            labelImages.get(request.perClass ? object.className : ALL)?.objects.push(object);
          let done = 0;
          for (const labelImage of labelImages.values()) {
            const share = (rows: number) => progress(at, (done + rows / image.height) / labelImages.size);
            await writeLabelImage(work, map, image, labelImage, extension, share);
            done++;
            report.objects += labelImage.objects.length;
          }
          progress(at, 1);
        }
      });
    },
  };
}

/** Stands for all classes; no class has this name. */
const ALL = '\0';

function mapName({ name, perClass }: ExportRequest, extension: string): string {
  return `${safeFileName(name)}_${perClass ? 'class_' : ''}labels.${extension}.csv`;
}

/** Names of the label images of each image: by class, or the one for all. */
function labelNames(
  { perClass }: ExportRequest,
  { images, classes }: ExportSelection,
  summary: ArchiveSummary,
  extension: string,
): Map<string, string>[] {
  // Of the whole export: image "a" with class "b_c" and image "a_b" with class "c" would share a name.
  const unique = uniqueNames();
  return images.map(({ stem }) => {
    const named = (className: string, name: string) =>
      [className, `${unique(`${name}_labels`)}.${extension}`] as const;
    if (!perClass) return new Map([named(ALL, stem)]);
    const names = classes.map(index => summary.classes[index]?.name ?? '');
    return new Map(names.map(name => named(name, `${stem}_${safeFileName(name)}`)));
  });
}

async function writeLabelImage(
  { folder, report, signal }: ExportWork,
  map: OutputFile,
  image: MaskImage,
  { name, objects }: LabelImage,
  extension: 'tif' | 'png',
  progress: (rows: number) => void,
): Promise<void> {
  const values = Uint32Array.from([
    0,
    ...labelValues(
      objects.map(({ id }) => id),
      extension === 'png' ? LARGEST_16 : LARGEST_32,
    ),
  ]);
  const bits = values.every(value => value <= LARGEST_16) ? 16 : 32;
  const lost = new Float64Array(objects.length);
  const bands = (rowStep: number) =>
    paintLabelBands(
      objects.map(({ mask }) => mask),
      image,
      rowStep,
      lost,
      signal,
    );
  await folder.write(name, async file => {
    // A band takes longer to compress than a cancel may wait.
    const onRows = (rows: number) => {
      throwIfCancelled(signal);
      progress(rows);
    };
    if (extension === 'png') await writePng(file, image, bands(PNG_ROWS), values, onRows);
    else await writeTiff(file, image, bits, bands, values, onRows);
  });
  for (const [at, { id, className, mask }] of objects.entries()) {
    const cells = [name, image.id, values[at + 1] ?? 0, id, className, area(mask.runs), lost[at] ?? 0];
    await map.appendText(csvLine(cells.map(String)));
    report.overlapped += lost[at] ?? 0;
  }
}

async function writeTiff(
  file: OutputFile,
  { width, height }: MaskImage,
  bits: 16 | 32,
  bands: (rowStep: number) => AsyncIterable<LabelBand>,
  values: Uint32Array,
  onRows: (rows: number) => void,
): Promise<void> {
  const writer = await TiffWriter.begin(file, { width, height, bits, description: DESCRIPTION });
  for await (const band of bands(rowsPerStrip((width * bits) / 8, height))) {
    // Some at a time: a band of samples beside the band of labels would be twice as much.
    for (let row = 0; row < band.rows; row += writer.rowsPerStrip * STRIPS_AT_ONCE) {
      const strips: Uint8Array[] = [];
      for (let strip = 0; strip < STRIPS_AT_ONCE; strip++) {
        const first = row + strip * writer.rowsPerStrip;
        const rows = Math.min(writer.rowsPerStrip, band.rows - first);
        if (rows > 0) strips.push(samplesOf(band, first, rows, width, bits, values, true));
      }
      await writer.addStrips(strips);
      onRows(band.top + row);
    }
  }
  await writer.finish();
}

const STRIPS_AT_ONCE = 4;

async function writePng(
  file: OutputFile,
  { width, height }: MaskImage,
  bands: AsyncIterable<LabelBand>,
  values: Uint32Array,
  onRows: (rows: number) => void,
): Promise<void> {
  const writer = await PngWriter.begin(file, { width, height, description: DESCRIPTION });
  try {
    for await (const band of bands) {
      for (let row = 0; row < band.rows; row += PNG_ROWS) {
        const rows = Math.min(PNG_ROWS, band.rows - row);
        await writer.addRows(samplesOf(band, row, rows, width, 16, values, false));
        onRows(band.top + row);
      }
    }
    await writer.finish();
  } finally {
    writer.abandon();
  }
}

/** Rows of a band as samples of an image file. */
function samplesOf(
  { labels, stride }: LabelBand,
  first: number,
  rows: number,
  width: number,
  bits: 16 | 32,
  values: Uint32Array,
  littleEndian: boolean,
): Uint8Array {
  const bytes = new Uint8Array((rows * width * bits) / 8);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let row = first; row < first + rows; row++) {
    for (let x = 0, from = row * stride; x < width; x++, from++) {
      const label = labels[from] ?? 0;
      if (label !== 0) {
        if (bits === 16) view.setUint16(at, values[label] ?? 0, littleEndian);
        else view.setUint32(at, values[label] ?? 0, littleEndian);
      }
      at += bits / 8;
    }
  }
  return bytes;
}
