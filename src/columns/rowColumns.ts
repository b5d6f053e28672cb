import { isAdded, type TableColumn } from './tableSummary';

/** The columns that identify the object of a row, by position in the table. */
export interface RowColumns {
  image?: number;
  id?: number;
  area?: number;
  /** Both coordinates or none. */
  position?: { x: number; y: number };
  /** Width and height of the row's image in pixels; both or none. */
  size?: { width: number; height: number };
}

/** A column, or only its name. */
type NamedColumn = string | Pick<TableColumn, 'name' | 'ofImage' | 'converted' | 'computed'>;

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
const sizeNames = (side: 'width' | 'height'): readonly RegExp[] => [
  new RegExp(`^image ${side}( px| pixels?| in pixels)?$`),
];
const X_NAMES = positionNames('x');
const Y_NAMES = positionNames('y');

/**
 * Finds these columns by name. The first pattern that matches wins; of several matches, the first.
 * Columns that aren't from the file don't count: metadata of an image is the same for all its
 * objects.
 */
export function findRowColumns(columns: readonly NamedColumn[]): RowColumns {
  const plainNames = columns.map(column =>
    typeof column === 'string' ? plainName(column) : isAdded(column) ? '' : plainName(column.name),
  );
  const find = (patterns: readonly RegExp[]): number | undefined => {
    for (const pattern of patterns) {
      const index = plainNames.findIndex(name => pattern.test(name));
      if (index >= 0) return index;
    }
    return undefined;
  };
  const image = find(IMAGE_NAMES);
  const id = find(ID_NAMES);
  const area = find(AREA_NAMES);
  const x = find(X_NAMES);
  const y = find(Y_NAMES);
  const width = find(sizeNames('width'));
  const height = find(sizeNames('height'));
  return {
    ...(width !== undefined && height !== undefined && { size: { width, height } }),
    ...(image !== undefined && { image }),
    ...(id !== undefined && { id }),
    ...(area !== undefined && { area }),
    ...(x !== undefined && y !== undefined && { position: { x, y } }),
  };
}

/**
 * The columns whose texts together name a row's image: in a table of several jobs the label of the
 * job, as each job has its own images, then the path. Empty without a column of paths.
 */
export function columnsOfImage(
  columns: readonly Pick<TableColumn, 'index' | 'name' | 'isLabel' | 'ofImage' | 'converted' | 'computed'>[],
  path = findRowColumns(columns).image,
): number[] {
  if (path === undefined) return [];
  return [...columns.flatMap(({ index, isLabel }) => (isLabel ? [index] : [])), path];
}

/** Whether rows grouped by columns are by path, with the images of several jobs in one group. */
export function joinsImages(by: readonly number[], columns: readonly TableColumn[]): boolean {
  const [path, job] = columnsOfImage(columns).reverse();
  return path !== undefined && job !== undefined && by.includes(path) && !by.includes(job);
}

/** The column of an object's class; undefined if there is none. */
export function classColumnOf(
  columns: readonly { readonly index: number; readonly name: string; readonly kind: 'number' | 'text' }[],
): number | undefined {
  return columns.find(({ name, kind }) => kind === 'text' && /\bclass\b/i.test(name))?.index;
}

/** A name in lower case, words only: "ObjectID", "object_id" and "Object ID" become equal. */
function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/µm|²/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Pattern for the names of columns with a row's class. */
export const CLASS_NAME = /\bclass\b/i;
/** Patterns for the names of columns that group rows, the likeliest first. */
const GROUP_NAMES = [CLASS_NAME, /\b(group|condition|treatment)\b/i];

/** The column that rows are likely grouped by: class or group, else image, else the first. */
export function likelyGroupColumn(
  columns: readonly TableColumn[],
  among: readonly number[],
): number | undefined {
  for (const pattern of GROUP_NAMES) {
    const match = among.find(column => pattern.test(columns[column]?.name ?? ''));
    if (match !== undefined) return match;
  }
  const { image } = findRowColumns(columns);
  return image !== undefined && among.includes(image) ? image : among[0];
}
