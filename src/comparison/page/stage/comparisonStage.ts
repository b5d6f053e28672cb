import { t } from '../../../pages/page/l10n';
import { effect, untracked } from '@preact/signals';
import { packed, type Rgb, toHex } from '../../../base/colors';
import { receivedLabels } from '../../../archives/labelRuns';
import { BackgroundImageLayer } from '../../../masks/page/stage/backgroundImageLayer';
import { CanvasView, paintRegion } from '../../../masks/page/stage/canvasView';
import { ThemeColors } from '../../../masks/page/stage/themeColors';
import { ByteBoundCache, TileLoader } from '../../../masks/page/tiles/tileLoader';
import {
  affordableTiles,
  ancestor,
  type CanvasContext,
  type CanvasFrame,
  drawTile,
  levelFor,
  makeSurface,
  type Surface,
  type Tile,
  tileKey,
  tileRect,
  tileSpan,
  topLevel,
} from '../../../masks/page/tiles/tiles';
import type { Point } from '../../../masks/page/tiles/viewTransform';
import { element } from '../../../pages/page/widgets/element';
import { TILE_SIZE } from '../../../protocol/tiles';
import type { ComparedSide } from '../../comparison';
import type { ComparisonPanelPort } from '../../comparisonPage';
import type { ComparisonStore } from '../state/comparisonStore';
import { outcomeColors, outcomeOf, type OutcomesOfImage, sideColors } from '../state/outcomes';
import { svgPath, traceOutlines } from './outlines';

/** Maximum memory for the tiles of each side, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Maximum number of tiles of a side in one frame; a tile has 256 KB. */
const MAX_TILES = 160;
/** Number of parallel requests for tiles of a side. */
const PARALLEL = 4;
/** Width of an outline, and of its dark halo, in CSS pixels. */
const LINE_WIDTH = 2;
const HALO_WIDTH = 4;
/** Lengths of a dash and a gap. */
const DASHES = [6, 4];
/** Opacity of filled objects, 0…255: lower for matched ones, as users search for the others. */
const MATCHED_FILL = 70;
const OTHER_FILL = 130;
const SIDES = ['a', 'b'] as const;

/** The outline of an object. */
interface MarkedPath {
  object: number;
  path: Path2D;
}

/** A label tile of a side, with its outlines. */
interface SideTile {
  labels: Uint32Array<ArrayBuffer>;
  /** The value of SideLayer.filterVersion when the tile was requested. */
  filterVersion: number;
  /** The filter versions of the neighbors that the outlines were made with, as one text. */
  neighborKey?: string;
  lines?: Int16Array[];
  path?: Path2D;
  /** The filled objects of this side, without pixels that the other side's labels cover. */
  fill?: { outcomes: OutcomesOfImage; covering: Uint32Array | undefined; surface: Surface };
  selected?: MarkedPath;
  hovered?: MarkedPath;
}

/** The middle of the page: the current image with the objects of both sides. */
export class ComparisonStage {
  readonly root = element('main', { class: 'stage' });
  readonly canvas: CanvasView;
  private readonly layers: Record<ComparedSide, SideLayer>;
  private backgroundLayer: BackgroundImageLayer | undefined;
  private readonly theme = new ThemeColors(() => this.canvas.redraw());

