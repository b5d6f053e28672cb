import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import type { PageRole, ImageSize, PixelSize } from '../backgroundImageInfo';
import { conversionNotes, photometricName } from '../decodeTiff';
import { orientationNote } from '../exifOrientation';
import {
  type BackgroundImageFacts,
  type BackgroundImageSource,
  copyChannel,
  type ImageBlock,
  type ImageFile,
  type ImageFormat,
  type OnDamaged,
  type PlanePosition,
} from '../imageSource';
import { DecodingError, namingFile, type PixelWindow, type Samples, unreadableRaster } from '../raster';
import { portableCodecs, readBlock } from '../tiff/tiffBlock';
import { type BlockCodecs, tiffCompressions } from '../tiff/tiffCompressions';
import { readDirectories, Tag, type TiffDirectory } from '../tiff/tiffDirectory';
import { readTiffImage, type TiffImage } from '../tiff/tiffImage';
import type { TiffLayout } from '../tiff/tiffLayout';
import type { TiffPlane, TiffSeries } from '../tiff/tiffPlanes';
import { TiffSource } from '../tiff/tiffSource';
import { tagsOf } from '../xmlTags';
import { type BifTiles, readBifTiles } from './bifTiles';

/*
 * Ventana's slides are BigTIFF files. The description of each directory names its level. The XML of
 * the finest level says how its tiles overlap. A coarser level has the same tiles, reduced, several
 * in one tile of the file. Source of the layout: the OpenSlide project.
 */

const LEVEL = /(?:^|\s)level=(\d+)(?:\s|$)/;
const MAGNIFICATION = /(?:^|\s)mag=([\d.]+)/;
/** Maximum factor between the finest and a coarser level: a reduced tile has at least a pixel. */
const MAX_FACTOR = 1024;

/** A directory of the TIFF file that holds a level. */
interface BifLevel {
  directory: TiffDirectory;
  number: number;
  magnification: number;
}

interface BifDirectories {
  levels: BifLevel[];
  associated: { directory: TiffDirectory; role: PageRole }[];
  omittedCount: number;
}

export const bifFormat: ImageFormat = {
  open: (file, signal) => namingFile(file.fileName, () => openSlide(file, signal)),
};

async function openSlide(file: ImageFile, signal?: AbortSignal): Promise<BackgroundImageSource> {
  const { directories, notes } = await readDirectories(file.file, signal);
  const images = await sortDirectories(directories, signal);
  if (images.omittedCount > 0)
    notes.push(reason('Images not shown, such as labels and thumbnails: {0}', images.omittedCount));
  const [finest] = images.levels;
  if (!finest) throw unreadableRaster(file.fileName, reason('The file contains no image'));
  notes.push(...orientationNote((await finest.directory.number(Tag.orientation)) ?? 1));
  const scan = readScan((await directories[0]?.text(Tag.xmp)) ?? '');
  const tile = {
    width: (await finest.directory.number(Tag.tileWidth)) ?? 0,
    height: (await finest.directory.number(Tag.tileLength)) ?? 0,
  };
  const tiles = readBifTiles(await finest.directory.text(Tag.xmp), tile);
  const layout = await layoutOf(images, scan, notes);
  const { page = 0 } = file;
  // Labels, macros and slides without areas have no overlapping tiles.
  if (!tiles || page !== 0) return TiffSource.open({ ...file, layout }, signal);
  const levels = await placedLevels(images.levels, tiles, tile, file.fileName, signal);
  const [first] = levels;
  if (!first) throw unreadableRaster(file.fileName, reason('The file contains no image'));
  const [main] = layout.series;
  if (main) [main.width, main.height] = [first.width, first.height];
  return new BifSource(file, levels, factsOf(layout, levels, scan, first.image));
}

async function sortDirectories(
  directories: readonly TiffDirectory[],
  signal: AbortSignal | undefined,
): Promise<BifDirectories> {
  const sorted: BifDirectories = { levels: [], associated: [], omittedCount: 0 };
  for (const directory of directories) {
    throwIfCanceled(signal);
    const description = await directory.text(Tag.imageDescription);
    const number = Number(LEVEL.exec(description)?.[1] ?? NaN);
    const magnification = Number(MAGNIFICATION.exec(description)?.[1] ?? NaN);
    if (number === sorted.levels.length && magnification > 0) {
      const before = sorted.levels.at(-1)?.magnification ?? Infinity;
      if (magnification < before) sorted.levels.push({ directory, number, magnification });
    } else if (/^Label[ _]Image/.test(description)) {
      // Despite its name, this image shows the whole glass, including the label.
      sorted.associated.push({ directory, role: { kind: 'macro' } });
    } else if (description.startsWith('Thumbnail')) {
      sorted.associated.push({ directory, role: { kind: 'thumbnail' } });
    } else sorted.omittedCount++;
  }
  return sorted;
}

