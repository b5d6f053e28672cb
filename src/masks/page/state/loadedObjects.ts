import { fromHex, type Rgb } from '../../../base/colors';
import { type PackedNumbers, unpackIntegers } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage } from '../../../archives/masksSummary';
import type { Box } from '../tiles/viewTransform';
import { type MaskMeasure, NO_VALUE } from './masksLook';

type Panel = RpcEndpoint<MasksPageSide, MasksPanelSide>;

/** Boxes in one request: 128 kB, or 256 kB if a side of the image is over 65,535 pixels. */
const BOXES_AT_ONCE = 16_384;
/** Boxes that are requested before they are needed. */
const MAX_BOXES_AHEAD = 131_072;

/** Classes and boxes of the objects of an image, each in the order of its labels. */
export class LoadedObjects {
  private loadedClasses: Uint16Array = new Uint16Array(0);
  /** x1, y1, x2, y2 of each object, in pages of BOXES_AT_ONCE objects. */
  private readonly pages = new Map<number, PackedNumbers>();
  private readonly requested = new Map<number, Promise<void>>();
  /** Boxes from responses about single objects. */
  private readonly singleBoxes = new Map<number, Box>();

  /** `onBoxes` is called when boxes that `boxOf` requested have arrived. */
  constructor(
    private readonly panel: Panel,
    private readonly image: MaskImage,
    private readonly signal: AbortSignal,
    private readonly onBoxes: () => void,
  ) {}

  /**
   * Requests the classes, without which nothing is painted; in parts where there are millions.
   * While the image is being read, `onPart` is called after each part with the share that is read,
   * 0…1.
   */
  async load(onPart: (share: number) => void): Promise<void> {
    const { image, panel, signal } = this;
    // The panel of a plain image file, which has no masks, would refuse the request.
    if (image.objectCount === 0 && !image.isPartial) return;
    for (;;) {
      const from = this.count;
      const part = await panel.request('objectClasses', { image: image.index, from }, signal);
      const { classes, isWide, count, isLast, share } = part;
      const extended = new Uint16Array(from + count);
      extended.set(this.loadedClasses);
      extended.set(isWide ? new Uint16Array(classes) : new Uint8Array(classes), from);
      this.loadedClasses = extended;
      if (isLast) return;
      if (share !== undefined) onPart(share);
      else if (count === 0) return;
    }
  }

  /** Requests boxes before they are needed, unless there are very many. */
  async loadBoxesAhead(): Promise<void> {
    for (let from = 0; from < Math.min(this.count, MAX_BOXES_AHEAD); from += BOXES_AT_ONCE)
      await this.loadBox(from);
  }

  /** The class of each object: an index into the archive's classes. */
  get classes(): Uint16Array {
    return this.loadedClasses;
  }

  get count(): number {
    return this.loadedClasses.length;
  }

  /** The box of an object; requested if not loaded. Undefined for an unknown object. */
  boxOf(object: number): Box | undefined {
    if (object < 0 || object >= this.count) return undefined;
    const loadedBox = this.loadedBoxOf(object);
    if (!loadedBox) this.loadBox(object).then(this.onBoxes, () => undefined);
    return loadedBox;
  }

  /** The box of an object, if it is loaded. */
  loadedBoxOf(object: number): Box | undefined {
    const page = this.pages.get(Math.floor(object / BOXES_AT_ONCE));
    const offset = (object % BOXES_AT_ONCE) * 4;
    if (!page || offset >= page.length) return this.singleBoxes.get(object);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = page.subarray(offset, offset + 4);
    return [x1, y1, x2, y2];
  }

  /** Stores the box of an object from another response. Returns whether it is new. */
  setBox(object: number, box: Box): boolean {
    if (this.loadedBoxOf(object)) return false;
    this.singleBoxes.set(object, box);
    return true;
  }

  /** Loads the box of an object. */
  async loadBox(object: number): Promise<void> {
    const page = Math.floor(object / BOXES_AT_ONCE);
    if (object < 0 || object >= this.count || this.pages.has(page)) return;
    const request = this.requested.get(page) ?? this.requestPage(page);
    this.requested.set(page, request);
    await request;
  }

  private async requestPage(page: number): Promise<void> {
    const { image, panel, signal } = this;
    try {
      const params = { image: image.index, from: page * BOXES_AT_ONCE, count: BOXES_AT_ONCE };
      const { boxes, kind } = await panel.request('objectBoxes', params, signal);
      this.pages.set(page, unpackIntegers(boxes, kind));
    } finally {
      this.requested.delete(page);
    }
  }
}

/**
 * Requests a measurement of all objects of an image in parts. Areas are stored; perimeters are
 * measured.
 */
