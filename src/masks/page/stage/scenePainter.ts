import { type Disposable, toDisposable } from '../../../base/disposable';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage } from '../../masksSummary';
import { CanvasLabelRenderer } from '../labels/canvasLabelRenderer';
import { GlLabelRenderer } from '../labels/glLabelRenderer';
import type { ObjectColors } from '../state/masksLook';
import type { CurrentLook } from '../state/masksViewState';
import type { CanvasFrame } from '../tiles/tiles';
import { ImageScene, type Marks } from './imageScene';
import { ThemeColors } from './themeColors';

interface ScenePainterOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  colors: ObjectColors;
  look: CurrentLook;
  /** False where an image file is shown by itself. */
  hasMasks: boolean;
  /** Whether the table has filters. */
  isFiltered: () => boolean;
  /** What is hovered and selected of an image. */
  marksOf: (image: MaskImage) => Omit<Marks, 'masksShown'>;
  redraw: () => void;
  /** More objects of the image shown were read; `share` of all of them, 0…1. */
  onPart: (share: number) => void;
  /** A frame was painted that lacks nothing. */
  onComplete: () => void;
  onFailure: (error: unknown) => void;
}

/** Paints the scene of the image shown; what all scenes need for that is made once, and shared. */
export class ScenePainter {
  private readonly theme: ThemeColors;
  private readonly renderers: { gpu: GlLabelRenderer; canvas: CanvasLabelRenderer };
  private readonly held: HeldPaint;

  constructor(private readonly options: ScenePainterOptions) {
    const { redraw } = options;
    this.theme = new ThemeColors(redraw);
    this.renderers = { gpu: new GlLabelRenderer(redraw), canvas: new CanvasLabelRenderer() };
    this.held = new HeldPaint(redraw);
  }

  makeScene(image: MaskImage): ImageScene {
    const { panel, colors, look, hasMasks, isFiltered, redraw, onPart, onFailure } = this.options;
    return new ImageScene(image, {
      panel,
      renderers: this.renderers,
      colors,
      theme: this.theme,
      look: look.now.peek(),
      hasMasks,
      isFiltered,
      onChange: redraw,
      onPart,
      onFailure,
    });
  }

  /** Another scene is to be painted: the one before stays on the screen for a moment. */
  begin(): void {
    this.held.begin();
  }

  /** Paints a frame; what is on the canvas may stay instead, unless `isNeeded`. Whether it was painted. */
  paint(scene: ImageScene | undefined, frame: CanvasFrame, isNeeded: boolean): boolean {
    if (!scene) return false;
    const { look, marksOf, onComplete } = this.options;
    const masksShown = look.masksShown.peek();
    if (!this.held.allows(() => isNeeded || !masksShown || scene.isReady(frame))) return false;
    const isComplete = scene.paint(frame, { ...marksOf(scene.image), masksShown });
    // Hidden masks are never painted.
    if (isComplete || !masksShown) onComplete();
    return true;
  }
}

/** Longest time that the image before stays on the screen, in milliseconds. */
const MAX_HELD = 100;

const systemTimer = (run: () => void): Disposable => {
  const timer = setTimeout(run, MAX_HELD);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Leaves an image on the screen until all of the next one that is in view can be painted, for at most a tenth of a second. An
 * empty ground and parts of the masks in between would flicker, and the browser would be busy with them when the masks arrive.
 */
export class HeldPaint {
  private hasPainted = false;
  private timer: Disposable | undefined;

  constructor(
    private readonly redraw: () => void,
    private readonly startTimer = systemTimer,
  ) {}

  /** Another image is to be painted. */
  begin(): void {
    if (!this.hasPainted) return;
    this.timer?.dispose();
    this.timer = this.startTimer(() => {
      this.end();
      this.redraw();
    });
  }

  /** Whether to paint now. `isReady` tells whether all in view is there; it is called only while an image is held. */
  allows(isReady: () => boolean): boolean {
    if (this.timer && !isReady()) return false;
    this.end();
    this.hasPainted = true;
    return true;
  }

  private end(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
