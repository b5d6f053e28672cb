import { matchImages } from '../archives/imageCatalog';
import { finish, inSteps, mapInSteps, type Steps } from '../base/steps';
import type { StoredKind } from '../base/storedKind';
import { type ImageColumn, type ImageColumns, imageRoles } from './imageColumns';
import type { ImageEdit } from './imageEdits';
import { fieldsOf, isPattern, parsePattern, withFieldNames } from './imagePattern';

/**
 * What is stored of the columns of a result's images: by the paths of images, since a list of
 * images changes as more of a result is read. Images that weren't known when a pattern was applied
 * get its values when they are.
 */
export interface StoredImages {
  columns: readonly Omit<ImageColumn, 'values'>[];
  /** The values of an image in the order of columns. */
  values: Readonly<Record<string, readonly string[]>>;
  /** Why images are left out of statistics. */
  excluded: Readonly<Record<string, string>>;
  /** Patterns whose fields are columns. */
  patterns?: readonly string[];
}

/** Metadata of images in the stores of jobs and results. */
export const imagesKind: StoredKind<StoredImages> = { name: 'imageColumns', valid: validStored };

/** More than a user needs. */
const MAX_PATTERNS = 20;

/**
 * Data to store about columns; undefined without metadata of any image. `before` has values of
 * images that aren't listed now.
 */
export function* storedOf(
  { images, columns, excluded }: ImageColumns,
  before: StoredImages | undefined,
  patterns: readonly string[] = [],
): Steps<StoredImages | undefined> {
  // A table may have named an image with more folders or fewer when it was stored: it has one entry
  // all the same.
  const listed = new Set(images);
  for (const paths of [before?.values, before?.excluded])
    for (const path of yield* storedPaths(images, paths ?? {})) if (path !== undefined) listed.add(path);
  const reasons = new Map(Object.entries(before?.excluded ?? {}).filter(([path]) => !listed.has(path)));
  for (const { image, reason } of excluded) reasons.set(images[image] ?? '', reason);
  if (columns.length === 0 && reasons.size === 0) return undefined;
  const values = new Map<string, readonly string[]>();
  const places = columns.map(({ name }) => before?.columns.findIndex(column => column.name === name) ?? -1);
  yield* inSteps(Object.entries(before?.values ?? {}), ([path, own]) => {
    if (listed.has(path)) return;
    values.set(
      path,
      places.map(at => own[at] ?? ''),
    );
  });
  // All of them are stored: an image without values isn't one that was unknown when a pattern was
  // applied.
  yield* inSteps(images, (path, image) =>
    values.set(
      path,
      columns.map(column => column.values[image] ?? ''),
    ),
  );
  // Of several that tell a column, that which was applied last does.
  const others = (before?.patterns ?? []).filter(pattern => !patterns.includes(pattern));
  const used = [...others, ...new Set(patterns)].slice(-MAX_PATTERNS);
  return {
    columns: columns.map(({ values: _, ...described }) => described),
    values: Object.fromEntries(values),
    excluded: Object.fromEntries(reasons),
    ...(used.length > 0 && { patterns: used }),
  };
}

/** The new names of the columns that edits rename. */
export function namesAfter(
  before: readonly Pick<ImageColumn, 'name'>[],
  edits: readonly ImageEdit[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const { from, to } of followedColumns(before, edits).left)
    if (from !== undefined && from !== to) names.set(from, to);
  return names;
}

/** A column with the name that it had, if it was there before. */
interface FollowedColumn {
  from?: string;
  to: string;
}

/**
 * The result of edits on columns: remaining ones, and removed ones by the numbers of their
 * removals.
 */
function followedColumns(
  before: readonly Pick<ImageColumn, 'name'>[],
  edits: readonly ImageEdit[],
): { left: FollowedColumn[]; removed: Map<number, FollowedColumn> } {
  const left: FollowedColumn[] = before.map(({ name }) => ({ from: name, to: name }));
  const removed = new Map<number, FollowedColumn>();
  for (const edit of edits) {
    if (edit.kind === 'insert') left.splice(edit.at, 0, { to: edit.column.name });
    else if (edit.kind === 'remove') {
      const [column] = left.splice(edit.at, 1);
      if (column && edit.removal !== undefined) removed.set(edit.removal, column);
    } else if (edit.kind === 'describe') left.splice(edit.at, 1, { ...left[edit.at], to: edit.column.name });
  }
  return { left, removed };
}

