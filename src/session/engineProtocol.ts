import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { TableGrowth } from '../columns/tableSummary';
import type { ImagesRead } from '../archives/masksRequests';
import type { ArchiveSummary } from '../archives/masksSummary';
import type { EngineProgress } from '../protocol/engineProgress';
import type { EngineRequests } from '../protocol/engineRequests';
import type { RpcEndpoint } from '../protocol/rpc';

/** Turns an interface into a type, which has an index signature. */
type Flat<T> = { [K in keyof T]: T[K] };

/** The engine thread's side. One thread serves one result. */
export interface EngineSide {
  requests: Flat<EngineRequests>;
  events: {
    progress: EngineProgress;
    /** openMasks has begun to read a large archive; the summary has only image names and sizes. */
    masksStarted: ArchiveSummary;
    /** openMasks has read more images. */
    imagesRead: ImagesRead;
    /** openTable has read more rows of a table that is opened progressively. */
    tableGrowth: TableGrowth;
    /** A disk doesn't support flushing; `code` is the system's error code. */
    unflushed: { code: string };
  };
}

/** The host's side: no requests or events yet. */
export interface EngineHostSide {
  requests: Record<string, never>;
  events: Record<string, never>;
}

/** An engine thread, for its owner; disposing of it ends the thread. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  /** Fires when the thread has crashed. Nothing is open in it any more; pending requests reject. */
  readonly onDidCrash: Event<Error>;
}
