import type { Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { MasksPanelSide, ObjectColumn, TableFiltered } from '../masksPage';
import type { RequestHandlers } from '../../protocol/rpc';
import type { ResultSession } from '../../session/node/resultSession';
import { type ImageCategories, imageCategories } from '../../linking/node/imageValues';
import { tablePopulations } from '../../linking/node/tablePopulations';
import { type SessionLinks, sessionLinks } from '../../linking/node/sessionLinks';
import type { SessionMasks } from '../../session/node/sessionMasks';
import type { SessionTables } from '../../session/node/sessionTables';
import { type SessionRows, sessionRows } from '../../linking/node/sessionRows';

type DataRequests = Pick<
  MasksPanelSide['requests'],
  'objectColumns' | 'valueScale' | 'shownObjects' | 'objectRow' | 'selectRows'
>;

/** Bins of a column's histogram: enough to find limits that cut off outliers. */
const BINS = 256;
/** Maximum number of texts with colors: nobody distinguishes more. */
const MAX_CATEGORIES = 50;

/** The data of an open result. */
interface LinkedData {
  tables: Pick<SessionTables, 'open' | 'request'>;
  masks: Pick<SessionMasks, 'request'>;
  links: Pick<SessionLinks, 'report'>;
  /** Absent without metadata of images. */
  categories: ImageCategories | undefined;
  /** Whether the table can have populations. */
  hasPopulations?: boolean;
  rows: Pick<SessionRows, 'shown' | 'select'>;
}

/** The data of a session that links rows with objects. */
export function linkedDataOf(session: ResultSession): LinkedData {
  return {
    tables: session.tables,
    masks: session.masks,
    links: session.get(sessionLinks),
    categories: session.find(imageCategories),
    hasPopulations: session.find(tablePopulations) !== undefined,
    rows: session.get(sessionRows),
  };
}

/** Handles the masks page's requests that need both rows and objects. */
export function masksPageHandlers(session: LinkedData): RequestHandlers<DataRequests> {
  return {
    objectColumns: async (_, signal) => {
      // Read before the table is opened: meanwhile another one may be chosen.
      const { report: link } = session.links;
      if (!link || link.matched === 0) return { columns: [] };
      const { columns } = await session.tables.open('objects', signal);
      const { idColumn } = link;
      const imageColumns = columns.filter(({ ofImage }) => ofImage);
      return {
        ...(session.hasPopulations && { hasPopulations: true }),
        columns: columns.flatMap((column): ObjectColumn[] => {
          const { index, name, kind, isRounded } = column;
          if (kind === 'number')
            return name === idColumn ? [] : [{ column: index, name, ...(isRounded && { isRounded }) }];
          const texts = session.categories?.valuesOf(imageColumns.indexOf(column));
          if (!texts) return [];
          const moreTexts = texts.length - MAX_CATEGORIES;
          return [
            {
              column: index,
              name,
              categories: texts.slice(0, MAX_CATEGORIES),
              ...(moreTexts > 0 && { moreCategories: moreTexts }),
            },
          ];
        }),
      };
    },
    valueScale: async ({ column }, signal) => {
      const params = { sort: [], column, bins: BINS };
      const { min, max, all } = await session.tables.request('objects', 'tableHistogram', params, signal);
      return { min, max, counts: all };
    },
    shownObjects: async ({ image }, signal) => {
      const { shown } = session.rows;
      if (!shown) return { shown: null };
      const { filters = [] } = shown.view;
      return session.masks.request('objectsInView', { image, view: { sort: [], filters } }, signal);
    },
    objectRow: async ({ row }, signal) => {
      const { columns } = await session.tables.open('objects', signal);
      const params = { sort: [], start: row, end: row + 1 };
      const { rows } = await session.tables.request('objects', 'tableRows', params, signal);
      const cells = rows[0] ?? [];
      return { cells: columns.map(({ name }, column) => ({ name, text: cells[column] ?? '' })) };
    },
    selectRows: async ({ selection }, signal) => {
      const foundRows: number[] = [];
      for (const objects of selection) {
        const { rows } = await session.masks.request('rowsOfObjects', objects, signal);
        for (const row of new Uint32Array(rows)) foundRows.push(row);
      }
      if (foundRows.length > 0) {
        const { buffer } = Uint32Array.from(foundRows);
        session.rows.select(await session.tables.request('objects', 'tableRowSet', { rows: buffer }, signal));
      }
      return { rows: foundRows.length };
    },
  };
}

interface ShownInViewOptions {
  rows: Pick<SessionRows, 'shown' | 'onDidChangeShown'>;
  /** The objects of an image that match the table's filters. */
  shownObjects: (image: number, signal: AbortSignal) => Promise<{ shown: ArrayBuffer | null }>;
  send: (filtered: TableFiltered | null) => void;
  onFailure: (error: unknown) => void;
}

/**
 * Sends changed filters of the table to the masks page, with the matching objects of the image in
 * view. The page repaints without a request.
 */
export class ShownInView implements Disposable {
  /** The image in view; undefined until the page reports it. */
  image: number | undefined;
  private latestRequest = new AbortController();
  private readonly subscription: Disposable;

  constructor(private readonly options: ShownInViewOptions) {
    this.subscription = options.rows.onDidChangeShown(({ waitUntil }) => waitUntil(this.sendFiltered()));
  }

  dispose(): void {
    this.latestRequest.abort();
    this.subscription.dispose();
  }

  private async sendFiltered(): Promise<void> {
    const { rows, shownObjects, send, onFailure } = this.options;
    this.latestRequest.abort();
    const { signal } = (this.latestRequest = new AbortController());
    const { shown } = rows;
    const { image } = this;
    const filtered = shown && { rowCount: shown.rowCount, total: shown.total };
    if (!filtered || image === undefined) {
      send(filtered);
      return;
    }
    try {
      const { shown: objects } = await shownObjects(image, signal);
      if (!signal.aborted) send({ ...filtered, ...(objects && { shown: { image, objects } }) });
    } catch (error) {
      if (signal.aborted) return;
      if (!isCoded(error, 'cancelled')) onFailure(error);
      // The page then requests the objects, and shows the error if that fails.
      send(filtered);
    }
  }
}
