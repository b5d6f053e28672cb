import { t } from '../../../pages/page/l10n';
import { computed, effect } from '@preact/signals';
import { digitsBetween } from '../../../pages/page/numbers';
import { PageMessage } from '../../../pages/page/openPage';
import { scaleColor } from '../../../pages/page/widgets/colorScale';
import { element, fill } from '../../../pages/page/widgets/element';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { TILE_SIZE } from '../../../protocol/tiles';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage } from '../../../archives/masksSummary';
import type { GlLabelRenderer } from '../labels/glLabelRenderer';
import { paintFill } from '../labels/paddedLabels';
import type { ObjectColors, ShownScale } from '../state/masksLook';
import type { MasksStore } from '../state/masksStore';
import { type CanvasFrame, drawTile, emptySurface, fillSurface } from '../tiles/tiles';
import type { Extent, Point, View } from '../tiles/viewTransform';
import { CanvasView } from './canvasView';
import type { ImageScene, LabelLayer } from './imageScene';
import { ScenePainter } from './scenePainter';

/** The image with masks and, in its corners, scale bar, color bar and overview. */
export class MasksStage {
  readonly root = element('main', { class: 'stage' });
  readonly canvas: CanvasView;
  private readonly painter: ScenePainter;
  private readonly colorBar: ColorBar;
  private readonly minimap: Minimap;
  private readonly legends: HTMLElement;
  private readonly scaleBar: ScaleBar;

  constructor(
    private readonly store: MasksStore,
    panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    colors: ObjectColors,
    gpu: GlLabelRenderer,
  ) {
    const { hasMasks, selection, layout } = store;
    this.painter = new ScenePainter(store, panel, colors, gpu, () => this.canvas.redraw());
    this.scaleBar = new ScaleBar();
    this.colorBar = new ColorBar();
    this.legends = element('div', { class: 'stage-legends' }, this.scaleBar.root, this.colorBar.root);
    this.canvas = new CanvasView({
      paint: (frame, isNeeded) => {
        const isPainted = this.painter.paint(frame, isNeeded);
        if (isPainted) this.paintMinimap(frame);
        return isPainted;
      },
      onPoint: point => store.point(point),
      onClick: (point, onPanel, options) => void selection.click(point, onPanel, options),
      onView: (view, fitted) => {
        this.showScale();
        layout.viewed(view, fitted, devicePixelRatio);
      },
      ...(hasMasks && { onRegion: (polygon: number[]) => void selection.selectRegion(polygon) }),
    });
    this.minimap = new Minimap({
      label: t('Overview: click or drag to move (M to hide)'),
      onMove: to => this.canvas.centerOn(to),
    });
    this.follow();
  }

  makeScene(image: MaskImage): ImageScene {
    return this.painter.makeScene(image);
  }

  /** Shows another image: all of it, or its saved view. */
  setImage(image: Extent, view: View | undefined): void {
    // The canvas is inserted only if it isn't there: it would lose the focus, and everything around
    // it would be laid out again.
    if (this.canvas.canvas.parentElement !== this.root)
      fill(this.root, this.canvas.canvas, this.legends, this.minimap.canvas);
    this.minimap.setImage(image);
    this.canvas.setImage(image, view);
  }

  /** The current view, with its scale bar and its color bar. */
  capture(): Promise<Blob> {
    return this.canvas.capture((context, height) => {
      const right = this.scaleBar.paint(context, height, devicePixelRatio);
      this.colorBar.paint(
        context,
        right + 32 * devicePixelRatio,
        height - 16 * devicePixelRatio,
        devicePixelRatio,
      );
    });
  }

  /** Follows the state of the store. */
  private follow(): void {
    const { image, images, look, layout, pointer, selection, coloring, background } = this.store;
    const { canvas, painter } = this;
    for (const signal of [look.masksShown, selection.focus.hovered, selection.focus.selected, layout.minimap])
      signal.subscribe(() => canvas.redraw());
    layout.tool.subscribe(tool => (canvas.pointer.tool = tool));
    pointer.pixelSize.subscribe(() => this.showScale());
    coloring.scale.subscribe(scale => this.colorBar.show(scale));
    coloring.values.subscribe(({ scene, values, range, populations }) => {
      const colors = populations?.map(({ color }) => color);
      if (scene && scene === painter.scene) painter.scene.setValues(values, range, colors);
    });
    background.painted.subscribe(painted => {
      const { scene } = painter;
      if (!scene || painted?.scene !== scene) return;
      scene.setBackgroundImage(painted.info, painted.stretched);
      if (painted.look) scene.setBackgroundImageLook(painted.look);
    });
    effect(() => canvas.describe(this.description()));
    if (images.length === 0) this.showMessage(t('No images'), t('The archive contains no images.'));
    const failure = computed(() => image.summary.value?.failure?.message);
    failure.subscribe(words => words !== undefined && this.showMessage(t("Couldn't read this image"), words));
  }

