import { Worker, type MessagePort } from 'node:worker_threads';
import { CodedError, fromPlainError, toPlainError, type PlainError } from '../base/errors';
import { CsvDictionary } from '../formats/csvDictionary';
import { TEXT } from '../formats/csvCells';
import type { ScannedBlock } from '../formats/csvScan';
import { RangeScan } from '../results/table/rangeScan';
import type { ScanHelper, ScanResult, ScanTask } from '../results/table/scanHelper';
import { TableFile } from '../results/table/tableFile';

/** In `workerData` of a thread that only scans for another. */
export const SCAN_ROLE = 'scan';

type Answer = { ok: true; result: ScanResult } | { ok: false; error: PlainError };

/** Starts a thread of the engine's bundle that scans ranges for this one. */
export function startScanThread(scriptPath: string): ScanHelper {
  const worker = new Worker(scriptPath, {
    name: 'image-analysis-scan',
    execArgv: [],
    workerData: { role: SCAN_ROLE },
  });
  /** By column, what the thread's codes are here. */
  const known = new Map<number, number[]>();
  /** Who waits for an answer: they come in the order of the tasks. */
  const waiting: ((answer: Answer) => void)[] = [];
  const fail = (error: unknown) => {
    for (const settle of waiting.splice(0)) settle({ ok: false, error: toPlainError(error) });
  };
  worker.on('message', (answer: Answer) => waiting.shift()?.(answer));
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => fail(new Error('The scanning thread ended')));
  return {
    async scan(file, range, plan, dictionaries) {
      const answer = await new Promise<Answer>(resolve => {
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

/** The scanning thread's own side: answers tasks one by one until it is terminated. */
export function answerScans(port: MessagePort): void {
  const limit = 256 * 1024 * 1024;
  const dictionaries: (CsvDictionary | undefined)[] = [];
  const told: number[] = [];
  let file: TableFile | undefined;
  let scan: RangeScan | undefined;
  const answer = async ({ path, range, plan }: ScanTask): Promise<ScanResult> => {
    file ??= await TableFile.open(path);
    scan ??= new RangeScan(file, dictionaries);
    plan.modes.forEach((mode, column) => {
      if (mode === TEXT) dictionaries[column] ??= new CsvDictionary(limit);
    });
    const blocks: ScannedBlock[] = [];
    const steps = scan.blocks(range, () => plan);
    let step = steps.next();
    for (; !step.done; step = steps.next()) blocks.push(step.value);
    const entries: ScanResult['entries'] = [];
    dictionaries.forEach((dictionary, column) => {
      const first = told[column] ?? 2;
      if (!dictionary || dictionary.size === first) return;
      entries.push([column, first, dictionary.entriesFrom(first)]);
      told[column] = dictionary.size;
    });
    return { blocks, ...step.value, entries };
  };
  let last = Promise.resolve();
  port.on('message', (task: ScanTask) => {
    last = last
      .then(() => answer(task))
      .then(
        result => {
          const buffers = result.blocks.flatMap(block => [
            block.numbers.buffer,
            block.codes.buffer,
            block.rowStarts.buffer,
          ]);
          port.postMessage({ ok: true, result } satisfies Answer, buffers);
        },
        (error: unknown) => {
          const plain = error instanceof CodedError ? error : new Error(String(error));
          port.postMessage({ ok: false, error: toPlainError(plain) } satisfies Answer);
        },
      );
  });
}