export async function loadMeasure(
  panel: Pick<Panel, 'request'>,
  { index: image, objectCount }: Pick<MaskImage, 'index' | 'objectCount'>,
  measure: MaskMeasure,
  signal: AbortSignal,
): Promise<PackedNumbers> {
  let values: PackedNumbers | undefined;
  for (let from = 0; from < objectCount;) {
    const params = { image, from };
    const { count, values: received } =
      measure === 'area'
        ? await panel
            .request('objectAreas', params, signal)
            .then(({ areas, kind, count }) => ({ count, values: unpackIntegers(areas, kind) }))
        : await panel
            .request('objectMeasures', params, signal)
            .then(({ perimeters, count }) => ({ count, values: new Float64Array(perimeters) }));
    // Nearly always one response has all values: they are used as received.
    if (count === objectCount) return received;
    values ??= new Float64Array(objectCount);
    values.set(received, from);
    if (count === 0) break;
    from += count;
  }
  return values ?? new Float64Array(objectCount);
}

/**
 * The values of a table column for all objects of an image, requested in parts; NaN without a
 * number. For texts: positions among `categories`.
 */
export async function loadValues(
  panel: Pick<Panel, 'request'>,
  image: number,
  column: number,
  signal: AbortSignal,
  categories?: readonly string[],
): Promise<Float64Array> {
  const params = { image, column, ...(categories && { categories: [...categories] }) };
  const first = await panel.request('objectValues', params, signal);
  const values = new Float64Array(first.total).fill(NaN);
  for (let part = new Float64Array(first.values), from = 0; part.length > 0;) {
    values.set(part, from);
    from += part.length;
    if (from >= values.length) break;
    part = new Float64Array((await panel.request('objectValues', { ...params, from }, signal)).values);
  }
  return values;
}

/** A population of the table as its objects are painted. */
export interface PaintedPopulation {
  /** The population's name after those of its parents. */
  path: readonly string[];
  color: Rgb;
  isHidden: boolean;
  /** Number of its objects in the image. */
  count: number;
}

/** The population that colors each object of an image: its position + 1, 0 for none. */
export async function loadPopulations(
  panel: Pick<Panel, 'request'>,
  image: number,
  signal: AbortSignal,
): Promise<{ populations: PaintedPopulation[]; values: Uint16Array }> {
  const { populations: tablePopulations, ...first } = await panel.request(
    'objectPopulations',
    { image },
    signal,
  );
  const populations = tablePopulations.map(({ path, color, hidden = false, count }) => ({
    path,
    color: fromHex(color) ?? NO_VALUE,
    isHidden: hidden,
    count,
  }));
  const part = new Uint16Array(first.places);
  // Nearly always one response has all values: they are used as received.
  if (part.length >= first.total) return { populations, values: part };
  const values = new Uint16Array(first.total);
  values.set(part);
  for (let from = part.length; from < values.length;) {
    const { places } = await panel.request('objectPopulations', { image, from }, signal);
    const nextPart = new Uint16Array(places);
    if (nextPart.length === 0) break;
    values.set(nextPart, from);
    from += nextPart.length;
  }
  return { populations, values };
}

/** Number of objects per class, and the sum of their areas. */
interface ClassTotals {
  counts: number[];
  areas: number[];
}

/** Totals of the first `count` classes. With `shown`, only objects count that are 1 in it. */
export function classTotals(
  {
    classes,
    shown,
    areas,
  }: { classes: Uint16Array; shown?: Uint8Array | undefined; areas?: PackedNumbers | undefined },
  count: number,
): ClassTotals {
  const totals: ClassTotals = {
    counts: new Array<number>(count).fill(0),
    areas: new Array<number>(count).fill(0),
  };
  // A plain loop: for a million objects it is ten times faster than a callback per object.
  for (let object = 0; object < classes.length; object++) {
    if (shown && shown[object] !== 1) continue;
    const position = classes[object] as number;
    totals.counts[position] = (totals.counts[position] ?? 0) + 1;
    if (areas) totals.areas[position] = (totals.areas[position] ?? 0) + (areas[object] as number);
  }
  return totals;
}

/**
 * Requests the objects of an image that match the table's filter, which may change before the
 * response.
 */
export class ShownObjects {
  private latest = 0;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly image: number,
  ) {}

  /** Ignores a pending response, as the panel sent the matching objects. */
  discardPending(): void {
    this.latest++;
  }

  /**
   * Calls `onShown` with 1 per matching object, or undefined if all match. Isn't called if a later
   * request was made meanwhile.
   */
  async load(onShown: (shown: Uint8Array | undefined) => void, signal: AbortSignal): Promise<void> {
    const request = ++this.latest;
    const { shown } = await this.panel.request('shownObjects', { image: this.image }, signal);
    if (request === this.latest) onShown(shown ? new Uint8Array(shown) : undefined);
  }
}
