import { CodedError, isCoded } from '../../base/errors';
import { reason, type Reason, countedReason } from '../../base/reasons';
import { conversionNotes, photometricName } from '../decodeTiff';
import {
  type BackgroundImageFacts,
  type BackgroundImageSource,
  blocksIn,
  copyColors,
  type ImageFile,
  type ImageFormat,
  type OnDamaged,
  pixelsOfBlocks,
  type PlanePosition,
} from '../imageSource';
import { DecodingError, namingFile, type PixelWindow, type Samples, unreadableRaster } from '../raster';
import {
  blankBlock,
  type BlockPlace,
  portableCodecs,
  readBlock,
  readWindow,
  type TiffBlock,
} from './tiffBlock';
import { type BlockCodecs, tiffCompressions, UNCOMPRESSED } from './tiffCompressions';
import { mayLackData, readTiffImage, type TiffImage, withoutPalette } from './tiffImage';
import { readTiffLayout, type TiffLayout } from './tiffLayout';
import type { TiffSeries } from './tiffPlanes';

/** Parsed directories in the cache; a stack may have thousands. */
const MAX_IMAGES = 256;

interface TiffFile extends ImageFile {
  /** The first plane's samples are labels: palette places, not colors; up to 64 bits. */
  isLabels?: boolean;
  /** What is where in the file, if it isn't to be found out as in other TIFF files. */
  layout?: TiffLayout;
}

/** A TIFF file of any size: its blocks are read and decoded when a window needs them. */
export class TiffSource implements BackgroundImageSource {
  readonly bytes = 0;
  private readonly images = new Map<string, Promise<TiffImage>>();
  private readonly codecs: BlockCodecs;

  private constructor(
    private readonly parts: TiffFile,
    private readonly layout: TiffLayout,
    private readonly series: TiffSeries,
    private readonly levels: readonly TiffImage[],
    readonly facts: BackgroundImageFacts,
  ) {
    const { inflate } = parts;
    this.codecs = { ...portableCodecs(), ...(inflate && { inflate }) };
  }

  /** Reads a file's directories, no samples. Throws `bad-request`, `not-a-file`, `cancelled`. */
  static async open(parts: TiffFile, signal?: AbortSignal): Promise<TiffSource> {
    return namingFile(parts.fileName, async () => {
      const layout = parts.layout ?? (await readTiffLayout(parts.file, parts.fileName, signal));
      const series = layout.series.find(({ page }) => parts.page === undefined || page === parts.page);
      if (!series) throw new CodedError('bad-request', `There is no page ${parts.page}`);
      const plane = layout.planes[series.page] ?? [];
      const levels: TiffImage[] = [];
      for (const [at, { directory }] of plane.entries()) {
        try {
          const { isLabels = false } = parts;
          const image = await readTiffImage(directory, parts.fileName, { isLabels });
          levels.push(isLabels ? withoutPalette(image) : image);
        } catch (error) {
          // Coarser levels aren't needed.
          if (at === 0) throw error;
          break;
        }
      }
      if (!parts.isLabels && levels.some(mayLackData))
        levels.forEach((image, at) => (levels[at] = markingOutside(image, levels[0])));
      const [finest] = levels;
      if (!finest) throw unreadableRaster(parts.fileName, reason('The file contains no image'));
      return new TiffSource(parts, layout, series, levels, factsOf(layout, series, finest, levels));
    });
  }

  async read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Samples> {
    return namingFile(this.parts.fileName, async () => {
      const place = this.series.place(position, this.sampleOf(channel));
      const first = this.levels[level];
      if (!first) throw new CodedError('bad-request', `There is no level ${level}`);
      // Not zeros: their mean would look like a measurement.
      if (!place) return new Float32Array(window.width * window.height).fill(NaN);
      const image = await this.image(place.plane, level);
      const fits = image.width === first.width && image.height === first.height;
      if (!fits)
        throw new DecodingError(reason('Plane {0} has a different size than the first', place.plane));
      if (image.channels !== first.channels)
        throw new DecodingError(reason('Plane {0} has different channels than the first', place.plane));
      // A color is no data where all of its samples are: white is a color where blue alone is as
      // bright as white.
      const together =
        image.noData !== undefined && this.facts.rgb ? [0, 1, 2].map(at => this.sampleOf(at)) : [];
      const others = together.filter(sample => sample !== place.sample);
      const [samples, ...rest] = await readWindow(image, [place.sample, ...others], window, (x, y, plane) =>
        this.block(image, `${place.plane}/${level}`, { x, y, plane }, signal, onDamaged),
      );
      if (!samples) return new Uint8Array(window.width * window.height);
      const { noData } = image;
      if (image.marksOutside && noData !== undefined) {
        for (let at = 0; at < samples.length; at++)
          if (samples[at] === noData && rest.every(other => other[at] === noData || Number.isNaN(other[at])))
            samples[at] = NaN;
      }
      return samples;
    });
  }

