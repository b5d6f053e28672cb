// Entry of an engine thread: answers the requests of one result until the host terminates it.
import { parentPort, type MessagePort } from 'node:worker_threads';
import { toDisposable } from '../base/disposable';
import type { EngineHostSide, EngineSide } from '../protocol/engineProtocol';
import { RpcEndpoint, type RpcMessage, type RpcPort } from '../protocol/rpc';
import { ResultEngine } from './resultEngine';

function portOf(port: MessagePort): RpcPort {
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    onMessage: listener => {
      const heard = (message: RpcMessage) => listener(message);
      port.on('message', heard);
      return toDisposable(() => port.off('message', heard));
    },
  };
}

if (!parentPort) throw new Error('The engine runs as a worker thread only');
const engine = new ResultEngine(progress => endpoint.send('progress', progress));
const endpoint = new RpcEndpoint<EngineSide, EngineHostSide>(portOf(parentPort), engine.handlers);
