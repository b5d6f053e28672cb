import { ROOM_AFTER, ROOM_BEFORE } from '../../api/fileInMemory';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { ReadLimits, ReadThread } from '../../engine/readThread';
import type { WholeFile } from '../../uploads/fileSource';
import { changedWhileRead, MAX_WHOLE_BYTES } from '../../uploads/readWhole';
import type { LocalFile } from './expandFiles';

/** Fewer short files are sent sooner without a thread. */
const MIN_FILES = 30;

const LIMITS = { before: ROOM_BEFORE, after: ROOM_AFTER, maxBytes: MAX_WHOLE_BYTES };

export type StartReadThread = (limits: ReadLimits) => Promise<ReadThread>;

/**
 * Reads the short files of an upload in a thread of its own: on a fast network they take as long to read as to send, since
 * each call to the file system costs the extension host far more than the call itself.
 */
export class SmallFileReader implements Disposable {
  constructor(private readonly thread: ReadThread) {}

  /** False until the thread has started, and after it has ended. */
  get isReady(): boolean {
    return this.thread.isReady;
  }

  /** As FileSource.whole; uses `readHere` if the thread ends. */
  async read(
    path: string,
    fileName: string,
    readHere: () => Promise<WholeFile | undefined>,
  ): Promise<WholeFile | undefined> {
    const outcome = await this.thread.read(path);
    switch (outcome?.kind) {
      case undefined:
        return readHere();
      case 'read': {
        const { buffer, size, identity } = outcome;
        const release = () => this.thread.release(buffer);
        return { memory: Buffer.from(buffer), start: ROOM_BEFORE, size, identity, release };
      }
      case 'too-long':
        return undefined;
      case 'changed':
        throw changedWhileRead(fileName);
      case 'not-a-file':
        throw new CodedError('not-a-file', 'Not a regular file', { subject: fileName });
      case 'unreadable':
        throw new CodedError('not-a-file', 'The file cannot be read', { subject: fileName });
      case 'failed':
        throw new Error(outcome.message);
    }
  }

  dispose(): void {
    this.thread.dispose();
  }
}

/** Starts a reader if many of the files are short. */
export async function readerFor(
  files: readonly LocalFile[],
  startThread: StartReadThread | undefined,
): Promise<SmallFileReader | undefined> {
  if (!startThread) return undefined;
  const short = files.filter(({ uri, size }) => uri.startsWith('file:') && size <= MAX_WHOLE_BYTES);
  return short.length >= MIN_FILES ? new SmallFileReader(await startThread(LIMITS)) : undefined;
}
