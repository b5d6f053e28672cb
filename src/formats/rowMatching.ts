/** Which columns say what object a row is about; positions in the table. */
export interface RowColumns {
  image?: number;
  id?: number;
  area?: number;
  /** Both or neither. */
  position?: { x: number; y: number };
}

const IMAGE_NAMES = [
  /^image origin$/,
  /^image (path|name|file|file name|filename)$/,
  /^(file name|filename|file path|path)$/,
  /^image id$/,
  /^(image|file|source|origin)$/,
];
const ID_NAMES = [
  /^object (id|number|no|index|label)$/,
  /^(mask|instance|cell|nucleus|roi|label) (id|number|no|index)$/,
  /^(object|label|instance)$/,
  /^id$/,
];
const AREA_NAMES = [/^area$/, /^area (px|pixels?|px2|px 2|in pixels)$/, /^(object|mask) area$/, /^area\b/];

const positionNames = (axis: 'x' | 'y'): readonly RegExp[] => [
  new RegExp(`^(${axis} position|position ${axis})$`),
  new RegExp(`^(${axis} (centroid|center|centre)|(centroid|center|centre) ${axis})( px| pixels?)?$`),
];
const X_NAMES = positionNames('x');
const Y_NAMES = positionNames('y');

/** Finds the columns by their names; the plainest name wins, of equals the first. */
export function findRowColumns(names: readonly string[]): RowColumns {
  const plain = names.map(plainName);
  const find = (patterns: readonly RegExp[]): number | undefined => {
    for (const pattern of patterns) {
      const index = plain.findIndex(name => pattern.test(name));
      if (index >= 0) return index;
    }
    return undefined;
  };
  const image = find(IMAGE_NAMES);
  const id = find(ID_NAMES);
  const area = find(AREA_NAMES);
  const x = find(X_NAMES);
  const y = find(Y_NAMES);
  return {
    ...(image !== undefined && { image }),
    ...(id !== undefined && { id }),
    ...(area !== undefined && { area }),
    ...(x !== undefined && y !== undefined && { position: { x, y } }),
  };
}

/** "ObjectID", "object_id" and "Object ID" are one name. */
function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/µm|²/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

export interface NamedImage {
  id: string;
  /** File name, perhaps with folders before it. */
  filename: string;
}

/** Slash-separated parts of a path, however it was written: macOS spells accents as marks of their own. */
export function pathParts(path: string): string[] {
  return path
    .normalize('NFC')
    .split(/[\\/]+/)
    .filter(part => part !== '' && part !== '.');
}

/** Number of parts, from the end, in which two paths agree. */
export function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++;
  return length;
}

/** For each text of an image column the image it means, or why there is none. */
export type ImageOfText = number | 'none' | 'ambiguous';

/**
 * Finds the images that the texts of an image column mean: by the image's id, else by path, where one of the two paths
 * must be the end of the other. What fits several images, or an image that several texts fit equally, is ambiguous.
 */
export function matchImages(texts: readonly string[], images: readonly NamedImage[]): ImageOfText[] {
  const byId = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  const parts = images.map(({ filename }) => pathParts(filename));
  images.forEach(({ id }, index) => {
    append(byId, id, index);
    append(byName, parts[index]?.at(-1) ?? '', index);
  });
  const strengths: number[] = [];
  const found = texts.map((text, at): ImageOfText => {
    const trimmed = text.trim();
    const ids = trimmed === '' ? undefined : byId.get(trimmed);
    if (ids) {
      strengths[at] = Infinity;
      return ids.length === 1 ? (ids[0] ?? 'none') : 'ambiguous';
    }
    const path = pathParts(trimmed);
    let best: number[] = [];
    let longest = 0;
    for (const index of byName.get(path.at(-1) ?? '') ?? []) {
      const other = parts[index] ?? [];
      const common = commonSuffix(path, other);
      if (common === 0 || common < Math.min(path.length, other.length) || common < longest) continue;
      if (common > longest) best = [];
      longest = common;
      best.push(index);
    }
    strengths[at] = longest;
    if (best.length > 1) return 'ambiguous';
    return best[0] ?? 'none';
  });
  return oneTextEach(found, strengths, images.length);
}

