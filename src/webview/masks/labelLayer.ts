import { TILE_SIZE } from '../../protocol/tiles';
import { ByteBoundCache } from './byteBoundCache';
import { labelEdges, objectEdges, type Segments } from './labelEdges';
import { paintFill, paintOutline, type LabelColours } from './labelPaint';
import { padLabels, PADDED_SIZE, type Neighbour, type Neighbours } from './labelTile';
import type { MasksLook } from './masksLook';
import { packed, type Rgb } from './palette';
import { TileLoader } from './tileLoader';
import { affordableTiles, levelFor, tileKey, tileSpan, topLevel, type Tile } from './tileMath';
import {
  drawInstead,
  drawTile,
  makeSurface,
  SURFACE_BYTES,
  tileRect,
  type Frame,
  type Surface,
} from './tileSurface';
import type { Box, Size } from './viewTransform';

const CACHE_BYTES = 176 * 2 ** 20;
const MOST_TILES = 160;
/**
 * Outlines are strokes of a constant width on the screen, unless tile pixels are so small and edges so many that a frame
 * would take too long; then they are whole pixels.
 */
const ALWAYS_STROKE_FROM = 3;
const MOST_STROKES = 30_000;
/** Time a frame may spend on deriving; the rest follows in the next frames. */
const DERIVE_MILLISECONDS = 24;
const MOST_OBJECT_PATHS = 400;
const HALO: Rgb = [0, 0, 0];
const HALO_ALPHA = 0.55;

/** Edges of one class in a tile. */
interface Stroke {
  owner: number;
  path: Path2D;
  pieces: number;
}

/** What was derived from a tile's labels, and from which look and neighbours. */
interface Derived<T> {
  value: T;
  stamp: string;
}

interface LabelTile {
  labels: Uint32Array;
  fill?: Derived<Surface>;
  outline?: Derived<Surface>;
  strokes?: Derived<Stroke[]>;
}

export interface LabelLayerOptions {
  fetch: (tile: Tile, signal: AbortSignal) => Promise<ArrayBuffer>;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/** The masks of one image: fetches the labels in view and paints them in class colours, from cached labels. */
export class LabelLayer {
  private readonly tiles = new ByteBoundCache<LabelTile>(CACHE_BYTES);
  private readonly loader: TileLoader<ArrayBuffer>;
  private readonly objectPaths = new Map<string, Path2D>();
  private readonly padded = new Uint32Array(PADDED_SIZE * PADDED_SIZE);
  private version = 1;
  /** When a frame stops deriving and makes do with what there is, and whether one did. */
  private deadline = 0;
  private behind = false;
  private look: MasksLook = { fill: true, opacity: 0.5, colours: [], hidden: new Set() };
  private coloured: LabelColours | undefined;
  private classes: Uint16Array | undefined;

  constructor(
    private readonly image: Size,
    private readonly options: LabelLayerOptions,
  ) {
    this.loader = new TileLoader({
      parallel: 6,
      fetch: (tile, signal) => options.fetch(tile, signal),
      onTile: (tile, buffer) => {
        this.tiles.set(tileKey(tile), { labels: new Uint32Array(buffer) }, 3 * SURFACE_BYTES);
        options.onChange();
      },
      onFailure: (_, error) => {
        options.onFailure(error);
        options.onChange();
      },
    });
  }

  /** Class of each object, in the order of labels. Nothing is painted before they are known. */
  setClasses(classes: Uint16Array): void {
    this.classes = classes;
    this.setLook(this.look);
  }

  setLook(look: MasksLook): void {
    const recolour = this.classes && (look.colours !== this.look.colours || look.hidden !== this.look.hidden);
    this.look = look;
    if (!recolour && this.coloured) return;
    this.version++;
    const colours = new Uint32Array(look.colours.length);
    look.colours.forEach((colour, i) => (colours[i] = look.hidden.has(i) ? 0 : packed(colour)));
    this.coloured = this.classes && { classes: this.classes, colours };
  }

