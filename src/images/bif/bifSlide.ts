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
 * Ventana's slides: BigTIFF files whose directories say in their description which level they are.
 * Tiles overlap as the text of the finest level says; a coarser level has the same tiles, smaller,
 * several in one tile of the file. Layout as published by the OpenSlide project.
 */

const LEVEL = /(?:^|\s)level=(\d+)(?:\s|$)/;
const MAGNIFICATION = /(?:^|\s)mag=([\d.]+)/;
/** How much coarser a level can be: an interval of tiles is at least a pixel wide. */
const MAX_FACTOR = 1024;

/** A directory that is a level. */
interface BifLevel {
  directory: TiffDirectory;
  number: number;
  magnification: number;
}

interface BifDirectories {
  levels: BifLevel[];
  beside: { directory: TiffDirectory; role: PageRole }[];
  leftOut: number;
}

export const bifFormat: ImageFormat = {
  open: (file, signal) => namingFile(file.fileName, () => openSlide(file, signal)),
};

async function openSlide(file: ImageFile, signal?: AbortSignal): Promise<BackgroundImageSource> {
  const { directories, notes } = await readDirectories(file.file, signal);
  const images = await sortOut(directories, signal);
  if (images.leftOut > 0)
    notes.push(reason('Images not shown, such as labels and thumbnails: {0}', images.leftOut));
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
  // Images beside the slide have no tiles that overlap, and neither has a slide without areas.
  if (!tiles || page !== 0) return TiffSource.open({ ...file, layout }, signal);
  const levels = await placedLevels(images.levels, tiles, tile, file.fileName, signal);
  const [first] = levels;
  if (!first) throw unreadableRaster(file.fileName, reason('The file contains no image'));
  const [main] = layout.series;
  if (main) [main.width, main.height] = [first.width, first.height];
  return new BifSource(file, levels, factsOf(layout, levels, scan, first.image));
}

async function sortOut(
  directories: readonly TiffDirectory[],
  signal: AbortSignal | undefined,
): Promise<BifDirectories> {
  const sorted: BifDirectories = { levels: [], beside: [], leftOut: 0 };
  for (const directory of directories) {
    throwIfCanceled(signal);
    const description = await directory.text(Tag.imageDescription);
    const number = Number(LEVEL.exec(description)?.[1] ?? NaN);
    const magnification = Number(MAGNIFICATION.exec(description)?.[1] ?? NaN);
    if (number === sorted.levels.length && magnification > 0) {
      const before = sorted.levels.at(-1)?.magnification ?? Infinity;
      if (magnification < before) sorted.levels.push({ directory, number, magnification });
    } else if (/^Label[ _]Image/.test(description)) {
      // It shows all of the glass, its label too.
      sorted.beside.push({ directory, role: { kind: 'macro' } });
    } else if (description.startsWith('Thumbnail')) {
      sorted.beside.push({ directory, role: { kind: 'thumbnail' } });
    } else sorted.leftOut++;
  }
  return sorted;
}

/** What the text of the first directory says of the scan. */
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

/** The images of the file, for those without overlaps, and for the list of images. */
async function layoutOf(
  { levels, beside }: BifDirectories,
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
    ...(await Promise.all(beside.map(async ({ directory }) => [await sized(directory)]))),
  ];
  const roles: PageRole[] = [{ kind: 'slide' }, ...beside.map(({ role }) => role)];
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

/** A level whose tiles are placed by areas. */
interface PlacedLevel extends ImageSize {
  image: TiffImage;
  /** How much smaller it is than the finest. */
  factor: number;
  /** Parts of a tile of the file across and down: each is a tile of the finest level. */
  parts: number;
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
      const parts = Math.round(factor);
      if (Math.abs(factor - parts) > 0.01 || parts > Math.min(MAX_FACTOR, tile.width, tile.height))
        throw new DecodingError(reason("The slide's description of its tiles is damaged"));
      const level: PlacedLevel = { image, factor, parts, tiles, width: 0, height: 0 };
      for (const area of tiles.areas) {
        const isThere =
          Math.floor((area.column + area.across - 1) / parts) < image.across &&
          Math.floor((area.row + area.down - 1) / parts) < image.down;
        if (!isThere) throw new DecodingError(reason("The slide's description of its tiles is damaged"));
        const end = (at: number, count: number, advance: number, side: number) =>
          Math.ceil((at + (count - 1) * advance + side) / factor);
        level.width = Math.max(level.width, end(area.x, area.across, tiles.advanceX, tile.width));
        level.height = Math.max(level.height, end(area.y, area.down, tiles.advanceY, tile.height));
      }
      placed.push(level);
    } catch (error) {
      throwIfCanceled(signal);
      // Coarser levels aren't needed.
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

  /** In floats: what no tile covers is NaN, as are tiles that the file leaves out. */
  async read(
    _position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Samples> {
    return namingFile(this.file.fileName, async () => {
      const from = this.levels[level];
      if (!from) throw new CodedError('bad-request', `There is no level ${level}`);
      const length = window.width * window.height;
      const { image } = from;
      const samples = (image.bits > 16 ? new Float64Array(length) : new Float32Array(length)).fill(NaN);
      // Alpha is skipped.
      const sample = image.alpha !== undefined && channel >= image.alpha ? channel + 1 : channel;
      for (const { place, column, row, part } of tilesIn(from, window)) {
        throwIfCanceled(signal);
        const plane = image.planar ? sample : 0;
        try {
          const block = await this.block(from, level, column, row, plane, signal);
          copyChannel(block, image.planar ? 0 : sample, place, samples, window, part);
        } catch (error) {
          // What the disk or the user did is no damage of this tile.
          if (!onDamaged || isCoded(error)) throw error;
          onDamaged(place, error);
        }
      }
      return samples;
    });
  }

  decodedSamples(level: number, window: PixelWindow): number {
    const from = this.levels[level];
    if (!from) return Infinity;
    const { blockWidth, blockHeight } = from.image;
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

/** A tile of the finest level in a coarser one: its place there, and its pixels in the file. */
interface PlacedTile {
  place: PixelWindow;
  column: number;
  row: number;
  part: PixelWindow;
}

/** Tiles that meet a window of a level; right and lower ones first, so that others cover them. */
function* tilesIn({ image, tiles, factor, parts }: PlacedLevel, window: PixelWindow): Generator<PlacedTile> {
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
        const [x0, x1] = partOf(column % parts, parts, blockWidth);
        const [y0, y1] = partOf(row % parts, parts, blockHeight);
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
          column: Math.floor(column / parts),
          row: Math.floor(row / parts),
          part: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
        };
      }
    }
  }
}

/** From where to where the part at a place of a tile of the file reaches. */
function partOf(at: number, parts: number, side: number): [start: number, end: number] {
  return [Math.floor((at * side) / parts), Math.floor(((at + 1) * side) / parts)];
}
