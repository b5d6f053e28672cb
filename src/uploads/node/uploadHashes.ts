import { fileURLToPath } from 'node:url';
import { delay } from '../../base/delay';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { NOT_COMPUTED, type RecordedUpload, type UploadRecords } from './uploadRecords';
import type { ImageThread } from '../../images/backgroundImageRequests';
import { diskFacts } from './fileSources';

/** How long nothing has been uploaded before files are hashed. Milliseconds. */
const IDLE_MS = 5000;

export interface UploadHashesParts {
  records: Pick<UploadRecords, 'onDidAdd' | 'addHash'>;
  /** A thread to hash in; used for a while and disposed of. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  log: Log;
  /** For tests. */
  delay?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Computes the hashes of uploaded files while nothing is uploaded, in a thread of its own, and adds them to their records.
 * What a closed window left stays without a hash: its identity still tells whether the file is the same.
 */
export class UploadHashes implements Disposable {
  private readonly store = new DisposableStore();
  private readonly waiting: RecordedUpload[] = [];
  private readonly delay: NonNullable<UploadHashesParts['delay']>;
  private holds = 0;
  private running: AbortController | undefined;

  constructor(private readonly parts: UploadHashesParts) {
    this.delay = parts.delay ?? delay;
    this.store.add(
      parts.records.onDidAdd(upload => {
        this.waiting.push(upload);
        this.start();
      }),
    );
  }

  /** Hashes nothing until what is returned is disposed of: files are being uploaded. */
  hold(): Disposable {
    this.holds += 1;
    this.running?.abort();
    return toDisposable(() => {
      this.holds -= 1;
      this.start();
    });
  }

  dispose(): void {
    this.store.dispose();
    this.running?.abort();
  }

  private start(): void {
    const mayRun = this.holds === 0 && !this.store.isDisposed;
    if (!mayRun || this.running || this.waiting.length === 0) return;
    const running = new AbortController();
    this.running = running;
    void this.run(running.signal).finally(() => {
      this.running = undefined;
      this.start();
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      await this.delay(IDLE_MS, signal);
      const engine = await this.parts.startEngine();
      try {
        for (let upload = this.waiting[0]; upload; upload = this.waiting[0]) {
          this.parts.records.addHash(upload.itemId, await hashOf(upload, engine, signal));
          this.waiting.shift();
        }
      } finally {
        engine.dispose();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.parts.log.error('Uploaded files could not be hashed', error);
      this.waiting.length = 0;
    }
  }
}

/** The hash of an uploaded file, if it is the same before and after it is read. Throws `cancelled`. */
async function hashOf(
  { record: { uri, fileName, identity } }: RecordedUpload,
  { endpoint }: Pick<ImageThread, 'endpoint'>,
  signal: AbortSignal,
): Promise<string> {
  if (!uri.startsWith('file:')) return NOT_COMPUTED;
  try {
    const path = fileURLToPath(uri);
    const isUnchanged = async () => (await diskFacts(path, fileName)).identity === identity;
    if (!(await isUnchanged())) return NOT_COMPUTED;
    const { sha256 } = await endpoint.request('hashFile', { path }, signal);
    return (await isUnchanged()) ? sha256 : NOT_COMPUTED;
  } catch (error) {
    if (isCoded(error, 'not-a-file')) return NOT_COMPUTED;
    throw error;
  }
}
