import { inflateSync } from 'node:zlib';
import type { ByteSource } from '../tiff/byteSource';
import { CodedError } from '../../base/errors';
import { SharedValues } from '../../base/node/sharedWork';
import { reason, type Reason } from '../../base/reasons';
import { JpegCodec } from '../decodeJpeg';
import { conversionNotes, photometricName } from '../decodeTiff';
import { damagedData, DecodingError, namingFile, type Samples, unreadableRaster } from '../raster';
import { type BlockPlace, type PixelWindow, readBlock, readWindow, type TiffBlock } from '../tiff/tiffBlock';
import { type BlockCodecs, type Inflate, tiffCompressions, UNCOMPRESSED } from '../tiff/tiffCompressions';
import { mayLackData, readTiffImage, type TiffImage, withoutPalette } from '../tiff/tiffImage';
import { readTiffLayout, type TiffLayout } from '../tiff/tiffLayout';
import type { TiffSeries } from '../tiff/tiffPlanes';
import type { BackgroundImageFacts, BackgroundImageSource, PlanePosition } from './backgroundImageSource';
import type { ByteCache } from './backgroundImage';

/** Node's zlib is several times as fast as the JavaScript that decoders without Node use. */
const inflate: Inflate = (bytes, length) => {
  try {
    // In one chunk: several would have to be joined, which takes twice the memory.
    return inflateSync(bytes, { maxOutputLength: length, chunkSize: Math.max(64, length) });
  } catch (error) {
    throw damagedData('Deflate', error);
  }
};

/** Parsed directories in the cache; a stack may have thousands. */
const MAX_IMAGES = 256;

interface TiffSourceParts {
  file: ByteSource & { release?(): Promise<void> };
  fileName: string;
  /** Decoded blocks, shared with other images; the keys of this one's begin with `key`. */
  blocks: ByteCache<TiffBlock>;
  key: string;
  /** Page that names the series to open; by default the first. */
  page?: number;
  /** Samples of the first plane are labels: places in a palette, where it has one, not colors; integers of up to 64 bits. */
  isLabels?: boolean;
}

/** A TIFF file of any size: its blocks are read and decoded when a window needs them. */
export class TiffSource implements BackgroundImageSource {
  readonly bytes = 0;
  private readonly images = new SharedValues<string, TiffImage>(MAX_IMAGES);
  private readonly codecs: BlockCodecs = { inflate, jpeg: new JpegCodec() };
  private readonly decoding = new SharedValues<string, TiffBlock>();

  private constructor(
    private readonly parts: TiffSourceParts,
    private readonly layout: TiffLayout,
    private readonly series: TiffSeries,
    private readonly levels: readonly TiffImage[],
    readonly facts: BackgroundImageFacts,
  ) {}

  /** Reads the directories of a file, no samples. Throws `bad-request` with the reason, `not-a-file`, `cancelled`. */
  static async open(parts: TiffSourceParts, signal?: AbortSignal): Promise<TiffSource> {
    return namingFile(parts.fileName, async () => {
      const layout = await readTiffLayout(parts.file, parts.fileName, signal);
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
      if (!finest) throw unreadableRaster(parts.fileName, reason('no-image-in-file'));
      return new TiffSource(parts, layout, series, levels, factsOf(layout, series, finest, levels));
    });
  }

