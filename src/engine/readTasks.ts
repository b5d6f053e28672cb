import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { fileIdentity } from '../base/fileIdentity';
import type { ReadLimits, ReadOutcome, ReadReply, ReadRequest } from './readThread';

/** What was read is sent back after so long, though not all of a request is read. Milliseconds. */
const REPLY_MS = 5;

/** Memory comes in multiples of this, so that files of about the same size can use it one after the other. Bytes. */
const STEP = 64 * 1024;

/** How much memory is kept for later files. */
const MAX_KEPT = 32;

/** The reading thread's side: reads the files of a request one by one. Nothing else runs here, so that it may block. */
export function runReadTasks(port: Pick<MessagePort, 'on' | 'postMessage'>, limits: ReadLimits): void {
  const kept: ArrayBuffer[] = [];
  port.on('message', ({ files, used }: ReadRequest) => {
    kept.push(...used);
    kept.splice(0, kept.length - MAX_KEPT);
    let reply: ReadReply = [];
    let begunAt = performance.now();
    const send = () => {
      const memories = reply.flatMap(({ outcome }) => (outcome.kind === 'read' ? outcome.memory : []));
      port.postMessage(reply, memories);
      reply = [];
      begunAt = performance.now();
    };
    for (const { id, path } of files) {
      reply.push({ id, outcome: outcomeOf(path, limits, kept) });
      if (performance.now() - begunAt > REPLY_MS) send();
    }
    if (reply.length > 0) send();
  });
}

function outcomeOf(path: string, limits: ReadLimits, kept: ArrayBuffer[]): ReadOutcome {
  try {
    return readFile(path, limits, kept);
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads a file that is the same before and after. */
function readFile(path: string, { before, after, maxBytes }: ReadLimits, kept: ArrayBuffer[]): ReadOutcome {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { kind: 'unreadable' };
  // Before it is opened: opening a pipe would wait for its other end.
  if (!found.isFile()) return { kind: 'not-a-file' };
  if (found.size > maxBytes) return { kind: 'too-long' };
  const memory = memoryOf(before + found.size + after, kept);
  const file = openSync(path, 'r');
  try {
    const target = new Uint8Array(memory, before, found.size);
    let size = 0;
    while (size < found.size) {
      const bytes = readSync(file, target, size, found.size - size, null);
      if (bytes === 0) break;
      size += bytes;
    }
    const identity = fileIdentity(found);
    const isSame = size === found.size && fileIdentity(fstatSync(file)) === identity;
    return isSame ? { kind: 'read', memory, size, identity } : { kind: 'changed' };
  } finally {
    closeSync(file);
  }
}

function memoryOf(bytes: number, kept: ArrayBuffer[]): ArrayBuffer {
  const fitting = kept.findIndex(({ byteLength }) => byteLength >= bytes);
  const [memory] = fitting < 0 ? [] : kept.splice(fitting, 1);
  return memory ?? new ArrayBuffer(Math.ceil(bytes / STEP) * STEP);
}
