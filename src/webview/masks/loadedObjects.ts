import type { MaskImage } from '../../model/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { Box } from './stage/viewTransform';

type Panel = RpcEndpoint<MasksPageSide, MasksPanelSide>;

/** Classes and boxes of the objects of an image, each in the order of its labels. */
export class LoadedObjects {
  private constructor(
    /** Index into the archive's classes. */
    readonly classes: Uint16Array,
    /** x1, y1, x2, y2 of each object. */
    private readonly boxes: Int32Array,
  ) {}

  /** Requests them part by part, since a response holds only so many. */
  static async load(panel: Panel, image: MaskImage, signal: AbortSignal): Promise<LoadedObjects> {
    const classes = new Uint16Array(image.objectCount);
    const boxes = new Int32Array(image.objectCount * 4);
    for (let from = 0; from < image.objectCount;) {
      const part = await panel.request('maskObjects', { image: image.index, from }, signal);
      classes.set(new Uint16Array(part.classes), from);
      boxes.set(new Int32Array(part.boxes), from * 4);
      if (part.count === 0) break;
      from += part.count;
    }
    return new LoadedObjects(classes, boxes);
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

/** Requests the measurements of all objects of an image, part by part. */
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

/** How many objects each class has, and the sum of their areas. */
export interface ClassTotals {
  counts: number[];
  areas: number[];
}

/** Totals of the first `count` classes, of the objects that are 1 in `shown`; without it, of all. */
export function classTotals(
  { classes, shown, areas }: { classes: Uint16Array; shown?: Uint8Array; areas?: Float64Array },
  count: number,
): ClassTotals {
  const totals: ClassTotals = {
    counts: new Array<number>(count).fill(0),
    areas: new Array<number>(count).fill(0),
  };
  // A plain loop: for a million objects it takes a tenth of the time of one with a function.
  for (let object = 0; object < classes.length; object++) {
    if (shown && shown[object] !== 1) continue;
    const position = classes[object] as number;
    totals.counts[position] = (totals.counts[position] ?? 0) + 1;
    if (areas) totals.areas[position] = (totals.areas[position] ?? 0) + (areas[object] as number);
  }
  return totals;
}
