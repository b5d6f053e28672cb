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

/** Maximum parsed directories in the cache; a stack may have thousands. */
const MAX_IMAGES = 256;

interface TiffFile extends ImageFile {
  /** The samples of the first plane are labels: palette indexes, not colors; up to 64 bits. */
  isLabels?: boolean;
  /** The layout, if the caller has read it; by default it is read like that of any TIFF file. */
  layout?: TiffLayout;
}

/** A TIFF file of any size: its blocks are read and decoded when a window needs them. */
export class TiffSource implements BackgroundImageSource {
  readonly bytes = 0;
  private readonly images = new Map<string, Promise<TiffImage>>();
  private readonly codecs: BlockCodecs;

  private constructor(
    private readonly file: TiffFile,
    private readonly layout: TiffLayout,
    private readonly series: TiffSeries,
    private readonly levels: readonly TiffImage[],
    readonly facts: BackgroundImageFacts,
  ) {
    const { inflate } = file;
    this.codecs = { ...portableCodecs(), ...(inflate && { inflate }) };
  }

  /** Reads a file's directories, not samples. Throws `bad-request`, `not-a-file`, `cancelled`. */
  static async open(file: TiffFile, signal?: AbortSignal): Promise<TiffSource> {
    return namingFile(file.fileName, async () => {
      const layout = file.layout ?? (await readTiffLayout(file.file, file.fileName, signal));
      const series = layout.series.find(({ page }) => file.page === undefined || page === file.page);
      if (!series) throw new CodedError('bad-request', `There is no page ${file.page}`);
      const plane = layout.planes[series.page] ?? [];
      const levels: TiffImage[] = [];
      for (const [at, { directory }] of plane.entries()) {
        try {
          const { isLabels = false } = file;
          const image = await readTiffImage(directory, file.fileName, { isLabels });
          levels.push(isLabels ? withoutPalette(image) : image);
        } catch (error) {
          // The image can be shown without this level and coarser ones.
          if (at === 0) throw error;
          break;
        }
      }
      if (!file.isLabels && levels.some(mayLackData))
        levels.forEach((image, at) => (levels[at] = markingOutside(image, levels[0])));
      const [finest] = levels;
      if (!finest) throw unreadableRaster(file.fileName, reason('The file contains no image'));
      return new TiffSource(file, layout, series, levels, factsOf(layout, series, finest, levels));
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
    return namingFile(this.file.fileName, async () => {
      const place = this.series.place(position, this.sampleOf(channel));
      const first = this.levels[level];
      if (!first) throw new CodedError('bad-request', `There is no level ${level}`);
      // NaN, because a mean of zeros would look like a measurement.
      if (!place) return new Float32Array(window.width * window.height).fill(NaN);
      const image = await this.image(place.plane, level);
      const fits = image.width === first.width && image.height === first.height;
      if (!fits)
        throw new DecodingError(reason('Plane {0} has a different size than the first', place.plane));
      if (image.channels !== first.channels)
        throw new DecodingError(reason('Plane {0} has different channels than the first', place.plane));
      // A color has no data only if all of its samples have the no-data value: if that is 255, pure
      // blue is still a color.
      const rgbSamples =
        image.noData !== undefined && this.facts.rgb ? [0, 1, 2].map(at => this.sampleOf(at)) : [];
      const otherSamples = rgbSamples.filter(sample => sample !== place.sample);
      const neededSamples = [place.sample, ...otherSamples];
      const [samples, ...otherColors] = await readWindow(image, neededSamples, window, (x, y, plane) =>
        this.block(image, `${place.plane}/${level}`, { x, y, plane }, signal, onDamaged),
      );
      if (!samples) return new Uint8Array(window.width * window.height);
      const { noData } = image;
      if (image.marksOutside && noData !== undefined) {
        for (let at = 0; at < samples.length; at++)
          if (
            samples[at] === noData &&
            otherColors.every(color => color[at] === noData || Number.isNaN(color[at]))
          )
            samples[at] = NaN;
      }
      return samples;
    });
  }

  /** Only for images that have all channels in one block, and no no-data value. */
  async readColors(
    position: PlanePosition,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const place = this.series.place(position, 0);
    const first = this.levels[level];
    if (!place || place.plane !== this.series.page || !first) return undefined;
    const { planar, alpha, marksOutside } = first;
    const isPlain = !planar && alpha === undefined && !marksOutside && first.channels === 3;
    if (!isPlain || !this.facts.rgb || first.deliveredBits !== 8 || first.kind !== 'unsigned')
      return undefined;
    const rgba = new Uint8Array(window.width * window.height * 4);
    await namingFile(this.file.fileName, async () => {
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
    this.file.blocks.removeAll(`${this.file.key}/`);
    await this.file.file.release?.();
  }

  /** The file's sample for a painted channel; skips alpha. */
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
    const tiffLevel = this.layout.planes[plane]?.[level];
    if (!tiffLevel) throw new DecodingError(reason('Plane {0} has no level {1}', plane, level));
    const { directory, shift } = tiffLevel;
    const plain = await readTiffImage(directory, this.file.fileName);
    const [first] = this.levels;
    const image = first?.marksOutside || mayLackData(plain) ? markingOutside(plain, first) : plain;
    return shift === undefined ? image : { ...image, shift };
  }

  private async block(
    image: TiffImage,
    prefix: string,
    place: BlockPlace,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<TiffBlock> {
    const key = `${this.file.key}/${prefix}/${place.plane}/${place.x}/${place.y}`;
    try {
      return await this.file.blocks.get(key, shared => readBlock(image, place, this.codecs, shared), signal);
    } catch (error) {
      // Coded errors, such as a changed file or a cancel, aren't damage of this block.
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
 * The same image with NaN for samples without data. All its samples become floats, because windows
 * of an image must have one type. Levels and planes without a no-data value use that of the first.
 */
function markingOutside(image: TiffImage, first = image): TiffImage {
  const noData = image.noData ?? first.noData;
  return { ...image, marksOutside: true, ...(noData !== undefined && { noData }) };
}

/** Notes about samples without data. */
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
