import { exactTexture } from './glTextures';

/** A palette as a texture: rows of `width` labels, as many as it takes. */
export interface PaletteLayout {
  width: number;
  height: number;
}

const USUAL_WIDTH = 1024;

/** Lays a palette out in two dimensions; undefined when no texture of this side can hold it. */
export function layOutPalette(length: number, maxSide: number): PaletteLayout | undefined {
  const narrow = Math.min(USUAL_WIDTH, maxSide);
  const width = Math.ceil(length / narrow) <= maxSide ? narrow : maxSide;
  const height = Math.max(1, Math.ceil(length / width));
  return height <= maxSide ? { width, height } : undefined;
}

/** The color of every label on the GPU; uploaded again only when there is another palette. */
export class GlPalette {
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

  /** `colors`: label → packed RGBA. A palette that is too large leaves the one before. */
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
