import type { ArchiveSummary } from '../model/masksSummary';
import type { TableGrowth } from '../model/tableSummary';
import type { EngineProgress } from './engineProgress';
import type { ExportRequests } from './exportRequests';
import type { LinkRequests } from './linkRequests';
import type { MeasureRequests } from './measureRequests';
import type { ImagesRead, MasksRequests } from './masksRequests';
import type { BackgroundImageRequests } from './backgroundImageRequests';
import type { SelectionRequests } from './selectionRequests';
import type { TableRequests } from './tableRequests';

/** The same properties as a type of its own: an interface has no index signature. */
type Flat<T> = { [K in keyof T]: T[K] };

/** The engine thread's side. One thread serves one result. */
export interface EngineSide {
  requests: Flat<
    TableRequests &
      MasksRequests &
      LinkRequests &
      SelectionRequests &
      BackgroundImageRequests &
      MeasureRequests &
      ExportRequests
  >;
  events: {
    progress: EngineProgress;
    /** openMasks has begun to read a large archive; only names and sizes of its images are known. */
    masksStarted: ArchiveSummary;
    /** openMasks has read more images. */
    imagesRead: ImagesRead;
    /** More rows of a table opened progressively. */
    tableGrowth: TableGrowth;
    /** A disk doesn't support flushing; with the system's name for the failure. */
    unflushed: { code: string };
  };
}

/** The host's side: no requests or events yet. */
export interface EngineHostSide {
  requests: Record<string, never>;
  events: Record<string, never>;
}