  constructor(
    private readonly store: ComparisonStore,
    private readonly panel: Pick<ComparisonPanelPort, 'request'>,
  ) {
    const layer = (side: ComparedSide) => new SideLayer(side, store, panel, () => this.canvas.redraw());
    this.layers = { a: layer('a'), b: layer('b') };
    this.canvas = new CanvasView({
      paint: frame => {
        this.paint(frame);
        return true;
      },
      onPoint: () => undefined,
      onClick: ({ x, y }) => void store.selection.selectAt(x, y),
      onView: () => undefined,
      onRegion: polygon => void store.compareRegion(polygon),
    });
    this.root.append(this.canvas.canvas);
    effect(() => {
      // Reads no other signals: a change of the threshold must not move the view.
      void store.images.inView.value;
      for (const side of SIDES) this.layers[side].forget();
      this.canvas.setImage(store.images.size.peek());
      this.canvas.describe(
        t(
          '{0}: objects of A as solid outlines, of B as dashed ones',
          untracked(() => store.images.nameOf(store.images.position.value)),
        ),
      );
    });
    effect(() => {
      const { value: shown } = store.objects.shown;
      for (const side of SIDES) this.layers[side].showOnly(shown?.[side]);
    });
    effect(() => {
      void [store.images.inView.value, store.backgroundImage.isShown.value];
      untracked(() => void store.backgroundImage.find());
    });
    effect(() => this.showBackgroundImage());
    effect(() => {
      this.canvas.pointer.tool = store.look.isDrawing.value ? 'lasso' : 'move';
    });
    // The signals that painting reads.
    effect(() => {
      const { look, selection } = store;
      const { outcomes } = store.objects;
      const { state } = store.comparing;
      const sides = [look.isShown('a'), look.isShown('b')];
      [outcomes, look.isColored, selection.object, selection.hovered, state, ...sides].map(
        signal => signal.value,
      );
      this.canvas.redraw();
    });
    effect(() => this.reveal());
  }

  /** The current view as PNG. */
  async png(): Promise<ArrayBuffer> {
    return (await this.canvas.capture(() => undefined)).arrayBuffer();
  }