  /** The image's name for screen readers, with its number of objects if known. */
  private description(): string {
    const { image, hasMasks, title } = this.store;
    const summary = image.summary.value;
    const [name, help] = [
      image.name.value,
      hasMasks
        ? t(
            'Arrow keys pan, plus and minus zoom, Enter selects the object in the center, and the question mark lists all shortcuts.',
          )
        : t('Arrow keys pan, plus and minus zoom, and the question mark lists all shortcuts.'),
    ];
    if (!summary || name === undefined) return `${title}. ${help}`;
    const isCounted = hasMasks && !summary.isPartial;
    return `${isCounted ? t('Masks of {0}, {1} objects', name, summary.objectCount) : t('Image {0}', name)}. ${help}`;
  }

  private showScale(): void {
    // The scale bar is horizontal.
    this.scaleBar.show(this.canvas.view.scale, this.store.pointer.pixelSize.peek()?.x);
  }

  /** Shows a message in place of the image. */
  private showMessage(title: string, hint: string): void {
    const message = new PageMessage('');
    message.empty('file-media', title, hint);
    // Focusable, so that keys can scroll it in a small panel.
    message.root.tabIndex = 0;
    fill(this.root, message.root);
  }

  private paintMinimap(frame: CanvasFrame): void {
    const { look, layout } = this.store;
    const { scene } = this.painter;
    if (!scene) return;
    this.minimap.update(frame, layout.minimap.peek(), small =>
      scene.paintSmall(small, (overviewFrame, labels) =>
        this.minimap.paintMasks(overviewFrame, labels, look.current.peek().opacity),
      ),
    );
  }
}

const MINIMAP_SIDE = 152;
/** Share of the stage's width. */
const MAX_MINIMAP_WIDTH = 0.2;
const MAX_MINIMAP_HEIGHT = 0.4;
/** In CSS pixels. In a narrower stage the overview would cover too much, and the scale bar. */
const MIN_STAGE_WIDTH = 500;

/** The size of the overview in CSS pixels; undefined if the stage has no room for it. */
export function minimapSize(stage: Extent, image: Extent): Extent | undefined {
  if (stage.width < MIN_STAGE_WIDTH) return undefined;
  const scale = Math.min(
    MINIMAP_SIDE / Math.max(image.width, image.height),
    (stage.width * MAX_MINIMAP_WIDTH) / image.width,
    (stage.height * MAX_MINIMAP_HEIGHT) / image.height,
  );
  return { width: Math.max(8, image.width * scale), height: Math.max(8, image.height * scale) };
}

interface MinimapOptions {
  label: string;
  /** The user clicked or dragged to a point, in image pixels. */
  onMove: (to: Point) => void;
}

/**
 * The overview map with a frame around the visible part. Hidden while the whole image is visible.
 */
class Minimap {
  readonly canvas = element('canvas', { class: 'minimap', hidden: true });
  private readonly context = this.canvas.getContext('2d', { alpha: false });
  private image: Extent = { width: 1, height: 1 };
  /** What the surface was painted from. */
  private masks: { palette: Uint32Array; labels: Uint32Array } | undefined;
  /** One surface for all images: a new one per image would cost 0.5 MB of garbage. */
  private readonly surface = emptySurface();
  private readonly pixels = new ImageData(TILE_SIZE, TILE_SIZE);

