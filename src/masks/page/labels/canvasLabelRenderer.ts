import { packed } from '../../../base/colors';
import { TILE_SIZE } from '../../../protocol/tiles';
import { unpacked } from '../state/masksLook';
import { ByteBoundCache } from '../tiles/tileLoader';
import {
  type CanvasFrame,
  drawSubstitutes,
  drawTile,
  emptySurface,
  fillSurface,
  type Surface,
  type Tile,
  TILE_BYTES,
  tileKey,
  tileRect,
  tileSpan,
  topLevel,
} from '../tiles/tiles';
import {
  HALO_ALPHA,
  haloOf,
  isSelected,
  type LabelLook,
  type LabelRenderer,
  type LabelTiles,
  lineOpacity,
  type LoadedLabelTile,
  type Mark,
  outlinesSelected,
  opacityOf,
} from './labelTiles';
import {
  countEdges,
  labelEdges,
  objectEdges,
  PADDED_SIZE,
  padLabels,
  paintFill,
  paintOutline,
  type Segments,
} from './paddedLabels';

/**
 * Outlines are strokes of constant width on the screen. Where pixels of a tile are smaller than
 * this and it has too many edges to stroke in a frame, outlines are one tile pixel wide.
 */
const ALWAYS_STROKE_FROM = 3;
const MAX_STROKES = 30_000;
/** Time to make paths and surfaces in one frame; the next frames make the remaining ones. */
const DERIVE_MILLISECONDS = 24;
const MAX_OBJECT_PATHS = 400;
const DERIVED_BYTES = 128 * 2 ** 20;

/** Edges of one color in a tile. */
interface Stroke {
  color: number;
  path: Path2D;
}

/** Data made from a tile's labels. `stamp`: identifies the look and neighbors it was made with. */
interface Derived<T> {
  value: T;
  stamp: string;
}

/** All lines of a frame, and what they were made from. */
interface LineLayer {
  surface: Surface;
  stamp: string;
  labels: readonly (Uint32Array | undefined)[];
}

interface DerivedTile {
  labels: Uint32Array;
  fill?: Derived<Surface> | undefined;
  outline?: Derived<Surface> | undefined;
  strokes?: Derived<Stroke[]> | undefined;
  /** Number of line segments in the strokes. */
  segmentCount?: Derived<number> | undefined;
}

/** Paints labels on a 2D canvas, where WebGL2 isn't available. Reused for all images. */
export class CanvasLabelRenderer implements LabelRenderer {
  private readonly surfaces = new SurfacePool();
  private readonly derived = new ByteBoundCache<DerivedTile>(DERIVED_BYTES, ({ fill, outline }) => {
    this.surfaces.give(fill?.value);
    this.surfaces.give(outline?.value);
  });
  private readonly objectPaths = new Map<string, Path2D>();
  private readonly paddedLabels = new Uint32Array(PADDED_SIZE * PADDED_SIZE);
  /** A tile's pixels before they are copied to its surface; one buffer for all tiles. */
  private readonly pixels = new Uint32Array(TILE_SIZE * TILE_SIZE);
  private palette: Uint32Array = new Uint32Array(1);
  private paletteVersion = 1;
  /**
   * The lines of the previous frame, in the size of the panel. Strokes take most of a frame's time.
   * Half of all frames have the same lines: when an object is hovered or marked, or when the
   * background image loads.
   */
  private layer: LineLayer | undefined;
  /** When the frame must stop making data and paint what it has. */
  private deadline = 0;
  /** Whether the frame stopped at the deadline. */
  private isBehind = false;