/** Of several texts that mean one image only the strictly best fit is believed. */
function oneTextEach(found: ImageOfText[], strengths: readonly number[], imageCount: number): ImageOfText[] {
  const best = new Float64Array(imageCount);
  const holders = new Uint32Array(imageCount);
  found.forEach((image, at) => {
    if (typeof image !== 'number') return;
    const strength = strengths[at] ?? 0;
    if (strength > (best[image] ?? 0)) {
      best[image] = strength;
      holders[image] = 1;
    } else if (strength === best[image]) holders[image] = (holders[image] ?? 0) + 1;
  });
  return found.map((image, at) => {
    if (typeof image !== 'number') return image;
    return strengths[at] === best[image] && holders[image] === 1 ? image : 'ambiguous';
  });
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export interface RowsToMatch {
  /** The image of each row, as an index into imageOfText; undefined when the table names no image. */
  imageCodes?: Uint32Array;
  imageOfText: readonly ImageOfText[];
  /** Object id of each row; NaN where there is none. */
  ids: Float64Array;
  /** Area of each row as the table says; NaN where it says nothing. */
  areas?: Float64Array;
}

export interface MatchCounts {
  matched: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  /** Rows that fit several objects, or share theirs with another row; left unlinked. */
  ambiguous: number;
  /** Median of the table's area / the mask's over matched rows; 1 when they agree; absent without areas. */
  areaRatio?: number;
  /** Whether that ratio is the same for (nearly) all rows. */
  areaRatioConstant?: boolean;
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

const NONE = -1;
const AMBIGUOUS = -2;
const ROWS_PER_STEP = 2048;

/**
 * Matches rows to objects by (image, id); 12.0 is 12. Without an image column the rows belong to the only image, if there
 * is just one. A generator: yields now and then so that the caller can pause or stop.
 */
export function* matchRows(
  rows: RowsToMatch,
  objects: readonly { ids: Float64Array; areas: Float64Array }[],
): Generator<void, RowLinks> {
  const imageStarts = new Uint32Array(objects.length + 1);
  objects.forEach(({ ids }, image) => {
    imageStarts[image + 1] = (imageStarts[image] ?? 0) + ids.length;
  });
  const rowOfObject = new Int32Array(imageStarts[objects.length] ?? 0).fill(NONE);
  const objectOfRow = new Int32Array(rows.ids.length).fill(NONE);
  const objectsById: (Map<number, number> | undefined)[] = [];
  let ambiguous = 0;
  for (let row = 0; row < rows.ids.length; row++) {
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const image = imageOfRow(rows, row, objects.length);
    if (image === 'ambiguous') ambiguous++;
    if (typeof image !== 'number') continue;
    const byId = (objectsById[image] ??= numberedObjects(objects[image]?.ids));
    const object = byId.get(rows.ids[row] ?? NaN);
    if (object === undefined) continue;
    if (object === AMBIGUOUS) {
      ambiguous++;
      continue;
    }
    const global = (imageStarts[image] ?? 0) + object;
    const other = rowOfObject[global] ?? NONE;
    if (other === NONE) {
      rowOfObject[global] = row;
      objectOfRow[row] = global;
      continue;
    }
    ambiguous++;
    if (other === AMBIGUOUS) continue;
    // The first row with this object is no better than this one.
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

/** Objects by id; ids that occur twice lead to no object. */
function numberedObjects(ids: Float64Array | undefined): Map<number, number> {
  const byId = new Map<number, number>();
  ids?.forEach((id, object) => {
    if (!Number.isNaN(id)) byId.set(id, byId.has(id) ? AMBIGUOUS : object);
  });
  return byId;
}

/** How far a row's ratio may be from the median, and how many rows may be farther, for the ratio to be constant. */
const RATIO_TOLERANCE = 0.01;
const OUTLIERS = 0.05;

/** The self-check of measurements.md: the table's areas against the masks'. */
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
  return { areaRatio, areaRatioConstant: far <= OUTLIERS * count };
}
