import { markUniforms } from './glMarks';
import { layOutPalette } from './glPalette';
import { makeGlResources, type GlResources } from './glResources';
import { LUMINANCE, HALO_ALPHA, lineOpacity, type LabelLook, type LabelRenderer } from './labelRenderer';
import type { LabelTiles } from './labelTiles';
import { topLevel, type Tile } from '../tiles/tileMath';
import { substitutes, tileRect, type CanvasFrame, type TilePart } from '../tiles/tileSurface';
import type { Extent } from '../stage/viewTransform';

/**
 * Paints labels with WebGL2: tiles of labels and a palette are textures, so that another color, filter, opacity or mark
 * needs no labels again. While the context is lost it paints nothing and says so.
 */
export class GlLabelRenderer implements LabelRenderer {
  private readonly canvas = new OffscreenCanvas(1, 1);
  private resources: GlResources | undefined;

  /** `onChange` is called when the context is lost or restored. */
  constructor(onChange: () => void) {
    this.canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault();
      this.resources = undefined;
      onChange();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.resources = makeGlResources(this.canvas);
      onChange();
    });
    this.resources = makeGlResources(this.canvas);
  }

  /** Whether it can paint now; it cannot without WebGL2 or while its context is lost. */
  get ready(): boolean {
    return this.resources !== undefined && !this.resources.gl.isContextLost();
  }

  /** Whether WebGL runs on the processor: then a 2D canvas is several times faster. */
  get isSoftware(): boolean {
    return this.resources?.isSoftware ?? false;
  }

  /** Whether a palette with this number of labels and a screen of this size are within the limits of the GPU. */
  fits(length: number, { width, height }: Extent): boolean {
    const side = this.resources?.maxSide ?? 0;
    return Math.max(width, height) <= side && layOutPalette(length, side) !== undefined;
  }

  paint(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean {
    const { resources } = this;
    if (!resources) return false;
    resources.screen.resize(frame.panel);
    resources.palette.set(look.palette);
    paintLabels(resources, frame, tiles, inView);
    paintColors(resources, frame, look);
    if (resources.gl.isContextLost()) return false;
    frame.context.drawImage(this.canvas, 0, 0);
    return true;
  }

  dispose(): void {
    this.resources?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.resources = undefined;
  }
}

/** The first pass: which label each pixel of the screen has. */
function paintLabels(
  resources: GlResources,
  frame: CanvasFrame,
  tiles: LabelTiles,
  inView: readonly Tile[],
): void {
  const { gl, labels, palette, screen } = resources;
  screen.drawTo('labels');
  gl.disable(gl.SCISSOR_TEST);
  gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
  gl.useProgram(labels.program);
  gl.activeTexture(gl.TEXTURE1);
  palette.bind();
  gl.activeTexture(gl.TEXTURE0);
  gl.uniform1i(labels.at('labels'), 0);
  gl.uniform1i(labels.at('palette'), 1);
  gl.uniform1i(labels.at('paletteWidth'), palette.width);
  gl.enable(gl.SCISSOR_TEST);
  const top = topLevel(tiles.image);
  for (const tile of inView) {
    for (const part of substitutes(tile, top, each => tiles.at(each) !== undefined)) {
      const found = tiles.at(part.tile);
      if (found) paintPart(resources, frame, part, found.labels);
    }
  }
  gl.disable(gl.SCISSOR_TEST);
}

function paintPart(
  { gl, labels, screen, tiles }: GlResources,
  frame: CanvasFrame,
  { source, covers }: TilePart,
  labelsOfTile: Uint32Array,
): void {
  const { width, height } = screen.size;
  const { x, y, width: across, height: down } = tileRect(covers, frame);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(width, x + across), Math.min(height, y + down)];
  if (right <= left || bottom <= top) return;
  tiles.bind(labelsOfTile);
  gl.scissor(left, top, right - left, bottom - top);
  gl.uniform2f(labels.at('origin'), x, y);
  gl.uniform2f(labels.at('perPixel'), source.size / across, source.size / down);
  gl.uniform2f(labels.at('source'), source.x, source.y);
  gl.uniform1f(labels.at('span'), Math.max(1, source.size));
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

/** The second pass: fills, outlines, halos and marks, from the labels on the screen. */
function paintColors(
  { gl, colors, palette, screen }: GlResources,
  frame: CanvasFrame,
  look: LabelLook,
): void {
  const { width, height } = screen.size;
  screen.drawTo('canvas');
  gl.useProgram(colors.program);
  gl.activeTexture(gl.TEXTURE1);
  palette.bind();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, screen.texture);
  gl.uniform1i(colors.at('screen'), 0);
  gl.uniform1i(colors.at('palette'), 1);
  gl.uniform1i(colors.at('paletteWidth'), palette.width);
  gl.uniform2i(colors.at('size'), width, height);
  const line = look.opacity === 0 ? 0 : lineOpacity(look.opacity);
  gl.uniform1f(colors.at('fillAlpha'), look.fill ? look.opacity : 0);
  gl.uniform1f(colors.at('lineAlpha'), line);
  gl.uniform1f(colors.at('gamma'), LUMINANCE.gamma);
  gl.uniform4f(colors.at('darkBelow'), ...LUMINANCE.weights, LUMINANCE.dark);
  // In a crowd of tiny objects halos would be all one sees.
  const small = Math.min(1, Math.max(0.35, frame.view.scale / devicePixelRatio));
  gl.uniform1f(colors.at('haloAlpha'), line * HALO_ALPHA * small);
  // Where objects are small there is no room for it.
  gl.uniform1i(colors.at('innerHalo'), line > 0 && frame.view.scale >= devicePixelRatio / 2 ? 1 : 0);
  // Alone, lines are a little wider, unless objects are small.
  const wide = look.fill || frame.view.scale < devicePixelRatio / 2 ? 1 : 1.5;
  gl.uniform1i(colors.at('lineWidth'), Math.max(1, Math.round(wide * devicePixelRatio)));
  const selectedWidth = Math.max(1, Math.round(Math.min(1.5, small * 2) * devicePixelRatio));
  gl.uniform1i(colors.at('selectedWidth'), look.hasSelected ? selectedWidth : 0);
  const marks = markUniforms(look.marks, frame);
  gl.uniform1uiv(colors.at('marked'), marks.labels);
  gl.uniform3fv(colors.at('markColor'), marks.colors);
  gl.uniform2iv(colors.at('markWidth'), marks.widths);
  gl.uniform4iv(colors.at('markBox'), marks.boxes);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}