/** A column that was removed, with its values of all images, also of those that come later. */
export interface RemovedColumn {
  name: string;
  removal: number;
  /** Stored data, with this column only. */
  stored: StoredImages;
}

/** The columns that edits remove from stored data. */
export function removedColumns(stored: StoredImages, edits: readonly ImageEdit[]): RemovedColumn[] {
  const { removed } = followedColumns(stored.columns, edits);
  return [...removed].flatMap(([removal, { from, to }]) => {
    const at = stored.columns.findIndex(({ name }) => name === from);
    const column = stored.columns[at];
    if (!column) return [];
    const values = Object.entries(stored.values).map(([path, own]): [string, string[]] => [
      path,
      [own[at] ?? ''],
    ]);
    const { patterns } = stored;
    const alone = { columns: [column], values: Object.fromEntries(values), excluded: {} };
    return [{ name: to, removal, stored: { ...alone, ...(patterns && { patterns }) } }];
  });
}

/**
 * Of edits that undo a removal, the columns with their values also of images that were listed
 * since.
 */
export function* withLaterValues(
  edits: readonly ImageEdit[],
  images: readonly string[],
  removed: readonly RemovedColumn[],
): Steps<readonly ImageEdit[]> {
  const whole: ImageEdit[] = [];
  for (const edit of edits) {
    const found = undoneBy(edit, removed);
    if (edit.kind !== 'insert' || !found || edit.column.values.length >= images.length) {
      whole.push(edit);
      continue;
    }
    const { values } = edit.column;
    const later = yield* valuesOf(found, images.slice(values.length));
    whole.push({ ...edit, column: { ...edit.column, values: [...values, ...later] } });
  }
  return whole;
}

/**
 * Stored data, with the columns whose removal edits undo: for images that aren't listed now, or
 * come later.
 */
export function* withRestored(
  before: StoredImages | undefined,
  edits: readonly ImageEdit[],
  removed: readonly RemovedColumn[],
): Steps<StoredImages | undefined> {
  let stored = before;
  for (const edit of edits) {
    const found = undoneBy(edit, removed);
    if (!found) continue;
    const { columns = [], values = {}, excluded = {}, patterns = [] } = stored ?? {};
    const removedPaths = Object.keys(found.stored.values);
    const known = yield* storedPaths(removedPaths, values);
    const others = removedPaths.filter((_, at) => known[at] === undefined);
    const paths = [...Object.keys(values), ...others];
    const own = yield* valuesOf(found, paths);
    const rows = paths.map((path, at): [string, string[]] => [
      path,
      [...columns.map((_, column) => values[path]?.[column] ?? ''), own[at] ?? ''],
    ]);
    const [column] = found.stored.columns;
    stored = {
      columns: [...columns, { ...column, name: found.name }],
      values: Object.fromEntries(rows),
      excluded,
      patterns: [...(found.stored.patterns ?? []).filter(each => !patterns.includes(each)), ...patterns],
    };
  }
  return stored;
}

function undoneBy(edit: ImageEdit, removed: readonly RemovedColumn[]): RemovedColumn | undefined {
  if (edit.kind !== 'insert' || edit.removal === undefined) return undefined;
  return removed.find(({ removal, name }) => removal === edit.removal && name === edit.column.name);
}

function* valuesOf({ stored }: RemovedColumn, images: readonly string[]): Steps<readonly string[]> {
  return (yield* withStoredInSteps(images, stored)).columns[0]?.values ?? [];
}

/**
 * Stored data with renamed columns: values of images that aren't listed now follow, and patterns
 * give later images values under the new names.
 */
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
 * The columns of images as they were stored. An image that isn't stored has the values of the only
 * stored one of which its path is the end, or the other way round: tables name images with more
 * folders or fewer. Else the patterns tell them.
 */