  /** Paints what is in view and asks for what is missing. Whether all of it was there. */
  draw(frame: Frame): boolean {
    const wanted = this.wanted(frame);
    const missing = wanted.filter(tile => !this.tiles.get(tileKey(tile)));
    // The one tile that shows the whole image stands in for all others while they load.
    const overview: Tile = { level: topLevel(this.image), x: 0, y: 0 };
    const first = this.tiles.get(tileKey(overview)) ? [] : [overview];
    this.loader.want([...first, ...missing]);
    if (!this.coloured || this.look.opacity === 0) return missing.length === 0 && this.coloured !== undefined;
    this.deadline = performance.now() + DERIVE_MILLISECONDS;
    this.behind = false;
    const { context } = frame;
    context.save();
    const tilePixel = this.tilePixel(frame, wanted);
    context.imageSmoothingEnabled = tilePixel < 1;
    if (this.look.fill) {
      context.globalAlpha = this.look.opacity;
      this.drawSurfaces(frame, wanted, 'fill');
    }
    context.globalAlpha = Math.min(1, this.look.opacity + 0.4);
    if (this.affordsStrokes(wanted, tilePixel)) this.drawStrokes(frame, wanted);
    else this.drawSurfaces(frame, wanted, 'outline');
    context.restore();
    if (this.behind) this.options.onChange();
    return !this.behind && (missing.length === 0 || this.loader.idle);
  }

  /** Whether the labels at full size are at hand there, and if so which object (−1 for none). */
  objectAt(x: number, y: number): number | undefined {
    const tile = { level: 0, x: Math.floor(x / TILE_SIZE), y: Math.floor(y / TILE_SIZE) };
    const labels = this.tiles.peek(tileKey(tile))?.labels;
    if (!labels) return undefined;
    return (labels[(y - tile.y * TILE_SIZE) * TILE_SIZE + (x - tile.x * TILE_SIZE)] ?? 0) - 1;
  }

  /** Strokes along the border of one object as far as it is in view. */
  strokeObject(frame: Frame, object: number, box: Box, stroke: (path: Path2D, unit: number) => void): void {
    for (const tile of this.wanted(frame)) {
      const span = tileSpan(tile.level);
      const [x1, y1, x2, y2] = box;
      if (x2 <= tile.x * span || y2 <= tile.y * span) continue;
      if (x1 >= (tile.x + 1) * span || y1 >= (tile.y + 1) * span) continue;
      const entry = this.tiles.peek(tileKey(tile));
      if (!entry) continue;
      const path = this.objectPath(tile, entry, object);
      this.inTile(frame, tile, unit => stroke(path, unit));
    }
  }

  dispose(): void {
    this.loader.dispose();
    this.tiles.clear();
  }

  private wanted({ view, panel }: Frame): Tile[] {
    return affordableTiles(view, panel, this.image, levelFor(view.scale, 'sharp', this.image), MOST_TILES);
  }

  private affordsStrokes(tiles: readonly Tile[], tilePixel: number): boolean {
    if (tilePixel >= ALWAYS_STROKE_FROM) return true;
    let pieces = 0;
    for (const tile of tiles) {
      for (const stroke of this.strokes(tile)) pieces += stroke.pieces;
      if (pieces > MOST_STROKES) return false;
    }
    return true;
  }

  /** Screen pixels per tile pixel. */
  private tilePixel({ view }: Frame, tiles: readonly Tile[]): number {
    return view.scale * 2 ** (tiles[0]?.level ?? 0);
  }

  private drawSurfaces(frame: Frame, tiles: readonly Tile[], kind: 'fill' | 'outline'): void {
    const top = topLevel(this.image);
    const surfaceOf = (tile: Tile) => {
      const entry = this.tiles.peek(tileKey(tile));
      return entry && this.surface(tile, entry, kind);
    };
    for (const tile of tiles) {
      const surface = surfaceOf(tile);
      if (surface) drawTile(frame, tile, surface);
      else drawInstead(frame, tile, top, surfaceOf);
    }
  }

  private drawStrokes(frame: Frame, tiles: readonly Tile[]): void {
    const { context } = frame;
    const alpha = context.globalAlpha;
    // Thinner where objects are small on the screen: lines must not be all one sees of them.
    const width = devicePixelRatio * Math.min(1, 0.6 + 0.4 * (frame.view.scale / devicePixelRatio));
    context.lineCap = 'square';
    // All halos first, or those of one tile would darken its neighbours' outlines.
    const halo = `rgb(${HALO.join(' ')})`;
    const stroked = tiles.map(tile => ({ tile, strokes: this.strokes(tile) }));
    context.strokeStyle = halo;
    context.globalAlpha = alpha * HALO_ALPHA;
    for (const { tile, strokes } of stroked) {
      this.inTile(frame, tile, unit => {
        context.lineWidth = 3.5 * width * unit;
        for (const { path } of strokes) context.stroke(path);
      });
    }
    context.globalAlpha = alpha;
    for (const { tile, strokes } of stroked) {
      this.inTile(frame, tile, unit => {
        context.lineWidth = 1.5 * width * unit;
        for (const { owner, path } of strokes) {
          context.strokeStyle = `rgb(${(this.look.colours[owner] ?? HALO).join(' ')})`;
          context.stroke(path);
        }
      });
    }
  }

