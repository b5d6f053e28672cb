import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { TableGrowth } from '../columns/tableSummary';
import type { ImagesRead } from '../archives/masksRequests';
import type { ArchiveSummary } from '../archives/masksSummary';
import type { EngineProgress } from '../protocol/engineProgress';
import type { EngineRequests } from '../protocol/engineRequests';
import type { RpcEndpoint } from '../protocol/rpc';

/** The same properties as a type: an interface has no index signature. */
type Flat<T> = { [K in keyof T]: T[K] };

/** The engine thread's side. One thread serves one result. */
export interface EngineSide {
  requests: Flat<EngineRequests>;
  events: {
    progress: EngineProgress;
    /** openMasks has begun to read a large archive; only its images' names and sizes are known. */
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

/** An engine thread as those see it who start one; disposing of it ends the thread. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  /** The thread and all that was open in it are gone; pending requests have been rejected. */
  readonly onDidCrash: Event<Error>;
}
