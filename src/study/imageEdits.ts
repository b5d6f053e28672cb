import { reasonForLog } from '../base/reasonForLog';
import { CodedError } from '../base/errors';
import { type Reason, reason } from '../base/reasons';
import { MAX_COLUMN_NAME } from '../columns/imageColumnName';
import {
  type ExcludedImage,
  type ImageColumn,
  type ImageColumns,
  type ImageDescription,
  MAX_IMAGE_COLUMNS,
  MAX_VALUE,
  reasonsOfExcluded,
  whyNoRole,
} from './imageColumns';

/** A change of the columns of images; images and columns are given by position. */
export type ImageEdit =
  /**
   * With `removal`, restores a removed column, with the values of images that the page doesn't
   * have.
   */
  | { kind: 'insert'; at: number; column: ImageColumn; removal?: number | undefined }
  /** `removal`: a number by which the page can restore the column. */
  | { kind: 'remove'; at: number; removal?: number | undefined }
  /** Changes name, role and order, but no values. */
  | { kind: 'describe'; at: number; column: ImageDescription }
  /** Sets values of some images; '' removes a value. */
  | { kind: 'values'; at: number; images: readonly number[]; values: readonly string[] }
  /** Excludes images from statistics for a reason; null includes them again. */
  | { kind: 'exclude'; images: readonly number[]; reasons: readonly (string | null)[] };

/** The edited columns, and the edits that undo the change. */
export interface EditedColumns {
  columns: ImageColumns;
  inverse: ImageEdit[];
}

/**
 * Applies edits in order. Throws `bad-request` with the reason if one isn't valid; then none is
 * applied. `takenNames`: names of the tables' other columns.
 */
export function applyEdits(
  columnsBefore: ImageColumns,
  edits: readonly ImageEdit[],
  takenNames: readonly string[] = [],
): EditedColumns {
  let columns = columnsBefore;
  const inverse: ImageEdit[] = [];
  for (const edit of edits) {
    const applied = applyEdit(columns, edit, takenNames);
    columns = applied.columns;
    inverse.unshift(applied.inverse);
  }
  return { columns, inverse };
}

