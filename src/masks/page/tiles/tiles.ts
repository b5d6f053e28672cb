import { TILE_SIZE } from '../../../protocol/tiles';
import type { Extent, View } from './viewTransform';

/** A square tile of an image; at `level` it covers TILE_SIZE · 2^level image pixels a side. */
export interface Tile {
  level: number;
  x: number;
  y: number;
}

/** Bytes of a tile's pixels, four each. */
export const TILE_BYTES = TILE_SIZE * TILE_SIZE * 4;

/** The visible part of an image in a frame. `panel` and `view.scale` are in screen pixels. */
export interface FrameView {
  view: View;
  panel: Extent;
  image: Extent;
}

export function tileKey({ level, x, y }: Tile): string {
  return `${level}/${x}/${y}`;
}

/** Image pixels a tile covers, a side. */
export function tileSpan(level: number): number {
  return TILE_SIZE * 2 ** level;
}

/** The lowest level at which the image is a single tile. */
export function topLevel(image: Extent): number {
  let level = 0;
  while (tileSpan(level) < Math.max(image.width, image.height)) level++;
  return level;
}

/**
 * The level for a scale (screen pixels per image pixel): `sharp` never shows fewer tile pixels than
 * screen pixels, `near` takes the nearer of the two levels.
 */
export function levelFor(scale: number, rounding: 'sharp' | 'near', image: Extent): number {
  const exact = Math.log2(1 / scale);
  const level = rounding === 'sharp' ? Math.floor(exact + 1e-9) : Math.round(exact);
  return Math.min(topLevel(image), Math.max(0, level));
}

/**
 * Tiles of a level in the panel, nearest to the middle first. `panel` and `view.scale` in the same
 * pixels.
 */
export function visibleTiles(view: View, panel: Extent, image: Extent, level: number): Tile[] {
  const span = tileSpan(level);
  const range = (middle: number, half: number, length: number) => {
    const first = Math.max(0, Math.floor((middle - half) / span));
    const last = Math.min(Math.ceil(length / span) - 1, Math.ceil((middle + half) / span) - 1);
    return { first, last };
  };
  const columns = range(view.x, panel.width / 2 / view.scale, image.width);
  const rows = range(view.y, panel.height / 2 / view.scale, image.height);
  const tiles: Tile[] = [];
  for (let y = rows.first; y <= rows.last; y++) {
    for (let x = columns.first; x <= columns.last; x++) tiles.push({ level, x, y });
  }
  const distance = (tile: Tile) =>
    ((tile.x + 0.5) * span - view.x) ** 2 + ((tile.y + 0.5) * span - view.y) ** 2;
  return tiles.sort((a, b) => distance(a) - distance(b));
}

/**
 * Visible tiles at the wanted level, or at the first coarser one that needs at most `most` tiles,
 * to limit memory.
 */
export function affordableTiles(
  view: View,
  panel: Extent,
  image: Extent,
  wanted: number,
  most: number,
): Tile[] {
  const top = topLevel(image);
  for (let level = wanted; ; level++) {
    const tiles = visibleTiles(view, panel, image, level);
    if (tiles.length <= most || level >= top) return tiles;
  }
}

/** The tile one or more levels up that covers this one, and the covering part, in tile pixels. */
export function ancestor(tile: Tile, levels: number): { tile: Tile; x: number; y: number; size: number } {
  const factor = 2 ** levels;
  const size = TILE_SIZE / factor;
  const up = { level: tile.level + levels, x: Math.floor(tile.x / factor), y: Math.floor(tile.y / factor) };
  return { tile: up, x: (tile.x - up.x * factor) * size, y: (tile.y - up.y * factor) * size, size };
}

/** The four tiles one level down. */
export function children(tile: Tile): Tile[] {
  if (tile.level === 0) return [];
  const level = tile.level - 1;
  const [x, y] = [tile.x * 2, tile.y * 2];
  return [
    { level, x, y },
    { level, x: x + 1, y },
    { level, x, y: y + 1 },
    { level, x: x + 1, y: y + 1 },
  ];
}

/** Pixels of one tile, ready to be drawn. */
export type Surface = OffscreenCanvas;

/** Of a canvas on the screen, or of one beside it. */
export type CanvasContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** One frame being painted. */
export interface CanvasFrame extends FrameView {
  context: CanvasContext;
}

/** A surface from RGBA pixels, row-major, TILE_SIZE², not premultiplied. */
export function makeSurface(pixels: Uint8ClampedArray<ArrayBuffer>): Surface {
  return fillSurface(emptySurface(), new ImageData(pixels, TILE_SIZE, TILE_SIZE));
}

export function emptySurface(): Surface {
  return new OffscreenCanvas(TILE_SIZE, TILE_SIZE);
}

/** Resizes a surface; earlier drawings of it stay. */
export function fillSurface(surface: Surface, pixels: ImageData): Surface {
  surface.getContext('2d')?.putImageData(pixels, 0, 0);
  return surface;
}

/**
 * Position of a tile on the screen. Its borders are whole screen pixels, so tiles meet without a
 * seam.
 */
export function tileRect(
  tile: Tile,
  { view, panel }: CanvasFrame,
): { x: number; y: number; width: number; height: number } {
  const span = tileSpan(tile.level);
  const screenX = (x: number) => Math.round((x - view.x) * view.scale + panel.width / 2);
  const screenY = (y: number) => Math.round((y - view.y) * view.scale + panel.height / 2);
  const [x, y] = [screenX(tile.x * span), screenY(tile.y * span)];
  return { x, y, width: screenX((tile.x + 1) * span) - x, height: screenY((tile.y + 1) * span) - y };
}

/** Draws a tile's surface. */
export function drawTile(frame: CanvasFrame, tile: Tile, surface: Surface): void {
  const { x, y, width, height } = tileRect(tile, frame);
  frame.context.drawImage(surface, x, y, width, height);
}

/** Part of a loaded tile in place of a tile, or a part of it; `source` in tile pixels. */
export interface TilePart {
  tile: Tile;
  source: { x: number; y: number; size: number };
  /** Its target: over the place of this tile. */
  covers: Tile;
}

/**
 * The tiles to paint for a tile, in order: itself, or part of the nearest coarser one with finer
 * ones over it.
 */
export function substitutes(tile: Tile, top: number, isLoaded: (tile: Tile) => boolean): TilePart[] {
  const whole = { x: 0, y: 0, size: TILE_SIZE };
  if (isLoaded(tile)) return [{ tile, source: whole, covers: tile }];
  const parts: TilePart[] = [];
  for (let levels = 1; tile.level + levels <= top; levels++) {
    const up = ancestor(tile, levels);
    if (!isLoaded(up.tile)) continue;
    parts.push({ tile: up.tile, source: { x: up.x, y: up.y, size: up.size }, covers: tile });
    break;
  }
  for (const child of children(tile))
    if (isLoaded(child)) parts.push({ tile: child, source: whole, covers: child });
  return parts;
}

/**
 * Draws loaded tiles in place of a missing one: part of the nearest coarser tile, and finer ones
 * over it.
 */
export function drawInstead(
  frame: CanvasFrame,
  tile: Tile,
  top: number,
  surfaceOf: (tile: Tile) => Surface | undefined,
): void {
  for (const { tile: from, source, covers } of substitutes(
    tile,
    top,
    each => surfaceOf(each) !== undefined,
  )) {
    const surface = surfaceOf(from);
    if (!surface) continue;
    const { x, y, width, height } = tileRect(covers, frame);
    frame.context.drawImage(surface, source.x, source.y, source.size, source.size, x, y, width, height);
  }
}
