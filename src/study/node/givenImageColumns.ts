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
 * How images get columns: by a pattern, a sheet on disk, perhaps with its column that names them
 * and its header, or values by column and image.
 */
export type ImageColumnsSource =
  | { pattern: string }
  | { sheet: string; by?: string | number; header?: HeaderRows }
  | { columns: ColumnValues };

/** What became of columns that were given. */
export interface SetColumns {
  /** Their names: one that a table has is another column's. */
  columns: string[];
  /** Images that have a value in one of them. */
  images: number;
  /** Images without one, and what names none; at most 5,000. */
  unmatched: Unmatched[];
  /** What gave an image values, though it isn't its path; at most 5,000. Absent where nothing did. */
  spelled?: Spelled[];
  /** The column by which a sheet was joined, and what it names. */
  joinedBy?: { column: string; names: SheetKey['names'] };
  /**
   * Cells that had no value, had another one, and have none now; at most 5,000 of them, those that
   * had a value first. Absent where no sheet was joined and no cell had a value that it hasn't now.
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
 * Gives the images of a result columns, as a program does. Throws `bad-request` with the reason;
 * then nothing has changed.
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
