/*
 * What pycocotools' iou begins with, in JavaScript: the IoU of the boxes of each object with each. Its time says how fast a
 * machine is where pycocotools isn't installed.
 */

/** Fills a matrix with the IoU of boxes (x, y, width, height, four numbers each), as bbIou of pycocotools does. */
export function boxIous(a: Float64Array, b: Float64Array, out: Float64Array): number {
  let overlapping = 0;
  let at = 0;
  for (let j = 0; j < b.length; j += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = b.subarray(j, j + 4);
    for (let i = 0; i < a.length; i += 4, at++) {
      out[at] = 0;
      const left = a[i] as number;
      const top = a[i + 1] as number;
      const across = Math.min(left + (a[i + 2] as number), x + width) - Math.max(left, x);
      if (across <= 0) continue;
      const down = Math.min(top + (a[i + 3] as number), y + height) - Math.max(top, y);
      if (down <= 0) continue;
      const shared = across * down;
      out[at] = shared / ((a[i + 2] as number) * (a[i + 3] as number) + width * height - shared);
      overlapping++;
    }
  }
  return overlapping;
}
