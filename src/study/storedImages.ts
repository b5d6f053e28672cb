import { matchImages } from '../archives/imageCatalog';
import { finish, inSteps, mapInSteps, type Steps } from '../base/steps';
import type { StoredKind } from '../base/storedKind';
import { type ImageColumn, type ImageColumns, imageRoles } from './imageColumns';
import type { ImageEdit } from './imageEdits';
import { fieldsOf, isPattern, parsePattern, withFieldNames } from './imagePattern';

/**
 * The stored metadata of a result's images. It is by path, since the list of images grows as more
 * of a result is read. Patterns are stored too: images that are found later get their values.
 */
export interface StoredImages {
  columns: readonly Omit<ImageColumn, 'values'>[];
  /** The values of each image by its path, in the order of columns. */
  values: Readonly<Record<string, readonly string[]>>;
  /** The reason why each excluded image is left out of statistics, by its path. */
  excluded: Readonly<Record<string, string>>;
  /** Patterns whose fields are columns. */
  patterns?: readonly string[];
}

/** Metadata of images in the stores of jobs and results. */
export const imagesKind: StoredKind<StoredImages> = { name: 'imageColumns', valid: validStored };

/** Maximum number of stored patterns. */
const MAX_PATTERNS = 20;

/**
 * The data to store; undefined if no image has metadata. `before` has the values of images that
 * aren't listed now.
 */
export function* storedOf(
  { images, columns, excluded }: ImageColumns,
  before: StoredImages | undefined,
  patterns: readonly string[] = [],
): Steps<StoredImages | undefined> {
  // An image may be stored with more folders or fewer: that entry must not stay as a second one.
  const listed = new Set(images);
  for (const paths of [before?.values, before?.excluded])
    for (const path of yield* storedPaths(images, paths ?? {})) if (path !== undefined) listed.add(path);
  const reasons = new Map(Object.entries(before?.excluded ?? {}).filter(([path]) => !listed.has(path)));
  for (const { image, reason } of excluded) reasons.set(images[image] ?? '', reason);
  if (columns.length === 0 && reasons.size === 0) return undefined;
  const values = new Map<string, readonly string[]>();
  const oldPositions = columns.map(
    ({ name }) => before?.columns.findIndex(column => column.name === name) ?? -1,
  );
  yield* inSteps(Object.entries(before?.values ?? {}), ([path, texts]) => {
    if (listed.has(path)) return;
    values.set(
      path,
      oldPositions.map(at => texts[at] ?? ''),
    );
  });
  // Images without values are stored too: a pattern must not give them values later.
  yield* inSteps(images, (path, image) =>
    values.set(
      path,
      columns.map(column => column.values[image] ?? ''),
    ),
  );
  // The last pattern wins: it is last in the list.
  const earlierPatterns = (before?.patterns ?? []).filter(pattern => !patterns.includes(pattern));
  const storedPatterns = [...earlierPatterns, ...new Set(patterns)].slice(-MAX_PATTERNS);
  return {
    columns: columns.map(({ values: _, ...described }) => described),
    values: Object.fromEntries(values),
    excluded: Object.fromEntries(reasons),
    ...(storedPatterns.length > 0 && { patterns: storedPatterns }),
  };
}

/** The new names of columns that edits rename, by the old ones. */
export function namesAfter(
  before: readonly Pick<ImageColumn, 'name'>[],
  edits: readonly ImageEdit[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const { from, to } of followedColumns(before, edits).remaining)
    if (from !== undefined && from !== to) names.set(from, to);
  return names;
}

/** A column after edits, with its name before them; `from` is absent for a new column. */
interface FollowedColumn {
  from?: string;
  to: string;
}

/**
 * The effect of edits on columns: the remaining ones, and the removed ones by the number of the
 * removal.
 */
function followedColumns(
  before: readonly Pick<ImageColumn, 'name'>[],
  edits: readonly ImageEdit[],
): { remaining: FollowedColumn[]; removed: Map<number, FollowedColumn> } {
  const remaining: FollowedColumn[] = before.map(({ name }) => ({ from: name, to: name }));
  const removed = new Map<number, FollowedColumn>();
  for (const edit of edits) {
    if (edit.kind === 'insert') remaining.splice(edit.at, 0, { to: edit.column.name });
    else if (edit.kind === 'remove') {
      const [column] = remaining.splice(edit.at, 1);
      if (column && edit.removal !== undefined) removed.set(edit.removal, column);
    } else if (edit.kind === 'describe')
      remaining.splice(edit.at, 1, { ...remaining[edit.at], to: edit.column.name });
  }
  return { remaining, removed };
}

