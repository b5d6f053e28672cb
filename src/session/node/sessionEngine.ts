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
  /** What was open in the thread is gone. */
  onCrash: () => void;
  log: Log;
}

/** After more crashes no thread is started until the user tries again. */
const MAX_CRASHES = 2;

/** A session's engine thread: started by the first request, and by the next one after a crash. */
export class SessionEngine implements Disposable {
  private running: Engine | undefined;
  /** A thread that others use too outlives the session. */
  private listening = new DisposableStore();
  private crashes = 0;
  private latestCrash: Error | undefined;
  private isDisposed = false;

  constructor(private readonly options: SessionEngineOptions) {}

  /** Throws the engine's errors, `cancelled` after disposal, and the last error after crashes. */
  readonly request: EngineRequest = async (method, params, signal) =>
    this.engine().endpoint.request(method, params, signal);

  /** The user retries: earlier crashes no longer count. */
  resetCrashes(): void {
    this.crashes = 0;
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening.dispose();
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
    this.listening.dispose();
    this.listening = new DisposableStore();
    for (const listener of [
      endpoint.on('progress', ({ what, name, image, done, total }) => {
        const phase = what === 'measured' ? 'measuring' : 'reading';
        const part = name as PartProgress['part'];
        onProgress({ part, phase, ...(image !== undefined && { image }), done, total });
      }),
      endpoint.on('masksStarted', onMasksStarted),
      endpoint.on('imagesRead', onImagesRead),
      endpoint.on('tableGrowth', onTableGrowth),
      // Logged where the host's own are, once for both.
      endpoint.on('unflushed', ({ code }) => reportUnflushed(code)),
      engine.onDidCrash(error => this.crashed(error)),
    ])
      this.listening.add(listener);
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

/** A part's progress: bytes while downloading, then what its engine counts (see EngineSide). */
export interface PartProgress {
  part: ResultPart | 'backgroundImage';
  /** Whose background image it is, as it was opened. */
  image?: number;
  phase: 'downloading' | 'reading' | 'measuring';
  done: number;
  /** 0 when it is not known. */
  total: number;
}

/** Logs failures in a session that nobody awaits, except cancels and those by the session's end. */
export class SessionLog {
  /** `signal` aborts when the session ends. */
  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly signal: AbortSignal,
  ) {}

  /** `what` was going on when it failed. */
  info(what: string, error: unknown): void {
    if (this.signal.aborted || isCoded(error, 'cancelled')) return;
    const reason = isCoded(error) ? `${error.code}: ${error.message}` : String(error);
    this.log.info(`${what}: ${reason}`);
  }
}
