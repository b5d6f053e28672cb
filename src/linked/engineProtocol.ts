import type { ArchiveSummary } from '../masks/masksSummary';
import type { TableGrowth } from '../columns/tableSummary';
import type { EngineProgress } from '../protocol/engineProgress';
import type { ExportRequests } from '../export/exportRequests';
import type { LinkRequests } from '../masks/linkRequests';
import type { MeasureRequests } from '../masks/measureRequests';
import type { ImagesRead, MasksRequests } from '../masks/masksRequests';
import type { BackgroundImageRequests } from '../images/backgroundImageRequests';
import type { SelectionRequests } from '../masks/selectionRequests';
import type { TableRequests } from '../columns/tableRequests';

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