  constructor({ label, onMove }: MinimapOptions) {
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', label);
    this.canvas.title = label;
    const move = (event: PointerEvent) => {
      const scale = this.image.width / this.canvas.clientWidth;
      onMove({ x: event.offsetX * scale, y: event.offsetY * scale });
    };
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (this.canvas.hasPointerCapture(event.pointerId)) move(event);
    });
  }

  /** Adapts to the shape of another image. */
  setImage(image: Extent): void {
    this.image = image;
    this.masks = undefined;
  }

  private resize({ width, height }: Extent): void {
    const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (this.canvas.width === across && this.canvas.height === down) return;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = across;
    this.canvas.height = down;
  }

  /**
   * Repaints the overview along with the stage, if enabled. `content` paints the image into a small
   * frame.
   */
  update({ view, panel }: CanvasFrame, isEnabled: boolean, content: (small: CanvasFrame) => void): void {
    const { context, image } = this;
    const inView = {
      left: view.x - panel.width / 2 / view.scale,
      top: view.y - panel.height / 2 / view.scale,
      width: panel.width / view.scale,
      height: panel.height / view.scale,
    };
    const isWholeInView =
      inView.left <= 0 &&
      inView.top <= 0 &&
      inView.left + inView.width >= image.width &&
      inView.top + inView.height >= image.height;
    const stage = { width: panel.width / devicePixelRatio, height: panel.height / devicePixelRatio };
    const size = minimapSize(stage, image);
    this.canvas.hidden = isWholeInView || !isEnabled || !size;
    if (this.canvas.hidden || !context || !size) return;
    this.resize(size);
    const { width, height } = this.canvas;
    const scale = width / image.width;
    const small: View = { x: image.width / 2, y: image.height / 2, scale };
    content({ context, view: small, panel: { width, height }, image });
    const line = Math.max(1, Math.round(devicePixelRatio));
    // The frame is at least this large, so that it can be seen.
    const minSide = 6 * devicePixelRatio;
    const frameWidth = Math.max(minSide, inView.width * scale);
    const frameHeight = Math.max(minSide, inView.height * scale);
    const x = (inView.left + inView.width / 2) * scale - frameWidth / 2;
    const y = (inView.top + inView.height / 2) * scale - frameHeight / 2;
    for (const [style, lineWidth] of [
      ['black', 3 * line],
      ['white', line],
    ] as const) {
      context.strokeStyle = style;
      context.lineWidth = lineWidth;
      context.strokeRect(x, y, frameWidth, frameHeight);
    }
  }

  /** Paints the masks from the overview tile, which shows the whole image. */
  paintMasks(frame: CanvasFrame, labels: LabelLayer, opacity: number): void {
    const { palette, tiles } = labels;
    const labelTile = tiles.at(tiles.overview);
    if (!palette || !labelTile) return;
    if (this.masks?.palette !== palette || this.masks.labels !== labelTile.labels) {
      paintFill(labelTile.labels, palette, new Uint32Array(this.pixels.data.buffer));
      fillSurface(this.surface, this.pixels);
      this.masks = { palette, labels: labelTile.labels };
    }
    frame.context.save();
    frame.context.globalAlpha = Math.min(1, opacity + 0.3);
    drawTile(frame, tiles.overview, this.surface);
    frame.context.restore();
  }
}

const MAX_SCALE_LENGTH = 120;

/** The scale bar in the corner of the image. */
class ScaleBar {
  readonly root = element('div', { class: 'stage-legend scale-bar', role: 'img' });
  private readonly line = element('div', { class: 'scale-line' });
  private readonly words = element('span', { class: 'scale-words' });
  private shown: BarLength | undefined;

  constructor() {
    this.root.append(this.words, this.line);
  }

  show(scale: number, pixelSize: number | undefined): void {
    const length = barLength(scale, pixelSize, MAX_SCALE_LENGTH);
    this.shown = length;
    const words = this.wordsOf(length);
    this.line.style.width = `${length.width}px`;
    this.words.textContent = words;
    this.root.setAttribute('aria-label', t('Scale bar: {0}', words));
  }

  /**
   * Paints the scale bar into the lower left corner of a saved view; returns its right end.
   * `ratio`: pixels of the view per CSS pixel.
   */
  paint(context: OffscreenCanvasRenderingContext2D, height: number, ratio: number): number {
    if (!this.shown) return 0;
    const [left, bottom] = [16 * ratio, height - 16 * ratio];
    const width = this.shown.width * ratio;
    context.save();
    context.font = `${12 * ratio}px sans-serif`;
    context.textAlign = 'center';
    context.lineJoin = 'round';
    for (const [color, lineWidth] of [
      ['rgb(0 0 0 / 0.75)', 5],
      ['white', 2],
    ] as const) {
      context.strokeStyle = color;
      context.fillStyle = color;
      context.lineWidth = lineWidth * ratio;
      context.beginPath();
      context.moveTo(left, bottom);
      context.lineTo(left + width, bottom);
      context.stroke();
      const words = this.wordsOf(this.shown);
      const position = [left + width / 2, bottom - 7 * ratio] as const;
      if (lineWidth > 2) context.strokeText(words, ...position);
      else context.fillText(words, ...position);
    }
    context.restore();
    return left + width;
  }

  private wordsOf({ value, unit }: BarLength): string {
    return `${t.number(value, 3)} ${unit}`;
  }
}

/** A length that a scale bar shows. */
interface BarLength {
  /** CSS pixels. */
  width: number;
  value: number;
  unit: 'nm' | 'µm' | 'mm' | 'px';
}

/**
 * The longest round length (1, 2 or 5 times a power of ten) that fits. `scale`: CSS pixels per
 * image pixel; `pixelSize`: µm per image pixel, if known; `longest`: CSS pixels.
 */
