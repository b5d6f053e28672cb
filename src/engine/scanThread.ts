import { Worker } from 'node:worker_threads';
import { fromPlainError, toPlainError, type PlainError } from '../base/errors';
import { TEXT } from '../formats/csvCells';
import type { ScannedBlock } from '../formats/csvScan';
import type { ScanHelper, ScanResult, ScanTask } from '../results/table/scanHelper';

/** What the thread answers to each task. */
export type ScanAnswer = { ok: true; result: ScanResult } | { ok: false; error: PlainError };

/** Starts a thread that scans ranges for this one; `scriptPath` is the bundle of scanner.ts. */
export function startScanThread(scriptPath: string): ScanHelper {
  const worker = new Worker(scriptPath, {
    name: 'image-analysis-scan',
    execArgv: [],
  });
  /** By column, what the thread's codes are here. */
  const known = new Map<number, number[]>();
  /** Who waits for an answer: they come in the order of the tasks. */
  const waiting: ((answer: ScanAnswer) => void)[] = [];
  const fail = (error: unknown) => {
    for (const settle of waiting.splice(0)) settle({ ok: false, error: toPlainError(error) });
  };
  worker.on('message', (answer: ScanAnswer) => waiting.shift()?.(answer));
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('The scanning thread ended')));
  return {
    async scan(file, range, plan, dictionaries) {
      const answer = await new Promise<ScanAnswer>(resolve => {
        waiting.push(resolve);
        worker.postMessage({ path: file.bytesPath, range, plan } satisfies ScanTask);
      });
      if (!answer.ok) throw fromPlainError(answer.error);
      const { entries, blocks, start, end } = answer.result;
      for (const [column, first, texts] of entries) {
        const codes = known.get(column) ?? [0, 1];
        known.set(column, codes);
        const here = dictionaries[column]?.addEntries(texts);
        here?.forEach((code, at) => (codes[first + at] = code));
      }
      for (const block of blocks) translate(block, known);
      return { blocks, start, end };
    },
    dispose() {
      waiting.length = 0;
      // Nothing can be done about a thread that does not end.
      worker.terminate().catch(() => undefined);
    },
  };
}

/** Turns the thread's codes into this one's. */
function translate(block: ScannedBlock, known: ReadonlyMap<number, readonly number[]>): void {
  const { modes, rows, codes } = block;
  let from = 0;
  for (let column = 0; column < modes.length; column++) {
    if (modes[column] !== TEXT) continue;
    const to = from + rows;
    const here = Uint32Array.from(known.get(column) ?? [0, 1]);
    if (!block.full.includes(column)) {
      for (let at = from; at < to; at++) codes[at] = here[codes[at] as number] as number;
      // This side's dictionary may have had no room for what the thread's had.
      if (here.includes(0xffff_ffff)) block.full.push(column);
    }
    from = to;
  }
}
