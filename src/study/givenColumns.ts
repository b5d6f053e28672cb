import { reasonForLog } from '../base/reasonForLog';
import { CodedError } from '../base/errors';
import { reason, type Reason } from '../base/reasons';
import { inSteps, type Steps } from '../base/steps';
import { matchWrittenNamesInSteps } from '../archives/imageCatalog';
import { spellingsOf } from '../archives/imageNames';
import { imageColumnName } from '../columns/imageColumnName';
import {
  type ImageColumn,
  type ImageColumns,
  type ImageRole,
  withGuessedRoles,
  withRole,
} from './imageColumns';
import { applyEdits, editsOfColumns, type ImageEdit } from './imageEdits';
import { isPattern, matchPattern, parsePattern, withFreeNames } from './imagePattern';
import type { JoinedSheet, SpelledRow, UnjoinedRow } from './sampleSheet';
import type { SheetKey } from './sheetKey';

/** Values by the names of columns, and then by images: their paths or names. */
export type ColumnValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** New columns of images, and unusable parts of their source. */
export interface MatchedColumns {
  columns: ImageColumn[];
  /** Whether something was given of an image, if only that its value is empty. */
  says: (image: number, column: ImageColumn) => boolean;
  excluded?: JoinedSheet['excluded'];
  /** The pattern they were made by, whose fields are called as the columns are. */
  pattern?: string;
  /** The key column of a joined sheet, and the kind of its contents. */
  joinedBy?: { column: string; names: SheetKey['names'] };
  unmatched: Unmatched[];
  /** The source of an image's values that isn't its path: a row of a sheet, or a name. */
  spelled: Spelled[];
}

/** A text that means an image, spelled differently from its path. */
export type Spelled = Omit<SpelledRow, 'row' | 'image'> & { row?: number; image: string };

/** An image without a value, a row of a sheet, or a name of no image or of several. */
export type Unmatched = { image: string } | UnjoinedRow | { text: string; why: UnjoinedRow['why'] };

/**
 * Columns by a pattern. Throws `bad-request` for an invalid pattern, or one that matches no image.
 */
export function columnsOfPattern(
  text: string,
  { images, columns: beside }: Pick<ImageColumns, 'images' | 'columns'>,
  taken: readonly string[],
): MatchedColumns {
  const pattern = parsePattern(text);
  if (!isPattern(pattern)) throw refused(text, pattern);
  const { columns, unmatched } = matchPattern(pattern, images, beside);
  if (unmatched.length === images.length) throw refused(text, reason('The pattern matches no image'));
  const left = new Set(unmatched);
  return {
    ...withFreeNames(text, columns, taken),
    says: image => !left.has(image),
    unmatched: unmatched.map(image => ({ image: images[image] ?? '' })),
    spelled: [],
  };
}

/**
 * Columns of a joined sheet. Throws `bad-request` with the names of the columns if several could
 * name the images, and the caller selected none.
 */
export function columnsOfSheet(
  { columns, excluded, rows, spelled, images: without, header, key, rivals }: JoinedSheet,
  { images }: Pick<ImageColumns, 'images'>,
): MatchedColumns {
  const nameOf = (at: number) => (header[at] ?? '').trim() || String(at);
  const column = nameOf(key.column);
  if (rivals.length > 0) {
    const all = [key.column, ...rivals].sort((a, b) => a - b).map(nameOf);
    throw refused(
      column,
      reason('Several columns of the sheet could name the images: {0}. Say which does', all.join(', ')),
    );
  }
  const left = new Set(without);
  return {
    columns,
    excluded,
    says: image => !left.has(image),
    joinedBy: { column, names: key.names },
    unmatched: [...rows, ...without.map(image => ({ image: images[image] ?? '' }))],
    spelled: spelled.map(row => ({ ...row, image: images[row.image] ?? '' })),
  };
}

/**
 * Columns by values that a program passes. Images that are named otherwise than here are found as
 * those of a sheet; one that is named twice has a value only where both are the same. In steps:
 * thousands take tenths of a second.
 */
export function* columnsOfValues(
  given: ColumnValues,
  { images, columns: beside }: Pick<ImageColumns, 'images' | 'columns'>,
  taken: readonly string[],
): Steps<MatchedColumns> {
  const unmatched = new Map<string, Unmatched>();
  const withValue = new Uint8Array(images.length);
  const spelled = new Map<string, Spelled>();
  const saidOf = new Map<string, Set<number>>();
  const columns: ImageColumn[] = [];
  for (const [name, byImage] of Object.entries(given)) {
    const values = images.map(() => '');
    const namedBy = new Map<number, string[]>();
    const found = yield* matchWrittenNamesInSteps(Object.keys(byImage), images);
    yield* inSteps(Object.entries(byImage), ([text, value], at) => {
      const image = found[at] ?? 'none';
      if (typeof image !== 'number') {
        unmatched.set(text, { text, why: image === 'none' ? 'no-image' : 'several-images' });
        return;
      }
      const known = namedBy.get(image);
      if (known) known.push(text);
      else namedBy.set(image, [text]);
      values[image] = value.trim();
    });
    yield* inSteps(namedBy, ([image, texts]) => {
      const isCertain = texts.every(text => byImage[text]?.trim() === values[image]);
      if (isCertain) withValue[image] = 1;
      else {
        values[image] = '';
        namedBy.delete(image);
        for (const text of texts) unmatched.set(text, { text, why: 'twice' });
        return;
      }
      const path = images[image] ?? '';
      for (const text of texts) {
        const by = spellingsOf(text, path);
        if (by.length > 0) spelled.set(text, { text, image: path, by });
      }
    });
    const free = imageColumnName(name, taken);
    saidOf.set(free, new Set(namedBy.keys()));
    columns.push({ name: free, values });
  }
  const without = images.filter((_, image) => withValue[image] === 0).map(image => ({ image }));
  return {
    columns: withGuessedRoles(columns, beside),
    says: (image, { name }) => saidOf.get(name)?.has(image) === true,
    unmatched: [...unmatched.values(), ...without],
    spelled: [...spelled.values()],
  };
}

/**
 * The edits that give images new values, with roles by column name; null removes one. Throws
 * `bad-request` for a role of an unknown column, or an impossible one.
 */
export function editsOfGiven(
  before: ImageColumns,
  { columns, says, excluded = [] }: Pick<MatchedColumns, 'columns' | 'says' | 'excluded'>,
  roles: Readonly<Record<string, ImageRole | null>>,
  taken: readonly string[],
): ImageEdit[] {
  const edits = editsOfColumns(before, columns, says);
  if (excluded.length > 0)
    edits.push({
      kind: 'exclude',
      images: excluded.map(({ image }) => image),
      reasons: excluded.map(({ reason: why }) => why),
    });
  const after = applyEdits(before, edits, taken).columns.columns;
  for (const [name, role] of Object.entries(roles)) {
    const at = after.findIndex(
      column => column.name.toLowerCase() === imageColumnName(name, taken).toLowerCase(),
    );
    const column = after[at];
    if (!column) throw refused(name, reason('The images have no column "{0}"', name));
    edits.push({ kind: 'describe', at, column: withRole(column, role ?? undefined) });
  }
  return edits;
}

function refused(subject: string, why: Reason): CodedError {
  return new CodedError('bad-request', `Columns of images can't be made: ${reasonForLog(why)}`, {
    subject,
    reason: why,
  });
}
