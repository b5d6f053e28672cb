import { Pacer } from '../../base/node/slices';
import { csvLine } from '../../columns/csv/csvGrammar';
import { maskOf } from '../../archives/engine/imageObjects';
import { pathOfImage } from '../../archives/masksSummary';
import { centroid } from '../../archives/measurements';
import { Outcome } from '../comparison';
import type { ComparedObjects } from './comparedImage';
import type { ComparisonResult } from './maskComparison';
import type { ReferenceMasks } from './truth/referenceMasks';

/*
 * The table of a comparison: a row for each pair, then one for each object without a partner.
 * Column names are the same in all languages; docs/measurements.md defines the columns.
 */

export const PAIR_COLUMNS = [
  'Image',
  'Outcome',
  'A ID',
  'B ID',
  'A class',
  'B class',
  'IoU',
  'A area (px²)',
  'B area (px²)',
  'Area ratio (B ÷ A)',
  'Center distance (px)',
  'Split',
  'Merged',
] as const;

/**
 * The lines of the table at a threshold: the header, then image by image. Throws `cancelled`, and
 * errors of reading masks.
 */
export async function* pairLines(
  result: ComparisonResult,
  threshold: number,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  yield csvLine(PAIR_COLUMNS);
  const pacer = new Pacer(signal);
  for (const [position, { pair, image }] of result.images.entries()) {
    const { partnersOfA, outcomesOfA, outcomesOfB } = await result.matching(position, threshold, signal);
    const masksOfA = await result.a.masks.objects(pair.a, signal);
    const masksOfB = await result.b.masks.objects(pair.b, signal);
    const name = nameOf(result.a, pair.a);
    const cellsOfA = cellsOf(result.a, image.a);
    const cellsOfB = cellsOf(result.b, image.b);
    const ious = iousOfPairs(image.pairs, partnersOfA, n => image.iou(n));
    for (let object = 0; object < image.a.count; object++) {
      if (pacer.isDue) await pacer.pause();
      const outcome = outcomesOfA[object] as number;
      if (outcome & Outcome.Outside) continue;
      const partner = partnersOfA[object] as number;
      const isPair = partner >= 0;
      const a = cellsOfA(object);
      const b = isPair ? cellsOfB(partner) : NO_CELLS;
      yield csvLine([
        name,
        isPair ? 'matched' : 'only A',
        a.id,
        b.id,
        a.className,
        b.className,
        isPair ? String(ious[object]) : '',
        a.area,
        b.area,
        isPair ? ratio(image.b.areas[partner], image.a.areas[object]) : '',
        isPair ? distance(centroid(maskOf(masksOfA, object)), centroid(maskOf(masksOfB, partner))) : '',
        yesOrEmpty(outcome & Outcome.SplitOrMerged),
        isPair ? yesOrEmpty((outcomesOfB[partner] as number) & Outcome.SplitOrMerged) : '',
      ]);
    }
    for (let object = 0; object < image.b.count; object++) {
      if (pacer.isDue) await pacer.pause();
      const outcome = outcomesOfB[object] as number;
      if (outcome & (Outcome.Outside | Outcome.Matched)) continue;
      const b = cellsOfB(object);
      const outcomeWord = outcome & Outcome.Ignored ? 'ignored' : 'only B';
      const merged = yesOrEmpty(outcome & Outcome.SplitOrMerged);
      yield csvLine([name, outcomeWord, '', b.id, '', b.className, '', '', b.area, '', '', '', merged]);
    }
  }
}

/** The path of a side's image. */
export function nameOf(side: ReferenceMasks, image: number): string {
  const archiveImage = side.masks.summary.images[image];
  return archiveImage ? pathOfImage(archiveImage) : '';
}

interface ObjectCells {
  id: string;
  className: string;
  area: string;
}

const NO_CELLS: ObjectCells = { id: '', className: '', area: '' };

function cellsOf({ masks }: ReferenceMasks, objects: ComparedObjects): (object: number) => ObjectCells {
  const { classes } = masks.summary;
  return object => ({
    id: String(objects.longIds.get(object) ?? objects.ids[object] ?? ''),
    className: classes[objects.classes[object] ?? 0]?.name ?? '',
    area: String(objects.areas[object] ?? ''),
  });
}

/** The IoU of each object of A with its partner; 0 without one. */
function iousOfPairs(
  { count, a, b }: { count: number; a: Uint32Array; b: Uint32Array },
  partnersOfA: Int32Array,
  iouOf: (pair: number) => number,
): Float64Array {
  const ious = new Float64Array(partnersOfA.length);
  for (let n = 0; n < count; n++) {
    const object = a[n] as number;
    if (partnersOfA[object] === b[n]) ious[object] = iouOf(n);
  }
  return ious;
}

function ratio(part = NaN, whole = NaN): string {
  return String(part / whole);
}

function distance(a: readonly [number, number], b: readonly [number, number]): string {
  return String(Math.hypot(a[0] - b[0], a[1] - b[1]));
}

function yesOrEmpty(flag: number): string {
  return flag === 0 ? '' : 'yes';
}
