import type { Samples } from '../raster';
import type { TiffBlock } from './tiffBlock';
import type { TiffImage } from './tiffImage';

/** A rectangle of pixels. */
export interface PixelWindow {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Gives the block at (x, y) of the grid; `plane` is the channel in planar files, else 0. */
export type LoadBlock = (x: number, y: number, plane: number) => Promise<TiffBlock>;

/** Samples of some channels in a window that lies inside the image, each channel row-major by itself. */
export async function readWindow(
  image: TiffImage,
  channels: readonly number[],
  window: PixelWindow,
  load: LoadBlock,
): Promise<Samples[]> {
  const { blockWidth, blockHeight, planar } = image;
  const wanted: (Samples | undefined)[] = channels.map(() => undefined);
  const lastX = Math.floor((window.x + window.width - 1) / blockWidth);
  const lastY = Math.floor((window.y + window.height - 1) / blockHeight);
  for (let y = Math.floor(window.y / blockHeight); y <= lastY; y++) {
    for (let x = Math.floor(window.x / blockWidth); x <= lastX; x++) {
      for (const [at, channel] of channels.entries()) {
        const block = await load(x, y, planar ? channel : 0);
        const out = (wanted[at] ??= alike(block.samples, window.width * window.height));
        copy(block, planar ? 0 : channel, x * blockWidth, y * blockHeight, out, window);
      }
    }
  }
  return wanted.map(samples => samples ?? new Uint8Array(window.width * window.height));
}

/** Empty samples of the same type. */
export function alike(samples: Samples, length: number): Samples {
  const Type = samples.constructor as new (length: number) => Samples;
  return new Type(length);
}

/** Copies one channel of a block whose first pixel is (left, top) to where it lies in the window. */
function copy(
  { width, height, channels, samples }: TiffBlock,
  channel: number,
  left: number,
  top: number,
  out: Samples,
  window: PixelWindow,
): void {
  const x0 = Math.max(left, window.x);
  const x1 = Math.min(left + width, window.x + window.width);
  const y1 = Math.min(top + height, window.y + window.height);
  for (let y = Math.max(top, window.y); y < y1; y++) {
    let from = ((y - top) * width + x0 - left) * channels + channel;
    const to = (y - window.y) * window.width + x0 - window.x;
    if (channels === 1) {
      out.set(samples.subarray(from, from + x1 - x0), to);
      continue;
    }
    for (let i = 0; i < x1 - x0; i++, from += channels) out[to + i] = samples[from] ?? 0;
  }
}
