import { GlPalette } from './glPalette';
import { GlProgram } from './glProgram';
import { GlScreen } from './glScreen';
import { GlTileTextures } from './glTextures';
import { COLORS, COVER, LABELS } from './labelShaders';

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

/** Everything that lives on the GPU and goes with a lost context. */
export interface GlResources {
  gl: WebGL2RenderingContext;
  /** Writes the labels of tiles to the screen. */
  labels: GlProgram<(typeof LABEL_UNIFORMS)[number]>;
  /** Colors the labels on the screen. */
  colors: GlProgram<(typeof COLOR_UNIFORMS)[number]>;
  palette: GlPalette;
  screen: GlScreen;
  tiles: GlTileTextures;
  /** Longest side of a texture in pixels. */
  maxSide: number;
  /** Whether WebGL runs on the processor. */
  isSoftware: boolean;
}

/** Compiles the shaders and makes the textures of a canvas; undefined where WebGL2 or a part of it isn't available. */
export function makeGlResources(canvas: OffscreenCanvas): GlResources | undefined {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, depth: false, stencil: false });
  if (!gl || gl.isContextLost()) return undefined;
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
    isSoftware: isSoftwareRenderer(rendererOf(gl)),
  };
}

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|\bwarp\b/i;

/** Whether a WebGL context whose renderer has this name is drawn by the processor. */
export function isSoftwareRenderer(name: string): boolean {
  return SOFTWARE.test(name);
}

/** The name of the renderer, as far as the browser reveals it. */
function rendererOf(gl: WebGL2RenderingContext): string {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}
