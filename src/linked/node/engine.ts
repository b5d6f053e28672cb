import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { EngineHostSide, EngineSide } from '../engineProtocol';
import type { RpcEndpoint } from '../../protocol/rpc';

/** An engine thread as those see it who start one; disposing of it ends the thread. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  /** The thread is gone, and with it all that was open in it. Pending requests have been rejected. */
  readonly onDidCrash: Event<Error>;
}
