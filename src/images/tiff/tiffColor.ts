import type { Samples } from '../raster';
import type { TiffImage, YcbcrScale } from './tiffImage';
import { Photometric } from './tiffTags';

type Color = [red: number, green: number, blue: number];

/** Palette places, YCbCr, CMYK, CIE or ICC L*a*b* of 8 bits as RGB of 8 bits; extra samples are left out. */
export function toRgb(image: TiffImage, samples: Samples, pixels: number): Uint8Array {
  const rgb = new Uint8ClampedArray(pixels * 3);
  const { palette, stored, photometric } = image;
  const colors = 2 ** image.bits;
  const fromYcbcr = image.ycbcr && ycbcrConverter(image.ycbcr);
  for (let i = 0; i < pixels; i++) {
    const from = i * stored;
    const a = samples[from] ?? 0;
    const b = samples[from + 1] ?? 0;
    const c = samples[from + 2] ?? 0;
    let color: Color;
    if (palette) {
      const place = (channel: number) => palette[channel * colors + a] ?? 0;
      color = [place(0), place(1), place(2)];
    } else if (fromYcbcr) {
      color = fromYcbcr(a, b, c);
    } else if (photometric === Photometric.cmyk) {
      const light = 1 - (samples[from + 3] ?? 0) / 255;
      color = [(255 - a) * light, (255 - b) * light, (255 - c) * light];
    } else {
      // a* and b* are signed bytes, or as ICC profiles have them bytes less 128.
      const chroma = (byte: number) => (photometric === Photometric.icclab ? byte - 128 : (byte << 24) >> 24);
      color = fromCielab((a / 255) * 100, chroma(b), chroma(c));
    }
    rgb.set(color, i * 3);
  }
  return new Uint8Array(rgb.buffer);
}

/** YCbCr to RGB as TIFF 6.0 defines it in section 21. */
function ycbcrConverter({ luma, range }: YcbcrScale): (y: number, cb: number, cr: number) => Color {
  const [lumaRed, lumaGreen, lumaBlue] = luma;
  const [y0 = 0, y1 = 255, cb0 = 128, cb1 = 255, cr0 = 128, cr1 = 255] = range;
  const scaled = (code: number, black: number, white: number, span: number) =>
    ((code - black) * span) / (white === black ? 1 : white - black);
  return (y, cb, cr) => {
    const light = scaled(y, y0, y1, 255);
    const red = light + scaled(cr, cr0, cr1, 127) * (2 - 2 * lumaRed);
    const blue = light + scaled(cb, cb0, cb1, 127) * (2 - 2 * lumaBlue);
    return [red, (light - lumaRed * red - lumaBlue * blue) / lumaGreen, blue];
  };
}

/** CIE L*a*b*, whose white is D50 as in ICC profiles, to sRGB adapted by Bradford's method, 0…255. */
function fromCielab(lightness: number, a: number, b: number): Color {
  const fy = (lightness + 16) / 116;
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));
  const x = 0.9642 * cube(fy + a / 500);
  const y = cube(fy);
  const z = 0.8251 * cube(fy - b / 200);
  const gamma = (linear: number) =>
    255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
  return [
    gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    gamma(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}
