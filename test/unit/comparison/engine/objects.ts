import { type ImageObjects, ObjectColumns } from '../../../../src/archives/engine/imageObjects';
import { forEachColumnSpan, maskFromRuns, type ObjectMask } from '../../../../src/archives/objectMask';
import { runsFromMask } from '../../../../src/archives/runLengthEncoding';

/** Objects of these runs of the whole image, with IDs 1, 2, … unless others are given. */
export function objectsOfRuns(
  runs: readonly (readonly number[])[],
  [height, width]: readonly [height: number, width: number],
  ids?: readonly (number | bigint)[],
  classes?: readonly number[],
): ImageObjects {
  const columns = new ObjectColumns(1024);
  runs.forEach((each, at) =>
    columns.addMask(maskFromRuns(Uint32Array.from(each), height), {
      id: ids?.[at] ?? at + 1,
      classIndex: classes?.[at] ?? 0,
      score: NaN,
    }),
  );
  return columns.finish(width, height);
}

/** A rectangle: left, top, width, height. */
export type Rectangle = readonly [x: number, y: number, width: number, height: number];

export function objectsOfRectangles(
  rectangles: readonly Rectangle[],
  size: readonly [height: number, width: number],
  ids?: readonly (number | bigint)[],
  classes?: readonly number[],
): ImageObjects {
  return objectsOfRuns(
    rectangles.map(rectangle => runsOfRectangle(rectangle, size)),
    size,
    ids,
    classes,
  );
}

function runsOfRectangle(
  [left, top, across, down]: Rectangle,
  [height, width]: readonly [height: number, width: number],
): number[] {
  const mask = new Uint8Array(height * width);
  for (let y = top; y < top + down; y++) mask.fill(1, y * width + left, y * width + left + across);
  return [...runsFromMask(mask, width, height)];
}

/** The pixels of a mask, row by row of an image of this width, ascending. */
export function pixelsOf(mask: ObjectMask, width: number): number[] {
  const pixels: number[] = [];
  forEachColumnSpan(mask, (x, from, to) => {
    for (let y = from; y < to; y++) pixels.push(y * width + x);
  });
  return pixels.sort((one, other) => one - other);
}
