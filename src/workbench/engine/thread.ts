// Entry of an engine thread: handles the requests of one result until the host terminates it.
import { dirname, join } from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { onceUnflushed } from '../../base/node/diskErrors';
import { toDisposable } from '../../base/disposable';
import type { EngineHostSide, EngineSide } from '../../session/engineProtocol';
import { RpcEndpoint, type RpcMessage, type RpcPort } from '../../protocol/rpc';
import { ResultEngine } from './resultEngine';
import { startScanThread } from '../../columns/engine/scanThread';

function portOf(port: MessagePort): RpcPort {
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    onMessage: listener => {
      const handleMessage = (message: RpcMessage) => listener(message);
      port.on('message', handleMessage);
      return toDisposable(() => port.off('message', handleMessage));
    },
  };
}

if (!parentPort) throw new Error('The engine runs as a worker thread only');
const data: unknown = workerData;
const options = typeof data === 'object' && data !== null ? data : {};
const script = 'script' in options && typeof options.script === 'string' ? options.script : undefined;
const engine = new ResultEngine(progress => endpoint.send('progress', progress), {
  onGrowth: growth => endpoint.send('tableGrowth', growth),
  onMasksStarted: summary => endpoint.send('masksStarted', summary),
  onImagesRead: images => endpoint.send('imagesRead', images),
  ...(script !== undefined && {
    startScanWorker: () => startScanThread(join(dirname(script), 'scanner.js')),
  }),
});
const endpoint = new RpcEndpoint<EngineSide, EngineHostSide>(portOf(parentPort), engine.handlers);
onceUnflushed(code => endpoint.send('unflushed', { code }));
