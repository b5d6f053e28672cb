import { unappliedOrientation } from '../exifOrientation';
import { reason } from '../../base/reasons';
import { zerosLike, type PixelWindow } from '../raster';
import type { BackgroundImageSource, OnDamaged } from '../imageSource';

/** EXIF orientations that swap width and height. */
export type Turn = 5 | 6 | 7 | 8;

export function isTurn(orientation: unknown): orientation is Turn {
  return orientation === 5 || orientation === 6 || orientation === 7 || orientation === 8;
}

/** An image turned by its EXIF orientation: its rows are columns of the stored image. */
export function turnedSource(source: BackgroundImageSource, turn: Turn): BackgroundImageSource {
  // The stored image's row 0 is shown at the right for 6 and 7, its column 0 at the bottom for 7
  // and 8.
  const fromRight = turn === 6 || turn === 7;
  const fromBottom = turn === 7 || turn === 8;
  const { facts } = source;
  const turned = <T extends { width: number; height: number }>(size: T): T => ({
    ...size,
    width: size.height,
    height: size.width,
  });
  const storedWindow = (level: number, { x, y, width, height }: PixelWindow): PixelWindow => {
    const stored = facts.levels[level] ?? { width: 0, height: 0 };
    return {
      x: fromBottom ? stored.width - y - height : y,
      y: fromRight ? stored.height - x - width : x,
      width: height,
      height: width,
    };
  };
  const { isInverted } = source;
  return {
    facts: {
      ...facts,
      levels: facts.levels.map(turned),
      pages: facts.pages.map(turned),
      ...(facts.pixelSize && {
        pixelSize: { ...facts.pixelSize, x: facts.pixelSize.y, y: facts.pixelSize.x },
      }),
      notes: [
        ...facts.notes.filter(note => unappliedOrientation(note) === undefined),
        reason("Turned as the file's EXIF orientation says"),
      ],
    },
    async read(position, channel, level, window, signal, onDamaged) {
      const { width: across = 0, height: down = 0 } = facts.levels[level] ?? {};
      const report: OnDamaged | undefined =
        onDamaged &&
        ((part, error) => {
          const x = fromRight ? down - part.y - part.height : part.y;
          const y = fromBottom ? across - part.x - part.width : part.x;
          onDamaged({ x, y, width: part.height, height: part.width }, error);
        });
      const stored = await source.read(position, channel, level, storedWindow(level, window), signal, report);
      const { width, height } = window;
      const samples = zerosLike(stored, stored.length);
      for (let y = 0; y < height; y++) {
        const column = fromBottom ? height - 1 - y : y;
        for (let x = 0; x < width; x++) {
          const row = fromRight ? width - 1 - x : x;
          samples[y * width + x] = stored[row * height + column] as number;
        }
      }
      return samples;
    },
    ...(isInverted && {
      isInverted: (...args: Parameters<typeof isInverted>) => isInverted.apply(source, args),
    }),
    decodedSamples: (level, window) => source.decodedSamples(level, storedWindow(level, window)),
    interleavedWith: channel => source.interleavedWith(channel),
    get bytes() {
      return source.bytes;
    },
    release: () => source.release(),
  };
}
