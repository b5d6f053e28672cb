import { TILE_SIZE } from '../../../protocol/tiles';
import { ByteBoundCache } from '../tiles/tileLoader';
import {
  type CanvasFrame,
  substitutes,
  type Tile,
  TILE_BYTES,
  type TilePart,
  tileRect,
  topLevel,
} from '../tiles/tiles';
import type { Extent } from '../tiles/viewTransform';
import { COLORS, COVER, LABELS } from './labelShaders';
import {
  HALO_ALPHA,
  type LabelLook,
  type LabelRenderer,
  type LabelTiles,
  lineOpacity,
  LUMINANCE,
  type Mark,
  outlinesSelected,
} from './labelTiles';

/**
 * Paints labels with WebGL2. Tiles of labels and the palette are textures: changes of colors,
 * filters, opacity or marks upload no labels. `ready` is false while the context is lost.
 */
export class GlLabelRenderer implements LabelRenderer {
  private readonly canvas = new OffscreenCanvas(1, 1);
  private resources: GlResources | undefined;

  /**
   * `onChange` is called when the context is lost or restored. `software` allows WebGL that runs on
   * the processor; a 2D canvas is several times faster there.
   */
  constructor(onChange: () => void, { software = false } = {}) {
    const make = () => makeGlResources(this.canvas, software);
    this.canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault();
      this.resources = undefined;
      onChange();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.resources = make();
      onChange();
    });
    this.resources = make();
  }

  /** Whether it can paint: WebGL2 on a GPU is available, and the context isn't lost. */
  get ready(): boolean {
    return this.resources !== undefined && !this.resources.gl.isContextLost();
  }

  /**
   * Whether the GPU's limits allow a palette of this number of labels and a screen of this size.
   */
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

/** The first pass: the label of each screen pixel. */
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
  gl.uniform1i(labels.uniform('labels'), 0);
  gl.uniform1i(labels.uniform('palette'), 1);
  gl.uniform1i(labels.uniform('paletteWidth'), palette.width);
  gl.enable(gl.SCISSOR_TEST);
  const top = topLevel(tiles.image);
  for (const tile of inView) {
    for (const part of substitutes(tile, top, substitute => tiles.at(substitute) !== undefined)) {
      const labelTile = tiles.at(part.tile);
      if (labelTile) paintPart(resources, frame, part, labelTile.labels);
    }
  }
  gl.disable(gl.SCISSOR_TEST);
}

function paintPart(
  { gl, labels, screen, tiles }: GlResources,
  frame: CanvasFrame,
  { source, covers }: TilePart,
  tileLabels: Uint32Array,
): void {
  const { width, height } = screen.size;
  const { x, y, width: across, height: down } = tileRect(covers, frame);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(width, x + across), Math.min(height, y + down)];
  if (right <= left || bottom <= top) return;
  tiles.bind(tileLabels);
  gl.scissor(left, top, right - left, bottom - top);
  gl.uniform2f(labels.uniform('origin'), x, y);
  gl.uniform2f(labels.uniform('perPixel'), source.size / across, source.size / down);
  gl.uniform2f(labels.uniform('source'), source.x, source.y);
  gl.uniform1f(labels.uniform('span'), Math.max(1, source.size));
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