/** A removed column, with its stored values of all images and its patterns. */
export interface RemovedColumn {
  name: string;
  removal: number;
  /** The stored metadata with this column only. */
  stored: StoredImages;
}

/** The columns that edits remove from stored data. */
export function removedColumns(stored: StoredImages, edits: readonly ImageEdit[]): RemovedColumn[] {
  const { removed } = followedColumns(stored.columns, edits);
  return [...removed].flatMap(([removal, { from, to }]) => {
    const at = stored.columns.findIndex(({ name }) => name === from);
    const column = stored.columns[at];
    if (!column) return [];
    const values = Object.entries(stored.values).map(([path, texts]): [string, string[]] => [
      path,
      [texts[at] ?? ''],
    ]);
    const { patterns } = stored;
    const columnOnly = { columns: [column], values: Object.fromEntries(values), excluded: {} };
    return [{ name: to, removal, stored: { ...columnOnly, ...(patterns && { patterns }) } }];
  });
}

/**
 * Edits that restore columns, completed with the values of images that were listed after the
 * removal.
 */
export function* withLaterValues(
  edits: readonly ImageEdit[],
  images: readonly string[],
  removed: readonly RemovedColumn[],
): Steps<readonly ImageEdit[]> {
  const completed: ImageEdit[] = [];
  for (const edit of edits) {
    const removedColumn = restoredColumn(edit, removed);
    if (edit.kind !== 'insert' || !removedColumn || edit.column.values.length >= images.length) {
      completed.push(edit);
      continue;
    }
    const { values } = edit.column;
    const laterValues = yield* valuesOf(removedColumn, images.slice(values.length));
    completed.push({ ...edit, column: { ...edit.column, values: [...values, ...laterValues] } });
  }
  return completed;
}

/** Stored metadata with restored columns, for images that aren't listed now. */
export function* withRestored(
  before: StoredImages | undefined,
  edits: readonly ImageEdit[],
  removed: readonly RemovedColumn[],
): Steps<StoredImages | undefined> {
  let stored = before;
  for (const edit of edits) {
    const removedColumn = restoredColumn(edit, removed);
    if (!removedColumn) continue;
    const { columns = [], values = {}, excluded = {}, patterns = [] } = stored ?? {};
    const removedPaths = Object.keys(removedColumn.stored.values);
    const matchedPaths = yield* storedPaths(removedPaths, values);
    const newPaths = removedPaths.filter((_, at) => matchedPaths[at] === undefined);
    const paths = [...Object.keys(values), ...newPaths];
    const restoredValues = yield* valuesOf(removedColumn, paths);
    const rows = paths.map((path, at): [string, string[]] => [
      path,
      [...columns.map((_, column) => values[path]?.[column] ?? ''), restoredValues[at] ?? ''],
    ]);
    const [column] = removedColumn.stored.columns;
    stored = {
      columns: [...columns, { ...column, name: removedColumn.name }],
      values: Object.fromEntries(rows),
      excluded,
      patterns: [
        ...(removedColumn.stored.patterns ?? []).filter(pattern => !patterns.includes(pattern)),
        ...patterns,
      ],
    };
  }
  return stored;
}

function restoredColumn(edit: ImageEdit, removed: readonly RemovedColumn[]): RemovedColumn | undefined {
  if (edit.kind !== 'insert' || edit.removal === undefined) return undefined;
  return removed.find(({ removal, name }) => removal === edit.removal && name === edit.column.name);
}

function* valuesOf({ stored }: RemovedColumn, images: readonly string[]): Steps<readonly string[]> {
  return (yield* withStoredInSteps(images, stored)).columns[0]?.values ?? [];
}

/** Stored metadata with renamed columns; the fields of patterns are renamed too. */
export function withRenamed(stored: StoredImages, names: ReadonlyMap<string, string>): StoredImages {
  if (names.size === 0) return stored;
  const fields = new Map(Array.from(names, ([from, to]) => [from.toLowerCase(), to]));
  return {
    ...stored,
    columns: stored.columns.map(column => ({ ...column, name: names.get(column.name) ?? column.name })),
    ...(stored.patterns && { patterns: stored.patterns.map(text => withFieldNames(text, fields)) }),
  };
}

/**
 * The stored columns for images. Tables may name an image with more folders or fewer than it was
 * stored with: a match must be unambiguous. Images that aren't stored get the values of patterns.
 */
export function withStored(images: readonly string[], stored: StoredImages | undefined): ImageColumns {
  return finish(withStoredInSteps(images, stored));
}