  /** Where all channels are in one block, and no sample of them stands for none. */
  async readColors(
    position: PlanePosition,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Uint8Array | undefined> {
    const place = this.series.place(position, 0);
    const first = this.levels[level];
    if (!place || place.plane !== this.series.page || !first) return undefined;
    const { planar, alpha, marksOutside } = first;
    const isPlain = !planar && alpha === undefined && !marksOutside && first.channels === 3;
    if (!isPlain || !this.facts.rgb || first.deliveredBits !== 8 || first.kind !== 'unsigned')
      return undefined;
    const rgba = new Uint8Array(window.width * window.height * 4);
    await namingFile(this.parts.fileName, async () => {
      for (const { x, y, left, top } of blocksIn(first, window)) {
        const at = { x, y, plane: 0 };
        const block = await this.block(first, `${place.plane}/${level}`, at, signal, onDamaged);
        copyColors(block, { x: left, y: top }, rgba, window);
      }
    });
    return rgba;
  }

  async isInverted(position: PlanePosition, channel: number): Promise<boolean> {
    const place = this.series.place(position, this.sampleOf(channel));
    if (!place) return false;
    const image = await this.image(place.plane, 0);
    return (photometricName(image) === 'white-is-zero') !== this.facts.whiteIsZero;
  }

  decodedSamples(level: number, window: PixelWindow): number {
    const image = this.levels[level];
    return image ? pixelsOfBlocks(image, window) : Infinity;
  }

  interleavedWith(channel: number): number[] {
    if (this.series.channels) return [channel];
    return this.facts.channels.map((_, at) => at);
  }

  async release(): Promise<void> {
    this.codecs.jpeg.release();
    this.codecs.jpeg2000.release();
    this.parts.blocks.removeAll(`${this.parts.key}/`);
    await this.parts.file.release?.();
  }

  /** The file's sample for a painted channel: alpha is skipped. */
  private sampleOf(channel: number): number {
    const alpha = this.series.channels ? undefined : this.levels[0]?.alpha;
    return alpha !== undefined && channel >= alpha ? channel + 1 : channel;
  }

  private image(plane: number, level: number): Promise<TiffImage> {
    const first = plane === this.series.page ? this.levels[level] : undefined;
    if (first) return Promise.resolve(first);
    const key = `${plane}/${level}`;
    const cached = this.images.get(key);
    if (cached) return cached;
    const image = this.readImage(plane, level);
    this.images.set(key, image);
    image.catch(() => this.images.delete(key));
    const [oldest] = this.images.keys();
    if (this.images.size > MAX_IMAGES && oldest !== undefined) this.images.delete(oldest);
    return image;
  }

  private async readImage(plane: number, level: number): Promise<TiffImage> {
    const directoryOf = this.layout.planes[plane]?.[level];
    if (!directoryOf) throw new DecodingError(reason('Plane {0} has no level {1}', plane, level));
    const { directory, shift } = directoryOf;
    const read = await readTiffImage(directory, this.parts.fileName);
    const [first] = this.levels;
    const image = first?.marksOutside || mayLackData(read) ? markingOutside(read, first) : read;
    return shift === undefined ? image : { ...image, shift };
  }

  private async block(
    image: TiffImage,
    prefix: string,
    place: BlockPlace,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<TiffBlock> {
    const key = `${this.parts.key}/${prefix}/${place.plane}/${place.x}/${place.y}`;
    try {
      return await this.parts.blocks.get(key, shared => readBlock(image, place, this.codecs, shared), signal);
    } catch (error) {
      // What the disk or the user did is no damage of this block.
      if (!onDamaged || isCoded(error)) throw error;
      const { blockWidth: width, blockHeight: height } = image;
      onDamaged({ x: place.x * width, y: place.y * height, width, height }, error);
      return blankBlock(image, place);
    }
  }
}

/** TIFF, BigTIFF, OME-TIFF, ImageJ's stacks and SVS. */
export const tiffFormat: ImageFormat = { open: (file, signal) => TiffSource.open(file, signal) };

/**
 * An image whose samples without data are NaN: in floats, as windows of an image all have samples
 * of one type. Coarser levels and other planes may not say which sample is no data: it is that of
 * the first one.
 */
function markingOutside(image: TiffImage, first = image): TiffImage {
  const noData = image.noData ?? first.noData;
  return { ...image, marksOutside: true, ...(noData !== undefined && { noData }) };
}

/** That samples are no data, and which. */
function noDataNotes({ noData, absentBlocks }: TiffImage): Reason[] {
  return [
    ...(absentBlocks > 0
      ? [
          countedReason(
            absentBlocks,
            "1 tile isn't in the file; it is shown as outside of the image and not measured",
            "{0} tiles aren't in the file; they are shown as outside of the image and not measured",
          ),
        ]
      : []),
    ...(noData === undefined
      ? []
      : [
          reason(
            'Samples of {0} are no data in this file; they are shown as outside of the image and not measured',
            noData,
          ),
        ]),
  ];
}

function factsOf(
  layout: TiffLayout,
  series: TiffSeries,
  finest: TiffImage,
  levels: readonly TiffImage[],
): BackgroundImageFacts {
  const samples = Array.from({ length: finest.channels }, (_, sample) => sample).filter(
    sample => sample !== finest.alpha,
  );
  const photometric = photometricName(finest);
  const compression =
    finest.compression === UNCOMPRESSED ? undefined : tiffCompressions[finest.compression]?.name;
  return {
    levels: levels.map(({ width, height }) => ({ width, height })),
    channels: series.channels ?? samples.map((_, at) => series.sampleNames?.[at] ?? {}),
    bitsPerSample: finest.deliveredBits,
    kind: finest.kind,
    rgb: !series.channels && photometric === 'rgb' && samples.length === 3,
    whiteIsZero: photometric === 'white-is-zero',
    axes: series.axes,
    pages:
      layout.series.length > 1
        ? layout.series.map(({ width, height, page, role }) => ({
            width,
            height,
            page,
            ...(role && { role }),
          }))
        : [],
    firstPage: series.page,
    ...(series.pixelSize && { pixelSize: series.pixelSize }),
    ...(series.magnification !== undefined && { magnification: series.magnification }),
    ...(compression !== undefined && { compression }),
    notes: [...layout.notes, ...conversionNotes(finest), ...noDataNotes(finest)],
  };
}