/** The second pass: fills, outlines, halos and marks, made from the labels on the screen. */
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
  gl.uniform1i(colors.uniform('screen'), 0);
  gl.uniform1i(colors.uniform('palette'), 1);
  gl.uniform1i(colors.uniform('paletteWidth'), palette.width);
  gl.uniform2i(colors.uniform('size'), width, height);
  const lineAlpha = look.opacity === 0 ? 0 : lineOpacity(look.opacity);
  gl.uniform1f(colors.uniform('fillAlpha'), look.fill ? look.opacity : 0);
  gl.uniform1f(colors.uniform('lineAlpha'), lineAlpha);
  gl.uniform1f(colors.uniform('gamma'), LUMINANCE.gamma);
  gl.uniform4f(colors.uniform('darkBelow'), ...LUMINANCE.weights, LUMINANCE.dark);
  // Weaker halos around tiny objects, which they would cover.
  const haloStrength = Math.min(1, Math.max(0.35, frame.view.scale / devicePixelRatio));
  gl.uniform1f(colors.uniform('haloAlpha'), lineAlpha * HALO_ALPHA * haloStrength);
  // Small objects have no room for an inner halo.
  gl.uniform1i(
    colors.uniform('innerHalo'),
    lineAlpha > 0 && frame.view.scale >= devicePixelRatio / 2 ? 1 : 0,
  );
  // Lines without fills are a little wider, unless objects are small.
  const lineFactor = look.fill || frame.view.scale < devicePixelRatio / 2 ? 1 : 1.5;
  gl.uniform1i(colors.uniform('lineWidth'), Math.max(1, Math.round(lineFactor * devicePixelRatio)));
  const selectedWidth = Math.max(1, Math.round(devicePixelRatio));
  gl.uniform1i(colors.uniform('selectedWidth'), outlinesSelected(look, frame) ? selectedWidth : 0);
  const marks = markUniforms(look.marks, frame);
  gl.uniform1uiv(colors.uniform('marked'), marks.labels);
  gl.uniform3fv(colors.uniform('markColor'), marks.colors);
  gl.uniform2iv(colors.uniform('markWidth'), marks.widths);
  gl.uniform4iv(colors.uniform('markBox'), marks.boxes);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

/** Number of marks in the shader. */
const MAX_MARKS = 2;

/** Marked objects in the format of the shader: one array per property; label 0 for none. */
interface MarkUniforms {
  labels: Uint32Array;
  /** Red, green and blue, 0…1. */
  colors: Float32Array;
  /** Half the width of the line, and of the line with its halo, in screen pixels. */
  widths: Int32Array;
  /** x1, y1, x2, y2 on the screen, with room for the line. */
  boxes: Int32Array;
}

function markUniforms(marks: readonly Mark[], { view, panel }: CanvasFrame): MarkUniforms {
  const labels = new Uint32Array(MAX_MARKS);
  const colors = new Float32Array(3 * MAX_MARKS);
  const widths = new Int32Array(2 * MAX_MARKS);
  const boxes = new Int32Array(4 * MAX_MARKS);
  const halfWidth = (width: number) => Math.max(1, Math.round((width * devicePixelRatio) / 2));
  // Limited to the range of a shader's integers: a mark may be far off the screen.
  const onScreen = (position: number, middle: number, length: number) =>
    Math.min(1e6, Math.max(-1e6, (position - middle) * view.scale + length / 2));
  marks.slice(0, MAX_MARKS).forEach(({ object, box, line, width, haloWidth }, i) => {
    const margin = halfWidth(haloWidth) + 1;
    const [x1, y1, x2, y2] = box;
    labels[i] = object + 1;
    const color = line.map(channel => channel / 255);
    colors.set(color, i * 3);
    widths.set([halfWidth(width), Math.max(halfWidth(width) + 1, halfWidth(haloWidth))], i * 2);
    const onPanel = [
      Math.floor(onScreen(x1, view.x, panel.width)) - margin,
      Math.floor(onScreen(y1, view.y, panel.height)) - margin,
      Math.ceil(onScreen(x2, view.x, panel.width)) + margin,
      Math.ceil(onScreen(y2, view.y, panel.height)) + margin,
    ];
    boxes.set(onPanel, i * 4);
  });
  return { labels, colors, widths, boxes };
}

const LABEL_UNIFORMS = ['labels', 'palette', 'paletteWidth', 'origin', 'perPixel', 'source', 'span'] as const;
const COLOR_UNIFORMS = [
  'screen',
  'palette',
  'paletteWidth',
  'size',
  'fillAlpha',
  'lineAlpha',
  'haloAlpha',
  'darkBelow',
  'gamma',
  'innerHalo',
  'lineWidth',
  'selectedWidth',
  'marked',
  'markColor',
  'markWidth',
  'markBox',
] as const;

