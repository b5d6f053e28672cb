import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { fileIdentity } from '../base/fileIdentity';
import type { ReadLimits, ReadOutcome, ReadReply, ReadRequest } from './readThread';

/** Files that were read are sent back at this interval, so that the first don't wait for the last. Milliseconds. */
const REPLY_INTERVAL = 5;

/** Buffers are multiples of this, so that files of similar size can reuse them. Bytes. */
const BUFFER_STEP = 64 * 1024;

/** Buffers that wait to be reused. */
const MAX_SPARE = 32;

/** The thread's side of ReadThread: reads the files of a request one by one. It may block, as nothing else runs here. */
export function runReadTasks(port: Pick<MessagePort, 'on' | 'postMessage'>, limits: ReadLimits): void {
  const spare: ArrayBuffer[] = [];
  port.on('message', ({ files, released }: ReadRequest) => {
    spare.push(...released);
    spare.splice(0, spare.length - MAX_SPARE);
    let reply: ReadReply = [];
    let repliedAt = performance.now();
    const send = () => {
      const buffers = reply.flatMap(({ outcome }) => (outcome.kind === 'read' ? outcome.buffer : []));
      port.postMessage(reply, buffers);
      reply = [];
      repliedAt = performance.now();
    };
    for (const { id, path } of files) {
      reply.push({ id, outcome: outcomeOf(path, limits, spare) });
      if (performance.now() - repliedAt > REPLY_INTERVAL) send();
    }
    if (reply.length > 0) send();
  });
}

function outcomeOf(path: string, limits: ReadLimits, spare: ArrayBuffer[]): ReadOutcome {
  try {
    return readFile(path, limits, spare);
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads a file, unless it changes while it is read. */
function readFile(path: string, { before, after, maxBytes }: ReadLimits, spare: ArrayBuffer[]): ReadOutcome {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { kind: 'unreadable' };
  // Checked before opening: opening a pipe would wait for its other end.
  if (!found.isFile()) return { kind: 'not-a-file' };
  if (found.size > maxBytes) return { kind: 'too-long' };
  const buffer = bufferOf(before + found.size + after, spare);
  const file = openSync(path, 'r');
  try {
    const target = new Uint8Array(buffer, before, found.size);
    let size = 0;
    while (size < found.size) {
      const bytes = readSync(file, target, size, found.size - size, null);
      if (bytes === 0) break;
      size += bytes;
    }
    const identity = fileIdentity(found);
    const isSame = size === found.size && fileIdentity(fstatSync(file)) === identity;
    return isSame ? { kind: 'read', buffer, size, identity } : { kind: 'changed' };
  } finally {
    closeSync(file);
  }
}

function bufferOf(bytes: number, spare: ArrayBuffer[]): ArrayBuffer {
  const fitting = spare.findIndex(({ byteLength }) => byteLength >= bytes);
  const [buffer] = fitting < 0 ? [] : spare.splice(fitting, 1);
  return buffer ?? new ArrayBuffer(Math.ceil(bytes / BUFFER_STEP) * BUFFER_STEP);
}
