import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { Capability } from '../unit/capabilities';
import type { ForeignDisk } from '../unit/foreignDisk';
import type { SeenRequest } from '../unit/service/node/fixtureServer';
import type { HealthyResponse } from './healthyService';
import type { OperationName } from './operations';
import type { VirtualClock } from './virtualClock';

/** A request to which a service responds badly. */
export interface Exchange {
  request: SeenRequest;
  response: ServerResponse;
  socket: Socket;
  clock: VirtualClock;
  operation: OperationName;
  /** Which of the fault's variants it is. */
  variant: number;
  /** How many requests were treated badly before this one. */
  count: number;
  /**
   * Another origin, which responds to everything as the service and the storage would, and may
   * never see the key.
   */
  elsewhere: string;
  /** What the service would respond. It has done by then what was requested of it. */
  healthy(): HealthyResponse;
}

/** A way in which a service can misbehave. */
export interface Fault {
  /** Completes the sentence "The service …". */
  does: string;
  /** The operations that it makes sense for. */
  operations: readonly OperationName[];
  /** Nobody listens, or only with a certificate of its own. */
  server?: 'closed' | 'self-signed';
  /** Whether requests end only because they take too long. */
  isSlow?: boolean;
  /** How many different responses it has for an operation; each is tried. */
  variants?: (operation: OperationName) => number;
  respond?: (exchange: Exchange) => void;
  /** Whether all requests to the service meet it, not only those that the operation is about. */
  isOfAllEndpoints?: boolean;
  /** Needs a disk with little space. */
  isDiskSmall?: boolean;
  /** What the disk does, once all that the operation needs is there; the service is well then. */
  onDisk?: (disk: ForeignDisk, existing: ReadonlySet<string>, variant: number) => void;
  /** The disk keeps files that are to be removed. */
  keepsFiles?: boolean;
  /** What a system must have for the same to be told as in the document. */
  needs?: Capability;
  /** Nothing is lost by it: it is worth no warning in the log either. */
  isHarmless?: boolean;
}
