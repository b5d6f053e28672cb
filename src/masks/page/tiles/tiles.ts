import { TILE_SIZE } from '../../../protocol/tiles';
import type { Extent, View } from './viewTransform';

/** A square tile of an image. At `level` its side covers TILE_SIZE · 2^level image pixels. */
export interface Tile {
  level: number;
  x: number;
  y: number;
}

/** Bytes of a tile: four per pixel. */
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

/** Image pixels that a tile's side covers. */
export function tileSpan(level: number): number {
  return TILE_SIZE * 2 ** level;
}

/** The lowest level at which one tile covers the image. */
export function topLevel(image: Extent): number {
  let level = 0;
  while (tileSpan(level) < Math.max(image.width, image.height)) level++;
  return level;
}

/**
 * The level for a scale in screen pixels per image pixel. `sharp`: never fewer tile pixels than
 * screen pixels; `near`: the nearest level.
 */
export function levelFor(scale: number, rounding: 'sharp' | 'near', image: Extent): number {
  const exact = Math.log2(1 / scale);
  const level = rounding === 'sharp' ? Math.floor(exact + 1e-9) : Math.round(exact);
  return Math.min(topLevel(image), Math.max(0, level));
}

/**
 * Tiles of a level that the panel shows, nearest to the middle first. `panel` and `view.scale` are
 * in the same pixels.
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
 * Visible tiles at the ideal level or, to limit memory, at the first coarser level that needs at
 * most `maxTiles` tiles.
 */
export function affordableTiles(
  view: View,
  panel: Extent,
  image: Extent,
  idealLevel: number,
  maxTiles: number,
): Tile[] {
  const top = topLevel(image);
  for (let level = idealLevel; ; level++) {
    const tiles = visibleTiles(view, panel, image, level);
    if (tiles.length <= maxTiles || level >= top) return tiles;
  }
}

/** The tile that covers this one some levels up, and the covering part in pixels of that tile. */
export function ancestor(tile: Tile, levels: number): { tile: Tile; x: number; y: number; size: number } {
  const factor = 2 ** levels;
  const size = TILE_SIZE / factor;
  const parent = {
    level: tile.level + levels,
    x: Math.floor(tile.x / factor),
    y: Math.floor(tile.y / factor),
  };
  return {
    tile: parent,
    x: (tile.x - parent.x * factor) * size,
    y: (tile.y - parent.y * factor) * size,
    size,
  };
}

/** The four tiles that cover this one, one level down. */
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

/** The context of a canvas on the screen or off it. */
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

/** Puts pixels on a surface. What was drawn from it before stays. */
export function fillSurface(surface: Surface, pixels: ImageData): Surface {
  surface.getContext('2d')?.putImageData(pixels, 0, 0);
  return surface;
}

/**
 * Position of a tile on the screen. Borders are at whole screen pixels, so that tiles meet without
 * a seam.
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

/** A loaded tile that is painted in place of another one. `source`: its part, in tile pixels. */
export interface TilePart {
  tile: Tile;
  source: { x: number; y: number; size: number };
  /** The tile whose place is painted. */
  covers: Tile;
}

/**
 * The tiles to paint for a tile, in order: the tile itself if loaded; otherwise part of the nearest
 * coarser tile, and finer tiles over it.
 */
export function substitutes(tile: Tile, top: number, isLoaded: (tile: Tile) => boolean): TilePart[] {
  const whole = { x: 0, y: 0, size: TILE_SIZE };
  if (isLoaded(tile)) return [{ tile, source: whole, covers: tile }];
  const parts: TilePart[] = [];
  for (let levels = 1; tile.level + levels <= top; levels++) {
    const { tile: coarser, ...source } = ancestor(tile, levels);
    if (!isLoaded(coarser)) continue;
    parts.push({ tile: coarser, source, covers: tile });
    break;
  }
  for (const child of children(tile))
    if (isLoaded(child)) parts.push({ tile: child, source: whole, covers: child });
  return parts;
}

/**
 * Draws loaded tiles in place of a missing one: part of the nearest coarser tile, and finer tiles
 * over it.
 */
export function drawSubstitutes(
  frame: CanvasFrame,
  tile: Tile,
  top: number,
  surfaceOf: (tile: Tile) => Surface | undefined,
): void {
  for (const { tile: substitute, source, covers } of substitutes(
    tile,
    top,
    candidate => surfaceOf(candidate) !== undefined,
  )) {
    const surface = surfaceOf(substitute);
    if (!surface) continue;
    const { x, y, width, height } = tileRect(covers, frame);
    frame.context.drawImage(surface, source.x, source.y, source.size, source.size, x, y, width, height);
  }
}
