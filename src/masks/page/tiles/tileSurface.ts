import { TILE_SIZE } from '../../../protocol/tiles';
import { ancestor, children, tileSpan, type FrameView, type Tile } from './tileMath';

/** Pixels of one tile, ready to be drawn. */
export type Surface = OffscreenCanvas;

/** One frame being painted. */
export interface CanvasFrame extends FrameView {
  context: CanvasRenderingContext2D;
}

/** A surface from RGBA pixels, row-major, TILE_SIZE², not premultiplied. */
export function makeSurface(pixels: Uint8ClampedArray<ArrayBuffer>): Surface {
  return fillSurface(emptySurface(), new ImageData(pixels, TILE_SIZE, TILE_SIZE));
}

export function emptySurface(): Surface {
  return new OffscreenCanvas(TILE_SIZE, TILE_SIZE);
}

/** Gives a surface other pixels; what was drawn of it before stays as it is. */
export function fillSurface(surface: Surface, pixels: ImageData): Surface {
  surface.getContext('2d')?.putImageData(pixels, 0, 0);
  return surface;
}

/** Where a tile stands on the screen. Its borders are whole screen pixels, so tiles meet without a seam. */
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

/** Part of a loaded tile that stands for (a part of) a tile that may not be; `source` in tile pixels. */
export interface TilePart {
  tile: Tile;
  source: { x: number; y: number; size: number };
  /** Where it is painted: over the place of this tile. */
  covers: Tile;
}

/** What to paint for a tile, in order: itself, or part of the nearest coarser tile with the finer ones over it. */
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

/** Draws what is loaded in place of a tile that is not: part of the nearest coarser tile, and finer ones over it. */
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
