import { reasonForLog } from '../base/reasonForLog';
import { CodedError } from '../base/errors';
import { type Reason, reason } from '../base/reasons';
import { MAX_COLUMN_NAME } from '../columns/imageColumnName';
import {
  type ExcludedImage,
  type ImageColumn,
  type ImageColumns,
  MAX_IMAGE_COLUMNS,
  MAX_VALUE,
  whyNoRole,
} from './imageColumns';

/** A change of the columns of images. Images and columns are named by their positions. */
export type ImageEdit =
  /** `removal`: undoes that removal, also for images whose values the remover didn't know. */
  | { kind: 'insert'; at: number; column: ImageColumn; removal?: number | undefined }
  /** `removal`: a number of the page, by which it undoes this. */
  | { kind: 'remove'; at: number; removal?: number | undefined }
  /** Name, role and order; the values stay. */
  | { kind: 'describe'; at: number; column: Omit<ImageColumn, 'values'> }
  /** Values of some images; '' removes one. */
  | { kind: 'values'; at: number; images: readonly number[]; values: readonly string[] }
  /** Leaves images out of statistics, for a reason; null takes them in again. */
  | { kind: 'exclude'; images: readonly number[]; reasons: readonly (string | null)[] };

/** The edited columns, and the edits that undo the change. */
export interface EditedColumns {
  columns: ImageColumns;
  inverse: ImageEdit[];
}

/**
 * Applies edits in order. Throws `bad-request` with the reason if one can't be applied; then none
 * is. `taken`: names of the tables' own columns.
 */
export function applyEdits(
  before: ImageColumns,
  edits: readonly ImageEdit[],
  taken: readonly string[] = [],
): EditedColumns {
  let columns = before;
  const inverse: ImageEdit[] = [];
  for (const edit of edits) {
    const done = applyEdit(columns, edit, taken);
    columns = done.columns;
    inverse.unshift(done.inverse);
  }
  return { columns, inverse };
}

function applyEdit(
  state: ImageColumns,
  edit: ImageEdit,
  taken: readonly string[],
): { columns: ImageColumns; inverse: ImageEdit } {
  const { columns, images } = state;
  if (edit.kind === 'exclude') return exclude(state, edit);
  if (edit.kind === 'insert') {
    const { at, column } = edit;
    if (columns.length >= MAX_IMAGE_COLUMNS)
      throw refused(reason('Images can have at most {0} columns', MAX_IMAGE_COLUMNS));
    if (at < 0 || at > columns.length) throw new CodedError('bad-request', `No column goes to ${at}`);
    const sized = { ...column, values: images.map((_, image) => column.values[image] ?? '') };
    check(sized, [...columns.map(({ name }) => name), ...taken], images);
    return {
      columns: { ...state, columns: columns.toSpliced(at, 0, sized) },
      inverse: { kind: 'remove', at },
    };
  }
  const { at } = edit;
  const column = columns[at];
  if (!column) throw new CodedError('bad-request', `The images have no column ${at}`);
  if (edit.kind === 'remove')
    return {
      columns: { ...state, columns: columns.toSpliced(at, 1) },
      inverse: {
        kind: 'insert',
        at,
        column,
        ...(edit.removal !== undefined && { removal: edit.removal }),
      },
    };
  const { values, ...described } = column;
  let changed: ImageColumn;
  let inverse: ImageEdit;
  if (edit.kind === 'describe') {
    changed = { ...edit.column, values };
    inverse = { kind: 'describe', at, column: described };
  } else {
    const own = [...values];
    edit.images.forEach((image, index) => {
      if (image < 0 || image >= images.length)
        throw new CodedError('bad-request', `There is no image ${image}`);
      own[image] = edit.values[index] ?? '';
    });
    changed = { ...column, values: own };
    const former = edit.images.map(image => values[image] ?? '');
    inverse = { kind: 'values', at, images: edit.images, values: former };
  }
  const others = columns.filter((_, other) => other !== at).map(({ name }) => name);
  check(changed, changed.name === column.name ? others : [...others, ...taken], images);
  return { columns: { ...state, columns: columns.with(at, changed) }, inverse };
}

function exclude(
  state: ImageColumns,
  { images, reasons }: Extract<ImageEdit, { kind: 'exclude' }>,
): { columns: ImageColumns; inverse: ImageEdit } {
  const known = new Map(state.excluded.map(({ image, reason: why }) => [image, why]));
  const before = images.map(image => known.get(image) ?? null);
  images.forEach((image, index) => {
    const why = reasons[index]?.trim() ?? '';
    if (image < 0 || image >= state.images.length)
      throw new CodedError('bad-request', `There is no image ${image}`);
    if (why.length > MAX_VALUE)
      throw refused(reason('The value of "{0}" has {1} characters', state.images[image] ?? '', why.length));
    if (why === '') known.delete(image);
    else known.set(image, why);
  });
  const excluded: ExcludedImage[] = [...known]
    .sort(([a], [b]) => a - b)
    .map(([image, why]) => ({ image, reason: why }));
  return { columns: { ...state, excluded }, inverse: { kind: 'exclude', images, reasons: before } };
}

