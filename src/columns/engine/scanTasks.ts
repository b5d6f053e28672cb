import type { MessagePort } from 'node:worker_threads';
import { toPlainError } from '../../base/errors';
import { TEXT } from '../csv/csvCells';
import { CsvDictionary } from '../csv/csvDictionary';
import type { ScannedBlock } from '../csv/csvScan';
import { RangeScan } from './read/rangeScan';
import type { ScanResponse, ScanRequest } from './read/scanWorker';
import { TableFile } from './read/tableFile';
import type { ScanReply } from './scanThread';

/** Bytes of distinct texts stored per column; a column with more is read on demand. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** The scanning thread's side: handles requests one by one until the thread is terminated. */
export function runScanTasks(port: MessagePort): void {
  const dictionaries: (CsvDictionary | undefined)[] = [];
  /** By column, how many entries of its dictionary have been sent; codes 0 and 1 are never sent. */
  const sent: number[] = [];
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
      const first = sent[column] ?? 2;
      if (!dictionary || dictionary.size === first) return;
      entries.push([column, first, dictionary.entriesFrom(first)]);
      sent[column] = dictionary.size;
    });
    return { blocks, ...step.value, entries };
  };
  let last = Promise.resolve();
  port.on('message', (request: ScanRequest) => {
    last = last
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
