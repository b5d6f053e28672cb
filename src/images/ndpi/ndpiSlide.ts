import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import type { PageRole, PixelSize } from '../backgroundImageInfo';
import { JpegCodec } from '../decodeJpeg';
import { orientationNote } from '../exifOrientation';
import {
  type BackgroundImageFacts,
  type BackgroundImageSource,
  blocksIn,
  copyChannel,
  copyColors,
  type ImageBlock,
  type ImageFile,
  type ImageFormat,
  type OnDamaged,
  pixelsOfBlocks,
  type PlanePosition,
} from '../imageSource';
import { DecodingError, namingFile, type PixelWindow, type Samples, unreadableRaster } from '../raster';
import { readDirectories, Tag, type TiffDirectory } from '../tiff/tiffDirectory';
import { scannerPixelSize } from '../tiff/tiffLayout';
import { NdpiLevel } from './ndpiLevel';

/*
 * Hamamatsu's slides. The lens tag of a directory says what its image is: a level of the slide in
 * one focal plane (the magnification), a photo of the whole glass ("macro", -1), or a map (-2).
 * Source of the layout: the OpenSlide project.
 */

/** Maximum directories to read; a damaged file may chain many thousands. */
const MAX_DIRECTORIES = 4096;

/** One image of a slide file. */
interface NdpiImage {
  directory: TiffDirectory;
  role: PageRole;
  width: number;
  height: number;
  magnification?: number;
  /** Directories by focal plane, lowest first, and by level, finest first. */
  planes: TiffDirectory[][];
  firstZ: number;
}

export const ndpiFormat: ImageFormat = {
  open: (file, signal) => namingFile(file.fileName, () => openSlide(file, signal)),
};

async function openSlide(file: ImageFile, signal?: AbortSignal): Promise<BackgroundImageSource> {
  const { directories, notes } = await readDirectories(file.file, signal);
  const { images, omittedCount } = await imagesOf(directories.slice(0, MAX_DIRECTORIES), signal);
  if (omittedCount > 0)
    notes.push(reason('Images not shown, such as labels and thumbnails: {0}', omittedCount));
  const { page = 0 } = file;
  const image = images[page];
  if (images.length === 0) throw unreadableRaster(file.fileName, reason('The file contains no image'));
  if (!image) throw new CodedError('bad-request', `There is no page ${page}`);
  notes.push(...orientationNote((await image.directory.number(Tag.orientation)) ?? 1));
  const planes: NdpiLevel[][] = [];
  for (const plane of image.planes) {
    const levels: NdpiLevel[] = [];
    for (const [at, directory] of plane.entries()) {
      try {
        levels.push(await NdpiLevel.open(directory, signal));
      } catch (error) {
        throwIfCanceled(signal);
        // The image can be shown without this level and coarser ones.
        if (at === 0 || isCoded(error)) throw error;
        break;
      }
    }
    planes.push(levels);
  }
  // Find the parts now, with progress; later, a tile would wait for it without any message.
  const { onProgress } = file;
  if (onProgress) for (const level of planes[image.firstZ] ?? []) await level.findParts(onProgress, signal);
  const unit = (await image.directory.number(Tag.resolutionUnit)) ?? 2;
  const pixelSize = await scannerPixelSize(image.directory, unit, 'hamamatsu');
  return new NdpiSource(file, planes, factsOf(image, page, { images, planes, notes, pixelSize }));
}

