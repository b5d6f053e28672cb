import { reason } from '../../base/reasons';
import { DecodingError } from '../raster';
import { tagsOf, type XmlTag } from '../xmlTags';

/*
 * The positions of a Ventana slide's tiles. The scanner scans an area row by row from the bottom
 * up, every other row from right to left, and numbers the tiles in that order. The file stores them
 * in the order of the image. The XML has the overlap of each pair of neighbors, with a confidence.
 * As in OpenSlide, all tiles get the same distance, from the mean overlap weighted by confidence,
 * because single overlaps can be wrong by many pixels.
 */

/** A scanned area: its tiles in the file's grid, and its first pixel in the finest level. */
interface BifArea {
  column: number;
  row: number;
  across: number;
  down: number;
  x: number;
  y: number;
}

export interface BifTiles {
  areas: BifArea[];
  /** Pixels from one tile to the next. */
  advanceX: number;
  advanceY: number;
}

/** Maximum number of areas, and of tiles in all areas. */
const MAX_AREAS = 1000;
const MAX_TILES = 1e7;
const MAX_POSITION = 2 ** 31;

/** An area as described in the XML: `y` counts from the bottom. */
interface ReadArea extends BifArea {
  isScanned: boolean;
}

/** Reads the finest level's XML. Undefined without areas; throws if it contradicts itself. */
export function readBifTiles(text: string, tile: { width: number; height: number }): BifTiles | undefined {
  const areas: ReadArea[] = [];
  const origins: { x: number; y: number }[] = [];
  const overlap = { x: 0, xWeight: 0, y: 0, yWeight: 0 };
  let isInOrigins = false;
  for (const tag of tagsOf(text)) {
    const { name } = tag;
    if (name === 'ImageInfo') {
      isInOrigins = false;
      areas.push(areaOf(tag, tile));
    } else if (name === 'TileJointInfo') {
      const area = areas.at(-1);
      if (area?.isScanned) addJoint(tag, area, overlap);
    } else if (name === 'AoiOrigin') {
      isInOrigins = true;
    } else if (isInOrigins && tag.attributes.has('OriginX')) {
      origins.push({ x: numberIn(tag, 'OriginX'), y: numberIn(tag, 'OriginY') });
    }
    if (areas.length > MAX_AREAS || origins.length > MAX_AREAS) throw invalid();
  }
  if (areas.length === 0) return undefined;
  if (origins.length !== areas.length) throw invalid();
  for (const [at, area] of areas.entries()) {
    const origin = origins[at] ?? { x: NaN, y: NaN };
    [area.column, area.row] = [origin.x / tile.width, origin.y / tile.height];
    if (area.isScanned && !(isCount(area.column, 0) && isCount(area.row, 0))) throw invalid();
  }
  const scanned = areas.filter(({ isScanned }) => isScanned);
  if (scanned.length === 0) throw invalid();
  const advanceX = tile.width - (overlap.xWeight > 0 ? overlap.x / overlap.xWeight : 0);
  const advanceY = tile.height - (overlap.yWeight > 0 ? overlap.y / overlap.yWeight : 0);
  const isPossible = (advance: number, side: number) => advance >= side / 2 && advance <= 2 * side;
  if (!isPossible(advanceX, tile.width) || !isPossible(advanceY, tile.height)) throw invalid();
  // An area's position is the height of its lower end above a point below all areas.
  const heights = scanned.map(({ down }) => Math.floor((down - 1) * advanceY + tile.height));
  const top = Math.max(...scanned.map(({ y }, at) => Math.trunc(y) + (heights[at] ?? 0)));
  return {
    areas: scanned.map(({ column, row, across, down, x, y }, at) => ({
      ...{ column, row, across, down },
      x: Math.trunc(x),
      y: top - Math.trunc(y) - (heights[at] ?? 0),
    })),
    advanceX,
    advanceY,
  };
}

function invalid(): DecodingError {
  return new DecodingError(reason("The slide's description of its tiles is damaged"));
}

function numberIn({ attributes }: XmlTag, key: string): number {
  const text = attributes.get(key)?.trim();
  const number = text ? Number(text) : NaN;
  if (!(Math.abs(number) < MAX_POSITION)) throw invalid();
  return number;
}

function isCount(number: number, minimum: number): boolean {
  return Number.isInteger(number) && number >= minimum && number < MAX_TILES;
}

function areaOf(tag: XmlTag, tile: { width: number; height: number }): ReadArea {
  const isScanned = numberIn(tag, 'AOIScanned') !== 0;
  const emptyArea = { column: 0, row: 0, across: 0, down: 0, x: 0, y: 0, isScanned };
  if (!isScanned) return emptyArea;
  const [across, down] = [numberIn(tag, 'NumCols'), numberIn(tag, 'NumRows')];
  const isOfTiles = numberIn(tag, 'Width') === tile.width && numberIn(tag, 'Height') === tile.height;
  if (!isOfTiles || !isCount(across, 1) || !isCount(down, 1) || across * down > MAX_TILES) throw invalid();
  return { ...emptyArea, across, down, x: numberIn(tag, 'Pos-X'), y: numberIn(tag, 'Pos-Y') };
}

/** Adds the overlap of two tiles. Throws unless they are neighbors in the stated direction. */
function addJoint(
  tag: XmlTag,
  area: BifArea,
  overlap: { x: number; xWeight: number; y: number; yWeight: number },
): void {
  const [first, second] = [placeOf(numberIn(tag, 'Tile1'), area), placeOf(numberIn(tag, 'Tile2'), area)];
  const direction = tag.attributes.get('Direction');
  const confidence = numberIn(tag, 'Confidence');
  if (confidence < 0) throw invalid();
  const isSameRow = first.row === second.row;
  const isSameColumn = first.column === second.column;
  if (direction === 'RIGHT' || direction === 'LEFT') {
    const step = direction === 'RIGHT' ? 1 : -1;
    if (!isSameRow || second.column !== first.column + step) throw invalid();
    overlap.x += confidence * numberIn(tag, 'OverlapX');
    overlap.xWeight += confidence;
  } else if (direction === 'UP') {
    if (!isSameColumn || second.row !== first.row - 1) throw invalid();
    overlap.y += confidence * numberIn(tag, 'OverlapY');
    overlap.yWeight += confidence;
  } else throw invalid();
}

/** A tile's column and row in its area, from its number in scan order, counted from 1. */
function placeOf(number: number, { across, down }: BifArea): { column: number; row: number } {
  if (!isCount(number, 1) || number > across * down) throw invalid();
  const fromBottom = Math.floor((number - 1) / across);
  const along = (number - 1) % across;
  return { column: fromBottom % 2 === 0 ? along : across - 1 - along, row: down - 1 - fromBottom };
}
