import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { reportUnflushed } from '../../base/node/diskErrors';
import type { ResultPart } from '../../service/resultParts';
import type { Engine, EngineSide } from '../engineProtocol';

type Requests = EngineSide['requests'];
type Events = EngineSide['events'];

/** Sends a request to the engine of a session. */
export type EngineRequest = <M extends keyof Requests>(
  method: M,
  params: Requests[M]['params'],
  signal?: AbortSignal,
) => Promise<Requests[M]['result']>;

interface SessionEngineOptions {
  startEngine: () => Engine;
  onProgress: (progress: PartProgress) => void;
  onMasksStarted: (masks: Events['masksStarted']) => void;
  onImagesRead: (read: Events['imagesRead']) => void;
  onTableGrowth: (growth: Events['tableGrowth']) => void;
  /** Called when the thread has crashed; nothing is open in it any more. */
  onCrash: () => void;
  log: Log;
}

/** Maximum crashes before no thread is started until the user retries. */
const MAX_CRASHES = 2;

/**
 * A session's engine thread. The first request starts it, and so does the next one after a crash.
 */
export class SessionEngine implements Disposable {
  private running: Engine | undefined;
  /** Listeners on the thread; a shared thread outlives the session. */
  private listeners = new DisposableStore();
  private crashes = 0;
  private latestCrash: Error | undefined;
  private isDisposed = false;

  constructor(private readonly options: SessionEngineOptions) {}

  /** Throws the engine's errors, `cancelled` after disposal, and the last error after crashes. */
  readonly request: EngineRequest = async (method, params, signal) =>
    this.engine().endpoint.request(method, params, signal);

  /** Forgets earlier crashes, because the user retries. */
  resetCrashes(): void {
    this.crashes = 0;
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.dispose();
    this.running?.dispose();
    this.running = undefined;
  }

  private engine(): Engine {
    if (this.isDisposed) throw canceledError();
    if (this.running) return this.running;
    if (this.crashes > MAX_CRASHES && this.latestCrash) throw this.latestCrash;
    return (this.running = this.start());
  }

  private start(): Engine {
    const { startEngine, onProgress, onMasksStarted, onImagesRead, onTableGrowth } = this.options;
    const engine = startEngine();
    const { endpoint } = engine;
    this.listeners.dispose();
    this.listeners = new DisposableStore();
    for (const listener of [
      endpoint.on('progress', ({ what, name, image, done, total }) => {
        const phase = what === 'measured' ? 'measuring' : 'reading';
        const part = name as PartProgress['part'];
        onProgress({ part, phase, ...(image !== undefined && { image }), done, total });
      }),
      endpoint.on('masksStarted', onMasksStarted),
      endpoint.on('imagesRead', onImagesRead),
      endpoint.on('tableGrowth', onTableGrowth),
      // Report it with those of the host, which logs each kind once.
      endpoint.on('unflushed', ({ code }) => reportUnflushed(code)),
      engine.onDidCrash(error => this.crashed(error)),
    ])
      this.listeners.add(listener);
    return engine;
  }

  private crashed(error: Error): void {
    this.options.log.error('An engine thread crashed', error);
    this.latestCrash = error;
    this.crashes++;
    this.running = undefined;
    this.options.onCrash();
  }
}

/** A part's progress: bytes while downloading, later the units of EngineProgress. */
export interface PartProgress {
  part: ResultPart | 'backgroundImage';
  /** The `image` parameter of openBackgroundImage. */
  image?: number;
  phase: 'downloading' | 'reading' | 'measuring';
  done: number;
  /** 0 if unknown. */
  total: number;
}

/** Logs failures that no caller waits for, except cancels and failures after the session's end. */
export class SessionLog {
  /** `signal` aborts when the session ends. */
  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly signal: AbortSignal,
  ) {}

  /** Logs a failure; `what` names the work that failed. */
  info(what: string, error: unknown): void {
    if (this.signal.aborted || isCoded(error, 'cancelled')) return;
    const reason = isCoded(error) ? `${error.code}: ${error.message}` : String(error);
    this.log.info(`${what}: ${reason}`);
  }
}
