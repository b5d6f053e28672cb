import { runInSlices } from '../../base/node/slices';
import {
  gatherCodes,
  gatherNumbers,
  gatherResiduals,
  numbersAt,
  type TableSource,
} from '../../columns/engine/read/tableSource';
import { findRowColumns } from '../../columns/rowColumns';
import type { Masks } from '../../archives/engine/masks';
import type { ImageOfText } from '../../archives/imageCatalog';
import type { Evidence } from '../../archives/imageIdentity';
import type { ObjectRef } from '../../archives/masksSummary';
import type {
  LinkColumns,
  LinkParams,
  LinkReport,
  MatchCounts,
  OpenImages,
  PositionOffset,
} from '../rowLinks';
import { linkImages } from './imageLinking';

/** Limits of the sample for comparing positions: each of its images has to be decoded. */
const MAX_COMPARED = 400;
const MAX_COMPARED_IMAGES = 2;

/** Links between rows of the objects table and objects of the masks, in both directions. */
export class RowLinking {
  constructor(
    readonly report: LinkReport,
    private readonly links: RowLinks,
    /** The path of each image by its index: from its linked rows, else from its upload. */
    readonly paths: ReadonlyMap<number, string>,
    /** The evidence for each image's link, by its index. */
    readonly evidence: ReadonlyMap<number, Evidence>,
    /** Images that couldn't be linked. */
    readonly open: readonly OpenImages[],
  ) {}

  /**
   * Links rows by image and ID, in the selected columns or those found by their names. Throws
   * `cancelled`.
   */
  static async create(
    table: TableSource,
    masks: Masks,
    { columns, ...otherNames }: LinkParams,
    signal: AbortSignal,
  ): Promise<RowLinking> {
    const namedColumns = findRowColumns(table.columns);
    const selectedColumns = columns && chosenColumnIndexes(table.columns, columns);
    const { image, id } = selectedColumns ?? namedColumns;
    const images = masks.summary.images;
    const allRows = { rows: undefined, count: table.rowCount };
    const imageColumnCodes =
      image === undefined ? undefined : await gatherCodes(table, image, allRows, signal);
    const texts =
      imageColumnCodes &&
      Array.from({ length: imageColumnCodes.texts.size }, (_, code) => imageColumnCodes.texts.text(code));
    const ids =
      id === undefined
        ? new Float64Array(allRows.count).fill(NaN)
        : await gatherNumbers(table, id, allRows, signal);
    const idResiduals = id === undefined ? [] : await gatherResiduals(table, id, allRows, signal);
    const areas =
      namedColumns.area === undefined
        ? undefined
        : await gatherNumbers(table, namedColumns.area, allRows, signal);
    const imageLinks =
      imageColumnCodes &&
      texts &&
      (await linkImages(
        table,
        masks,
        {
          texts,
          codes: imageColumnCodes.codes,
          ids,
          idResiduals,
          ...(areas && { areas }),
          columns: namedColumns,
        },
        otherNames,
        signal,
      ));
    const steps = matchRows(
      {
        ...(imageColumnCodes && { imageCodes: imageColumnCodes.codes }),
        imageOfText: imageLinks?.imageOfText ?? [],
        ids,
        idResiduals,
        ...(areas && { areas }),
      },
      images.map(({ index }) => masks.identities(index)),
    );
    const links = await runInSlices(steps, signal);
    const nameOf = (column: number | undefined) =>
      column === undefined ? undefined : table.columns[column]?.name;
    const imageColumn = nameOf(image);
    const idColumn = nameOf(id);
    const offset =
      namedColumns.position && (await comparePositions(table, masks, links, namedColumns.position, signal));
    const report = {
      ...(imageColumn !== undefined && { imageColumn }),
      ...(idColumn !== undefined && { idColumn }),
      ...(selectedColumns && { chosenColumns: selectedColumns }),
      ...links.counts,
      ...(offset && { positionOffset: offset }),
      ...(imageLinks?.sameNames && { sameNames: imageLinks.sameNames }),
    };
    const { paths = new Map(), evidence = new Map(), open = [] } = imageLinks ?? {};
    return new RowLinking(report, links, paths, evidence, open);
  }

