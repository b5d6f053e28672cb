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

/** Values by column name, and then by path or name of an image. */
export type ColumnValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** New columns of images, and the unusable parts of their source. */
export interface MatchedColumns {
  columns: ImageColumn[];
  /** Whether the source has a value of an image, possibly an empty one. */
  hasData: (image: number, column: ImageColumn) => boolean;
  excluded?: JoinedSheet['excluded'];
  /** The pattern of the columns; its fields have the columns' names. */
  pattern?: string;
  /** The key column of a joined sheet, and the meaning of its cells. */
  joinedBy?: { column: string; names: SheetKey['names'] };
  unmatched: Unmatched[];
  /** Texts that match an image, but differ from its path: of rows of a sheet, or names. */
  spelled: Spelled[];
}

/** A text that matches an image, but differs from its path. */
export type Spelled = Omit<SpelledRow, 'row' | 'image'> & { row?: number; image: string };

/** An image without a value, or a row or name that matches no image or several. */
export type Unmatched = { image: string } | UnjoinedRow | { text: string; why: UnjoinedRow['why'] };

/**
 * Columns of a pattern. Throws `bad-request` for an invalid pattern, or one that matches no image.
 */
export function columnsOfPattern(
  text: string,
  { images, columns: existing }: Pick<ImageColumns, 'images' | 'columns'>,
  takenNames: readonly string[],
): MatchedColumns {
  const pattern = parsePattern(text);
  if (!isPattern(pattern)) throw invalidColumns(text, pattern);
  const { columns, unmatched } = matchPattern(pattern, images, existing);
  if (unmatched.length === images.length) throw invalidColumns(text, reason('The pattern matches no image'));
  const unmatchedSet = new Set(unmatched);
  return {
    ...withFreeNames(text, columns, takenNames),
    hasData: image => !unmatchedSet.has(image),
    unmatched: unmatched.map(image => ({ image: images[image] ?? '' })),
    spelled: [],
  };
}

/**
 * Columns of a joined sheet. Throws `bad-request` with the names of possible key columns if there
 * are several and the caller selected none.
 */
export function columnsOfSheet(
  { columns, excluded, rows, spelled, images: imagesWithoutRow, header, key, rivals }: JoinedSheet,
  { images }: Pick<ImageColumns, 'images'>,
): MatchedColumns {
  const nameOf = (at: number) => (header[at] ?? '').trim() || String(at);
  const column = nameOf(key.column);
  if (rivals.length > 0) {
    const possibleKeys = [key.column, ...rivals].sort((a, b) => a - b).map(nameOf);
    throw invalidColumns(
      column,
      reason(
        'Several columns of the sheet could name the images: {0}. Say which does',
        possibleKeys.join(', '),
      ),
    );
  }
  const imagesWithoutRowSet = new Set(imagesWithoutRow);
  return {
    columns,
    excluded,
    hasData: image => !imagesWithoutRowSet.has(image),
    joinedBy: { column, names: key.names },
    unmatched: [...rows, ...imagesWithoutRow.map(image => ({ image: images[image] ?? '' }))],
    spelled: spelled.map(row => ({ ...row, image: images[row.image] ?? '' })),
  };
}

/**
 * Columns of values from a program. Names of images are matched like those in a sheet. Two names of
 * one image need equal values, or it gets none. In steps, as thousands take tenths of a second.
 */
export function* columnsOfValues(
  valuesByColumn: ColumnValues,
  { images, columns: existing }: Pick<ImageColumns, 'images' | 'columns'>,
  takenNames: readonly string[],
): Steps<MatchedColumns> {
  const unmatched = new Map<string, Unmatched>();
  const withValue = new Uint8Array(images.length);
  const spelled = new Map<string, Spelled>();
  const imagesOfColumn = new Map<string, Set<number>>();
  const columns: ImageColumn[] = [];
  for (const [name, valuesByImage] of Object.entries(valuesByColumn)) {
    const values = images.map(() => '');
    const namedBy = new Map<number, string[]>();
    const matches = yield* matchWrittenNamesInSteps(Object.keys(valuesByImage), images);
    yield* inSteps(Object.entries(valuesByImage), ([text, value], at) => {
      const image = matches[at] ?? 'none';
      if (typeof image !== 'number') {
        unmatched.set(text, { text, why: image === 'none' ? 'no-image' : 'several-images' });
        return;
      }
      const earlierTexts = namedBy.get(image);
      if (earlierTexts) earlierTexts.push(text);
      else namedBy.set(image, [text]);
      values[image] = value.trim();
    });
    yield* inSteps(namedBy, ([image, texts]) => {
      const isCertain = texts.every(text => valuesByImage[text]?.trim() === values[image]);
      if (isCertain) withValue[image] = 1;
      else {
        values[image] = '';
        namedBy.delete(image);
        for (const text of texts) unmatched.set(text, { text, why: 'twice' });
        return;
      }
      const path = images[image] ?? '';
      for (const text of texts) {
        const spellings = spellingsOf(text, path);
        if (spellings.length > 0) spelled.set(text, { text, image: path, by: spellings });
      }
    });
    const columnName = imageColumnName(name, takenNames);
    imagesOfColumn.set(columnName, new Set(namedBy.keys()));
    columns.push({ name: columnName, values });
  }
  const withoutValue = images.filter((_, image) => withValue[image] === 0).map(image => ({ image }));
  return {
    columns: withGuessedRoles(columns, existing),
    hasData: (image, { name }) => imagesOfColumn.get(name)?.has(image) === true,
    unmatched: [...unmatched.values(), ...withoutValue],
    spelled: [...spelled.values()],
  };
}

/**
 * The edits that add columns, with roles by column name; null removes a role. Throws `bad-request`
 * for a role of an unknown column, or an impossible one.
 */
export function editsOfMatched(
  columnsBefore: ImageColumns,
  { columns, hasData, excluded = [] }: Pick<MatchedColumns, 'columns' | 'hasData' | 'excluded'>,
  roles: Readonly<Record<string, ImageRole | null>>,
  takenNames: readonly string[],
): ImageEdit[] {
  const edits = editsOfColumns(columnsBefore, columns, hasData);
  if (excluded.length > 0)
    edits.push({
      kind: 'exclude',
      images: excluded.map(({ image }) => image),
      reasons: excluded.map(({ reason: why }) => why),
    });
  const columnsAfter = applyEdits(columnsBefore, edits, takenNames).columns.columns;
  for (const [name, role] of Object.entries(roles)) {
    const at = columnsAfter.findIndex(
      column => column.name.toLowerCase() === imageColumnName(name, takenNames).toLowerCase(),
    );
    const column = columnsAfter[at];
    if (!column) throw invalidColumns(name, reason('The images have no column "{0}"', name));
    edits.push({ kind: 'describe', at, column: withRole(column, role ?? undefined) });
  }
  return edits;
}

function invalidColumns(subject: string, problem: Reason): CodedError {
  return new CodedError('bad-request', `Columns of images can't be made: ${reasonForLog(problem)}`, {
    subject,
    reason: problem,
  });
}
