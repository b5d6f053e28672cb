import type { MaskImage } from '../../formats/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { Box } from './viewTransform';

type Panel = RpcEndpoint<MasksPageSide, MasksPanelSide>;

/** Classes and boxes of the objects of an image, each in the order of its labels. */
export class ImageObjects {
  private constructor(
    /** Index into the archive's classes. */
    readonly classes: Uint16Array,
    /** x1, y1, x2, y2 of each object. */
    private readonly boxes: Int32Array,
  ) {}

  /** Asks for them part by part; an answer holds only so many. */
  static async load(panel: Panel, image: MaskImage, signal: AbortSignal): Promise<ImageObjects> {
    const classes = new Uint16Array(image.objectCount);
    const boxes = new Int32Array(image.objectCount * 4);
    for (let from = 0; from < image.objectCount;) {
      const part = await panel.request('maskObjects', { image: image.index, from }, signal);
      classes.set(new Uint16Array(part.classes), from);
      boxes.set(new Int32Array(part.boxes), from * 4);
      if (part.count === 0) break;
      from += part.count;
    }
    return new ImageObjects(classes, boxes);
  }

  get count(): number {
    return this.classes.length;
  }

  boxOf(object: number): Box | undefined {
    if (object < 0 || object >= this.count) return undefined;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = this.boxes.subarray(object * 4, object * 4 + 4);
    return [x1, y1, x2, y2];
  }
}

/** Measurements of all objects of an image, in pixels. */
export interface ImageMeasures {
  area: Float64Array;
  perimeter: Float64Array;
}

/** Asks for the measurements of all objects of an image, part by part. */
export async function loadMeasures(
  panel: Panel,
  image: MaskImage,
  signal: AbortSignal,
): Promise<ImageMeasures> {
  const area = new Float64Array(image.objectCount);
  const perimeter = new Float64Array(image.objectCount);
  for (let from = 0; from < image.objectCount;) {
    const part = await panel.request('objectMeasures', { image: image.index, from }, signal);
    area.set(new Float64Array(part.areas), from);
    perimeter.set(new Float64Array(part.perimeters), from);
    if (part.count === 0) break;
    from += part.count;
  }
  return { area, perimeter };
}

/** A column of the table for all objects of an image, by its index, part by part; NaN where there is no number. */
export async function loadValues(
  panel: Pick<Panel, 'request'>,
  image: number,
  column: number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const first = await panel.request('objectValues', { image, column }, signal);
  const values = new Float64Array(first.total).fill(NaN);
  for (let part = new Float64Array(first.values), from = 0; part.length > 0;) {
    values.set(part, from);
    from += part.length;
    if (from >= values.length) break;
    part = new Float64Array((await panel.request('objectValues', { image, column, from }, signal)).values);
  }
  return values;
}

/** Sum of the areas of each class. */
export function areasOfClasses(classes: Uint16Array, areas: Float64Array, count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  classes.forEach((position, object) => {
    sums[position] = (sums[position] ?? 0) + (areas[object] ?? 0);
  });
  return sums;
}
