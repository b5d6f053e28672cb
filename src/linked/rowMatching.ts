import type { MatchCounts } from '../masks/linkReport';
import type { ImageOfText } from '../masks/imageMatching';

export interface RowsToMatch {
  /** The image of each row, as an index into imageOfText; undefined when the table names no image. */
  imageCodes?: Uint32Array;
  imageOfText: readonly ImageOfText[];
  /** Object id of each row; NaN where there is none. */
  ids: Float64Array;
  /** What the IDs lack of the integers in the table, see roundedIntegers. */
  idRests?: readonly Float64Array[];
  /** Area of each row as the table says; NaN where it has no value. */
  areas?: Float64Array;
}

export interface RowLinks {
  /** For each row its object as a number over all images, −1 for none. */
  objectOfRow: Int32Array;
  /** For each object, over all images, its row, −1 for none. */
  rowOfObject: Int32Array;
  /** First object of each image in those numbers, and the number of objects at the end. */
  imageStarts: Uint32Array;
  counts: MatchCounts;
}

/** The objects of an image; `longIds` has the IDs by object that are other integers than their doubles in `ids`. */
interface ImageIdentities {
  ids: Float64Array;
  longIds: ReadonlyMap<number, bigint>;
  areas: Float64Array;
}

const NONE = -1;
const AMBIGUOUS = -2;
const ROWS_PER_STEP = 2048;

/**
 * Matches rows to objects by (image, id); 12.0 is 12. Without an image column the rows belong to the only image, if there
 * is just one. A generator: it yields every 2,048 rows so that the caller can pause or stop.
 */
export function* matchRows(
  rows: RowsToMatch,
  objects: readonly ImageIdentities[],
): Generator<void, RowLinks> {
  const imageStarts = new Uint32Array(objects.length + 1);
  objects.forEach(({ ids }, image) => {
    imageStarts[image + 1] = (imageStarts[image] as number) + ids.length;
  });
  const rowOfObject = new Int32Array(imageStarts[objects.length] ?? 0).fill(NONE);
  const objectOfRow = new Int32Array(rows.ids.length).fill(NONE);
  const objectsById: (Map<number | bigint, number> | undefined)[] = [];
  let ambiguous = 0;
  for (let row = 0; row < rows.ids.length; row++) {
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const image = imageOfRow(rows, row, objects.length);
    if (image === 'ambiguous') ambiguous++;
    if (typeof image !== 'number') continue;
    const byId = (objectsById[image] ??= indexById(objects[image]));
    const object = byId.get(idOfRow(rows, row));
    if (object === undefined) continue;
    if (object === AMBIGUOUS) {
      ambiguous++;
      continue;
    }
    const global = (imageStarts[image] as number) + object;
    const other = rowOfObject[global] ?? NONE;
    if (other === NONE) {
      rowOfObject[global] = row;
      objectOfRow[row] = global;
      continue;
    }
    ambiguous++;
    if (other === AMBIGUOUS) continue;
    // Neither row is linked: which one is right can't be known.
    ambiguous++;
    objectOfRow[other] = NONE;
    rowOfObject[global] = AMBIGUOUS;
  }
  let matched = 0;
  for (let object = 0; object < rowOfObject.length; object++) {
    if ((rowOfObject[object] ?? NONE) >= 0) matched++;
    else rowOfObject[object] = NONE;
  }
  const counts: MatchCounts = {
    matched,
    rowsWithoutObject: rows.ids.length - matched - ambiguous,
    objectsWithoutRow: rowOfObject.length - matched,
    ambiguous,
  };
  if (rows.areas) Object.assign(counts, compareAreas(rows.areas, objectOfRow, objects, matched));
  return { objectOfRow, rowOfObject, imageStarts, counts };
}

function imageOfRow(rows: RowsToMatch, row: number, imageCount: number): ImageOfText {
  if (!rows.imageCodes) return imageCount === 1 ? 0 : 'none';
  return rows.imageOfText[rows.imageCodes[row] ?? 0] ?? 'none';
}

/** Objects by id; an id that occurs twice is ambiguous. */
function indexById(objects: ImageIdentities | undefined): Map<number | bigint, number> {
  const byId = new Map<number | bigint, number>();
  objects?.ids.forEach((double, object) => {
    const id = objects.longIds.get(object) ?? double;
    if (!Number.isNaN(id)) byId.set(id, byId.has(id) ? AMBIGUOUS : object);
  });
  return byId;
}

/** A row's ID: a bigint where its double is another integer. */
function idOfRow({ ids, idRests = [] }: RowsToMatch, row: number): number | bigint {
  const id = ids[row] as number;
  let exact: bigint | undefined;
  for (const rests of idRests) {
    const rest = rests[row] as number;
    if (rest !== 0) exact = (exact ?? BigInt(id)) + BigInt(rest);
  }
  return exact ?? id;
}

/** The ratio is constant when at most this share of the rows is farther from the median than the tolerance. */
const RATIO_TOLERANCE = 0.01;
const MAX_OUTLIERS = 0.05;

/** Compares the table's areas with the masks'; see the self-check in docs/measurements.md. */
function compareAreas(
  areas: Float64Array,
  objectOfRow: Int32Array,
  objects: readonly { areas: Float64Array }[],
  matched: number,
): Pick<MatchCounts, 'areaRatio' | 'areaRatioConstant'> {
  const maskAreas = new Float64Array(objects.reduce((sum, image) => sum + image.areas.length, 0));
  let start = 0;
  for (const image of objects) {
    maskAreas.set(image.areas, start);
    start += image.areas.length;
  }
  const ratios = new Float64Array(matched);
  let count = 0;
  objectOfRow.forEach((object, row) => {
    if (object < 0) return;
    const ratio = (areas[row] ?? NaN) / (maskAreas[object] ?? NaN);
    if (Number.isFinite(ratio)) ratios[count++] = ratio;
  });
  if (count === 0) return {};
  const sorted = ratios.subarray(0, count).sort();
  const middle = count >> 1;
  const upper = sorted[middle] ?? NaN;
  const areaRatio = count % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
  const far = sorted.reduce(
    (sum, ratio) => sum + (Math.abs(ratio - areaRatio) > RATIO_TOLERANCE * Math.abs(areaRatio) ? 1 : 0),
    0,
  );
  return { areaRatio, areaRatioConstant: far <= MAX_OUTLIERS * count };
}
