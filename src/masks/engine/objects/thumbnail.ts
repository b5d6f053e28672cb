import { CodedError } from '../../../base/errors';
import type { ImageObjects } from './imageObjects';
import { LabelCanvas } from './labelCanvas';
import { LabelPainter } from './labelPainter';

/** Pixels. */
const MAX_SIDE = 512;

export interface Thumbnail {
  width: number;
  height: number;
  /** Row-major, 0 or object + 1. */
  labels: Uint32Array<ArrayBuffer>;
  /** Row-major, 0 or class + 1. */
  classes: Uint16Array<ArrayBuffer>;
}

/**
 * A small version of the labels of a whole image, `size` pixels along its longer side but never larger than the image. An
 * object that lies between the samples is shown at the center of its box, beneath all others.
 */
export function thumbnailOf(objects: ImageObjects, size: number): Thumbnail {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIDE)
    throw new CodedError('bad-request', `A thumbnail has 1 to ${MAX_SIDE} pixels a side`);
  const step = Math.max(1, Math.max(objects.width, objects.height) / size);
  const width = Math.max(1, Math.round(objects.width / step));
  const height = Math.max(1, Math.round(objects.height / step));
  const painter = new LabelPainter(
    objects,
    { left: step / 2, top: step / 2, step },
    new LabelCanvas(width, height),
  );
  const between: number[] = [];
  for (let object = 0; object < objects.count; object++)
    if (!painter.paint(object, false)) between.push(object);
  for (const object of between) {
    const at = object * 4;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = objects.boxes.subarray(at, at + 4);
    if (x1 < x2) painter.touch(object, (x1 + x2) / 2, (y1 + y2) / 2);
  }
  const labels = painter.finish();
  const classes = new Uint16Array(labels.length);
  labels.forEach((label, at) => {
    if (label !== 0) classes[at] = (objects.classes[label - 1] as number) + 1;
  });
  return { width, height, labels, classes };
}
