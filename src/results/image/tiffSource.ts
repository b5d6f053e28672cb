import { inflateSync } from 'node:zlib';
import { CodedError, isCoded } from '../../base/errors';
import { conversionNotes, photometricName } from '../../formats/decodeTiff';
import type { ByteSource } from '../../formats/byteSource';
import { unreadableRaster, type Samples } from '../../formats/raster';
import { readBlock, type Inflate, type TiffBlock } from '../../formats/tiff/tiffBlock';
import { compressionName } from '../../formats/tiff/tiffCompression';
import { readTiffImage, type TiffImage } from '../../formats/tiff/tiffImage';
import { readTiffLayout, type TiffLayout } from '../../formats/tiff/tiffLayout';
import type { TiffSeries } from '../../formats/tiff/tiffSeries';
import { readWindow, type PixelWindow } from '../../formats/tiff/tiffWindow';
import { SharedValues } from '../sharedWork';
import type { ByteCache } from './byteCache';
import type { PictureFacts, PictureSource, PlanePosition } from './pictureSource';

/** Descriptions of directories kept; a stack may have thousands. */
const KEPT_IMAGES = 256;

export interface TiffSourceParts {
  file: ByteSource & { release?(): Promise<void> };
  fileName: string;
  /** Decoded blocks, shared with other pictures; `key` tells this one's apart. */
  blocks: ByteCache<TiffBlock>;
  key: string;
  /** Page that names the series to open; by default the first. */
  page?: number;
}

/** A TIFF file of any size: blocks are read and decoded when a window needs them. */
export class TiffSource implements PictureSource {
  readonly bytes = 0;
  private readonly images = new SharedValues<string, TiffImage>(KEPT_IMAGES);
  private readonly decoding = new SharedValues<string, TiffBlock>();

  private constructor(
    private readonly parts: TiffSourceParts,
    private readonly layout: TiffLayout,
    private readonly series: TiffSeries,
    private readonly levels: readonly TiffImage[],
    readonly facts: PictureFacts,
  ) {}

  /** Reads what the file holds; no samples. Throws `bad-request` with the reason, `not-a-file`, `cancelled`. */
  static async open(parts: TiffSourceParts, signal?: AbortSignal): Promise<TiffSource> {
    return coded(parts.fileName, async () => {
      const layout = await readTiffLayout(parts.file, parts.fileName, signal);
      const series = layout.series.find(({ page }) => parts.page === undefined || page === parts.page);
      if (!series) throw new CodedError('bad-request', `There is no page ${parts.page}`);
      const plane = layout.planes[series.page] ?? [];
      const levels: TiffImage[] = [];
      for (const [at, { directory }] of plane.entries()) {
        try {
          levels.push(await readTiffImage(directory, parts.fileName));
        } catch (error) {
          // Coarser levels can be done without.
          if (at === 0) throw error;
          break;
        }
      }
      const [finest] = levels;
      if (!finest) throw unreadableRaster(parts.fileName, 'it has no picture');
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
    return coded(this.parts.fileName, async () => {
      const place = this.series.place(position, this.sampleOf(channel));
      const first = this.levels[level];
      if (!first) throw new CodedError('bad-request', `There is no level ${level}`);
      // Not zeros: a mean of them would look like a measurement.
      if (!place) return new Float32Array(window.width * window.height).fill(NaN);
      const image = await this.image(place.plane, level, signal);
      const fits = image.width === first.width && image.height === first.height;
      if (!fits) throw new Error(`its plane ${place.plane} has another size than the first`);
      const [samples] = await readWindow(image, [place.sample], window, (x, y, plane) =>
        this.block(image, `${this.parts.key}/${place.plane}/${level}`, { x, y, plane }, signal),
      );
      return samples ?? new Uint8Array(window.width * window.height);
    });
  }

  cost(level: number, window: PixelWindow): number {
    const image = this.levels[level];
    if (!image) return Infinity;
    const { blockWidth, blockHeight } = image;
    const across = Math.ceil((window.x + window.width) / blockWidth) - Math.floor(window.x / blockWidth);
    const down = Math.ceil((window.y + window.height) / blockHeight) - Math.floor(window.y / blockHeight);
    return across * down * blockWidth * blockHeight;
  }

  together(channel: number): number[] {
    if (this.series.channels) return [channel];
    return this.facts.channels.map((_, at) => at);
  }

  async release(): Promise<void> {
    this.parts.blocks.dropAll(`${this.parts.key}/`);
    await this.parts.file.release?.();
  }

  /** The sample of the file that is the painted channel: alpha is passed over. */
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
        if (!found) throw new Error(`its plane ${plane} has no level ${level}`);
        const { directory, shift } = found;
        const image = await readTiffImage(directory, this.parts.fileName);
        return shift === undefined ? image : { ...image, shift };
      },
      signal,
    );
  }

  private async block(
    image: TiffImage,
    prefix: string,
    { x, y, plane }: { x: number; y: number; plane: number },
    signal?: AbortSignal,
  ): Promise<TiffBlock> {
    const key = `${prefix}/${plane}/${x}/${y}`;
    const kept = this.parts.blocks.get(key);
    if (kept) return kept;
    // Several tiles of the page may want the same strip at once.
    const decode = async (shared: AbortSignal) => {
      const block = await readBlock(image, x, y, plane, shared, inflate);
      this.parts.blocks.set(key, block, block.samples.byteLength);
      return block;
    };
    try {
      return await this.decoding.get(key, decode, signal);
    } finally {
      // From now on the cache has it, or has let it go.
      if (!signal?.aborted) this.decoding.delete(key);
    }
  }
}

function factsOf(
  layout: TiffLayout,
  series: TiffSeries,
  finest: TiffImage,
  levels: readonly TiffImage[],
): PictureFacts {
  const samples = Array.from({ length: finest.channels }, (_, sample) => sample).filter(
    sample => sample !== finest.alpha,
  );
  const photometric = photometricName(finest);
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
    compression: compressionName(finest.compression),
    notes: [...layout.notes, ...conversionNotes(finest)],
  };
}

/** Node's own zlib is several times as fast as what `formats` may use. */
const inflate: Inflate = (bytes, length) => {
  try {
    // In one piece: several would have to be joined, and held twice.
    return inflateSync(bytes, { maxOutputLength: length, chunkSize: Math.max(64, length) });
  } catch (error) {
    throw new Error('its compressed data are damaged or cut off', { cause: error });
  }
};

/** Names the file in what goes wrong while it is read. */
async function coded<T>(fileName: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isCoded(error)) throw error;
    const reason = error instanceof Error ? error.message : 'it is damaged';
    const words = error instanceof RangeError ? `it is cut off or damaged (${reason})` : reason;
    throw unreadableRaster(fileName, words, error);
  }
}
