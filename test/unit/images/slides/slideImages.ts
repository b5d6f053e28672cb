import { encodeJpeg, type JpegShape, type Paint } from './encodeJpeg';
import { ndpi, type NdpiDirectory, type NdpiFile } from './ndpiFixture';

/** A tissue on white, with edges, at 1 / scale of its size. */
export const tissue =
  (scale = 1, focus = 0): Paint =>
  (px, py) => {
    const [x, y] = [px * scale, py * scale];
    const wave = Math.sin(x / 23) * Math.cos(y / 31) + Math.sin((x + y) / 57 + focus);
    if (wave < -0.2) return [238 - focus * 10, 236, 240];
    const dark = (Math.floor(x / 24) + Math.floor(y / 40)) % 3 === 0;
    return dark ? [92, 60 + ((x / 4) % 60), 150] : [214, 130 + 40 * wave, 190 - ((y / 5) % 50)];
  };

/** A level of a slide as one stream. */
export function level(
  shape: JpegShape,
  facts: Omit<NdpiDirectory, 'width' | 'height' | 'jpeg'>,
  paint: Paint,
): NdpiDirectory {
  return { ...facts, width: shape.width, height: shape.height, jpeg: encodeJpeg(shape, paint) };
}

/** A small slide with levels in intervals of half a row, a coarsest level as a whole, and a macro image. */
export function smallNdpi(sampling: readonly [number, number] = [2, 1]): NdpiFile {
  const mcus = 16 / sampling[0];
  const sized = (width: number, height: number, restart = 0): JpegShape => ({ width, height, sampling, restart });
  return ndpi([
    level(sized(256, 192, mcus), { lens: 20 }, tissue()),
    level(sized(128, 96, mcus / 2), { lens: 10, resolution: 22_000 }, tissue(2)),
    level(sized(64, 48), { lens: 5, resolution: 11_000, starts: 'none' }, tissue(4)),
    level(sized(96, 32), { lens: -1, resolution: 300, starts: 'none' }, tissue(5)),
    level(sized(48, 16), { lens: -2, resolution: 150, starts: 'none' }, tissue(9)),
  ]);
}
