/*
 * What pycocotools' iou begins with, in JavaScript: the IoU of the boxes of each object with each,
 * in a matrix of new memory, which is then gone through. Its time says how fast a machine is where
 * pycocotools isn't installed.
 */

/**
 * How many boxes (x, y, width, height, four numbers each) overlap, as bbIou and rleIou of
 * pycocotools find them.
 */
export function boxIous(a: Float64Array, b: Float64Array): number {
  const ious = new Float64Array((a.length / 4) * (b.length / 4));
  let at = 0;
  for (let j = 0; j < b.length; j += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = b.subarray(j, j + 4);
    for (let i = 0; i < a.length; i += 4, at++) {
      ious[at] = 0;
      const left = a[i] as number;
      const top = a[i + 1] as number;
      const across = Math.min(left + (a[i + 2] as number), x + width) - Math.max(left, x);
      if (across <= 0) continue;
      const down = Math.min(top + (a[i + 3] as number), y + height) - Math.max(top, y);
      if (down <= 0) continue;
      const shared = across * down;
      ious[at] = shared / ((a[i + 2] as number) * (a[i + 3] as number) + width * height - shared);
    }
  }
  let overlapping = 0;
  for (let pair = 0; pair < ious.length; pair++) overlapping += Number((ious[pair] as number) > 0);
  return overlapping;
}
