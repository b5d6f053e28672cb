import { forEachColumnSpan, type ObjectMask } from '../../formats/objectMask';
import type { PictureLook } from '../../formats/pictureLook';
import { Pacer } from '../slices';
import type { Picture } from './picture';
import type { Size } from './pictureSource';

/** Pixels of the picture that are read at a time, about. */
const PART = 4 * 1024 ** 2;

/**
 * Mean of the raw samples of each channel inside a mask, over those that are numbers; NaN without any. `image` is the size of
 * the masks: in a picture of another size each mask pixel is read at its middle. Throws what reading throws, `cancelled`.
 */
export async function objectIntensity(
  picture: Picture,
  mask: ObjectMask,
  image: Size,
  look: PictureLook | undefined,
  signal?: AbortSignal,
): Promise<number[]> {
  const { source, level, size } = picture;
  const [sx, sy] = [size.width / image.width, size.height / image.height];
  const place = (at: number, scale: number, length: number) =>
    Math.max(0, Math.min(length - 1, Math.floor((at + 0.5) * scale)));
  const sums = source.facts.channels.map(() => ({ sum: 0, count: 0 }));
  const position = picture.position(look ?? picture.look);
  const height = place(mask.y + mask.height - 1, sy, size.height) - place(mask.y, sy, size.height) + 1;
  const columns = Math.max(1, Math.floor(PART / Math.max(1, height * sx)));
  const pacer = new Pacer(signal);
  for (const spans of partsOf(mask, columns)) {
    const left = place(spans.x, sx, size.width);
    const top = place(spans.y0, sy, size.height);
    const window = {
      x: left,
      y: top,
      width: place(spans.x + spans.columns - 1, sx, size.width) - left + 1,
      height: place(spans.y1 - 1, sy, size.height) - top + 1,
    };
    for (const [channel, total] of sums.entries()) {
      const samples = await source.read(position, channel, level, window, signal);
      for (let i = 0; i + 2 < spans.list.length; i += 3) {
        const [x = 0, y0 = 0, y1 = 0] = spans.list.slice(i, i + 3);
        const column = place(x, sx, size.width) - left;
        for (let y = y0; y < y1; y++) {
          const value = samples[(place(y, sy, size.height) - top) * window.width + column] ?? NaN;
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

/** Vertical spans of some adjoining columns of a mask, as x, first row, end row. */
interface Spans {
  x: number;
  columns: number;
  y0: number;
  y1: number;
  list: number[];
}

/** The mask's spans in parts of so many columns; spans come column by column. */
function partsOf(mask: ObjectMask, columns: number): Spans[] {
  const parts: Spans[] = [];
  forEachColumnSpan(mask, (x, y0, y1) => {
    const last = parts.at(-1);
    if (!last || x >= last.x + columns) {
      parts.push({ x, columns: 1, y0, y1, list: [x, y0, y1] });
      return;
    }
    last.columns = x - last.x + 1;
    last.y0 = Math.min(last.y0, y0);
    last.y1 = Math.max(last.y1, y1);
    last.list.push(x, y0, y1);
  });
  return parts;
}
