import { Emitter } from '../../../../src/base/event';
import { ResultEngine } from '../../../../src/workbench/engine/resultEngine';
import type { ArchiveSummary } from '../../../../src/archives/masksSummary';
import type { Engine, EngineHostSide, EngineSide } from '../../../../src/session/engineProtocol';
import { RpcEndpoint, type RpcMessage } from '../../../../src/protocol/rpc';

/** The real engine without a thread of its own; every message is cloned as between threads. */
export class InProcessEngine implements Engine {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  readonly requests: string[] = [];
  private readonly crashed = new Emitter<Error>();
  private readonly engine: ResultEngine;
  private readonly engineEnd: RpcEndpoint<EngineSide, EngineHostSide>;

  constructor(options: ConstructorParameters<typeof ResultEngine>[1] = {}) {
    const toHost = new Emitter<RpcMessage>();
    const toEngine = new Emitter<RpcMessage>();
    this.engine = new ResultEngine(progress => this.engineEnd.send('progress', progress), {
      onGrowth: growth => this.engineEnd.send('tableGrowth', growth),
      onMasksStarted: summary => this.engineEnd.send('masksStarted', summary),
      onImagesRead: images => this.engineEnd.send('imagesRead', images),
      ...options,
    });
    this.engineEnd = new RpcEndpoint<EngineSide, EngineHostSide>(
      { post: message => toHost.fire(structuredClone(message)), onMessage: toEngine.event },
      this.engine.handlers,
    );
    this.endpoint = new RpcEndpoint<EngineHostSide, EngineSide>(
      {
        post: message => {
          if (message.kind === 'request') this.requests.push(message.method);
          toEngine.fire(structuredClone(message));
        },
        onMessage: toHost.event,
      },
      {},
    );
  }

  get onDidCrash() {
    return this.crashed.event;
  }

  /** Sends the event that a thread sends when it has begun to read large masks. */
  sendMasksStarted(summary: ArchiveSummary): void {
    this.engineEnd.send('masksStarted', summary);
  }

  crash(reason: Error): void {
    this.endpoint.end(reason);
    this.engineEnd.dispose();
    this.engine.dispose();
    this.crashed.fire(reason);
  }

  dispose(): void {
    this.endpoint.dispose();
    this.engineEnd.dispose();
    this.engine.dispose();
  }
}