function applyEdit(
  state: ImageColumns,
  edit: ImageEdit,
  takenNames: readonly string[],
): { columns: ImageColumns; inverse: ImageEdit } {
  const { columns, images } = state;
  if (edit.kind === 'exclude') return exclude(state, edit);
  if (edit.kind === 'insert') {
    const { at, column } = edit;
    if (columns.length >= MAX_IMAGE_COLUMNS)
      throw notApplied(reason('Images can have at most {0} columns', MAX_IMAGE_COLUMNS));
    if (at < 0 || at > columns.length)
      throw new CodedError('bad-request', `No column can be inserted at ${at}`);
    const { id = column.name, ...described } = column;
    const sized = {
      ...described,
      ...idUnlessName(freeId(id, columns), column.name),
      values: images.map((_, image) => column.values[image] ?? ''),
    };
    checkColumn(sized, [...columns.map(({ name }) => name), ...takenNames], images);
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
  const { id = column.name, values, ...described } = column;
  let changed: ImageColumn;
  let inverse: ImageEdit;
  if (edit.kind === 'describe') {
    changed = { ...edit.column, ...idUnlessName(id, edit.column.name), values };
    inverse = { kind: 'describe', at, column: described };
  } else {
    const newValues = [...values];
    edit.images.forEach((image, index) => {
      if (image < 0 || image >= images.length)
        throw new CodedError('bad-request', `There is no image ${image}`);
      newValues[image] = edit.values[index] ?? '';
    });
    changed = { ...column, values: newValues };
    const oldValues = edit.images.map(image => values[image] ?? '');
    inverse = { kind: 'values', at, images: edit.images, values: oldValues };
  }
  const otherNames = columns.filter((_, other) => other !== at).map(({ name }) => name);
  checkColumn(changed, changed.name === column.name ? otherNames : [...otherNames, ...takenNames], images);
  return { columns: { ...state, columns: columns.with(at, changed) }, inverse };
}

/** The ID of a column, absent if it equals the name. */
function idUnlessName(id: string, name: string): { id?: string } {
  return id === name ? {} : { id };
}

/** An ID that no other column has: a new column may have the former name of another one. */
function freeId(wanted: string, others: readonly ImageColumn[]): string {
  const taken = new Set(others.map(({ id, name }) => id ?? name));
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted} ${number}`;
  return free;
}

function exclude(
  state: ImageColumns,
  { images, reasons }: Extract<ImageEdit, { kind: 'exclude' }>,
): { columns: ImageColumns; inverse: ImageEdit } {
  const reasonOf = new Map(reasonsOfExcluded(state));
  const oldReasons = images.map(image => reasonOf.get(image) ?? null);
  images.forEach((image, index) => {
    const why = reasons[index]?.trim() ?? '';
    if (image < 0 || image >= state.images.length)
      throw new CodedError('bad-request', `There is no image ${image}`);
    if (why.length > MAX_VALUE)
      throw notApplied(
        reason('The value of "{0}" has {1} characters', state.images[image] ?? '', why.length),
      );
    if (why === '') reasonOf.delete(image);
    else reasonOf.set(image, why);
  });
  const excluded: ExcludedImage[] = [...reasonOf]
    .sort(([a], [b]) => a - b)
    .map(([image, why]) => ({ image, reason: why }));
  return { columns: { ...state, excluded }, inverse: { kind: 'exclude', images, reasons: oldReasons } };
}

function checkColumn(column: ImageColumn, otherNames: readonly string[], images: readonly string[]): void {
  const problem = whyNoColumn(column.name, otherNames);
  if (problem) throw notApplied(problem);
  column.values.forEach((value, image) => {
    if (value.length > MAX_VALUE)
      throw notApplied(reason('The value of "{0}" has {1} characters', images[image] ?? '', value.length));
  });
  const roleProblem = column.role && whyNoRole(column, column.role);
  if (roleProblem) throw notApplied(roleProblem);
}

/** The reason why a column can't have a name next to others; undefined if it can. */
export function whyNoColumn(name: string, otherNames: readonly string[]): Reason | undefined {
  if (name.trim() === '') return reason('A column needs a name');
  if (name.length > MAX_COLUMN_NAME) return reason('The name of a column has {0} characters', name.length);
  const lowerCase = name.trim().toLowerCase();
  const equalName = otherNames.find(other => other.trim().toLowerCase() === lowerCase);
  return equalName === undefined ? undefined : reason('Another column is already called "{0}"', equalName);
}

/**
 * Adapts edits to columns that were moved, added or removed in the meantime: an edit follows the
 * name of its column. Undefined if its column was removed, or if an edited description was changed
 * in the meantime (`redescribed`).
 */
export function editsOfMoved(
  edits: readonly ImageEdit[],
  namesBefore: readonly string[],
  namesNow: readonly string[],
  redescribed: ReadonlySet<string> = new Set(),
): ImageEdit[] | undefined {
  const [oldNames, newNames] = [[...namesBefore], [...namesNow]];
  const moved: ImageEdit[] = [];
  for (const edit of edits) {
    if (edit.kind === 'exclude') {
      moved.push(edit);
      continue;
    }
    const name = oldNames[edit.at];
    const position = name === undefined ? -1 : newNames.indexOf(name);
    if (edit.kind === 'insert') {
      // Before the same column, or at the end.
      const at = position < 0 ? newNames.length : position;
      oldNames.splice(edit.at, 0, edit.column.name);
      newNames.splice(at, 0, edit.column.name);
      moved.push({ ...edit, at });
      continue;
    }
    if (position < 0) return undefined;
    if (edit.kind === 'describe') {
      if (redescribed.has(name ?? '')) return undefined;
      oldNames[edit.at] = newNames[position] = edit.column.name;
    } else if (edit.kind === 'remove') {
      oldNames.splice(edit.at, 1);
      newNames.splice(position, 1);
    }
    moved.push({ ...edit, at: position });
  }
  return moved;
}

function notApplied(problem: Reason): CodedError {
  return new CodedError('bad-request', `The columns of images stay as they are: ${reasonForLog(problem)}`, {
    reason: problem,
  });
}

/**
 * Edits that add columns, or set the values of columns with the same name. The values of images
 * for which the source has no data (`hasData`) don't change.
 */
export function editsOfColumns(
  columnsBefore: ImageColumns,
  added: readonly ImageColumn[],
  hasData: (image: number, column: ImageColumn) => boolean,
): ImageEdit[] {
  const edits: ImageEdit[] = [];
  let count = columnsBefore.columns.length;
  for (const column of added) {
    const at = columnsBefore.columns.findIndex(
      ({ name }) => name.toLowerCase() === column.name.toLowerCase(),
    );
    if (at < 0) {
      edits.push({ kind: 'insert', at: count++, column });
      continue;
    }
    const images = [...column.values.keys()].filter(image => hasData(image, column));
    if (images.length > 0)
      edits.push({ kind: 'values', at, images, values: images.map(image => column.values[image] ?? '') });
  }
  return edits;
}

/** A changed cell; without a column, it is the reason for an exclusion. '' means empty. */
interface CellChange {
  /** Position of the image. */
  image: number;
  column?: string;
  from: string;
  to: string;
}

/** The numbers of cells that edits fill, change and empty. */
export interface CellChanges {
  set: number;
  changed: number;
  emptied: number;
  /** Cells that had a value first, then the others. */
  cells: CellChange[];
}

/** The cells that differ after all edits of values and exclusions. */
export function cellChanges(columnsBefore: ImageColumns, edits: readonly ImageEdit[]): CellChanges {
  const { columns, excluded } = applyEdits(columnsBefore, edits).columns;
  const valuesOf = new Map(columnsBefore.columns.map(({ name, values }) => [name, values]));
  const filled: CellChange[] = [];
  const hadValue: CellChange[] = [];
  const compare = (image: number, from: string, to: string, column?: string) => {
    if (from === to) return;
    (from === '' ? filled : hadValue).push({ image, ...(column !== undefined && { column }), from, to });
  };
  for (const { name, values } of columns)
    values.forEach((to, image) => compare(image, valuesOf.get(name)?.[image] ?? '', to, name));
  const reasonsBefore = reasonsOfExcluded(columnsBefore);
  const reasonsAfter = reasonsOfExcluded({ excluded });
  columnsBefore.images.forEach((_, image) =>
    compare(image, reasonsBefore.get(image) ?? '', reasonsAfter.get(image) ?? ''),
  );
  const emptied = hadValue.filter(({ to }) => to === '').length;
  return {
    set: filled.length,
    changed: hadValue.length - emptied,
    emptied,
    cells: [...hadValue, ...filled],
  };
}