function check(column: ImageColumn, others: readonly string[], images: readonly string[]): void {
  const why = whyNoColumn(column.name, others);
  if (why) throw refused(why);
  column.values.forEach((value, image) => {
    if (value.length > MAX_VALUE)
      throw refused(reason('The value of "{0}" has {1} characters', images[image] ?? '', value.length));
  });
  const whyNot = column.role && whyNoRole(column, column.role);
  if (whyNot) throw refused(whyNot);
}

/** Why a column can't be called so beside others; undefined where it can. */
export function whyNoColumn(name: string, others: readonly string[]): Reason | undefined {
  if (name.trim() === '') return reason('A column needs a name');
  if (name.length > MAX_COLUMN_NAME) return reason('The name of a column has {0} characters', name.length);
  const plain = name.trim().toLowerCase();
  const twin = others.find(other => other.trim().toLowerCase() === plain);
  return twin === undefined ? undefined : reason('Another column is already called "{0}"', twin);
}

/**
 * Edits that were made of columns called `before`, as edits of columns called `now`: each is about
 * the column of that name. Undefined where one of them is gone, or `redescribed` and would be once
 * more.
 */
export function editsOfMoved(
  edits: readonly ImageEdit[],
  before: readonly string[],
  now: readonly string[],
  redescribed: ReadonlySet<string> = new Set(),
): ImageEdit[] | undefined {
  const [seen, names] = [[...before], [...now]];
  const moved: ImageEdit[] = [];
  for (const edit of edits) {
    if (edit.kind === 'exclude') {
      moved.push(edit);
      continue;
    }
    const name = seen[edit.at];
    const found = name === undefined ? -1 : names.indexOf(name);
    if (edit.kind === 'insert') {
      // Before the same column, or behind all.
      const at = found < 0 ? names.length : found;
      seen.splice(edit.at, 0, edit.column.name);
      names.splice(at, 0, edit.column.name);
      moved.push({ ...edit, at });
      continue;
    }
    if (found < 0) return undefined;
    if (edit.kind === 'describe') {
      if (redescribed.has(name ?? '')) return undefined;
      seen[edit.at] = names[found] = edit.column.name;
    } else if (edit.kind === 'remove') {
      seen.splice(edit.at, 1);
      names.splice(found, 1);
    }
    moved.push({ ...edit, at: found });
  }
  return moved;
}

function refused(why: Reason): CodedError {
  return new CodedError('bad-request', `The columns of images stay as they are: ${reasonForLog(why)}`, {
    reason: why,
  });
}

/**
 * Edits that give images the values of new columns: columns of the same name get them, others are
 * added. `says`: whether the source has an image, even with an empty value; other images keep
 * theirs.
 */
export function editsOfColumns(
  before: ImageColumns,
  added: readonly ImageColumn[],
  says: (image: number, column: ImageColumn) => boolean,
): ImageEdit[] {
  const edits: ImageEdit[] = [];
  let count = before.columns.length;
  for (const column of added) {
    const at = before.columns.findIndex(({ name }) => name.toLowerCase() === column.name.toLowerCase());
    if (at < 0) {
      edits.push({ kind: 'insert', at: count++, column });
      continue;
    }
    const images = [...column.values.keys()].filter(image => says(image, column));
    if (images.length > 0)
      edits.push({ kind: 'values', at, images, values: images.map(image => column.values[image] ?? '') });
  }
  return edits;
}

/** A changed cell: of a column, or without one the reason why an image is excluded. '' is empty. */
interface CellChange {
  /** Position of the image. */
  image: number;
  column?: string;
  from: string;
  to: string;
}

/**
 * Effects of edits on cells: formerly empty ones, ones with another value, and ones that become
 * empty.
 */
export interface CellChanges {
  set: number;
  changed: number;
  emptied: number;
  /** Those that had a value, and then those that had none. */
  cells: CellChange[];
}

/** Effects of value and exclusion edits on cells, after all of them. */
export function cellChanges(before: ImageColumns, edits: readonly ImageEdit[]): CellChanges {
  const { columns, excluded } = applyEdits(before, edits).columns;
  const valuesOf = new Map(before.columns.map(({ name, values }) => [name, values]));
  const filled: CellChange[] = [];
  const others: CellChange[] = [];
  const compare = (image: number, from: string, to: string, column?: string) => {
    if (from === to) return;
    (from === '' ? filled : others).push({ image, ...(column !== undefined && { column }), from, to });
  };
  for (const { name, values } of columns)
    values.forEach((to, image) => compare(image, valuesOf.get(name)?.[image] ?? '', to, name));
  const reasons = [before.excluded, excluded].map(
    all => new Map(all.map(({ image, reason: why }) => [image, why])),
  );
  before.images.forEach((_, image) =>
    compare(image, reasons[0]?.get(image) ?? '', reasons[1]?.get(image) ?? ''),
  );
  const emptied = others.filter(({ to }) => to === '').length;
  return {
    set: filled.length,
    changed: others.length - emptied,
    emptied,
    cells: [...others, ...filled],
  };
}
