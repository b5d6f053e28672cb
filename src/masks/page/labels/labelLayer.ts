import type { CanvasLabelRenderer } from './canvasLabelRenderer';
import type { GlLabelRenderer } from './glLabelRenderer';
import type { LabelLook } from './labelRenderer';
import { LabelTiles, type LabelTilesOptions } from './labelTiles';
import { hiddenBits } from '../colors/objectColors';
import type { CanvasFrame } from '../tiles/tileSurface';
import type { Extent } from '../stage/viewTransform';

/** What paints masks: of one image after another, so that memory of one serves the next. */
export interface LabelRenderers {
  gpu: GlLabelRenderer;
  canvas: CanvasLabelRenderer;
}

/**
 * The masks of one image: keeps the labels in view and paints them, on the GPU where there is a real one that holds them,
 * else with a 2D canvas. Nothing is painted before the palette is known.
 */
export class LabelLayer {
  readonly tiles: LabelTiles;
  palette: Uint32Array | undefined;

  constructor(
    image: Extent,
    private readonly renderers: LabelRenderers,
    options: LabelTilesOptions,
  ) {
    this.tiles = new LabelTiles(image, options);
  }

  /** Label → packed RGBA, 0 for what does not show; what lies beneath hidden objects is fetched. */
  setPalette(palette: Uint32Array): void {
    this.palette = palette;
    this.tiles.setHidden(hiddenBits(palette));
  }

  /** Requests what is in view and missing. Whether all of it can be painted. */
  isReady(frame: CanvasFrame): boolean {
    const { missing } = this.tiles.want(this.tiles.inView(frame));
    return this.palette !== undefined && !missing;
  }

  /** Paints what is in view and requests what is missing. Whether everything was painted. */
  draw(frame: CanvasFrame, look: Omit<LabelLook, 'palette'>): boolean {
    const inView = this.tiles.inView(frame);
    const { missing } = this.tiles.want(inView);
    const { palette } = this;
    if (!palette) return false;
    const { gpu, canvas } = this.renderers;
    const onGpu = gpu.ready && !gpu.isSoftware && gpu.fits(palette.length, frame.panel);
    const painter = onGpu ? gpu : canvas;
    const done = painter.paint(frame, this.tiles, inView, { ...look, palette });
    if (!done && painter === canvas) this.tiles.changed();
    return done && !missing;
  }

  dispose(): void {
    this.tiles.dispose();
    this.renderers.canvas.clear();
  }
}