/** Magnification and pixel size from the XML of the first directory. */
function readScan(text: string): { magnification?: number; pixelSize?: PixelSize } {
  for (const { name, attributes } of tagsOf(text)) {
    if (name !== 'iScan') continue;
    const magnification = Number(attributes.get('Magnification') ?? NaN);
    const size = Number(attributes.get('ScanRes') ?? NaN);
    return {
      ...(magnification > 0 && magnification < 10_000 && { magnification }),
      ...(size > 0.0005 && size < 1000 && { pixelSize: { x: size, y: size, from: 'ventana' } }),
    };
  }
  return {};
}

/** The layout of the file: lists its images, and reads those without overlapping tiles. */
async function layoutOf(
  { levels, associated }: BifDirectories,
  scan: ReturnType<typeof readScan>,
  notes: Reason[],
): Promise<TiffLayout> {
  const sized = async (directory: TiffDirectory) => ({
    directory,
    width: (await directory.number(Tag.width)) ?? 0,
    height: (await directory.number(Tag.height)) ?? 0,
  });
  const planes: TiffPlane[] = [
    await Promise.all(levels.map(({ directory }) => sized(directory))),
    ...(await Promise.all(associated.map(async ({ directory }) => [await sized(directory)]))),
  ];
  const roles: PageRole[] = [{ kind: 'slide' }, ...associated.map(({ role }) => role)];
  const series = planes.map(([finest], page): TiffSeries => ({
    width: finest?.width ?? 0,
    height: finest?.height ?? 0,
    page,
    axes: { page: 1, z: 1, t: 1 },
    place: (_, sample) => ({ plane: page, sample }),
    ...(page === 0 && scan),
    role: roles[page] ?? { kind: 'slide' },
  }));
  return { planes, series, notes };
}

/** A level whose tiles are placed by the scanned areas. */
interface PlacedLevel extends ImageSize {
  image: TiffImage;
  /** Size of the finest level divided by the size of this level. */
  factor: number;
  /** A tile of the file holds this many tiles of the finest level across, and as many down. */
  tilesPerSide: number;
  tiles: BifTiles;
}

async function placedLevels(
  levels: readonly BifLevel[],
  tiles: BifTiles,
  tile: ImageSize,
  fileName: string,
  signal: AbortSignal | undefined,
): Promise<PlacedLevel[]> {
  const placed: PlacedLevel[] = [];
  for (const { directory, magnification } of levels) {
    throwIfCanceled(signal);
    try {
      const read = await readTiffImage(directory, fileName);
      if (read.blockWidth !== tile.width || read.blockHeight !== tile.height)
        throw new DecodingError(reason("The slide's description of its tiles is damaged"));
      const image = { ...read, marksOutside: true };
      const factor = (levels[0]?.magnification ?? magnification) / magnification;
      const tilesPerSide = Math.round(factor);
      const maxFactor = Math.min(MAX_FACTOR, tile.width, tile.height);
      if (Math.abs(factor - tilesPerSide) > 0.01 || tilesPerSide > maxFactor)
        throw new DecodingError(reason("The slide's description of its tiles is damaged"));
      const level: PlacedLevel = { image, factor, tilesPerSide, tiles, width: 0, height: 0 };
      for (const area of tiles.areas) {
        const isInImage =
          Math.floor((area.column + area.across - 1) / tilesPerSide) < image.across &&
          Math.floor((area.row + area.down - 1) / tilesPerSide) < image.down;
        if (!isInImage) throw new DecodingError(reason("The slide's description of its tiles is damaged"));
        const end = (at: number, count: number, advance: number, side: number) =>
          Math.ceil((at + (count - 1) * advance + side) / factor);
        level.width = Math.max(level.width, end(area.x, area.across, tiles.advanceX, tile.width));
        level.height = Math.max(level.height, end(area.y, area.down, tiles.advanceY, tile.height));
      }
      placed.push(level);
    } catch (error) {
      throwIfCanceled(signal);
      // The image can be shown without this level and coarser ones.
      if (placed.length === 0) throw error;
      break;
    }
  }
  return placed;
}

function factsOf(
  { series, notes }: TiffLayout,
  levels: readonly PlacedLevel[],
  scan: ReturnType<typeof readScan>,
  image: TiffImage,
): BackgroundImageFacts {
  const samples = Array.from({ length: image.channels }, (_, at) => at).filter(at => at !== image.alpha);
  const compression = tiffCompressions[image.compression]?.name;
  return {
    levels: levels.map(({ width, height }) => ({ width, height })),
    channels: samples.map(() => ({})),
    bitsPerSample: image.deliveredBits,
    kind: image.kind,
    rgb: photometricName(image) === 'rgb' && samples.length === 3,
    whiteIsZero: photometricName(image) === 'white-is-zero',
    axes: { page: 1, z: 1, t: 1 },
    pages:
      series.length > 1
        ? series.map(({ width, height, page, role }) => ({ width, height, page, ...(role && { role }) }))
        : [],
    firstPage: 0,
    ...scan,
    ...(compression !== undefined && { compression }),
    notes: [...notes, ...conversionNotes(image)],
  };
}

