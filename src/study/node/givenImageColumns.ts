import { sessionImageColumns } from './sessionImageColumns';
import {
  columnsOfPattern,
  columnsOfSheet,
  columnsOfValues,
  editsOfMatched,
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
 * Source of new columns: a pattern, a sheet on disk with its key column and header if given, or
 * values by column and image.
 */
export type ImageColumnsSource =
  | { pattern: string }
  | { sheet: string; by?: string | number; header?: HeaderRows }
  | { columns: ColumnValues };

/** The result of adding columns. */
interface SetColumns {
  /** Names of the columns; they differ from the given names if a table has those. */
  columns: string[];
  /** Number of images with a value in one of the columns. */
  images: number;
  /** Images without a value, and texts that match no image; at most 5,000. */
  unmatched: Unmatched[];
  /** Texts that match an image, but differ from its path; at most 5,000. Absent without any. */
  spelled?: Spelled[];
  /** The key column of a joined sheet, and the meaning of its cells. */
  joinedBy?: { column: string; names: SheetKey['names'] };
  /**
   * Numbers of cells that were filled, changed and emptied, and at most 5,000 of these cells,
   * changed ones first. Without a sheet, absent if no cell was changed or emptied.
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
 * Adds columns to a result's images for a program. Throws `bad-request` with the reason; then
 * nothing changes.
 */
export async function setImageColumns(
  session: Pick<ResultSession, 'get' | 'request'>,
  source: ImageColumnsSource,
  roles: Readonly<Record<string, ImageRole | null>>,
  signal: AbortSignal,
): Promise<SetColumns> {
  const metadata = await session.get(sessionImageColumns).allImages(signal, { whole: true });
  const { takenNames: taken } = session.get(sessionImageColumns);
  const matched = await givenColumns(session, source, metadata, signal);
  const edits = editsOfMatched(metadata, matched, roles, taken);
  await session
    .get(sessionImageColumns)
    .edit(edits, matched.pattern === undefined ? [] : [matched.pattern], signal);
  const { cells, ...counts } = cellChanges(metadata, edits);
  const { joinedBy } = matched;
  return {
    columns: matched.columns.map(({ name }) => name),
    ...(joinedBy && { joinedBy }),
    ...((joinedBy || counts.changed + counts.emptied > 0) && {
      changes: {
        ...counts,
        cells: cells.slice(0, MAX_LISTED).map(({ image, column = EXCLUDED_HEADER, from, to }) => {
          return { image: metadata.images[image] ?? '', column, from, to };
        }),
      },
    }),
    images: metadata.images.filter((_, image) => matched.columns.some(({ values }) => values[image] !== ''))
      .length,
    unmatched: matched.unmatched.slice(0, MAX_LISTED),
    ...(matched.spelled.length > 0 && { spelled: matched.spelled.slice(0, MAX_LISTED) }),
  };
}

async function givenColumns(
  session: Pick<ResultSession, 'get' | 'request'>,
  source: ImageColumnsSource,
  metadata: ImageColumns,
  signal: AbortSignal,
): Promise<MatchedColumns> {
  const { takenNames: taken } = session.get(sessionImageColumns);
  if ('pattern' in source) return columnsOfPattern(source.pattern, metadata, taken);
  if ('columns' in source) return runInSlices(columnsOfValues(source.columns, metadata, taken), signal);
  const { sheet: path, by, header } = source;
  const options = { ...(by !== undefined && { by }), ...(header && { header }) };
  const joined = await session.request('joinSheet', { path, images: metadata, taken, ...options }, signal);
  return columnsOfSheet(joined, metadata);
}
