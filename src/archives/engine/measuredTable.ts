import type { FileHandle } from 'node:fs/promises';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { csvLine } from '../../columns/csv/csvGrammar';
import type { BackgroundImage } from '../../images/engine/backgroundImage';
import type { StartProgress } from '../../protocol/engineProgress';
import type { RequestHandlers } from '../../protocol/rpc';
import { ImageCatalog, type NamedImage } from '../imageCatalog';
import type { MeasureRequests } from '../masksRequests';
import { measureShape } from '../measurements';
import type { MaskedObject, Masks } from './masks';
import { objectIntensity } from './objectIntensity';

interface MeasureHandlersDependencies {
  startProgress: StartProgress;
  /** The open masks. Throws `bad-request` when none are open. */
  masks: () => Masks;
  /** An opened background image, by number. */
  backgroundImage: (number: number, signal?: AbortSignal) => Promise<BackgroundImage>;
}

/** The handlers of requests about tables measured from masks. */
export function measureHandlers({
  startProgress,
  masks,
  backgroundImage,
}: MeasureHandlersDependencies): RequestHandlers<MeasureRequests> {
  return {
    writeMeasuredTable: ({ path, backgrounds }, signal) =>
      writeMeasuredTable(
        path,
        masks(),
        backgrounds.map(({ image, channels, backgroundImage: number }) => ({
          image,
          channels,
          open: openSignal => backgroundImage(number, openSignal),
        })),
        signal,
        startProgress('measured', 'objects'),
      ),
  };
}

// The measured table has a row for each object of the masks. It is written to a file, which is then
// opened as any other table. So only one image's objects are in memory at a time, and sorting,
// filters and links need no code of their own.

/** The background image of an image, whose intensities are measured. */
interface MeasuredBackground {
  image: number;
  /** Names of its channels; empty where the file names none. */
  channels: readonly string[];
  /**
   * The opened image, decoded again if other images replaced it in memory; so it is called for
   * each object.
   */
  open: (signal: AbortSignal | undefined) => Promise<BackgroundImage>;
}

/** Characters that are written at once. */
const CHUNK = 1 << 16;

/**
 * Writes a CSV file of all objects that can be read: shape in pixels, and the mean intensity of
 * each channel where their image has a background image. Rows are in the order of images and
 * objects. Throws `cancelled`, and errors of reading and writing; then no file is left.
 */
export async function writeMeasuredTable(
  path: string,
  masks: Pick<Masks, 'summary' | 'eachObject' | 'objects'>,
  backgrounds: readonly MeasuredBackground[],
  signal?: AbortSignal,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<{ rows: number }> {
  const { images } = masks.summary;
  const names = imageNames(images);
  const total = images.reduce((sum, { objectCount }) => sum + objectCount, 0);
  const columnsOf = new Map(
    backgrounds.map(background => [background.image, intensityColumns(background.channels)]),
  );
  const intensityNames = [...new Set([...columnsOf.values()].flat())];
  let rows = 0;
  onProgress(0, total);
  await writeAtomicFile(
    path,
    async handle => {
      const file = new ChunkedText(handle);
      await file.add(csvLine([...SHAPE_COLUMNS, ...intensityNames]));
      for (const { index, failure } of images) {
        if (failure) continue;
        const background = backgrounds.find(({ image }) => image === index);
        const positions = (columnsOf.get(index) ?? []).map(name => intensityNames.indexOf(name));
        const size = await masks.objects(index, signal);
        for await (const object of masks.eachObject(index, signal)) {
          const means = new Array<string>(intensityNames.length).fill('');
          if (background && object.mask.width > 0) {
            const opened = await background.open(signal);
            const channelMeans = await objectIntensity(opened, object.mask, size, undefined, signal);
            positions.forEach(
              (position, channel) => (means[position] = numberText(channelMeans[channel] ?? NaN)),
            );
          }
          await file.add(csvLine([names[index] ?? '', ...shapeCells(object), ...means]));
          onProgress(++rows, total);
        }
      }
      await file.flush();
    },
    { signal, mode: 0o600 },
  );
  return { rows };
}

function shapeCells({ id, className, mask }: MaskedObject): string[] {
  const { area, perimeter, majorAxis, minorAxis, feretMaximum, centroid } = measureShape(mask);
  const numbers = [area, perimeter, majorAxis, minorAxis, feretMaximum, ...centroid];
  return [typeof id === 'bigint' ? String(id) : numberText(id), className, ...numbers.map(numberText)];
}

/** All digits of a number; empty for NaN. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** Text that goes to a file in large pieces. */
class ChunkedText {
  private text = '';

  constructor(private readonly handle: FileHandle) {}

  async add(text: string): Promise<void> {
    this.text += text;
    if (this.text.length >= CHUNK) await this.flush();
  }

  /** Writes the text that isn't written yet. */
  async flush(): Promise<void> {
    const { text } = this;
    this.text = '';
    await this.handle.appendFile(text);
  }
}

/**
 * The columns of a table measured from masks, the same in every language: findRowColumns links a
 * saved table by them. docs/measurements.md defines each.
 */
export const SHAPE_COLUMNS = [
  'Image',
  'ID',
  'Class',
  'Area (px²)',
  'Perimeter (px)',
  'Major axis (px)',
  'Minor axis (px)',
  'Maximum Feret (px)',
  'Centroid X (px)',
  'Centroid Y (px)',
] as const;

/** The column of each channel's mean intensity; channels of one name are numbered. */
function intensityColumns(channels: readonly string[]): string[] {
  if (channels.length === 1) return ['Mean intensity'];
  const used = new Map<string, number>();
  return channels.map((channel, index) => {
    const name = `Mean of ${channel || `channel ${index + 1}`}`;
    const occurrence = (used.get(name) ?? 0) + 1;
    used.set(name, occurrence);
    return occurrence === 1 ? name : `${name} (${occurrence})`;
  });
}

/** The text that links rows to each image: its file name, or its ID if the name isn't certain. */
function imageNames(images: readonly NamedImage[]): string[] {
  const catalog = new ImageCatalog(images);
  return images.map(({ id, filename }, index) => {
    // Look up each name alone: the names of images without objects aren't in the table, so they
    // can't help to tell others apart.
    const { images: candidates } = catalog.candidates(filename);
    return filename !== '' && candidates.length === 1 && candidates[0] === index ? filename : id;
  });
}
