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

/** Paints the scene of the current image. Scenes share renderers and theme colors. */
export class ScenePainter {
  private readonly theme: ThemeColors;
  private readonly renderers: { gpu: GlLabelRenderer; canvas: CanvasLabelRenderer };
  private readonly heldPaint: HeldPaint;
  private latestScene: ImageScene | undefined;

  constructor(
    private readonly store: MasksStore,
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly colors: ObjectColors,
    gpu: GlLabelRenderer,
    private readonly redraw: () => void,
  ) {
    this.theme = new ThemeColors(redraw);
    this.renderers = { gpu, canvas: new CanvasLabelRenderer() };
    this.heldPaint = new HeldPaint(redraw);
  }

  /** Makes the scene to paint from now on. */
  makeScene(image: MaskImage): ImageScene {
    const { store, panel, renderers, colors, theme, redraw } = this;
    const { look, hasMasks, table, selection, reading, messages } = store;
    // The previous image stays on the screen for a moment.
    this.heldPaint.begin();
    const scene = new ImageScene(image, {
      panel,
      renderers,
      colors,
      theme,
      look: look.current,
      selected: () => selection.several.objectsIn(image.index),
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
    this.latestScene = scene;
    return scene;
  }

  /** The scene of the current image; undefined if the image can't be read. */
  get scene(): ImageScene | undefined {
    return this.latestScene === this.store.image.scene.peek() ? this.latestScene : undefined;
  }

  /**
   * Paints a frame. Without `isNeeded` it may leave the canvas as it is. Returns whether it
   * painted.
   */
  paint(frame: CanvasFrame, isNeeded: boolean): boolean {
    const { look, layout, selection } = this.store;
    const { scene } = this;
    if (!scene) return false;
    const masksShown = look.masksShown.peek();
    if (!this.heldPaint.allows(() => isNeeded || !masksShown || scene.isReady(frame))) return false;
    const isComplete = scene.paint(frame, { ...selection.marksOf(scene.image), masksShown });
    // Hidden masks are never painted, so there is nothing to wait for.
    if (isComplete || !masksShown) layout.shown();
    return true;
  }
}

/** Longest time that the previous image stays on the screen. */
const MAX_HELD_MILLISECONDS = 100;

const systemTimer = (run: () => void): Disposable => {
  const timer = setTimeout(run, MAX_HELD_MILLISECONDS);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Leaves an image on the screen until the visible part of the next one can be painted completely,
 * but at most for MAX_HELD_MILLISECONDS. An empty ground or single tiles would flicker, and
 * painting them would delay the masks.
 */
export class HeldPaint {
  private hasPainted = false;
  private timer: Disposable | undefined;

  constructor(
    private readonly redraw: () => void,
    private readonly startTimer = systemTimer,
  ) {}

  /** Another image will be painted. */
  begin(): void {
    if (!this.hasPainted) return;
    this.timer?.dispose();
    this.timer = this.startTimer(() => {
      this.end();
      this.redraw();
    });
  }

  /**
   * Whether to paint now. `isReady` returns whether all visible data is loaded; it is only called
   * while an image is held.
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