  /** The outlines in view as SVG, in pixels of the image. */
  svg(): Promise<ArrayBuffer> {
    const { width, height } = this.store.images.size.peek();
    const paths = SIDES.filter(side => this.store.look.isShown(side).peek()).map(side => {
      const dash = side === 'b' ? ` stroke-dasharray="${DASHES.join(' ')}"` : '';
      const color = toHex(sideColors[side]);
      return `<path id="${side.toUpperCase()}" d="${this.layers[side].svgPath()}" stroke="${color}"${dash} vector-effect="non-scaling-stroke"/>`;
    });
    const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<g fill="none" stroke-width="2">
${paths.join('\n')}
</g>
</svg>
`;
    return Promise.resolve(new TextEncoder().encode(file).buffer);
  }

  /** Shows the background image, if one was found. */
  private showBackgroundImage(): void {
    const { store, panel } = this;
    const { backgroundImage: info, stretched = false } = store.backgroundImage.pairing.value ?? {};
    this.backgroundLayer?.dispose();
    this.backgroundLayer =
      info &&
      new BackgroundImageLayer(info, {
        fetch: (tile, look, signal) =>
          panel.request(
            'backgroundImageTile',
            { backgroundImage: info.backgroundImage, ...tile, look },
            signal,
          ),
        onChange: () => this.canvas.redraw(),
        onDamaged: () =>
          store.messages.failed(
            new Error('Parts of the image are damaged'),
            t.later("Hatched parts of the image are damaged and can't be decoded"),
          ),
        onFailure: error => store.messages.failed(error),
      });
    if (this.backgroundLayer) this.backgroundLayer.stretched = stretched;
    this.canvas.redraw();
  }

  private paint(frame: CanvasFrame): void {
    const { context, panel, image, view } = frame;
    const { store, theme } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.backdrop;
    context.fillRect(0, 0, panel.width, panel.height);
    if (!store.images.pair.peek()) return;
    const [left, top] = [
      (0 - view.x) * view.scale + panel.width / 2,
      (0 - view.y) * view.scale + panel.height / 2,
    ];
    const [width, height] = [image.width * view.scale, image.height * view.scale];
    context.fillStyle = theme.background;
    context.fillRect(left, top, width, height);
    this.backgroundLayer?.draw(frame);
    context.lineWidth = devicePixelRatio;
    context.strokeStyle = theme.edge;
    context.strokeRect(left, top, width, height);
    const shown = SIDES.filter(side => store.look.isShown(side).peek());
    for (const side of shown) this.layers[side].want(frame);
    if (store.look.isColored.peek()) {
      const { a, b } = this.layers;
      if (shown.includes('a')) a.paintFill(frame);
      if (shown.includes('b')) b.paintFill(frame, shown.includes('a') ? a : undefined);
    }
    for (const side of shown) this.layers[side].paintOutlines(frame);
    const hovered = store.selection.hovered.peek();
    if (hovered && shown.includes(hovered.side))
      this.layers[hovered.side].paintMarked(frame, hovered.object, 'hovered');
    const { a, b } = store.selection.pair.peek();
    if (a !== undefined && shown.includes('a')) this.layers.a.paintMarked(frame, a, 'selected');
    if (b !== undefined && shown.includes('b')) this.layers.b.paintMarked(frame, b, 'selected');
    const { region } = store.comparing.state.peek();
    if (region) paintRegion(frame, cornersOf(region));
  }

  /** Moves the view to the selected object. */
  private reveal(): void {
    const ref = this.store.selection.object.value;
    if (!ref) return;
    const facts = this.store.objects.facts(ref.side, ref.object).current.value;
    if (facts) this.canvas.reveal(facts.bbox, true);
  }
}

/** The labels of one side of the current image, tile by tile. */
class SideLayer {
  private readonly tiles = new ByteBoundCache<SideTile>(MAX_BYTES);
  private loader = this.newLoader();
  private inView: Tile[] = [];
  /** A bit for each object that the filters of the pairs table hide; undefined without filters. */
  private hiddenObjects: ArrayBuffer | undefined;
  /** Counts changes of the filters. Older tiles are shown until new ones arrive. */
  private filterVersion = 0;

  constructor(
    private readonly side: ComparedSide,
    private readonly store: ComparisonStore,
    private readonly panel: Pick<ComparisonPanelPort, 'request'>,
    private readonly redraw: () => void,
  ) {}

  /** Drops all tiles, since another image is in view. */
  forget(): void {
    this.loader.dispose();
    this.loader = this.newLoader();
    this.tiles.clear();
    this.inView = [];
  }

  /** Hides the objects with 0 in `shown`; undefined shows all objects. */
  showOnly(shown: Uint8Array | undefined): void {
    if (!shown && !this.hiddenObjects) return;
    const bits = shown && new Uint8Array((shown.length + 7) >> 3);
    shown?.forEach((isShown, object) => {
      if (bits && isShown === 0) bits[object >> 3] = (bits[object >> 3] as number) | (1 << (object & 7));
    });
    this.hiddenObjects = bits?.buffer;
    this.filterVersion++;
    // Pending requests have the earlier filters.
    this.loader.dispose();
    this.loader = this.newLoader();
    this.redraw();
  }

  /**
   * Requests visible tiles and their right and lower neighbors, which outlines at the edge need.
   */
  want({ view, panel, image }: CanvasFrame): void {
    this.inView = affordableTiles(view, panel, image, levelFor(view.scale, 'near', image), MAX_TILES);
    const tilesByKey = new Map(this.inView.map(tile => [tileKey(tile), tile]));
    for (const tile of this.inView) {
      for (const next of [right(tile), below(tile)])
        if (isInside(next, image)) tilesByKey.set(tileKey(next), next);
    }
    const isCurrent = (tile: Tile) => this.tiles.peek(tileKey(tile))?.filterVersion === this.filterVersion;
    this.loader.want([...tilesByKey.values()].filter(tile => !isCurrent(tile)));
  }

  /** Fills objects by outcome, except pixels with labels of the layer `covering`. */
  paintFill(frame: CanvasFrame, covering?: SideLayer): void {
    const outcomes = this.store.objects.outcomes.peek();
    if (!outcomes) return;
    frame.context.imageSmoothingEnabled = false;
    for (const [tile, sideTile] of this.tilesToPaint(frame)) {
      const coveringLabels = covering?.tiles.peek(tileKey(tile))?.labels;
      if (sideTile.fill?.outcomes !== outcomes || sideTile.fill.covering !== coveringLabels) {
        const surface = fillSurface(sideTile.labels, this.side, outcomes, coveringLabels);
        sideTile.fill = { outcomes, covering: coveringLabels, surface };
      }
      drawTile(frame, tile, sideTile.fill.surface);
    }
  }

  paintOutlines(frame: CanvasFrame): void {
    const { context } = frame;
    // In a shrunken image, full width would hide the surroundings.
    const thickness = Math.min(1, Math.max(0.5, frame.view.scale / devicePixelRatio));
    for (const [tile, sideTile] of this.tilesToPaint(frame)) {
      this.trace(tile, sideTile, frame.image);
      if (!sideTile.path) continue;
      const { scale } = transformToTile(frame, tile);
      context.lineJoin = 'round';
      context.setLineDash(
        this.side === 'b' ? DASHES.map(length => (thickness * length * devicePixelRatio) / scale) : [],
      );
      stroke(
        context,
        sideTile.path,
        'rgb(0 0 0 / 0.55)',
        (thickness * HALO_WIDTH * devicePixelRatio) / scale,
      );
      stroke(
        context,
        sideTile.path,
        cssColor(sideColors[this.side]),
        (thickness * LINE_WIDTH * devicePixelRatio) / scale,
      );
      context.setLineDash([]);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  /** Paints the outline of an object in white, wider if it is selected. */
  paintMarked(frame: CanvasFrame, object: number, mark: 'selected' | 'hovered'): void {
    const { context } = frame;
    const widths = mark === 'selected' ? { halo: 2, line: 1.5 } : { halo: 1.25, line: 1 };
    for (const [tile, sideTile] of this.tilesToPaint(frame)) {
      let marked = sideTile[mark];
      if (marked?.object !== object) {
        const objectLabels = sideTile.labels.map(label => (label === object + 1 ? 1 : 0));
        const lines = traceOutlines(objectLabels, TILE_SIZE, this.neighborsOf(tile, frame.image, object + 1));
        marked = sideTile[mark] = { object, path: pathOf(lines) };
      }
      const { scale } = transformToTile(frame, tile);
      context.setLineDash(this.side === 'b' ? DASHES.map(length => (length * devicePixelRatio) / scale) : []);
      stroke(context, marked.path, 'black', (widths.halo * HALO_WIDTH * devicePixelRatio) / scale);
      stroke(context, marked.path, 'white', (widths.line * LINE_WIDTH * devicePixelRatio) / scale);
      context.setLineDash([]);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  /** The outlines of the tiles in view, in pixels of the image. */
  svgPath(): string {
    return this.inView
      .map(tile => {
        const span = tileSpan(tile.level);
        const lines = this.tiles.peek(tileKey(tile))?.lines ?? [];
        return svgPath(lines, tile.x * span, tile.y * span, span / TILE_SIZE);
      })
      .join('');
  }

  /** The loaded tiles in view. A coarser tile replaces a missing one, clipped to its position. */
  private *tilesToPaint(frame: CanvasFrame): Generator<[Tile, SideTile]> {
    const { context, image } = frame;
    for (const tile of this.inView) {
      const sideTile = this.tiles.get(tileKey(tile));
      if (sideTile) {
        yield [tile, sideTile];
        continue;
      }
      for (let levels = 1; tile.level + levels <= topLevel(image); levels++) {
        const { tile: coarseTile } = ancestor(tile, levels);
        const coarseSideTile = this.tiles.get(tileKey(coarseTile));
        if (!coarseSideTile) continue;
        context.save();
        context.setTransform(1, 0, 0, 1, 0, 0);
        const { x, y, width, height } = tileRect(tile, frame);
        context.beginPath();
        context.rect(x, y, width, height);
        context.clip();
        yield [coarseTile, coarseSideTile];
        context.restore();
        break;
      }
    }
  }

  /** Makes the outlines of a tile, unless it has them and its neighbors are unchanged. */
  private trace(tile: Tile, sideTile: SideTile, image: { width: number; height: number }): void {
    const neighbors = this.neighborsOf(tile, image);
    const neighborKey = [right(tile), below(tile)]
      .map(next => this.tiles.peek(tileKey(next))?.filterVersion ?? '?')
      .join();
    if (sideTile.neighborKey === neighborKey) return;
    sideTile.neighborKey = neighborKey;
    sideTile.lines = traceOutlines(sideTile.labels, TILE_SIZE, neighbors);
    sideTile.path = pathOf(sideTile.lines);
  }

  /** The neighbors of a tile; with `only`, their labels of one object. */
  private neighborsOf(tile: Tile, image: { width: number; height: number }, only?: number) {
    const labelsOf = (next: Tile) => {
      if (!isInside(next, image)) return 'outside' as const;
      const labels = this.tiles.peek(tileKey(next))?.labels;
      return only === undefined ? labels : labels?.map(label => (label === only ? 1 : 0));
    };
    return {
      right: labelsOf(right(tile)),
      below: labelsOf(below(tile)),
      isLeftmost: tile.x === 0,
      isTopmost: tile.y === 0,
    };
  }

  private newLoader(): TileLoader<Uint32Array<ArrayBuffer>> {
    return new TileLoader({
      parallel: PARALLEL,
      fetch: async (tile, signal) => {
        const pair = this.store.images.pair.peek();
        const image = pair?.[this.side] ?? 0;
        const { side, hiddenObjects: hidden } = this;
        const params = { side, image, ...tile, ...(hidden && { hidden }) };
        const response = await this.panel.request('comparedTile', params, signal);
        return receivedLabels(response, TILE_SIZE ** 2);
      },
      onTile: (tile, labels) => {
        // The outlines and the surface of a tile need about as much memory again.
        this.tiles.set(tileKey(tile), { labels, filterVersion: this.filterVersion }, 2 * labels.byteLength);
        this.redraw();
      },
      onFailure: (_, error) => this.store.messages.failed(error),
    });
  }
}

function right({ level, x, y }: Tile): Tile {
  return { level, x: x + 1, y };
}

function below({ level, x, y }: Tile): Tile {
  return { level, x, y: y + 1 };
}

function isInside({ level, x, y }: Tile, image: { width: number; height: number }): boolean {
  const span = tileSpan(level);
  return x * span < image.width && y * span < image.height;
}

/** Sets the context to pixels of a tile; returns the size of such a pixel on screen. */
function transformToTile(frame: CanvasFrame, tile: Tile): { scale: number } {
  const span = tileSpan(tile.level);
  const { view, panel, context } = frame;
  const scale = (span / TILE_SIZE) * view.scale;
  const x = (tile.x * span - view.x) * view.scale + panel.width / 2;
  const y = (tile.y * span - view.y) * view.scale + panel.height / 2;
  context.setTransform(scale, 0, 0, scale, x, y);
  return { scale };
}

function stroke(context: CanvasContext, path: Path2D, color: string, width: number): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke(path);
}

function pathOf(lines: readonly Int16Array[]): Path2D {
  const path = new Path2D();
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      const [x, y] = [line[i] as number, line[i + 1] as number];
      if (i === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  }
  return path;
}

/** A tile's objects, filled by outcome. Matched objects are only filled for A. */
function fillSurface(
  labels: Uint32Array,
  side: ComparedSide,
  outcomes: OutcomesOfImage,
  covering: Uint32Array | undefined,
): Surface {
  const { flags } = outcomes[side];
  const colors = new Uint32Array(flags.length + 1);
  flags.forEach((flag, object) => {
    const outcome = outcomeOf(side, flag);
    if (outcome && (side === 'a' || outcome !== 'matched'))
      colors[object + 1] = packed(outcomeColors[outcome], outcome === 'matched' ? MATCHED_FILL : OTHER_FILL);
  });
  const pixels = new Uint32Array(labels.length);
  for (let i = 0; i < labels.length; i++) if (!covering?.[i]) pixels[i] = colors[labels[i] as number] ?? 0;
  return makeSurface(new Uint8ClampedArray(pixels.buffer));
}

/** Corners of a region, which lists x and y in turn. */
function cornersOf(region: readonly number[]): Point[] {
  return Array.from({ length: region.length / 2 }, (_, corner) => ({
    x: region[2 * corner] as number,
    y: region[2 * corner + 1] as number,
  }));
}

export function cssColor([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}
