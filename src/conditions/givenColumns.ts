import { CodedError } from '../base/errors';
import { reason } from '../base/reasons';
import { ImageIndex } from '../masks/imageMatching';
import {
  freeName,
  type ImageColumn,
  type ImageColumns,
  type ImageRole,
  withGuessedRole,
  withRole,
} from './imageColumns';
import { applyEdits, editsOfColumns, type ImageEdit } from './imageEdits';
import { isPattern, matchPattern, parsePattern, withFreeNames } from './imagePattern';
import type { JoinedSheet, UnjoinedRow } from './sampleSheet';

/** Values by the names of columns, and then by images: their paths or names. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Columns given to images, and what could not be used of what was given. */
export interface GivenColumns {
  columns: ImageColumn[];
  excluded?: JoinedSheet['excluded'];
  /** The pattern they were made by, whose fields are called as the columns are. */
  pattern?: string;
  unmatched: Unmatched[];
}

/** An image that got no value, a row of a sheet, or an image that was named and isn't one, or is one of several. */
export type Unmatched = { image: string } | UnjoinedRow | { text: string; why: UnjoinedRow['why'] };

/** Columns by a pattern. Throws `bad-request` with what is wrong with it, and where it matches no image. */
export function columnsOfPattern(
  text: string,
  { images }: Pick<ImageColumns, 'images'>,
  taken: readonly string[],
): GivenColumns {
  const pattern = parsePattern(text);
  if (!isPattern(pattern)) throw refused(text, pattern);
  const { columns, unmatched } = matchPattern(pattern, images);
  if (unmatched.length === images.length) throw refused(text, reason('pattern-matches-none'));
  return {
    ...withFreeNames(text, columns, taken),
    unmatched: unmatched.map(image => ({ image: images[image] ?? '' })),
  };
}

/** Columns of a joined sheet. */
export function columnsOfSheet(
  { columns, excluded, rows, images: without }: JoinedSheet,
  { images }: Pick<ImageColumns, 'images'>,
): GivenColumns {
  return {
    columns,
    excluded,
    unmatched: [...rows, ...without.map(image => ({ image: images[image] ?? '' }))],
  };
}

/**
 * Columns by values that a program passes. Images that are named otherwise than here are found by their ends; one that is named
 * twice has a value only where both are the same.
 */
export function columnsOfValues(
  given: GivenValues,
  { images }: Pick<ImageColumns, 'images'>,
  taken: readonly string[],
): GivenColumns {
  const index = new ImageIndex();
  for (const path of images) index.add({ id: '', filename: path });
  const exact = new Map(images.map((path, at) => [path, at]));
  const unmatched = new Map<string, Unmatched>();
  const withValue = new Uint8Array(images.length);
  const columns = Object.entries(given).map(([name, byImage]) => {
    const values = images.map(() => '');
    const namedBy = new Map<number, string[]>();
    for (const [text, value] of Object.entries(byImage)) {
      const image = exact.get(text) ?? index.match(text).image;
      if (typeof image !== 'number') {
        unmatched.set(text, { text, why: image === 'none' ? 'no-image' : 'several-images' });
        continue;
      }
      const known = namedBy.get(image);
      if (known) known.push(text);
      else namedBy.set(image, [text]);
      values[image] = value.trim();
    }
    for (const [image, texts] of namedBy) {
      const isCertain = texts.every(text => byImage[text]?.trim() === values[image]);
      if (isCertain) withValue[image] = 1;
      else {
        values[image] = '';
        for (const text of texts) unmatched.set(text, { text, why: 'twice' });
      }
    }
    return withGuessedRole({ name: freeName(name, taken), values });
  });
  const without = images.filter((_, image) => withValue[image] === 0).map(image => ({ image }));
  return { columns, unmatched: [...unmatched.values(), ...without] };
}

/**
 * The edits that give images what was given, with roles by the names of columns; null takes one away. Throws `bad-request` for a
 * role of a column that there isn't, or that can't have it.
 */
export function editsOfGiven(
  before: ImageColumns,
  { columns, excluded = [] }: Pick<GivenColumns, 'columns' | 'excluded'>,
  roles: Readonly<Record<string, ImageRole | null>>,
  taken: readonly string[],
): ImageEdit[] {
  const edits = editsOfColumns(before, columns);
  if (excluded.length > 0)
    edits.push({
      kind: 'exclude',
      images: excluded.map(({ image }) => image),
      reasons: excluded.map(({ reason: why }) => why),
    });
  const after = applyEdits(before, edits, taken).columns.columns;
  for (const [name, role] of Object.entries(roles)) {
    const at = after.findIndex(column => column.name.toLowerCase() === freeName(name, taken).toLowerCase());
    const column = after[at];
    if (!column) throw refused(name, reason('column-unknown', name));
    edits.push({ kind: 'describe', at, column: withRole(column, role ?? undefined) });
  }
  return edits;
}

function refused(subject: string, why: ReturnType<typeof reason>): CodedError {
  return new CodedError('bad-request', `Columns of images can't be made: ${why.kind}`, {
    subject,
    reason: why,
  });
}