  paint(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean {
    if (look.palette !== this.palette) {
      this.palette = look.palette;
      this.paletteVersion++;
    }
    this.deadline = performance.now() + DERIVE_MILLISECONDS;
    this.isBehind = false;
    const { context } = frame;
    context.save();
    const tilePixel = frame.view.scale * 2 ** (inView[0]?.level ?? 0);
    context.imageSmoothingEnabled = tilePixel < 1;
    if (look.opacity > 0 && look.fill) {
      context.globalAlpha = look.opacity;
      this.drawSurfaces(frame, tiles, inView, 'fill');
    }
    context.globalAlpha = 1;
    if (this.affordsStrokes(tiles, inView, tilePixel)) {
      const layer = this.strokedLayer(frame, tiles, inView, look);
      if (layer) context.drawImage(layer.surface, 0, 0);
    } else if (look.opacity > 0) {
      context.globalAlpha = lineOpacity(look.opacity);
      this.drawSurfaces(frame, tiles, inView, 'outline');
    }
    context.restore();
    for (const mark of look.marks) this.strokeMark(frame, tiles, inView, mark);
    return !this.isBehind;
  }

  /** Another image will be painted. */
  clear(): void {
    this.derived.clear();
    this.objectPaths.clear();
    if (this.layer) this.layer = { ...this.layer, stamp: '', labels: [] };
  }

  dispose(): void {
    this.clear();
    this.layer = undefined;
  }

  private affordsStrokes(tiles: LabelTiles, inView: readonly Tile[], tilePixel: number): boolean {
    if (tilePixel >= ALWAYS_STROKE_FROM) return true;
    let segments = 0;
    for (const tile of inView) {
      segments += this.countSegments(tiles, tile);
      if (segments > MAX_STROKES) return false;
    }
    return true;
  }

  private drawSurfaces(
    frame: CanvasFrame,
    tiles: LabelTiles,
    inView: readonly Tile[],
    kind: 'fill' | 'outline',
  ): void {
    const surfaceOf = (tile: Tile) => this.surfaceOf(tiles, tile, kind);
    for (const tile of inView) {
      const surface = surfaceOf(tile);
      if (surface) drawTile(frame, tile, surface);
      else drawSubstitutes(frame, tile, topLevel(tiles.image), surfaceOf);
    }
  }

  /**
   * All lines of a frame as strokes, on a surface in the size of the panel; undefined if there are
   * none.
   */
  private strokedLayer(
    frame: CanvasFrame,
    tiles: LabelTiles,
    inView: readonly Tile[],
    look: LabelLook,
  ): LineLayer | undefined {
    const { opacity } = look;
    const outlined = outlinesSelected(look, frame);
    if (opacity === 0 && !outlined) return undefined;
    const { view, panel } = frame;
    const { width, height } = panel;
    const labels = inView.map(tile => tiles.at(tile)?.labels);
    const stamp = [
      ...[view.x, view.y, view.scale, devicePixelRatio, opacity, outlined],
      ...inView.map(tile => `${tileKey(tile)} ${this.stampOf(tiles, tile)}`),
    ].join();
    const { layer } = this;
    const isFitting = layer?.surface.width === width && layer.surface.height === height;
    const isSame =
      isFitting &&
      layer?.stamp === stamp &&
      layer.labels.every((tileLabels, index) => tileLabels === labels[index]);
    if (isSame) return layer;
    const surface = layer && isFitting ? layer.surface : new OffscreenCanvas(width, height);
    const context = surface.getContext('2d');
    if (!context) return undefined;
    context.clearRect(0, 0, width, height);
    const layerFrame = { ...frame, context };
    if (opacity > 0) {
      context.globalAlpha = lineOpacity(opacity);
      this.drawStrokes(layerFrame, tiles, inView);
      context.globalAlpha = 1;
    }
    if (outlined) this.drawSelected(layerFrame, tiles, inView);
    // Lines that aren't made yet follow in the next frame.
    return (this.layer = { surface, stamp: this.isBehind ? '' : stamp, labels });
  }

  private drawStrokes(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[]): void {
    const { context } = frame;
    const alpha = context.globalAlpha;
    // Thinner where objects are small on the screen: lines mustn't cover them.
    const width = devicePixelRatio * Math.min(1, 0.6 + 0.4 * (frame.view.scale / devicePixelRatio));
    context.lineCap = 'square';
    // All halos first: a later tile's halo would darken outlines of its neighbors.
    const tilesWithStrokes = inView.map(tile => ({ tile, strokes: this.strokes(tiles, tile) }));
    context.globalAlpha = alpha * HALO_ALPHA;
    for (const { tile, strokes } of tilesWithStrokes) {
      inTile(frame, tile, unit => {
        context.lineWidth = 3.5 * width * unit;
        for (const { color, path } of strokes) {
          context.strokeStyle = `rgb(${haloOf(unpacked(color)).join(' ')} / ${opacityOf(color)})`;
          context.stroke(path);
        }
      });
    }
    context.globalAlpha = alpha;
    for (const { tile, strokes } of tilesWithStrokes) {
      inTile(frame, tile, unit => {
        context.lineWidth = 1.5 * width * unit;
        for (const { color, path } of strokes) {
          context.strokeStyle = `rgb(${unpacked(color).join(' ')} / ${opacityOf(color)})`;
          context.stroke(path);
        }
      });
    }
  }

  /** Outlines selected objects in white between thin black lines, at full opacity. */
  private drawSelected(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[]): void {
    const { context } = frame;
    context.lineCap = 'square';
    // Thinner where objects are small on the screen.
    const thickness = Math.min(1, Math.max(2 / 3, frame.view.scale / devicePixelRatio));
    for (const [style, width] of [
      ['black', 3 * thickness],
      ['white', 1.5 * thickness],
    ] as const) {
      context.strokeStyle = style;
      for (const tile of inView) {
        const selected = this.strokes(tiles, tile).filter(({ color }) => isSelected(color));
        if (selected.length === 0) continue;
        inTile(frame, tile, unit => {
          context.lineWidth = width * devicePixelRatio * unit;
          for (const { path } of selected) context.stroke(path);
        });
      }
    }
  }

  /** Strokes the visible border of a marked object. */
  private strokeMark(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], mark: Mark): void {
    const { context } = frame;
    const [x1, y1, x2, y2] = mark.box;
    context.save();
    context.lineCap = 'square';
    for (const [color, width] of [
      [haloOf(mark.line), mark.haloWidth],
      [mark.line, mark.width],
    ] as const) {
      context.strokeStyle = `rgb(${color.join(' ')})`;
      for (const tile of inView) {
        const span = tileSpan(tile.level);
        if (x2 <= tile.x * span || y2 <= tile.y * span) continue;
        if (x1 >= (tile.x + 1) * span || y1 >= (tile.y + 1) * span) continue;
        const path = this.objectPath(tiles, tile, mark.object);
        if (!path) continue;
        inTile(frame, tile, unit => {
          context.lineWidth = width * devicePixelRatio * unit;
          context.stroke(path);
        });
      }
    }
    context.restore();
  }