export function barLength(scale: number, pixelSize: number | undefined, longest: number): BarLength {
  const perUnit = pixelSize === undefined ? scale : scale / pixelSize;
  const maxLength = longest / perUnit;
  const power = 10 ** Math.floor(Math.log10(maxLength));
  const steps = [5, 2, 1].map(step => step * power);
  const length = steps.find(step => step <= maxLength * (1 + 1e-9)) ?? power;
  const width = length * perUnit;
  if (pixelSize === undefined) return { width, value: length, unit: 'px' };
  if (length >= 1000) return { width, value: length / 1000, unit: 'mm' };
  if (length < 1) return { width, value: length * 1000, unit: 'nm' };
  return { width, value: length, unit: 'µm' };
}

const COLOR_STOPS = 16;
const COLOR_BAR_WIDTH = 144;

/** The color bar in a corner of the image: title with unit, and the ends of the scale. */
class ColorBar {
  readonly root = element('div', { class: 'stage-legend color-bar', role: 'img', hidden: true });
  private readonly name = element('span', { class: 'color-bar-name' });
  private readonly bar = element('div', { class: 'color-bar-line' });
  private readonly low = element('span');
  private readonly high = element('span');
  private shown: ShownScale | undefined;

  constructor() {
    const ends = element('div', { class: 'color-bar-ends' }, this.low, this.high);
    this.root.append(this.name, this.bar, ends);
  }

  show(scale: ShownScale | undefined): void {
    this.shown = scale;
    this.root.hidden = scale === undefined;
    if (!scale) return;
    const [name, low, high] = this.wordsOf(scale);
    this.name.textContent = name;
    this.name.title = name;
    this.low.textContent = low;
    this.high.textContent = high;
    this.root.setAttribute('aria-label', t('Color bar of {0}: from {1} to {2}', name, low, high));
    const colors = colorStops(scale).map(({ color }) => color);
    this.bar.style.background = `linear-gradient(90deg, ${colors.join(', ')})`;
  }

  /**
   * Paints the color bar into a saved view, with its lower left corner at a point. `ratio`: pixels
   * of the view per CSS pixel.
   */
  paint(context: OffscreenCanvasRenderingContext2D, left: number, bottom: number, ratio: number): void {
    const { shown } = this;
    if (!shown) return;
    const [name, low, high] = this.wordsOf(shown);
    const width = COLOR_BAR_WIDTH * ratio;
    const line = 18 * ratio;
    context.save();
    context.fillStyle = 'rgb(0 0 0 / 0.65)';
    context.fillRect(left - 8 * ratio, bottom - 2.7 * line, width + 16 * ratio, 2.7 * line + 4 * ratio);
    const gradient = context.createLinearGradient(left, 0, left + width, 0);
    for (const { share, color } of colorStops(shown)) gradient.addColorStop(share, color);
    context.fillStyle = gradient;
    context.fillRect(left, bottom - 1.5 * line, width, 8 * ratio);
    context.fillStyle = 'white';
    context.font = `${12 * ratio}px sans-serif`;
    context.textBaseline = 'alphabetic';
    context.fillText(name, left, bottom - 1.85 * line, width);
    context.fillText(low, left, bottom - 0.15 * line);
    context.textAlign = 'right';
    context.fillText(high, left + width, bottom - 0.15 * line);
    context.restore();
  }

  /** Title and ends of the scale. Ends have ≤ or ≥ if values lie beyond them. */
  private wordsOf({ colorBy, range, min, max }: ShownScale): [name: string, low: string, high: string] {
    const digits = digitsBetween(range.low, range.high);
    const number = (value: number) => t.significant(value, digits);
    const low = min < range.low ? t('≤ {0}', number(range.low)) : number(range.low);
    const high = max > range.high ? t('≥ {0}', number(range.high)) : number(range.high);
    return [this.nameOf(colorBy), low, high];
  }

  private nameOf(colorBy: ShownScale['colorBy']): string {
    if (colorBy.kind === 'column') return colorBy.name || t('Column {0}', colorBy.column + 1);
    if (colorBy.kind !== 'measure') return '';
    return colorBy.measure === 'area'
      ? t('{0} ({1})', t('Area'), 'px²')
      : t('{0} ({1})', t('Perimeter'), 'px');
  }
}

function colorStops({ colorMap }: ShownScale): { share: number; color: string }[] {
  return Array.from({ length: COLOR_STOPS }, (_, step) => {
    const share = step / (COLOR_STOPS - 1);
    return { share, color: `rgb(${scaleColor(share, colorMap).join(' ')})` };
  });
}
