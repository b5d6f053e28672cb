import type { ExportRequests } from './exportEngine';
import type { LinkRequests } from './linkEngine';
import type { MasksRequests } from './masksEngine';
import type { PictureRequests } from './pictureEngine';
import type { TableGrowth, TableRequests } from './tableEngine';

/** The same properties as a type of its own: an interface has no index signature. */
type Flat<T> = { [K in keyof T]: T[K] };

/** What an engine thread answers. One thread serves one result. */
export interface EngineSide {
  requests: Flat<TableRequests & MasksRequests & LinkRequests & PictureRequests & ExportRequests>;
  events: {
    /** Progress of openTable (bytes), openMasks (entries), openPicture (rows of its overview) and exportMasks. */
    progress: { what: 'table' | 'masks' | 'picture' | 'export'; name: string; done: number; total: number };
    /** More rows of a table opened progressively. */
    tableGrew: TableGrowth;
  };
}

/** What the host offers a thread: nothing yet. */
export interface EngineHostSide {
  requests: Record<string, never>;
  events: Record<string, never>;
}
