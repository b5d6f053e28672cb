import { TILE_SIZE } from '../../protocol/tiles';
import { ByteBoundCache } from './byteBoundCache';
import { GlProgram } from './glProgram';
import { HALO_ALPHA, lineOpacity, type LabelLook, type LabelPainter, type Mark } from './labelPainter';
import { COLOURS, COVER, LABELS } from './labelShaders';
import type { LabelTiles } from './labelTiles';
import { layOutPalette, type PaletteLayout } from './paletteLayout';
import { isSoftwareRenderer } from './softwareRenderer';
import { TILE_BYTES, topLevel, type Tile } from './tileMath';
import { substitutes, tileRect, type Frame, type TilePart } from './tileSurface';
import type { Size } from './viewTransform';

const TEXTURE_BYTES = 128 * 2 ** 20;
const LABEL_UNIFORMS = ['labels', 'palette', 'paletteWidth', 'origin', 'perPixel', 'source', 'span'] as const;
const COLOUR_UNIFORMS = [
  'screen',
  'palette',
  'paletteWidth',
  'size',
  'fillAlpha',
  'lineAlpha',
  'haloAlpha',
  'innerHalo',
  'lineWidth',
  'marked',
  'markColour',
  'markWidth',
  'markBox',
] as const;

/** Everything that lives on the GPU and goes with a lost context. */
interface GpuParts {
  gl: WebGL2RenderingContext;
  labels: GlProgram<(typeof LABEL_UNIFORMS)[number]>;
  colours: GlProgram<(typeof COLOUR_UNIFORMS)[number]>;
  largestSide: number;
  isSoftware: boolean;
  palette: WebGLTexture;
  screen: WebGLTexture;
  framebuffer: WebGLFramebuffer;
  tiles: ByteBoundCache<WebGLTexture>;
}

/**
 * Paints labels with WebGL2: tiles of labels and a palette are textures, so that another colour, filter, opacity or mark
 * needs no labels again. While the context is lost it paints nothing and says so.
 */
export class GlLabelPainter implements LabelPainter {
  private readonly canvas = new OffscreenCanvas(1, 1);
  private parts: GpuParts | undefined;
  private screenSize: Size = { width: 0, height: 0 };
  private layout: PaletteLayout | undefined;
  private palette: Uint32Array | undefined;
  /** Names of label arrays among the textures. */
  private readonly names = new WeakMap<Uint32Array, string>();
  private named = 0;