  /** The row of an object by its position in the file; null for an object without a row. */
  rowOf({ image, object }: ObjectRef): number | null {
    const start = this.links.imageStarts[image];
    const end = this.links.imageStarts[image + 1];
    if (start === undefined || end === undefined || object < 0 || start + object >= end) return null;
    const row = this.links.rowOfObject[start + object] ?? -1;
    return row < 0 ? null : row;
  }

  /**
   * The row of each object of an image, −1 without one. A view of the links that becomes outdated.
   */
  rowsOfImage(image: number): Int32Array {
    const { imageStarts, rowOfObject } = this.links;
    return rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
  }

  /** The object of a row by its position in the file; null for a row without an object. */
  objectOf(row: number): ObjectRef | null {
    const object = this.links.objectOfRow[row] ?? -1;
    if (object < 0) return null;
    const { imageStarts } = this.links;
    // Finds the last image that starts at or before the object; empty images start where the next
    // one does.
    let low = 0;
    let high = imageStarts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((imageStarts[middle] ?? 0) <= object) low = middle;
      else high = middle - 1;
    }
    return { image: low, object: object - (imageStarts[low] ?? 0) };
  }
}

/** The indexes of the columns that a user selected; undefined unless the table has both. */
function chosenColumnIndexes(
  columns: readonly { name: string }[],
  { image, id }: LinkColumns,
): { image: number; id: number } | undefined {
  const [imageIndex, idIndex] = [image, id].map(({ name, index }) => {
    if (columns[index]?.name === name) return index;
    const [onlyIndex, ...otherIndexes] = columns.flatMap((column, sameNameIndex) =>
      column.name === name ? [sameNameIndex] : [],
    );
    return otherIndexes.length === 0 ? onlyIndex : undefined;
  });
  return imageIndex === undefined || idIndex === undefined ? undefined : { image: imageIndex, id: idIndex };
}

/** Compares positions in the table with the centroids of the linked objects. */
async function comparePositions(
  table: TableSource,
  masks: Masks,
  { imageStarts, rowOfObject }: RowLinks,
  columns: { x: number; y: number },
  signal: AbortSignal,
): Promise<PositionOffset | undefined> {
  const dx: number[] = [];
  const dy: number[] = [];
  let compared = 0;
  for (let image = 0; image + 1 < imageStarts.length && compared < MAX_COMPARED_IMAGES; image++) {
    const rowsOfObjects = rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
    const linked = Uint32Array.from(rowsOfObjects.keys()).filter(
      object => (rowsOfObjects[object] ?? -1) >= 0,
    );
    if (linked.length === 0) continue;
    compared++;
    const step = Math.ceil(linked.length / (MAX_COMPARED / MAX_COMPARED_IMAGES));
    const objects = linked.filter((_, index) => index % step === 0);
    const rows = Int32Array.from(objects, object => rowsOfObjects[object] ?? -1);
    const x = await numbersAt(table, columns.x, rows, signal);
    const y = await numbersAt(table, columns.y, rows, signal);
    const centroids = await masks.centroids(image, objects, signal);
    for (const index of objects.keys()) {
      dx.push((x[index] ?? NaN) - (centroids[index * 2] ?? NaN));
      dy.push((y[index] ?? NaN) - (centroids[index * 2 + 1] ?? NaN));
    }
  }
  return positionOffset(Float64Array.from(dx), Float64Array.from(dy));
}

interface RowsToMatch {
  /** The image of each row, as an index into imageOfText; undefined if the table names no image. */
  imageCodes?: Uint32Array;
  imageOfText: readonly ImageOfText[];
  /** Object ID of each row; NaN without one. */
  ids: Float64Array;
  /** The difference of each ID from its double, for IDs beyond 2⁵³. */
  idResiduals?: readonly Float64Array[];
  /** Area of each row in the table; NaN without a value. */
  areas?: Float64Array;
}