  private surfaceOf(tiles: LabelTiles, tile: Tile, kind: 'fill' | 'outline'): Surface | undefined {
    const labelTile = tiles.at(tile);
    if (!labelTile) return undefined;
    const entry = this.entry(tile, labelTile);
    const { palette } = this;
    if (kind === 'fill') {
      entry.fill = this.derive(entry.fill, `${this.paletteVersion}`, () => {
        paintFill(entry.labels, palette, this.pixels);
        return fillSurface(entry.fill?.value ?? this.surfaces.take(), pixelsOf(this.pixels));
      });
      return entry.fill?.value;
    }
    entry.outline = this.derive(entry.outline, this.stampOf(tiles, tile), () => {
      padLabels(entry.labels, tiles.neighbors(tile), this.paddedLabels);
      const halos = new Map<number, number>();
      const haloPixel = (color: number) => {
        const halo = halos.get(color) ?? packed(haloOf(unpacked(color)), 255 * HALO_ALPHA * opacityOf(color));
        halos.set(color, halo);
        return halo;
      };
      paintOutline(this.paddedLabels, palette, haloPixel, this.pixels);
      return fillSurface(entry.outline?.value ?? this.surfaces.take(), pixelsOf(this.pixels));
    });
    return entry.outline?.value;
  }

  private strokes(tiles: LabelTiles, tile: Tile): Stroke[] {
    const labelTile = tiles.at(tile);
    if (!labelTile) return [];
    const entry = this.entry(tile, labelTile);
    entry.strokes = this.derive(entry.strokes, this.stampOf(tiles, tile), () => {
      const { padded, last } = this.padded(tiles, tile, entry);
      const groups = labelEdges(padded, this.ownerOf, last);
      return [...groups].map(([owner, segments]) => ({ color: invertAlpha(owner), path: toPath(segments) }));
    });
    return entry.strokes?.value ?? [];
  }

  /** The number of segments decides whether to stroke, so that too many are never built. */
  private countSegments(tiles: LabelTiles, tile: Tile): number {
    const labelTile = tiles.at(tile);
    if (!labelTile) return 0;
    const entry = this.entry(tile, labelTile);
    const stamp = this.stampOf(tiles, tile);
    if (entry.segmentCount?.stamp !== stamp) {
      const { padded, last } = this.padded(tiles, tile, entry);
      entry.segmentCount = { stamp, value: countEdges(padded, this.ownerOf, last) };
    }
    return entry.segmentCount.value;
  }

