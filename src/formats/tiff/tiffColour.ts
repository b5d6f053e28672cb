import type { Samples } from '../raster';
import type { TiffImage } from './tiffImage';
import { Photometric } from './tiffTags';

/** Palette places, YCbCr, CMYK or CIE L*a*b* of 8 bits as RGB of 8 bits; extra samples are left out. */
export function toRgb(image: TiffImage, samples: Samples, pixels: number): Uint8Array {
  const rgb = new Uint8ClampedArray(pixels * 3);
  const { palette, stored, photometric } = image;
  const colours = 2 ** image.bits;
  for (let i = 0; i < pixels; i++) {
    const from = i * stored;
    const a = samples[from] ?? 0;
    const b = samples[from + 1] ?? 0;
    const c = samples[from + 2] ?? 0;
    let colour: readonly [number, number, number];
    if (palette) {
      // 16 bits of which the high byte is the colour.
      const place = (channel: number) => (palette[channel * colours + a] ?? 0) >> 8;
      colour = [place(0), place(1), place(2)];
    } else if (photometric === Photometric.ycbcr) {
      colour = fromYcbcr(a, b, c);
    } else if (photometric === Photometric.cmyk) {
      const light = 1 - (samples[from + 3] ?? 0) / 255;
      colour = [(255 - a) * light, (255 - b) * light, (255 - c) * light];
    } else {
      // a* and b* are signed bytes.
      colour = fromCielab((a / 255) * 100, (b << 24) >> 24, (c << 24) >> 24);
    }
    rgb.set(colour, i * 3);
  }
  return new Uint8Array(rgb.buffer);
}

/** ITU-R BT.601 in full range, as JPEG uses it. */
function fromYcbcr(y: number, cb: number, cr: number): [number, number, number] {
  return [y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128), y + 1.772 * (cb - 128)];
}

/** CIE L*a*b* with the D65 white point to sRGB, 0…255. */
function fromCielab(lightness: number, a: number, b: number): [number, number, number] {
  const fy = (lightness + 16) / 116;
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));
  const x = 0.95047 * cube(fy + a / 500);
  const y = cube(fy);
  const z = 1.08883 * cube(fy - b / 200);
  const gamma = (linear: number) =>
    255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
  return [
    gamma(3.2406 * x - 1.5372 * y - 0.4986 * z),
    gamma(-0.9689 * x + 1.8758 * y + 0.0415 * z),
    gamma(0.0557 * x - 0.204 * y + 1.057 * z),
  ];
}
