import { TILE_SIZE } from '../../../protocol/tiles';
import type { Extent } from '../stage/viewTransform';
import { ByteBoundCache } from '../tiles/byteBoundCache';
import { TILE_BYTES } from '../tiles/tileMath';

const MAX_BYTES = 128 * 2 ** 20;

/** A new texture, bound, that is never interpolated. */
export function exactTexture(gl: WebGL2RenderingContext): WebGLTexture {
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

/** Gives the bound texture a size and a label for each pixel, or room for them. */
export function setLabels(gl: WebGL2RenderingContext, { width, height }: Extent, labels: Uint32Array | null) {
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, labels);
}

/** The labels of tiles as textures, made when a tile is first painted; those not used for long go. */
export class GlTileTextures {
  private readonly textures: ByteBoundCache<WebGLTexture>;
  /** Names of label arrays among the textures. */
  private readonly names = new WeakMap<Uint32Array, string>();
  private named = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.textures = new ByteBoundCache(MAX_BYTES, old => gl.deleteTexture(old));
  }

  /** Binds the texture of these labels. */
  bind(labels: Uint32Array): void {
    const { gl } = this;
    const name = this.nameOf(labels);
    const known = this.textures.get(name);
    if (known) {
      gl.bindTexture(gl.TEXTURE_2D, known);
      return;
    }
    const texture = exactTexture(gl);
    setLabels(gl, { width: TILE_SIZE, height: TILE_SIZE }, labels);
    this.textures.set(name, texture, TILE_BYTES);
  }

  private nameOf(labels: Uint32Array): string {
    const known = this.names.get(labels);
    if (known !== undefined) return known;
    const name = String(++this.named);
    this.names.set(labels, name);
    return name;
  }
}
