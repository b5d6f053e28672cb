/** Pixels of an image as RGBA. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

export function pixelsOf(
  png: Uint8Array,
  box?: { left: number; top: number; right: number; bottom: number },
): Pixels;
export function webpOf(pixels: Pixels): Promise<Buffer>;
export function movingWebpOf(frames: readonly { pixels: Pixels; ms: number }[]): Promise<Buffer>;