/** The images of a file: the slide first, then macro and map. */
async function imagesOf(
  directories: readonly TiffDirectory[],
  signal: AbortSignal | undefined,
): Promise<{ images: NdpiImage[]; omittedCount: number }> {
  const slideLevels: {
    directory: TiffDirectory;
    lens: number;
    focus: number;
    width: number;
    height: number;
  }[] = [];
  const otherImages: NdpiImage[] = [];
  let omittedCount = 0;
  for (const directory of directories) {
    throwIfCanceled(signal);
    const lens = (await directory.number(Tag.ndpiLens)) ?? 0;
    const width = (await directory.number(Tag.width)) ?? 0;
    const height = (await directory.number(Tag.height)) ?? 0;
    // Some directories contain only texts.
    const hasPixels = width > 0 && height > 0 && directory.count(Tag.stripOffsets) > 0;
    if (!hasPixels) {
      omittedCount++;
    } else if (lens > 0) {
      const focus = (await directory.number(Tag.ndpiFocus)) ?? 0;
      slideLevels.push({ directory, lens, focus, width, height });
    } else if (lens === -1 || lens === -2) {
      const role: PageRole = { kind: lens === -1 ? 'macro' : 'map' };
      otherImages.push({ directory, role, width, height, planes: [[directory]], firstZ: 0 });
    } else omittedCount++;
  }
  const finest = slideLevels.reduce<(typeof slideLevels)[number] | undefined>(
    (best, level) => (best && best.width >= level.width ? best : level),
    undefined,
  );
  if (!finest) return { images: otherImages, omittedCount };
  // Levels by focal plane, lowest plane first. Of levels with the same size, use the first.
  const focusHeights = [...new Set(slideLevels.map(({ focus }) => focus))].sort((a, b) => a - b);
  const planes = focusHeights.map(focus => {
    const levels = slideLevels.filter(level => level.focus === focus).sort((a, b) => b.width - a.width);
    return levels.filter((level, at) => at === 0 || level.width < (levels[at - 1]?.width ?? 0));
  });
  const fullPlanes = planes.filter(
    ([first]) => first?.width === finest.width && first.height === finest.height,
  );
  omittedCount += slideLevels.length - fullPlanes.reduce((sum, levels) => sum + levels.length, 0);
  const focusZero = fullPlanes.findIndex(([first]) => first?.focus === 0);
  const main: NdpiImage = {
    directory: finest.directory,
    role: { kind: 'slide' },
    width: finest.width,
    height: finest.height,
    magnification: finest.lens,
    planes: fullPlanes.map(levels => levels.map(({ directory }) => directory)),
    firstZ: Math.max(0, focusZero),
  };
  return { images: [main, ...otherImages], omittedCount };
}

interface Slide {
  images: readonly NdpiImage[];
  planes: readonly NdpiLevel[][];
  notes: Reason[];
  pixelSize: PixelSize | undefined;
}

function factsOf(
  { magnification, firstZ }: NdpiImage,
  page: number,
  { images, planes, notes, pixelSize }: Slide,
): BackgroundImageFacts {
  const [first = []] = planes;
  // Use only levels that all focal planes have in the same size.
  const differing = first.findIndex(({ width, height }, at) =>
    planes.some(levels => levels[at]?.width !== width || levels[at]?.height !== height),
  );
  const levels = differing < 0 ? first : first.slice(0, Math.max(1, differing));
  const channels = first[0]?.channels ?? 1;
  return {
    levels: levels.map(({ width, height }) => ({ width, height })),
    channels: Array.from({ length: channels }, () => ({})),
    bitsPerSample: 8,
    kind: 'unsigned',
    rgb: channels === 3,
    whiteIsZero: false,
    axes: { page: 1, z: planes.length, t: 1 },
    ...(firstZ > 0 && { firstZ }),
    pages:
      images.length > 1
        ? images.map(({ width, height, role }, at) => ({ width, height, page: at, role }))
        : [],
    firstPage: page,
    ...(pixelSize && { pixelSize }),
    ...(magnification !== undefined && { magnification }),
    compression: 'JPEG',
    notes,
  };
}

/** Rows of a column of blocks: from `top` to before `bottom`, in pixels of the level. */
interface NdpiRows {
  x: number;
  top: number;
  bottom: number;
}

/**
 * Copies the part of a block that a window shows; `place` is the block's first pixel in the level.
 */
type CopyBlock = (block: ImageBlock, place: { x: number; y: number }) => void;

/**
 * Minimum number of rows to mark as damaged. Each failure restarts the decoder, which takes time.
 */
const MIN_DAMAGED_ROWS = 64;
/** Maximum number of parts remembered as damaged. */
const MAX_DAMAGED = 10_000;

class NdpiSource implements BackgroundImageSource {
  readonly bytes = 0;
  private readonly codec = new JpegCodec();
  /** The errors of parts that can't be decoded. */
  private readonly damaged = new Map<string, unknown>();

