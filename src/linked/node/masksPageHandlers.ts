import type { MasksPanelSide } from '../../masks/masksPage';
import type { RequestHandlers } from '../../protocol/rpc';
import type { ResultSession } from './resultSession';

type DataRequests = Pick<
  MasksPanelSide['requests'],
  'objectColumns' | 'valueScale' | 'shownObjects' | 'objectRow' | 'selectRows'
>;

/** Bins of a column's histogram: fine enough to cut off outliers by them. */
const BINS = 256;

/** Handlers of what the masks page requests about rows and objects together. */
export function masksPageHandlers(
  session: Pick<
    ResultSession,
    'requestMasks' | 'requestTable' | 'openTable' | 'link' | 'shown' | 'selectRows'
  >,
): RequestHandlers<DataRequests> {
  return {
    objectColumns: async (_, signal) => {
      // Another table may be chosen while this one is opened.
      const { link } = session;
      if (!link || link.matched === 0) return { columns: [] };
      const { columns } = await session.openTable('objects', signal);
      const { idColumn } = link;
      const numeric = columns.filter(({ kind, name }) => kind === 'number' && name !== idColumn);
      return {
        columns: numeric.map(({ index, name, isRounded }) => ({
          column: index,
          name,
          ...(isRounded && { isRounded }),
        })),
      };
    },
    valueScale: async ({ column }, signal) => {
      const params = { sort: [], column, bins: BINS };
      const { min, max, all } = await session.requestTable('objects', 'tableHistogram', params, signal);
      return { min, max, counts: all };
    },
    shownObjects: async ({ image }, signal) => {
      const { shown } = session;
      if (!shown) return { shown: null };
      const { filters = [] } = shown.view;
      return session.requestMasks('objectsInView', { image, view: { sort: [], filters } }, signal);
    },
    objectRow: async ({ row }, signal) => {
      const { columns } = await session.openTable('objects', signal);
      const params = { sort: [], start: row, end: row + 1 };
      const { rows } = await session.requestTable('objects', 'tableRows', params, signal);
      const cells = rows[0] ?? [];
      return { cells: columns.map(({ name }, at) => ({ name, text: cells[at] ?? '' })) };
    },
    selectRows: async (objects, signal) => {
      const { rows } = await session.requestMasks('rowsOfObjects', objects, signal);
      const found = new Uint32Array(rows);
      if (found.length > 0) await session.selectRows(found, signal);
      return { rows: found.length };
    },
  };
}
