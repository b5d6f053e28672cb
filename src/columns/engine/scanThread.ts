import { Worker } from 'node:worker_threads';
import { fromPlainError, toPlainError, type PlainError } from '../../base/errors';
import { TEXT } from '../csv/csvCells';
import type { ScannedBlock } from '../csv/csvScan';
import type { ScanWorker, ScanResponse, ScanRequest } from './read/scanWorker';

/** What the thread sends back for each request. */
export type ScanReply = { ok: true; result: ScanResponse } | { ok: false; error: PlainError };

/** Starts a thread that scans ranges for this one; `scriptPath` is the bundle of scanner.ts. */
export function startScanThread(scriptPath: string): ScanWorker {
  const worker = new Worker(scriptPath, {
    name: 'image-analysis-scan',
    execArgv: [],
  });
  /** By column, this side's code for each of the thread's. */
  const codesHere = new Map<number, number[]>();
  /** Pending requests; replies come in the order of the requests. */
  const pending: ((reply: ScanReply) => void)[] = [];
  const fail = (error: unknown) => {
    for (const settle of pending.splice(0)) settle({ ok: false, error: toPlainError(error) });
  };
  worker.on('message', (reply: ScanReply) => pending.shift()?.(reply));
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('The scanning thread ended')));
  return {
    async scan(file, range, plan, dictionaries) {
      const reply = await new Promise<ScanReply>(resolve => {
        pending.push(resolve);
        worker.postMessage({ path: file.bytesPath, range, plan } satisfies ScanRequest);
      });
      if (!reply.ok) throw fromPlainError(reply.error);
      const { entries, blocks, start, end } = reply.result;
      for (const [column, first, texts] of entries) {
        const codes = codesHere.get(column) ?? [0, 1];
        codesHere.set(column, codes);
        const here = dictionaries[column]?.addEntries(texts);
        here?.forEach((code, at) => (codes[first + at] = code));
      }
      for (const block of blocks) translateCodes(block, codesHere);
      return { blocks, start, end };
    },
    dispose() {
      pending.length = 0;
      // A thread that can't be terminated ends with the process.
      worker.terminate().catch(() => undefined);
    },
  };
}

/** Replaces the thread's codes of a block by this side's. */
function translateCodes(block: ScannedBlock, codesHere: ReadonlyMap<number, readonly number[]>): void {
  const { modes, rows, codes } = block;
  let from = 0;
  for (let column = 0; column < modes.length; column++) {
    if (modes[column] !== TEXT) continue;
    const to = from + rows;
    const here = Uint32Array.from(codesHere.get(column) ?? [0, 1]);
    if (!block.full.includes(column)) {
      for (let at = from; at < to; at++) codes[at] = here[codes[at] as number] as number;
      // This side's dictionary may be full before the thread's is.
      if (here.includes(0xffff_ffff)) block.full.push(column);
    }
    from = to;
  }
}