export function withStored(images: readonly string[], stored: StoredImages | undefined): ImageColumns {
  return finish(withStoredInSteps(images, stored));
}

/** The same in steps: thousands that are stored under other paths take tens of milliseconds. */
export function* withStoredInSteps(
  images: readonly string[],
  stored: StoredImages | undefined,
): Steps<ImageColumns> {
  if (!stored) return { images, columns: [], excluded: [] };
  const known = yield* storedPaths(images, stored.values);
  const reasons = yield* storedPaths(images, stored.excluded);
  const patterns = (stored.patterns ?? []).flatMap(text => {
    const parsed = parsePattern(text);
    return isPattern(parsed) ? [parsed] : [];
  });
  const plainNames = stored.columns.map(({ name }) => name.toLowerCase());
  const rows = yield* mapInSteps(images, (path, image): readonly string[] => {
    const own = known[image];
    if (own !== undefined) return stored.values[own] ?? [];
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
    excluded: reasons.flatMap((of, image) =>
      of === undefined ? [] : [{ image, reason: stored.excluded[of] ?? '' }],
    ),
  };
}

/** Whether the same is stored. Nothing is stored of a result as nothing, or as no columns. */
export function sameStored(a: StoredImages | undefined, b: StoredImages | undefined): boolean {
  if (a === b) return true;
  const isNothing = (of: StoredImages) => of.columns.length + Object.keys(of.excluded).length === 0;
  if (!a || isNothing(a)) return !b || isNothing(b);
  if (!b || isNothing(b)) return false;
  // Thousands of images have values: as text they would take milliseconds, and be garbage.
  const { values: ofA, ...restOfA } = a;
  const { values: ofB, ...restOfB } = b;
  const paths = Object.keys(ofA);
  return (
    paths.length === Object.keys(ofB).length &&
    paths.every(path => Object.hasOwn(ofB, path) && sameTexts(ofA[path] ?? [], ofB[path] ?? [])) &&
    JSON.stringify(restOfA) === JSON.stringify(restOfB)
  );
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/**
 * The paths under which images are stored: as they stand, else as names tell, since tables name
 * images with more folders or fewer. Undefined where that isn't certain.
 */
function* storedPaths(
  images: readonly string[],
  stored: Readonly<Record<string, unknown>>,
): Steps<(string | undefined)[]> {
  if (images.every(path => Object.hasOwn(stored, path))) return [...images];
  const paths = Object.keys(stored);
  const found = yield* matchImages(images, paths);
  return images.map((path, at) => {
    const match = found[at];
    return Object.hasOwn(stored, path) ? path : typeof match === 'number' ? paths[match] : undefined;
  });
}

/** The valid part of stored data: a user may have edited the file. */
function validStored(value: unknown): StoredImages | undefined {
  const { columns, values, excluded, patterns } = asObject(value);
  if (!Array.isArray(columns)) return undefined;
  const names = new Set<string>();
  const isColumn = (each: unknown): each is Omit<ImageColumn, 'values'> => {
    const { name, role, isNumeric, order, reference } = asObject(each);
    const isSound =
      isText(name) &&
      name !== '' &&
      !names.has(name) &&
      (role === undefined || (imageRoles as readonly unknown[]).includes(role)) &&
      (isNumeric === undefined || isNumeric === true) &&
      (order === undefined || areTexts(order)) &&
      (reference === undefined || isText(reference));
    if (isSound) names.add(name);
    return isSound;
  };
  if (!columns.every(isColumn)) return undefined;
  return {
    columns,
    values: only(asObject(values), areTexts),
    excluded: only(asObject(excluded), isText),
    ...(areTexts(patterns) && { patterns }),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Those of a record that are sound. */
function only<T>(
  record: Record<string, unknown>,
  isSound: (value: unknown) => value is T,
): Readonly<Record<string, T>> {
  // Making it anew takes longer than all else where it has thousands.
  const areAll = Object.values(record).every(isSound);
  const entries = areAll ? [] : Object.entries(record).filter(([, value]) => isSound(value));
  return (areAll ? record : Object.fromEntries(entries)) as Record<string, T>;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