class BifSource implements BackgroundImageSource {
  readonly bytes = 0;
  private readonly codecs: BlockCodecs;

  constructor(
    private readonly file: ImageFile,
    private readonly levels: readonly PlacedLevel[],
    readonly facts: BackgroundImageFacts,
  ) {
    const { inflate } = file;
    this.codecs = { ...portableCodecs(), ...(inflate && { inflate }) };
  }

  /** Samples as floats. Pixels are NaN where no tile is, or where the file omits a tile. */
  async read(
    _position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Samples> {
    return namingFile(this.file.fileName, async () => {
      const placedLevel = this.levels[level];
      if (!placedLevel) throw new CodedError('bad-request', `There is no level ${level}`);
      const length = window.width * window.height;
      const { image } = placedLevel;
      const samples = (image.bits > 16 ? new Float64Array(length) : new Float32Array(length)).fill(NaN);
      // Alpha is skipped.
      const sample = image.alpha !== undefined && channel >= image.alpha ? channel + 1 : channel;
      for (const { place, column, row, part } of tilesIn(placedLevel, window)) {
        throwIfCanceled(signal);
        const plane = image.planar ? sample : 0;
        try {
          const block = await this.block(placedLevel, level, column, row, plane, signal);
          copyChannel(block, image.planar ? 0 : sample, place, samples, window, part);
        } catch (error) {
          // Coded errors, such as a changed file or a cancel, aren't damage of this tile.
          if (!onDamaged || isCoded(error)) throw error;
          onDamaged(place, error);
        }
      }
      return samples;
    });
  }

  decodedSamples(level: number, window: PixelWindow): number {
    const placedLevel = this.levels[level];
    if (!placedLevel) return Infinity;
    const { blockWidth, blockHeight } = placedLevel.image;
    return (window.width + 2 * blockWidth) * (window.height + 2 * blockHeight);
  }

  interleavedWith(channel: number): number[] {
    return this.levels[0]?.image.planar ? [channel] : this.facts.channels.map((_, at) => at);
  }

  async release(): Promise<void> {
    this.codecs.jpeg.release();
    this.codecs.jpeg2000.release();
    this.file.blocks.removeAll(`${this.file.key}/`);
    await this.file.file.release?.();
  }

  private block(
    { image }: PlacedLevel,
    level: number,
    x: number,
    y: number,
    plane: number,
    signal: AbortSignal | undefined,
  ): Promise<ImageBlock> {
    const { blocks, key } = this.file;
    const decode = (shared: AbortSignal) => readBlock(image, { x, y, plane }, this.codecs, shared);
    return blocks.get(`${key}/bif/${level}/${plane}/${x}/${y}`, decode, signal);
  }
}

/** A tile of the finest level, reduced to a coarser level. */
interface PlacedTile {
  /** Its pixels in the level. */
  place: PixelWindow;
  /** The tile of the file that contains it. */
  column: number;
  row: number;
  /** Its pixels in that tile of the file. */
  part: PixelWindow;
}

/** Tiles that meet a window of a level. Right and lower tiles come first; later ones cover them. */
function* tilesIn(
  { image, tiles, factor, tilesPerSide }: PlacedLevel,
  window: PixelWindow,
): Generator<PlacedTile> {
  const { advanceX, advanceY, areas } = tiles;
  const { blockWidth, blockHeight } = image;
  /** First and last tile of an area that may meet the window along one axis. */
  const range = (start: number, length: number, at: number, advance: number, side: number, count: number) => [
    Math.max(0, Math.floor((start * factor - at - side) / advance) - 1),
    Math.min(count - 1, Math.ceil(((start + length) * factor - at) / advance) + 1),
  ];
  for (const area of areas) {
    const [left = 0, right = -1] = range(window.x, window.width, area.x, advanceX, blockWidth, area.across);
    const [top = 0, bottom = -1] = range(window.y, window.height, area.y, advanceY, blockHeight, area.down);
    for (let down = bottom; down >= top; down--) {
      for (let across = right; across >= left; across--) {
        const [column, row] = [area.column + across, area.row + down];
        const [x0, x1] = partOf(column % tilesPerSide, tilesPerSide, blockWidth);
        const [y0, y1] = partOf(row % tilesPerSide, tilesPerSide, blockHeight);
        const place = {
          x: Math.round((area.x + across * advanceX) / factor),
          y: Math.round((area.y + down * advanceY) / factor),
          width: x1 - x0,
          height: y1 - y0,
        };
        const meets =
          place.x < window.x + window.width &&
          place.x + place.width > window.x &&
          place.y < window.y + window.height &&
          place.y + place.height > window.y;
        if (!meets) continue;
        yield {
          place,
          column: Math.floor(column / tilesPerSide),
          row: Math.floor(row / tilesPerSide),
          part: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
        };
      }
    }
  }
}

/** Start and end of part number `at`, if a side of a tile is split into `parts`. */
function partOf(at: number, parts: number, side: number): [start: number, end: number] {
  return [Math.floor((at * side) / parts), Math.floor(((at + 1) * side) / parts)];
}
