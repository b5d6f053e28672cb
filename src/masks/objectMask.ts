import { maskPixels, type Runs } from './runLengthEncoding';
import { trimRuns, type TrimmedBox } from './trimRuns';

/**
 * The mask of one object in its image's frame: the smallest box around its pixels (0 × 0 when it has none) and the
 * column-major runs inside that box.
 */
export interface ObjectMask {
  x: number;
  y: number;
  width: number;
  height: number;
  runs: Runs;
}

/**
 * The mask of column-major runs of a frame of `height` rows, whose top left pixel is (left, top) of the image, trimmed to
 * the box around their ones.
 */
export function maskFromRuns(runs: Runs, height: number, left = 0, top = 0): ObjectMask {
  const box: TrimmedBox = { x1: 0, y1: 0, x2: 0, y2: 0, area: 0 };
  const trimmed = new Uint32Array(runs.length + 1);
  trimmed.set(runs);
  const end = trimRuns(trimmed, 0, runs.length, height, box);
  return {
    x: left + box.x1,
    y: top + box.y1,
    width: box.x2 - box.x1,
    height: box.y2 - box.y1,
    runs: trimmed.slice(0, end),
  };
}

/** Calls back for every vertical span of the mask: column x, rows y0 to y1 (exclusive), in image pixels. */
export function forEachColumnSpan(
  mask: ObjectMask,
  visit: (x: number, y0: number, y1: number) => void,
): void {
  const { x, y, height, runs } = mask;
  let position = 0;
  for (let i = 0; i < runs.length; i++) {
    let run = runs[i] as number;
    if (i % 2 === 0) {
      position += run;
      continue;
    }
    while (run > 0) {
      const column = Math.floor(position / height);
      const row = position - column * height;
      const length = Math.min(run, height - row);
      visit(x + column, y + row, y + row + length);
      position += length;
      run -= length;
    }
  }
}

/** Runs of the whole image (imageHeight × imageWidth) for a mask that lies inside it; adjoining ones are joined. */
export function fullFrameRuns(mask: ObjectMask, imageWidth: number, imageHeight: number): Runs {
  const pixels = maskPixels(imageHeight, imageWidth);
  const runs = new Uint32Array(mask.runs.length + 2 * mask.width + 2);
  let count = 0;
  let end = 0;
  forEachColumnSpan(mask, (x, y0, y1) => {
    const start = x * imageHeight + y0;
    if (start === end && count > 0) {
      runs[count - 1] = (runs[count - 1] as number) + y1 - y0;
    } else {
      runs[count++] = start - end;
      runs[count++] = y1 - y0;
    }
    end = start + y1 - y0;
  });
  if (pixels > end || count === 0) runs[count++] = pixels - end;
  return runs.slice(0, count);
}