export interface RowLinks {
  /** The object of each row, numbered across all images; −1 without one. */
  objectOfRow: Int32Array;
  /** The row of each object, numbered across all images; −1 without one. */
  rowOfObject: Int32Array;
  /** The number of each image's first object; the last entry is the number of objects. */
  imageStarts: Uint32Array;
  counts: MatchCounts;
}

/** The objects of an image; `longIds` has the IDs that doubles can't hold exactly. */
interface ImageIdentities {
  ids: Float64Array;
  longIds: ReadonlyMap<number, bigint>;
  areas: Float64Array;
}

const NONE = -1;
const AMBIGUOUS = -2;
const ROWS_PER_STEP = 2048;

/**
 * Matches rows to objects by image and ID; 12.0 equals 12. Without an image column, rows belong to
 * the only image, if there is just one. Yields every 2,048 rows, so that the caller can pause or
 * stop.
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
    const objectNumber = (imageStarts[image] as number) + object;
    const earlierRow = rowOfObject[objectNumber] ?? NONE;
    if (earlierRow === NONE) {
      rowOfObject[objectNumber] = row;
      objectOfRow[row] = objectNumber;
      continue;
    }
    ambiguous++;
    if (earlierRow === AMBIGUOUS) continue;
    // Two rows name one object: neither is linked.
    ambiguous++;
    objectOfRow[earlierRow] = NONE;
    rowOfObject[objectNumber] = AMBIGUOUS;
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

/** Objects by ID; a repeated ID is ambiguous. */
function indexById(objects: ImageIdentities | undefined): Map<number | bigint, number> {
  const byId = new Map<number | bigint, number>();
  objects?.ids.forEach((double, object) => {
    const id = objects.longIds.get(object) ?? double;
    if (!Number.isNaN(id)) byId.set(id, byId.has(id) ? AMBIGUOUS : object);
  });
  return byId;
}

/** The ID of a row; a bigint if a double can't hold it exactly. */
function idOfRow({ ids, idResiduals = [] }: RowsToMatch, row: number): number | bigint {
  const id = ids[row] as number;
  let exact: bigint | undefined;
  for (const residuals of idResiduals) {
    const residual = residuals[row] as number;
    if (residual !== 0) exact = (exact ?? BigInt(id)) + BigInt(residual);
  }
  return exact ?? id;
}

/**
 * The ratio is constant if at most MAX_AREA_OUTLIERS of the rows are farther from the median than
 * AREA_RATIO_TOLERANCE.
 */
const AREA_RATIO_TOLERANCE = 0.01;
const MAX_AREA_OUTLIERS = 0.05;

/**
 * Compares the areas in the table with those of the masks; see the self-check in
 * docs/measurements.md.
 */
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
  const outlierCount = sorted.reduce(
    (sum, ratio) => sum + (Math.abs(ratio - areaRatio) > AREA_RATIO_TOLERANCE * Math.abs(areaRatio) ? 1 : 0),
    0,
  );
  return { areaRatio, areaRatioConstant: outlierCount <= MAX_AREA_OUTLIERS * count };
}

/** In pixels: slightly more than the error of rounding to a whole pixel. */
const POSITION_TOLERANCE = 0.51;
/** Maximum share of pairs farther from the median than the tolerance. */
const MAX_POSITION_OUTLIERS = 0.05;

/** Estimates the offset of linked pairs, in pixels; undefined if no pair has numbers. */
export function positionOffset(dx: Float64Array, dy: Float64Array): PositionOffset | undefined {
  const finitePairs = Uint32Array.from(dx.keys()).filter(index =>
    Number.isFinite((dx[index] ?? NaN) + (dy[index] ?? NaN)),
  );
  if (finitePairs.length === 0) return undefined;
  const median = (values: Float64Array) => {
    const sorted = Float64Array.from(finitePairs, index => values[index] ?? NaN).sort();
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? NaN;
    return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
  };
  const [x, y] = [median(dx), median(dy)];
  const outliers = finitePairs.filter(
    index => Math.max(Math.abs((dx[index] ?? 0) - x), Math.abs((dy[index] ?? 0) - y)) > POSITION_TOLERANCE,
  );
  return { x, y, constant: outliers.length <= MAX_POSITION_OUTLIERS * finitePairs.length };
}