  /**
   * Owner of an object's edges. The smaller one owns an edge between two objects: the selected
   * object next to a dimmed one.
   */
  private readonly ownerOf = (label: number) => {
    const color = this.palette[label];
    return color ? invertAlpha(color) : -1;
  };

  /** The padded labels of a tile, and the sides on which it is the last tile of the image. */
  private padded(tiles: LabelTiles, tile: Tile, { labels }: DerivedTile) {
    const neighbors = tiles.neighbors(tile);
    const last = { right: neighbors.right === 'outside', below: neighbors.below === 'outside' };
    return { padded: padLabels(labels, neighbors, this.paddedLabels), last };
  }

  private entry(tile: Tile, { labels }: LoadedLabelTile): DerivedTile {
    const key = tileKey(tile);
    const cached = this.derived.get(key);
    if (cached?.labels === labels) return cached;
    const entry = { labels };
    this.derived.set(key, entry, 2 * TILE_BYTES);
    return entry;
  }

  /** The value if its stamp is current, else a new one; after the deadline, the outdated one. */
  private derive<T>(cached: Derived<T> | undefined, stamp: string, make: () => T): Derived<T> | undefined {
    if (cached?.stamp === stamp) return cached;
    if (performance.now() > this.deadline) {
      this.isBehind = true;
      return cached;
    }
    return { stamp, value: make() };
  }

  /** A stamp that changes with the palette and with the neighbors that are loaded. */
  private stampOf(tiles: LabelTiles, tile: Tile): string {
    const { left, right, above, below } = tiles.neighbors(tile);
    return `${this.paletteVersion} ${[left, right, above, below].map(neighbor => (neighbor ? 1 : 0)).join('')}`;
  }

  private objectPath(tiles: LabelTiles, tile: Tile, object: number): Path2D | undefined {
    const labelTile = tiles.at(tile);
    if (!labelTile) return undefined;
    const key = `${object} ${tileKey(tile)} ${labelTile.hidden} ${this.stampOf(tiles, tile)}`;
    const cached = this.objectPaths.get(key);
    if (cached) return cached;
    if (this.objectPaths.size >= MAX_OBJECT_PATHS) this.objectPaths.clear();
    const path = toPath(
      objectEdges(padLabels(labelTile.labels, tiles.neighbors(tile), this.paddedLabels), object + 1),
    );
    this.objectPaths.set(key, path);
    return path;
  }
}

/** Draws in the coordinates of a tile. `unit`: length of a screen pixel there. */
function inTile(frame: CanvasFrame, tile: Tile, draw: (unit: number) => void): void {
  const { x, y, width, height } = tileRect(tile, frame);
  frame.context.save();
  frame.context.transform(width / TILE_SIZE, 0, 0, height / TILE_SIZE, x, y);
  draw(TILE_SIZE / width);
  frame.context.restore();
}

/** Inverts the alpha of a color, so that more opaque colors are smaller numbers. */
function invertAlpha(color: number): number {
  return (color ^ 0xff000000) >>> 0;
}

function pixelsOf(painted: Uint32Array<ArrayBuffer>): ImageData {
  return new ImageData(new Uint8ClampedArray(painted.buffer), TILE_SIZE, TILE_SIZE);
}

function toPath(segments: Segments): Path2D {
  const path = new Path2D();
  for (let i = 0; i < segments.length; i += 4) {
    path.moveTo(segments[i] as number, segments[i + 1] as number);
    path.lineTo(segments[i + 2] as number, segments[i + 3] as number);
  }
  return path;
}

/** Maximum number of spare surfaces: 16 MB. */
const MAX_SPARE_SURFACES = 64;

/**
 * Surfaces of tiles that are no longer shown, to be reused for others. Without reuse, opening image
 * after image would leave old surfaces to the garbage collector, which runs just when an image is
 * to be painted.
 */
class SurfacePool {
  private readonly spare: Surface[] = [];

  /** A surface, perhaps with the pixels of another tile. */
  take(): Surface {
    return this.spare.pop() ?? emptySurface();
  }

  /** Takes a surface back. What was drawn from it stays. */
  give(surface: Surface | undefined): void {
    if (surface && this.spare.length < MAX_SPARE_SURFACES) this.spare.push(surface);
  }
}