  constructor(
    private readonly image: ImageFile,
    private readonly planes: readonly NdpiLevel[][],
    readonly facts: BackgroundImageFacts,
  ) {}

  prepare(): void {
    this.codec.prepare();
  }

  async read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Samples> {
    const samples = new Uint8Array(window.width * window.height);
    const copy: CopyBlock = (block, place) => copyChannel(block, channel, place, samples, window);
    await this.readBlocks(position, level, window, copy, signal, onDamaged);
    return samples;
  }

  async readColors(
    position: PlanePosition,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const rgba = new Uint8Array(window.width * window.height * 4);
    const copy: CopyBlock = (block, place) => copyColors(block, place, rgba, window);
    await this.readBlocks(position, level, window, copy, signal, onDamaged);
    return rgba;
  }

  decodedSamples(level: number, window: PixelWindow): number {
    const [plane = []] = this.planes;
    const ndpiLevel = plane[level];
    return ndpiLevel ? pixelsOfBlocks(ndpiLevel, window) : Infinity;
  }

  interleavedWith(): number[] {
    return this.facts.channels.map((_, at) => at);
  }

  async release(): Promise<void> {
    this.codec.release();
    this.image.blocks.removeAll(`${this.image.key}/`);
    await this.image.file.release?.();
  }

  /** Copies all blocks that a window of a level meets. */
  private async readBlocks(
    { z }: PlanePosition,
    level: number,
    window: PixelWindow,
    copy: CopyBlock,
    signal: AbortSignal | undefined,
    onDamaged: OnDamaged | undefined,
  ): Promise<void> {
    return namingFile(this.image.fileName, async () => {
      const ndpiLevel = this.planes[z]?.[level];
      if (!ndpiLevel || !this.facts.levels[level])
        throw new CodedError('bad-request', `There is no level ${level}`);
      if (ndpiLevel.channels !== this.facts.channels.length)
        throw new DecodingError(reason('Plane {0} has different channels than the first', z));
      for (const { x, top } of blocksIn(ndpiLevel, window)) {
        const rows = { x, top, bottom: Math.min(top + ndpiLevel.blockHeight, ndpiLevel.height) };
        await this.copyRows(ndpiLevel, `${z}/${level}`, rows, window, copy, onDamaged, signal);
      }
    });
  }

  /** Copies some rows of a column of blocks; if some rows can't be decoded, copies the others. */
  private async copyRows(
    level: NdpiLevel,
    prefix: string,
    rows: NdpiRows,
    window: PixelWindow,
    copy: CopyBlock,
    onDamaged: OnDamaged | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { x, top, bottom } = rows;
    if (bottom <= window.y || top >= window.y + window.height) return;
    const place = { x: x * level.blockWidth, y: top, width: level.blockWidth, height: bottom - top };
    const key = `${prefix}/${x}/${top}/${bottom}`;
    let error = this.damaged.get(key);
    if (error === undefined) {
      try {
        const block = await this.block(level, key, rows, signal);
        copy(block, place);
        return;
      } catch (thrown) {
        // Errors of the disk and cancellation don't mean that this part is damaged.
        if (!onDamaged || isCoded(thrown)) throw thrown;
        error = thrown;
        if (this.damaged.size < MAX_DAMAGED) this.damaged.set(key, thrown);
      }
    }
    if (!onDamaged) throw error;
    const middle = top + Math.ceil((bottom - top) / 2 / level.rowsOfPart) * level.rowsOfPart;
    if (middle >= bottom || bottom - top <= MIN_DAMAGED_ROWS) {
      onDamaged(place, error);
      return;
    }
    await this.copyRows(level, prefix, { x, top, bottom: middle }, window, copy, onDamaged, signal);
    await this.copyRows(level, prefix, { x, top: middle, bottom }, window, copy, onDamaged, signal);
  }

  private block(
    level: NdpiLevel,
    key: string,
    { x, top, bottom }: NdpiRows,
    signal: AbortSignal | undefined,
  ): Promise<ImageBlock> {
    const { blocks, key: prefix, onProgress } = this.image;
    return blocks.get(
      `${prefix}/${key}`,
      shared => level.readBlock(x, top, bottom, this.codec, onProgress, shared),
      signal,
    );
  }
}
