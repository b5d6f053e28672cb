import { t } from '../../../pages/page/l10n';
import { type Disposable, toDisposable } from '../../../base/disposable';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage } from '../../../archives/masksSummary';
import { CanvasLabelRenderer } from '../labels/canvasLabelRenderer';
import type { GlLabelRenderer } from '../labels/glLabelRenderer';
import type { ObjectColors } from '../state/masksLook';
import type { MasksStore } from '../state/masksStore';
import type { CanvasFrame } from '../tiles/tiles';
import { ImageScene } from './imageScene';
import { ThemeColors } from './themeColors';

/** Paints the scene of the current image; all scenes share data that is made once. */
export class ScenePainter {
  private readonly theme: ThemeColors;
  private readonly renderers: { gpu: GlLabelRenderer; canvas: CanvasLabelRenderer };
  private readonly held: HeldPaint;
  private made: ImageScene | undefined;

  constructor(
    private readonly store: MasksStore,
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly colors: ObjectColors,
    gpu: GlLabelRenderer,
    private readonly redraw: () => void,
  ) {
    this.theme = new ThemeColors(redraw);
    this.renderers = { gpu, canvas: new CanvasLabelRenderer() };
    this.held = new HeldPaint(redraw);
  }

  /** The scene that is painted from now on. */
  makeScene(image: MaskImage): ImageScene {
    const { store, panel, renderers, colors, theme, redraw } = this;
    const { look, hasMasks, table, selection, reading, messages } = store;
    // The one before stays on the screen for a moment.
    this.held.begin();
    const scene = new ImageScene(image, {
      panel,
      renderers,
      colors,
      theme,
      look: look.now,
      selected: () => selection.several.of(image.index),
      hasMasks,
      isFiltered: () => table.filtered.peek() !== null,
      onChange: redraw,
      onPart: share => reading.partRead(share),
      onFailure: messages.failed,
      onDamaged: () =>
        messages.failed(
          new Error('Parts of the image are damaged'),
          t.later("Hatched parts of the image are damaged and can't be decoded"),
        ),
    });
    this.made = scene;
    return scene;
  }

  /** The scene of the image shown; undefined where that can't be read. */
  get scene(): ImageScene | undefined {
    return this.made === this.store.image.scene.peek() ? this.made : undefined;
  }

  /** Paints a frame, unless the canvas may stay (not `isNeeded`). Returns whether it painted. */
  paint(frame: CanvasFrame, isNeeded: boolean): boolean {
    const { look, layout, selection } = this.store;
    const { scene } = this;
    if (!scene) return false;
    const masksShown = look.masksShown.peek();
    if (!this.held.allows(() => isNeeded || !masksShown || scene.isReady(frame))) return false;
    const isComplete = scene.paint(frame, { ...selection.marksOf(scene.image), masksShown });
    // Hidden masks are never painted.
    if (isComplete || !masksShown) layout.shown();
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
 * Leaves an image on the screen until all of the next one that is in view can be painted, for at
 * most a tenth of a second. An empty ground and parts of the masks in between would flicker, and
 * the browser would be busy with them when the masks arrive.
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

  /**
   * Whether to paint now. `isReady` returns whether all visible data is there; only called while an
   * image is held.
   */
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