  /** `onChange` hears when the context was lost or has come back. */
  constructor(private readonly onChange: () => void) {
    this.canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault();
      this.parts = undefined;
      this.onChange();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.begin();
      this.onChange();
    });
    this.begin();
  }

  /** Whether it can paint now; it cannot without WebGL2 or while its context is lost. */
  get ready(): boolean {
    return this.parts !== undefined && !this.parts.gl.isContextLost();
  }

  /** Whether it is the processor that paints: then a 2D canvas is several times faster. */
  get isSoftware(): boolean {
    return this.parts?.isSoftware ?? false;
  }

  /** Whether a palette of so many labels and a screen of this size are within the limits of the GPU. */
  fits(length: number, { width, height }: Size): boolean {
    const side = this.parts?.largestSide ?? 0;
    return Math.max(width, height) <= side && layOutPalette(length, side) !== undefined;
  }

  paint(frame: Frame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean {
    const { parts } = this;
    if (!parts) return false;
    const { gl } = parts;
    this.resize(parts, frame.panel);
    this.usePalette(parts, look.palette);
    this.paintLabels(parts, frame, tiles, inView);
    this.paintColours(parts, frame, look);
    if (gl.isContextLost()) return false;
    frame.context.drawImage(this.canvas, 0, 0);
    return true;
  }

  dispose(): void {
    this.parts?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.parts = undefined;
  }

  private begin(): void {
    const gl = this.canvas.getContext('webgl2', {
      alpha: true,
      antialias: false,
      depth: false,
      stencil: false,
    });
    if (!gl || gl.isContextLost()) return;
    const labels = GlProgram.make(gl, COVER, LABELS, LABEL_UNIFORMS);
    const colours = GlProgram.make(gl, COVER, COLOURS, COLOUR_UNIFORMS);
    if (!labels || !colours) return;
    const largestSide = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
    const screen = texture(gl);
    const framebuffer = gl.createFramebuffer();
    this.screenSize = { width: 0, height: 0 };
    this.layout = undefined;
    this.palette = undefined;
    const tiles = new ByteBoundCache<WebGLTexture>(TEXTURE_BYTES, old => gl.deleteTexture(old));
    const target = { screen, framebuffer };
    const limits = { largestSide, isSoftware: isSoftwareRenderer(rendererOf(gl)) };
    this.parts = { gl, labels, colours, ...limits, palette: texture(gl), ...target, tiles };
    this.resize(this.parts, { width: 1, height: 1 });
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const complete = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
    if (!complete) this.parts = undefined;
  }

  private resize(parts: GpuParts, { width, height }: Size): void {
    const { gl, screen, framebuffer } = parts;
    if (width === this.screenSize.width && height === this.screenSize.height) return;
    this.screenSize = { width, height };
    this.canvas.width = width;
    this.canvas.height = height;
    gl.bindTexture(gl.TEXTURE_2D, screen);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, screen, 0);
  }

  private usePalette({ gl, palette, largestSide }: GpuParts, colours: Uint32Array): void {
    if (this.palette === colours) return;
    const layout = layOutPalette(colours.length, largestSide);
    if (!layout) return;
    const { width, height } = layout;
    const padded = new Uint32Array(width * height);
    padded.set(colours);
    const bytes = new Uint8Array(padded.buffer);
    gl.bindTexture(gl.TEXTURE_2D, palette);
    if (this.layout?.width === width && this.layout.height === height) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    }
    this.layout = layout;
    this.palette = colours;
  }

  private paintLabels(parts: GpuParts, frame: Frame, tiles: LabelTiles, inView: readonly Tile[]): void {
    const { gl, labels, palette, framebuffer } = parts;
    const { width, height } = this.screenSize;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.useProgram(labels.program);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, palette);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(labels.at('labels'), 0);
    gl.uniform1i(labels.at('palette'), 1);
    gl.uniform1i(labels.at('paletteWidth'), this.layout?.width ?? 1);
    gl.enable(gl.SCISSOR_TEST);
    const top = topLevel(tiles.image);
    for (const tile of inView) {
      for (const part of substitutes(tile, top, each => tiles.at(each) !== undefined)) {
        const found = tiles.at(part.tile);
        if (found) this.paintPart(parts, frame, part, found.labels);
      }
    }
    gl.disable(gl.SCISSOR_TEST);
  }

  private paintPart(
    parts: GpuParts,
    frame: Frame,
    { source, covers }: TilePart,
    labelsOfTile: Uint32Array,
  ): void {
    const { gl, labels } = parts;
    const { width, height } = this.screenSize;
    const { x, y, width: across, height: down } = tileRect(covers, frame);
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const [right, bottom] = [Math.min(width, x + across), Math.min(height, y + down)];
    if (right <= left || bottom <= top) return;
    gl.bindTexture(gl.TEXTURE_2D, this.tileTexture(parts, labelsOfTile));
    gl.scissor(left, top, right - left, bottom - top);
    gl.uniform2f(labels.at('origin'), x, y);
    gl.uniform2f(labels.at('perPixel'), source.size / across, source.size / down);
    gl.uniform2f(labels.at('source'), source.x, source.y);
    gl.uniform1f(labels.at('span'), Math.max(1, source.size));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private tileTexture({ gl, tiles }: GpuParts, labels: Uint32Array): WebGLTexture {
    let name = this.names.get(labels);
    if (name === undefined) {
      name = String(++this.named);
      this.names.set(labels, name);
    }
    const known = tiles.get(name);
    if (known) return known;
    const made = texture(gl);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.R32UI,
      TILE_SIZE,
      TILE_SIZE,
      0,
      gl.RED_INTEGER,
      gl.UNSIGNED_INT,
      labels,
    );
    tiles.set(name, made, TILE_BYTES);
    return made;
  }

  private paintColours({ gl, colours, palette, screen }: GpuParts, frame: Frame, look: LabelLook): void {
    const { width, height } = this.screenSize;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.useProgram(colours.program);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, palette);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, screen);
    gl.uniform1i(colours.at('screen'), 0);
    gl.uniform1i(colours.at('palette'), 1);
    gl.uniform1i(colours.at('paletteWidth'), this.layout?.width ?? 1);
    gl.uniform2i(colours.at('size'), width, height);
    const line = look.opacity === 0 ? 0 : lineOpacity(look.opacity);
    gl.uniform1f(colours.at('fillAlpha'), look.fill ? look.opacity : 0);
    gl.uniform1f(colours.at('lineAlpha'), line);
    // In a crowd of tiny objects halos would be all one sees.
    const small = Math.min(1, Math.max(0.35, frame.view.scale / devicePixelRatio));
    gl.uniform1f(colours.at('haloAlpha'), line * HALO_ALPHA * small);
    // Where objects are small there is no room for it.
    gl.uniform1i(colours.at('innerHalo'), line > 0 && frame.view.scale >= devicePixelRatio / 2 ? 1 : 0);
    // Alone, lines are a little wider, unless objects are small.
    const wide = look.fill || frame.view.scale < devicePixelRatio / 2 ? 1 : 1.5;
    gl.uniform1i(colours.at('lineWidth'), Math.max(1, Math.round(wide * devicePixelRatio)));
    this.setMarks(gl, colours, frame, look.marks);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private setMarks(
    gl: WebGL2RenderingContext,
    colours: GpuParts['colours'],
    { view, panel }: Frame,
    marks: readonly Mark[],
  ): void {
    const [labels, lines, widths, boxes] = [
      new Uint32Array(2),
      new Float32Array(6),
      new Int32Array(4),
      new Int32Array(8),
    ];
    marks.slice(0, 2).forEach((mark, i) => {
      const half = (width: number) => Math.max(1, Math.round((width * devicePixelRatio) / 2));
      const reach = half(mark.haloWidth) + 1;
      const [x1, y1, x2, y2] = mark.box;
      labels[i] = mark.object + 1;
      lines.set(
        mark.line.map(part => part / 255),
        i * 3,
      );
      widths.set([half(mark.width), Math.max(half(mark.width) + 1, half(mark.haloWidth))], i * 2);
      const onScreen = (at: number, middle: number, length: number) =>
        Math.min(1e6, Math.max(-1e6, (at - middle) * view.scale + length / 2));
      boxes.set(
        [
          Math.floor(onScreen(x1, view.x, panel.width)) - reach,
          Math.floor(onScreen(y1, view.y, panel.height)) - reach,
          Math.ceil(onScreen(x2, view.x, panel.width)) + reach,
          Math.ceil(onScreen(y2, view.y, panel.height)) + reach,
        ],
        i * 4,
      );
    });
    gl.uniform1uiv(colours.at('marked'), labels);
    gl.uniform3fv(colours.at('markColour'), lines);
    gl.uniform2iv(colours.at('markWidth'), widths);
    gl.uniform4iv(colours.at('markBox'), boxes);
  }
}

/** Who draws, where the browser tells. */
function rendererOf(gl: WebGL2RenderingContext): string {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

/** A new texture, bound, that is never interpolated. */
function texture(gl: WebGL2RenderingContext): WebGLTexture {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const [name, value] of [
    [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
    [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
  ] as const)
    gl.texParameteri(gl.TEXTURE_2D, name, value);
  return made;
}
