import type { Extent } from '../stage/viewTransform';
import { exactTexture, setLabels } from './glTextures';

/** The label of every pixel on the screen, written by one pass and read by the next. As large as the canvas. */
export class GlScreen {
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

  /** Gives it and the canvas another size. */
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

  /** What is drawn from now on are labels, or colors on the canvas. */
  drawTo(target: 'labels' | 'canvas'): void {
    const { gl, framebuffer } = this;
    const { width, height } = this.extent;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target === 'labels' ? framebuffer : null);
    gl.viewport(0, 0, width, height);
  }
}