/** The resources on the GPU, which are lost with the context. */
interface GlResources {
  gl: WebGL2RenderingContext;
  /** Draws the labels of tiles to the screen texture. */
  labels: GlProgram<(typeof LABEL_UNIFORMS)[number]>;
  /** Draws colors from the labels in the screen texture. */
  colors: GlProgram<(typeof COLOR_UNIFORMS)[number]>;
  palette: GlPalette;
  screen: GlScreen;
  tiles: GlTileTextures;
  /** Longest side of a texture in pixels. */
  maxSide: number;
}

/**
 * Compiles the shaders and makes the textures of a canvas. Undefined if WebGL2 isn't available, or
 * runs on the processor without `software`.
 */
function makeGlResources(canvas: OffscreenCanvas, software: boolean): GlResources | undefined {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, depth: false, stencil: false });
  if (!gl || gl.isContextLost()) return undefined;
  if (!software && isSoftwareRenderer(rendererOf(gl))) return undefined;
  const labels = GlProgram.make(gl, COVER, LABELS, LABEL_UNIFORMS);
  const colors = GlProgram.make(gl, COVER, COLORS, COLOR_UNIFORMS);
  if (!labels || !colors) return undefined;
  const maxSide = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  const screen = new GlScreen(gl);
  if (!screen.isComplete) return undefined;
  return {
    gl,
    labels,
    colors,
    palette: new GlPalette(gl, maxSide),
    screen,
    tiles: new GlTileTextures(gl),
    maxSide,
  };
}

const SOFTWARE_RENDERERS = /swiftshader|llvmpipe|softpipe|software|basic render|\bwarp\b/i;

/** Whether a WebGL renderer of this name runs on the processor. */
export function isSoftwareRenderer(name: string): boolean {
  return SOFTWARE_RENDERERS.test(name);
}

/** The name of the renderer, if the browser reveals it. */
function rendererOf(gl: WebGL2RenderingContext): string {
  const debugInfo = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

/** A palette as a texture: rows of `width` labels. */
interface PaletteLayout {
  width: number;
  height: number;
}

const USUAL_PALETTE_WIDTH = 1024;

/** The layout of a palette as a texture; undefined if no texture of this side holds it. */
export function layOutPalette(length: number, maxSide: number): PaletteLayout | undefined {
  const usualWidth = Math.min(USUAL_PALETTE_WIDTH, maxSide);
  const width = Math.ceil(length / usualWidth) <= maxSide ? usualWidth : maxSide;
  const height = Math.max(1, Math.ceil(length / width));
  return height <= maxSide ? { width, height } : undefined;
}

/** The color of every label, on the GPU. Uploaded only when the palette changes. */
class GlPalette {
  private readonly texture: WebGLTexture;
  private layout: PaletteLayout | undefined;
  private colors: Uint32Array | undefined;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly maxSide: number,
  ) {
    this.texture = exactTexture(gl);
  }

  /** Labels in a row of the texture. */
  get width(): number {
    return this.layout?.width ?? 1;
  }

  /** `colors`: label → packed RGBA. If the palette is too large, the previous one stays. */
  set(colors: Uint32Array): void {
    if (this.colors === colors) return;
    const { gl } = this;
    const layout = layOutPalette(colors.length, this.maxSide);
    if (!layout) return;
    const { width, height } = layout;
    const padded = new Uint32Array(width * height);
    padded.set(colors);
    const bytes = new Uint8Array(padded.buffer);
    this.bind();
    if (this.layout?.width === width && this.layout.height === height) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    }
    this.layout = layout;
    this.colors = colors;
  }

  bind(): void {
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }
}

const MAX_TEXTURE_BYTES = 128 * 2 ** 20;

/** A new, bound texture without interpolation. */
function exactTexture(gl: WebGL2RenderingContext): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const [name, value] of [
    [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
    [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
  ] as const)
    gl.texParameteri(gl.TEXTURE_2D, name, value);
  return texture;
}

