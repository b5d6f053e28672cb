import { maskPixels, type Runs } from './runLengthEncoding';

/**
 * The mask of one object: the smallest box around its pixels in the image (0 × 0 if empty), and the
 * column-major runs in that box.
 */
export interface ObjectMask {
  x: number;
  y: number;
  width: number;
  height: number;
  runs: Runs;
}

/**
 * The mask of column-major runs of a frame of `height` rows with its corner at (left, top) of the
 * image, trimmed to the box of its ones.
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

/** Calls back for each vertical span: column x, rows y0 to y1 (exclusive), in image pixels. */
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

/**
 * Runs of the whole image (imageHeight × imageWidth) for a mask inside it; joins adjoining runs.
 */
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

/** The box of a mask's ones in their frame (x2, y2 exclusive), and their number; all 0 if empty. */
export interface TrimmedBox {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  area: number;
}

/**
 * Trims column-major runs of a frame of `height` rows, `start` to `end` of `runs`, to the box of
 * their ones, in place, and fills `box`. Returns their new end, at most one beyond the old. Makes
 * no bitmap.
 */
export function trimRuns(runs: Runs, start: number, end: number, height: number, box: TrimmedBox): number {
  let x1 = -1;
  let x2 = 0;
  let y1 = height;
  let y2 = 0;
  let area = 0;
  let column = 0;
  let row = 0;
  let onesEnd = start;
  let isWhole = true;
  for (let i = start; i < end; i += 2) {
    const zeros = runs[i] as number;
    if (zeros === 0 && i > start) isWhole = false;
    row += zeros;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : Math.floor(row / height);
      column += columns;
      row -= columns * height;
    }
    if (i + 1 === end) break;
    const ones = runs[i + 1] as number;
    if (ones === 0) {
      isWhole = false;
      continue;
    }
    area += ones;
    onesEnd = i + 2;
    if (x1 < 0) x1 = column;
    if (row < y1) y1 = row;
    row += ones;
    if (row <= height) {
      if (row > y2) y2 = row;
      x2 = column + 1;
      if (row < height) continue;
    } else {
      // The run continues in the next column, so it touches the bottom and the top.
      y1 = 0;
      y2 = height;
      x2 = column + Math.ceil(row / height);
    }
    const columns = Math.floor(row / height);
    column += columns;
    row -= columns * height;
  }
  if (x1 < 0) y1 = x1 = 0;
  box.x1 = x1;
  box.y1 = y1;
  box.x2 = x2;
  box.y2 = y2;
  box.area = area;
  if (onesEnd === start) return start;
  if (!isWhole || x1 > 0 || y2 - y1 < height) return moveRuns(runs, start, onesEnd, height, box);
  // The runs already fit the box, except for columns removed on the right.
  const remainingZeros = (x2 - column) * height - row;
  if (onesEnd === end) {
    if (remainingZeros > 0) runs[end] = remainingZeros;
    return remainingZeros > 0 ? end + 1 : end;
  }
  const zeros = (runs[onesEnd] ?? 0) + remainingZeros;
  runs[onesEnd] = zeros;
  return zeros > 0 ? onesEnd + 1 : onesEnd;
}

/**
 * The number of ones in column-major runs, `start` to `end` of `runs`, that need no trimming: their
 * frame of `height` rows is the box of their ones, and only the first run may be empty. −1 for
 * others.
 */
export function areaOfTrimmed(runs: Runs, start: number, end: number, height: number): number {
  const pairsEnd = end - ((end - start) & 1);
  if ((runs[start] ?? 0) >= height) return -1;
  if (pairsEnd < end && ((runs[pairsEnd] ?? 0) === 0 || (runs[pairsEnd] ?? 0) >= height)) return -1;
  let area = 0;
  let row = 0;
  let meetsTop = false;
  let meetsBottom = false;
  let index = start;
  for (; index < pairsEnd && !(meetsTop && meetsBottom); index += 2) {
    const zeros = runs[index] as number;
    const ones = runs[index + 1] as number;
    if (ones === 0 || (zeros === 0 && index > start)) return -1;
    area += ones;
    row += zeros;
    if (row >= height) row = row < 2 * height ? row - height : row % height;
    if (row === 0) meetsTop = true;
    row += ones;
    if (row >= height) {
      meetsBottom = true;
      if (row > height) meetsTop = true;
      row %= height;
    }
  }
  if (!meetsTop || !meetsBottom) return -1;
  for (; index < pairsEnd; index += 2) {
    const ones = runs[index + 1] as number;
    if (ones === 0 || (runs[index] as number) === 0) return -1;
    area += ones;
  }
  return area;
}

/** Rewrites runs of a frame of `height` rows, ending with ones, as runs of the box of all ones. */
function moveRuns(runs: Runs, start: number, end: number, height: number, box: TrimmedBox): number {
  const boxHeight = box.y2 - box.y1;
  let written = start;
  let column = 0;
  let row = 0;
  let position = 0;
  for (let i = start; i < end; i++) {
    const run = runs[i] as number;
    if (((i - start) & 1) === 1 && run > 0) {
      const onesStart = (column - box.x1) * boxHeight + (row - box.y1);
      if (onesStart === position && written > start) {
        // Only removed rows, or an empty run, lie between: the ones continue.
        runs[written - 1] = (runs[written - 1] as number) + run;
      } else {
        // Writing never overtakes reading: a pair is written after a pair was read.
        runs[written++] = onesStart - position;
        runs[written++] = run;
      }
      position = onesStart + run;
    }
    row += run;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : Math.floor(row / height);
      column += columns;
      row -= columns * height;
    }
  }
  const remainingZeros = (box.x2 - box.x1) * boxHeight - position;
  if (remainingZeros > 0) runs[written++] = remainingZeros;
  return written;
}
