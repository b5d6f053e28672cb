import { sessionImageColumns } from './sessionImageColumns';
import {
  columnsOfPattern,
  columnsOfSheet,
  columnsOfValues,
  editsOfGiven,
  type MatchedColumns,
  type ColumnValues,
  type Spelled,
  type Unmatched,
} from '../givenColumns';
import type { HeaderRows } from '../../columns/tableSummary';
import type { ImageColumns, ImageRole } from '../imageColumns';
import { runInSlices } from '../../base/node/slices';
import { cellChanges } from '../imageEdits';
import { EXCLUDED_HEADER } from '../sampleSheet';
import type { SheetKey } from '../sheetKey';
import type { ResultSession } from '../../session/node/resultSession';

/**
 * Source of new columns of images: a pattern, a sheet on disk, maybe with its key column and
 * header, or values by column and image.
 */
export type ImageColumnsSource =
  | { pattern: string }
  | { sheet: string; by?: string | number; header?: HeaderRows }
  | { columns: ColumnValues };

/** The result of new columns. */
interface SetColumns {
  /** Their names: one that a table has is another column's. */
  columns: string[];
  /** Images that have a value in one of them. */
  images: number;
  /** Images without a value, and texts that name none; at most 5,000. */
  unmatched: Unmatched[];
  /** Sources of values that aren't an image's path; at most 5,000. Absent without any. */
  spelled?: Spelled[];
  /** The key column of a joined sheet, and the kind of its contents. */
  joinedBy?: { column: string; names: SheetKey['names'] };
  /**
   * Changed cells: formerly empty, with another value, and emptied; at most 5,000, cells with a
   * former value first. Absent without a sheet and without emptied cells.
   */
  changes?: {
    set: number;
    changed: number;
    emptied: number;
    cells: { image: string; column: string; from: string; to: string }[];
  };
}

const MAX_LISTED = 5000;

/**
 * Adds columns to a result's images, for a program. Throws `bad-request` with the reason; then
 * nothing changes.
 */
export async function setImageColumns(
  session: Pick<ResultSession, 'get' | 'request'>,
  from: ImageColumnsSource,
  roles: Readonly<Record<string, ImageRole | null>>,
  signal: AbortSignal,
): Promise<SetColumns> {
  const known = await session.get(sessionImageColumns).all(signal, { whole: true });
  const { taken } = session.get(sessionImageColumns);
  const given = await givenColumns(session, from, known, signal);
  const edits = editsOfGiven(known, given, roles, taken);
  await session
    .get(sessionImageColumns)
    .edit(edits, given.pattern === undefined ? [] : [given.pattern], signal);
  const { cells, ...counts } = cellChanges(known, edits);
  const { joinedBy } = given;
  return {
    columns: given.columns.map(({ name }) => name),
    ...(joinedBy && { joinedBy }),
    ...((joinedBy || counts.changed + counts.emptied > 0) && {
      changes: {
        ...counts,
        cells: cells.slice(0, MAX_LISTED).map(({ image, column = EXCLUDED_HEADER, from, to }) => {
          return { image: known.images[image] ?? '', column, from, to };
        }),
      },
    }),
    images: known.images.filter((_, image) => given.columns.some(({ values }) => values[image] !== ''))
      .length,
    unmatched: given.unmatched.slice(0, MAX_LISTED),
    ...(given.spelled.length > 0 && { spelled: given.spelled.slice(0, MAX_LISTED) }),
  };
}

async function givenColumns(
  session: Pick<ResultSession, 'get' | 'request'>,
  from: ImageColumnsSource,
  known: ImageColumns,
  signal: AbortSignal,
): Promise<MatchedColumns> {
  const { taken } = session.get(sessionImageColumns);
  if ('pattern' in from) return columnsOfPattern(from.pattern, known, taken);
  if ('columns' in from) return runInSlices(columnsOfValues(from.columns, known, taken), signal);
  const { sheet: path, by, header } = from;
  const how = { ...(by !== undefined && { by }), ...(header && { header }) };
  const joined = await session.request('joinSheet', { path, known, taken, ...how }, signal);
  return columnsOfSheet(joined, known);
}