/** Sets the size of the bound texture and its labels; null leaves them empty. */
function setLabels(gl: WebGL2RenderingContext, { width, height }: Extent, labels: Uint32Array | null) {
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, labels);
}

/**
 * The labels of tiles as textures. A tile's texture is made when it is first painted, and the least
 * recently used ones are deleted.
 */
class GlTileTextures {
  private readonly textures: ByteBoundCache<WebGLTexture>;
  /** Keys of label arrays in the cache of textures. */
  private readonly keys = new WeakMap<Uint32Array, string>();
  private keyCount = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.textures = new ByteBoundCache(MAX_TEXTURE_BYTES, old => gl.deleteTexture(old));
  }

  /** Binds the texture of these labels. */
  bind(labels: Uint32Array): void {
    const { gl } = this;
    const key = this.keyOf(labels);
    const cached = this.textures.get(key);
    if (cached) {
      gl.bindTexture(gl.TEXTURE_2D, cached);
      return;
    }
    const texture = exactTexture(gl);
    setLabels(gl, { width: TILE_SIZE, height: TILE_SIZE }, labels);
    this.textures.set(key, texture, TILE_BYTES);
  }

  private keyOf(labels: Uint32Array): string {
    const cached = this.keys.get(labels);
    if (cached !== undefined) return cached;
    const key = String(++this.keyCount);
    this.keys.set(labels, key);
    return key;
  }
}

/**
 * The label of every pixel on the screen. The first pass writes it, the second reads it. As large
 * as the canvas.
 */
class GlScreen {
  readonly texture: WebGLTexture;
  private readonly framebuffer: WebGLFramebuffer;
  private extent: Extent = { width: 0, height: 0 };

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.texture = exactTexture(gl);
    this.framebuffer = gl.createFramebuffer();
    this.resize({ width: 1, height: 1 });
  }

  get size(): Extent {
    return this.extent;
  }

  /** Whether labels can be drawn into it. */
  get isComplete(): boolean {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    return gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
  }

  /** Resizes the texture and the canvas. */
  resize({ width, height }: Extent): void {
    if (width === this.extent.width && height === this.extent.height) return;
    const { gl, texture, framebuffer } = this;
    this.extent = { width, height };
    gl.canvas.width = width;
    gl.canvas.height = height;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    setLabels(gl, this.extent, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  }

  /** Sets the target of the next draw calls: the labels texture or the canvas. */
  drawTo(target: 'labels' | 'canvas'): void {
    const { gl, framebuffer } = this;
    const { width, height } = this.extent;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target === 'labels' ? framebuffer : null);
    gl.viewport(0, 0, width, height);
  }
}

/** A linked program and the locations of its uniforms. */
class GlProgram<Name extends string> {
  private constructor(
    readonly program: WebGLProgram,
    private readonly locations: Record<Name, WebGLUniformLocation | null>,
  ) {}

  /** Compiles and links; undefined where the driver refuses. */
  static make<Name extends string>(
    gl: WebGL2RenderingContext,
    vertex: string,
    fragment: string,
    names: readonly Name[],
  ): GlProgram<Name> | undefined {
    const program = gl.createProgram();
    const shaders = [
      compileShader(gl, gl.VERTEX_SHADER, vertex),
      compileShader(gl, gl.FRAGMENT_SHADER, fragment),
    ];
    for (const shader of shaders) if (shader) gl.attachShader(program, shader);
    gl.linkProgram(program);
    for (const shader of shaders) gl.deleteShader(shader);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      gl.deleteProgram(program);
      return undefined;
    }
    const locations = Object.fromEntries(
      names.map(name => [name, gl.getUniformLocation(program, name)]),
    ) as Record<Name, WebGLUniformLocation | null>;
    return new GlProgram(program, locations);
  }

  uniform(name: Name): WebGLUniformLocation | null {
    return this.locations[name];
  }
}

function compileShader(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader | null {
  const shader = gl.createShader(kind);
  if (!shader) return null;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}
