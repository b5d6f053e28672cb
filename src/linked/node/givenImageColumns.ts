import {
  columnsOfPattern,
  columnsOfSheet,
  columnsOfValues,
  editsOfGiven,
  type GivenColumns,
  type GivenValues,
  type Unmatched,
} from '../../conditions/givenColumns';
import type { ImageColumns, ImageRole } from '../../conditions/imageColumns';
import type { ResultSession } from './resultSession';

/** How images get columns: by a pattern, a sheet on disk, or values by column and image. */
export type ImageColumnsSource = { pattern: string } | { sheet: string } | { columns: GivenValues };

/** What became of columns that were given. */
export interface SetColumns {
  /** Their names: one that a table has is another column's. */
  columns: string[];
  /** Images that have a value in one of them. */
  images: number;
  /** Images without one, and what names none; at most 5,000. */
  unmatched: Unmatched[];
}

const MAX_LISTED = 5000;

/** Gives the images of a result columns, as a program does. Throws `bad-request` with the reason; then nothing has changed. */
export async function setImageColumns(
  session: Pick<ResultSession, 'imageColumns' | 'joinSheet'>,
  from: ImageColumnsSource,
  roles: Readonly<Record<string, ImageRole | null>>,
  signal: AbortSignal,
): Promise<SetColumns> {
  const known = await session.imageColumns.all(signal, { whole: true });
  const { taken } = session.imageColumns;
  const given = await givenColumns(session, from, known, signal);
  const edits = editsOfGiven(known, given, roles, taken);
  await session.imageColumns.edit(edits, given.pattern === undefined ? [] : [given.pattern], signal);
  return {
    columns: given.columns.map(({ name }) => name),
    images: known.images.filter((_, image) => given.columns.some(({ values }) => values[image] !== ''))
      .length,
    unmatched: given.unmatched.slice(0, MAX_LISTED),
  };
}

async function givenColumns(
  session: Pick<ResultSession, 'imageColumns' | 'joinSheet'>,
  from: ImageColumnsSource,
  known: ImageColumns,
  signal: AbortSignal,
): Promise<GivenColumns> {
  const { taken } = session.imageColumns;
  if ('pattern' in from) return columnsOfPattern(from.pattern, known, taken);
  if ('columns' in from) return columnsOfValues(from.columns, known, taken);
  return columnsOfSheet(await session.joinSheet({ path: from.sheet, known, taken }, signal), known);
}