  /** Runs with the canvas in a tile's own pixels; `unit` is the length of one screen pixel there. */
  private inTile(frame: Frame, tile: Tile, draw: (unit: number) => void): void {
    const { x, y, width, height } = tileRect(tile, frame);
    frame.context.save();
    frame.context.transform(width / TILE_SIZE, 0, 0, height / TILE_SIZE, x, y);
    draw(TILE_SIZE / width);
    frame.context.restore();
  }

  private surface(tile: Tile, entry: LabelTile, kind: 'fill' | 'outline'): Surface | undefined {
    const look = this.coloured;
    if (!look) return undefined;
    if (kind === 'fill') {
      entry.fill = this.derive(entry.fill, `${this.version}`, () => {
        const pixels = new Uint32Array(TILE_SIZE * TILE_SIZE);
        paintFill(entry.labels, look, pixels);
        return makeSurface(new Uint8ClampedArray(pixels.buffer));
      });
      return entry.fill?.value;
    }
    entry.outline = this.derive(entry.outline, this.stamp(tile), () => {
      const pixels = new Uint32Array(TILE_SIZE * TILE_SIZE);
      padLabels(entry.labels, this.neighbours(tile), this.padded);
      paintOutline(this.padded, look, packed(HALO, 255 * HALO_ALPHA), pixels);
      return makeSurface(new Uint8ClampedArray(pixels.buffer));
    });
    return entry.outline?.value;
  }

  private strokes(tile: Tile): Stroke[] {
    const entry = this.tiles.peek(tileKey(tile));
    const look = this.coloured;
    if (!entry || !look) return [];
    entry.strokes = this.derive(entry.strokes, this.stamp(tile), () => {
      const { hidden } = this.look;
      const ownerOf = (label: number) => {
        const owner = label === 0 ? -1 : (look.classes[label - 1] ?? 0);
        return hidden.has(owner) ? -1 : owner;
      };
      const next = this.neighbours(tile);
      const last = { right: next.right === 'outside', below: next.below === 'outside' };
      const groups = labelEdges(padLabels(entry.labels, next, this.padded), ownerOf, last);
      return [...groups].map(([owner, segments]) => ({
        owner,
        path: toPath(segments),
        pieces: segments.length / 4,
      }));
    });
    return entry.strokes?.value ?? [];
  }

  /** The value of that stamp; or, when the frame has no time left, the one there was before. */
  private derive<T>(known: Derived<T> | undefined, stamp: string, make: () => T): Derived<T> | undefined {
    if (known?.stamp === stamp) return known;
    if (performance.now() > this.deadline) {
      this.behind = true;
      return known;
    }
    return { stamp, value: make() };
  }

  /** Changes with the look and with the neighbours that are there. */
  private stamp(tile: Tile): string {
    const { left, right, above, below } = this.neighbours(tile);
    return `${this.version} ${[left, right, above, below].map(each => (each ? 1 : 0)).join('')}`;
  }

  private objectPath(tile: Tile, entry: LabelTile, object: number): Path2D {
    const key = `${object} ${tileKey(tile)} ${this.stamp(tile)}`;
    const known = this.objectPaths.get(key);
    if (known) return known;
    if (this.objectPaths.size >= MOST_OBJECT_PATHS) this.objectPaths.clear();
    const path = toPath(objectEdges(padLabels(entry.labels, this.neighbours(tile), this.padded), object + 1));
    this.objectPaths.set(key, path);
    return path;
  }

  private neighbours({ level, x, y }: Tile): Neighbours {
    const span = tileSpan(level);
    const at = (nextX: number, nextY: number): Neighbour => {
      const inside =
        nextX >= 0 && nextY >= 0 && nextX * span < this.image.width && nextY * span < this.image.height;
      return inside ? this.tiles.peek(tileKey({ level, x: nextX, y: nextY }))?.labels : 'outside';
    };
    return { left: at(x - 1, y), right: at(x + 1, y), above: at(x, y - 1), below: at(x, y + 1) };
  }
}

function toPath(segments: Segments): Path2D {
  const path = new Path2D();
  for (let i = 0; i < segments.length; i += 4) {
    path.moveTo(segments[i] ?? 0, segments[i + 1] ?? 0);
    path.lineTo(segments[i + 2] ?? 0, segments[i + 3] ?? 0);
  }
  return path;
}
