import { forEachColumnSpan, type ObjectMask } from '../objectMask';
import type { BackgroundImageLook, ImageSize } from '../../images/backgroundImageInfo';
import { Pacer } from '../../base/node/slices';
import type { BackgroundImage } from '../../images/engine/backgroundImage';

/*
 * An object may span a whole slide, so its mask is cut into groups of columns. Each group reads one
 * window of about four million pixels: memory is the same for any object.
 */

/** About this many pixels of the background image are in one window. */
const WINDOW_PIXELS = 4 * 1024 ** 2;

/**
 * Mean of the raw samples of each channel inside a mask, without NaN; NaN if there are none.
 * `masksSize` is the size that the mask refers to: in a background image of another size, each mask
 * pixel is read at its center. Throws errors of reading, `cancelled`.
 */
export async function objectIntensity(
  backgroundImage: BackgroundImage,
  mask: ObjectMask,
  masksSize: ImageSize,
  look: BackgroundImageLook | undefined,
  signal?: AbortSignal,
): Promise<number[]> {
  const { source, level, size } = backgroundImage;
  const [scaleX, scaleY] = [size.width / masksSize.width, size.height / masksSize.height];
  const pixelAt = (position: number, scale: number, length: number) =>
    Math.max(0, Math.min(length - 1, Math.floor((position + 0.5) * scale)));
  const sums = source.facts.channels.map(() => ({ sum: 0, count: 0 }));
  const planePosition = backgroundImage.position(look ?? backgroundImage.look);
  const height =
    pixelAt(mask.y + mask.height - 1, scaleY, size.height) - pixelAt(mask.y, scaleY, size.height) + 1;
  const columns = Math.max(1, Math.floor(WINDOW_PIXELS / Math.max(1, height * scaleX)));
  const pacer = new Pacer(signal);
  for (const spans of columnGroups(mask, columns)) {
    const left = pixelAt(spans.x, scaleX, size.width);
    const top = pixelAt(spans.y0, scaleY, size.height);
    const window = {
      x: left,
      y: top,
      width: pixelAt(spans.x + spans.columns - 1, scaleX, size.width) - left + 1,
      height: pixelAt(spans.y1 - 1, scaleY, size.height) - top + 1,
    };
    for (const [channel, total] of sums.entries()) {
      const samples = await source.read(planePosition, channel, level, window, signal);
      for (let index = 0; index + 2 < spans.list.length; index += 3) {
        const [x = 0, y0 = 0, y1 = 0] = spans.list.slice(index, index + 3);
        const column = pixelAt(x, scaleX, size.width) - left;
        for (let y = y0; y < y1; y++) {
          const value = samples[(pixelAt(y, scaleY, size.height) - top) * window.width + column] ?? NaN;
          if (value !== value) continue;
          total.sum += value;
          total.count++;
        }
      }
      await pacer.pause();
    }
  }
  return sums.map(({ sum, count }) => (count === 0 ? NaN : sum / count));
}

/** Vertical spans of adjacent columns of a mask: `list` has x, first row and end row of each. */
interface Spans {
  x: number;
  columns: number;
  y0: number;
  y1: number;
  list: number[];
}

/** The mask's spans in groups of at most `columns` columns; spans come column by column. */
function columnGroups(mask: ObjectMask, columns: number): Spans[] {
  const groups: Spans[] = [];
  forEachColumnSpan(mask, (x, y0, y1) => {
    const lastGroup = groups.at(-1);
    if (!lastGroup || x >= lastGroup.x + columns) {
      groups.push({ x, columns: 1, y0, y1, list: [x, y0, y1] });
      return;
    }
    lastGroup.columns = x - lastGroup.x + 1;
    lastGroup.y0 = Math.min(lastGroup.y0, y0);
    lastGroup.y1 = Math.max(lastGroup.y1, y1);
    lastGroup.list.push(x, y0, y1);
  });
  return groups;
}
