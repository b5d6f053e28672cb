import { element, fill } from '../../../pages/page/widgets/element';
import { PageMessage } from '../../../pages/page/pageMessage';
import type { MasksText } from '../../../pages/page/pageText';
import { CanvasView, type CanvasViewOptions } from './canvasView';
import type { ImageScene } from './imageScene';
import { ColorBar } from './colorBar';
import { Minimap } from './minimap';
import { ScaleBar } from './scaleBar';
import type { CanvasFrame } from '../tiles/tileSurface';
import type { Extent, View } from './viewTransform';

/** What fills the panel: the image with its masks, and in its corners the scale and the image in small. */
export class MasksStage {
  readonly root = element('main', { class: 'stage' });
  readonly canvas: CanvasView;
  readonly colorBar: ColorBar;
  private readonly minimap: Minimap;
  private readonly legends: HTMLElement;
  private readonly scaleBar: ScaleBar;
  private pixelSize: number | undefined;

  constructor(
    private readonly text: MasksText,
    options: CanvasViewOptions,
    private readonly scene: () => ImageScene | undefined,
    private readonly opacity: () => number,
  ) {
    this.scaleBar = new ScaleBar(text);
    this.colorBar = new ColorBar(text);
    this.legends = element('div', { class: 'stage-legends' }, this.scaleBar.root, this.colorBar.root);
    this.canvas = new CanvasView({
      ...options,
      paint: (frame, isNeeded) => {
        const isPainted = options.paint(frame, isNeeded);
        if (isPainted) this.paintMinimap(frame);
        return isPainted;
      },
      onView: (view, fitted) => {
        this.scaleBar.show(view.scale, this.pixelSize);
        options.onView(view, fitted);
      },
    });
    this.minimap = new Minimap({
      label: text.get('minimap'),
      onMove: to => this.canvas.centerOn(to),
    });
  }

  get minimapEnabled(): boolean {
    return this.minimap.enabled;
  }

  set minimapEnabled(enabled: boolean) {
    this.minimap.enabled = enabled;
    this.canvas.redraw();
  }

  /** µm per pixel of the image shown, where it is known. */
  setPixelSize(pixelSize: number | undefined): void {
    this.pixelSize = pixelSize;
    this.scaleBar.show(this.canvas.view.scale, pixelSize);
  }

  /** Another image, shown whole or as it was left. */
  setImage(image: Extent, view: View | undefined): void {
    // Taken out and put in again, a canvas would lose the focus, and all around it would be laid out again.
    if (this.canvas.canvas.parentElement !== this.root)
      fill(this.root, this.canvas.canvas, this.legends, this.minimap.canvas);
    this.minimap.setImage(image);
    this.canvas.setImage(image, view);
  }

  /** What the image is called, for screen readers; `objectCount` where it is known. */
  describe(name: string, objectCount: number | undefined): void {
    const { text } = this;
    this.canvas.describe(
      objectCount === undefined ? text.get('imageLabel', name) : text.get('canvasLabel', name, objectCount),
    );
  }

  /** Says in place of the image why there is none. */
  showMessage(title: string, hint: string): void {
    const message = new PageMessage(this.text);
    message.empty('file-media', title, hint);
    // Where it has no room it is scrolled, by keys too.
    message.root.tabIndex = 0;
    fill(this.root, message.root);
  }

  /** The view as it is on the screen, with its scale bar and its color bar. */
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

  private paintMinimap(frame: CanvasFrame): void {
    const scene = this.scene();
    if (!scene) return;
    this.minimap.update(frame, small =>
      scene.paintSmall(small, (at, labels) => this.minimap.paintMasks(at, labels, this.opacity())),
    );
  }
}
