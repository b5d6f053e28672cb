import { type MessagePort, Worker } from 'node:worker_threads';
import { fromPlainError, type PlainError, toPlainError } from '../../base/errors';
import {
  ABSENT_CODE,
  CsvDictionary,
  type DictionaryEntries,
  EMPTY_CODE,
  NO_ROOM,
} from '../csv/csvDictionary';
import { type ScannedBlock, type ScanPlan, TEXT } from '../csv/csvScan';
import { type FileRange, RangeScan } from './read/rangeScan';
import { TableFile } from './read/tableFile';

/** The codes that mean the same in each dictionary; entries for them are never sent. */
const COMMON_CODES = [ABSENT_CODE, EMPTY_CODE];

/** The rows of a range; `end` is −1 if the guessed beginning of a row was wrong. */
export interface ScannedRange {
  blocks: ScannedBlock[];
  start: number;
  end: number;
}

/** Request to the worker: a range of a file, and how to read it. */
interface ScanRequest {
  path: string;
  range: FileRange;
  plan: ScanPlan;
}

/**
 * The worker's response. Codes are those of the worker's dictionaries. `entries`: by column, the
 * texts that the worker added to its dictionary since the last response.
 */
interface ScanResponse extends ScannedRange {
  entries: [column: number, firstCode: number, entries: DictionaryEntries][];
}

/** A second thread that scans ranges of a file. */
export interface ScanWorker {
  /**
   * Scans a range after those of earlier requests. Codes in the result are those of `dictionaries`.
   */
  scan(
    file: TableFile,
    range: FileRange,
    plan: ScanPlan,
    dictionaries: readonly (CsvDictionary | undefined)[],
  ): Promise<ScannedRange>;
  dispose(): void;
}

/** The message that the thread sends for each request. */
type ScanReply = { ok: true; result: ScanResponse } | { ok: false; error: PlainError };

/** Starts a thread that scans ranges for this one; `scriptPath` is the bundle of scanner.ts. */
export function startScanThread(scriptPath: string): ScanWorker {
  const worker = new Worker(scriptPath, {
    name: 'image-analysis-scan',
    execArgv: [],
  });
  /** By column, the code in this thread for each code of the worker. */
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
      for (const [column, firstCode, texts] of entries) {
        const codes = codesHere.get(column) ?? [...COMMON_CODES];
        codesHere.set(column, codes);
        const addedCodes = dictionaries[column]?.addEntries(texts);
        addedCodes?.forEach((code, index) => (codes[firstCode + index] = code));
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

/** Replaces the worker's codes in a block by those of this thread. */
function translateCodes(block: ScannedBlock, codesHere: ReadonlyMap<number, readonly number[]>): void {
  const { modes, rows, codes } = block;
  let columnStart = 0;
  for (let column = 0; column < modes.length; column++) {
    if (modes[column] !== TEXT) continue;
    const columnEnd = columnStart + rows;
    /** This thread's code for each code of the worker. */
    const columnCodes = Uint32Array.from(codesHere.get(column) ?? COMMON_CODES);
    if (!block.full.includes(column)) {
      for (let i = columnStart; i < columnEnd; i++) codes[i] = columnCodes[codes[i] as number] as number;
      // Some texts may have no code here: this thread's dictionary can be full before the worker's.
      if (columnCodes.includes(NO_ROOM)) block.full.push(column);
    }
    columnStart = columnEnd;
  }
}

/** Bytes of distinct texts stored per column; a column with more is read on demand. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** Runs in the worker: handles requests one by one until the worker is terminated. */
export function runScanTasks(port: MessagePort): void {
  const dictionaries: (CsvDictionary | undefined)[] = [];
  /** By column, the first code of its dictionary whose text isn't sent yet. */
  const firstUnsent: number[] = [];
  let file: TableFile | undefined;
  let scan: RangeScan | undefined;
  const handle = async ({ path, range, plan }: ScanRequest): Promise<ScanResponse> => {
    file ??= await TableFile.open(path);
    scan ??= new RangeScan(file, dictionaries);
    plan.modes.forEach((mode, column) => {
      if (mode === TEXT) dictionaries[column] ??= new CsvDictionary(MAX_TEXT_BYTES);
    });
    const blocks: ScannedBlock[] = [];
    const steps = scan.blocks(range, () => plan);
    let step = steps.next();
    for (; !step.done; step = steps.next()) blocks.push(step.value);
    const entries: ScanResponse['entries'] = [];
    dictionaries.forEach((dictionary, column) => {
      const firstCode = firstUnsent[column] ?? COMMON_CODES.length;
      if (!dictionary || dictionary.size === firstCode) return;
      entries.push([column, firstCode, dictionary.entriesFrom(firstCode)]);
      firstUnsent[column] = dictionary.size;
    });
    return { blocks, ...step.value, entries };
  };
  let lastTask = Promise.resolve();
  port.on('message', (request: ScanRequest) => {
    lastTask = lastTask
      .then(() => handle(request))
      .then(
        result => {
          const buffers = result.blocks.flatMap(block => [
            block.numbers.buffer,
            block.codes.buffer,
            block.rowStarts.buffer,
          ]);
          port.postMessage({ ok: true, result } satisfies ScanReply, buffers);
        },
        (error: unknown) => {
          port.postMessage({ ok: false, error: toPlainError(error) } satisfies ScanReply);
        },
      );
  });
}