/** Like withStored, in steps: matching thousands of other paths takes tens of milliseconds. */
export function* withStoredInSteps(
  images: readonly string[],
  stored: StoredImages | undefined,
): Steps<ImageColumns> {
  if (!stored) return { images, columns: [], excluded: [] };
  const matchedPaths = yield* storedPaths(images, stored.values);
  const reasons = yield* storedPaths(images, stored.excluded);
  const patterns = (stored.patterns ?? []).flatMap(text => {
    const parsed = parsePattern(text);
    return isPattern(parsed) ? [parsed] : [];
  });
  const plainNames = stored.columns.map(({ name }) => name.toLowerCase());
  const rows = yield* mapInSteps(images, (path, image): readonly string[] => {
    const matchedPath = matchedPaths[image];
    if (matchedPath !== undefined) return stored.values[matchedPath] ?? [];
    const row = stored.columns.map(() => '');
    for (const pattern of patterns) {
      fieldsOf(pattern, path)?.forEach((value, field) => {
        const at = plainNames.indexOf(pattern.fields[field]?.toLowerCase() ?? '');
        if (at >= 0) row[at] = value.trim();
      });
    }
    return row;
  });
  return {
    images,
    columns: stored.columns.map((column, at) => ({ ...column, values: rows.map(row => row[at] ?? '') })),
    excluded: reasons.flatMap((matchedPath, image) =>
      matchedPath === undefined ? [] : [{ image, reason: stored.excluded[matchedPath] ?? '' }],
    ),
  };
}

/**
 * Whether the stored metadata is equal; undefined equals metadata without columns and exclusions.
 */
export function sameStored(a: StoredImages | undefined, b: StoredImages | undefined): boolean {
  if (a === b) return true;
  const isNothing = (metadata: StoredImages) =>
    metadata.columns.length + Object.keys(metadata.excluded).length === 0;
  if (!a || isNothing(a)) return !b || isNothing(b);
  if (!b || isNothing(b)) return false;
  // Thousands of images have values: comparing them as JSON would take milliseconds and memory.
  const { values: valuesA, ...otherFieldsA } = a;
  const { values: valuesB, ...otherFieldsB } = b;
  const paths = Object.keys(valuesA);
  return (
    paths.length === Object.keys(valuesB).length &&
    paths.every(
      path => Object.hasOwn(valuesB, path) && sameTexts(valuesA[path] ?? [], valuesB[path] ?? []),
    ) &&
    JSON.stringify(otherFieldsA) === JSON.stringify(otherFieldsB)
  );
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/**
 * The stored path of each image: the same path, else the unambiguous match by folders and name.
 * Undefined if there is none.
 */
function* storedPaths(
  images: readonly string[],
  stored: Readonly<Record<string, unknown>>,
): Steps<(string | undefined)[]> {
  if (images.every(path => Object.hasOwn(stored, path))) return [...images];
  const paths = Object.keys(stored);
  const matches = yield* matchImages(images, paths);
  return images.map((path, at) => {
    const match = matches[at];
    return Object.hasOwn(stored, path) ? path : typeof match === 'number' ? paths[match] : undefined;
  });
}

/** The valid part of stored data; a user may have edited the file. */
function validStored(value: unknown): StoredImages | undefined {
  const { columns, values, excluded, patterns } = asObject(value);
  if (!Array.isArray(columns)) return undefined;
  const names = new Set<string>();
  const isColumn = (candidate: unknown): candidate is Omit<ImageColumn, 'values'> => {
    const { name, id, role, isNumeric, order, reference } = asObject(candidate);
    const isValid =
      isText(name) &&
      name !== '' &&
      !names.has(name) &&
      (id === undefined || isText(id)) &&
      (role === undefined || (imageRoles as readonly unknown[]).includes(role)) &&
      (isNumeric === undefined || isNumeric === true) &&
      (order === undefined || areTexts(order)) &&
      (reference === undefined || isText(reference));
    if (isValid) names.add(name);
    return isValid;
  };
  if (!columns.every(isColumn)) return undefined;
  return {
    columns,
    values: validEntries(asObject(values), areTexts),
    excluded: validEntries(asObject(excluded), isText),
    ...(areTexts(patterns) && { patterns }),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The valid entries of a record. */
function validEntries<T>(
  record: Record<string, unknown>,
  isValid: (value: unknown) => value is T,
): Readonly<Record<string, T>> {
  // A record without invalid entries is returned as it is: copying thousands of entries is slow.
  const areAllValid = Object.values(record).every(isValid);
  const entries = areAllValid ? [] : Object.entries(record).filter(([, value]) => isValid(value));
  return (areAllValid ? record : Object.fromEntries(entries)) as Record<string, T>;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