  async read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
  ): Promise<Samples> {
    return namingFile(this.parts.fileName, async () => {
      const place = this.series.place(position, this.sampleOf(channel));
      const first = this.levels[level];
      if (!first) throw new CodedError('bad-request', `There is no level ${level}`);
      // Not zeros: their mean would look like a measurement.
      if (!place) return new Float32Array(window.width * window.height).fill(NaN);
      const image = await this.image(place.plane, level, signal);
      const fits = image.width === first.width && image.height === first.height;
      if (!fits) throw new DecodingError(reason('plane-size-differs', place.plane));
      if (image.channels !== first.channels)
        throw new DecodingError(reason('plane-channels-differ', place.plane));
      // A color is no data where all of its samples are: white is a color where blue alone is as bright as white.
      const together =
        image.noData !== undefined && this.facts.rgb ? [0, 1, 2].map(at => this.sampleOf(at)) : [];
      const others = together.filter(sample => sample !== place.sample);
      const [samples, ...rest] = await readWindow(image, [place.sample, ...others], window, (x, y, plane) =>
        this.block(image, `${this.parts.key}/${place.plane}/${level}`, { x, y, plane }, signal),
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

  async isInverted(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<boolean> {
    const place = this.series.place(position, this.sampleOf(channel));
    if (!place) return false;
    const image = await this.image(place.plane, 0, signal);
    return (photometricName(image) === 'white-is-zero') !== this.facts.whiteIsZero;
  }

  decodedSamples(level: number, window: PixelWindow): number {
    const image = this.levels[level];
    if (!image) return Infinity;
    const { blockWidth, blockHeight } = image;
    const across = Math.ceil((window.x + window.width) / blockWidth) - Math.floor(window.x / blockWidth);
    const down = Math.ceil((window.y + window.height) / blockHeight) - Math.floor(window.y / blockHeight);
    return across * down * blockWidth * blockHeight;
  }

  interleavedWith(channel: number): number[] {
    if (this.series.channels) return [channel];
    return this.facts.channels.map((_, at) => at);
  }

  async release(): Promise<void> {
    this.codecs.jpeg.release();
    this.parts.blocks.removeAll(`${this.parts.key}/`);
    await this.parts.file.release?.();
  }

  /** The file's sample for a painted channel: alpha is skipped. */
  private sampleOf(channel: number): number {
    const alpha = this.series.channels ? undefined : this.levels[0]?.alpha;
    return alpha !== undefined && channel >= alpha ? channel + 1 : channel;
  }

  private image(plane: number, level: number, signal?: AbortSignal): Promise<TiffImage> {
    const first = plane === this.series.page ? this.levels[level] : undefined;
    if (first) return Promise.resolve(first);
    return this.images.get(
      `${plane}/${level}`,
      async () => {
        const found = this.layout.planes[plane]?.[level];
        if (!found) throw new DecodingError(reason('plane-without-level', plane, level));
        const { directory, shift } = found;
        const read = await readTiffImage(directory, this.parts.fileName);
        const [first] = this.levels;
        const image = first?.marksOutside || mayLackData(read) ? markingOutside(read, first) : read;
        return shift === undefined ? image : { ...image, shift };
      },
      signal,
    );
  }

  private async block(
    image: TiffImage,
    prefix: string,
    place: BlockPlace,
    signal?: AbortSignal,
  ): Promise<TiffBlock> {
    const key = `${prefix}/${place.plane}/${place.x}/${place.y}`;
    const cached = this.parts.blocks.get(key);
    if (cached) return cached;
    // Several tiles may need the same strip at once.
    const decode = async (shared: AbortSignal) => {
      const block = await readBlock(image, place, this.codecs, shared);
      this.parts.blocks.set(key, block, block.samples.byteLength);
      return block;
    };
    try {
      return await this.decoding.get(key, decode, signal);
    } finally {
      // From now on it is in the cache, or was removed from it.
      if (!signal?.aborted) this.decoding.delete(key);
    }
  }
}

/**
 * An image whose samples without data are NaN: in floats, as windows of an image all have samples of one type. Coarser levels and
 * other planes may not say which sample is no data: it is that of the first one.
 */
function markingOutside(image: TiffImage, first = image): TiffImage {
  const noData = image.noData ?? first.noData;
  return { ...image, marksOutside: true, ...(noData !== undefined && { noData }) };
}

/** That samples are no data, and which. */
function noDataNotes({ noData, absentBlocks }: TiffImage): Reason[] {
  return [
    ...(absentBlocks > 0 ? [reason('blocks-absent', absentBlocks)] : []),
    ...(noData === undefined ? [] : [reason('no-data-outside', noData)]),
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
        ? layout.series.map(({ width, height, page }) => ({ width, height, page }))
        : [],
    firstPage: series.page,
    ...(series.pixelSize && { pixelSize: series.pixelSize }),
    ...(compression !== undefined && { compression }),
    notes: [...layout.notes, ...conversionNotes(finest), ...noDataNotes(finest)],
  };
}
