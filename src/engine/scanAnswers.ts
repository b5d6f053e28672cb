import type { MessagePort } from 'node:worker_threads';
import { CodedError, toPlainError } from '../base/errors';
import { TEXT } from '../formats/csvCells';
import { CsvDictionary } from '../formats/csvDictionary';
import type { ScannedBlock } from '../formats/csvScan';
import { RangeScan } from '../results/table/rangeScan';
import type { ScanResult, ScanTask } from '../results/table/scanHelper';
import { TableFile } from '../results/table/tableFile';
import type { ScanAnswer } from './scanThread';

/** Bytes of different texts that a column may have here; it is read on demand beyond. */
const TEXT_LIMIT = 256 * 1024 * 1024;

/** The scanning thread's own side: answers tasks one by one until it is terminated. */
export function answerScans(port: MessagePort): void {
  const dictionaries: (CsvDictionary | undefined)[] = [];
  const told: number[] = [];
  let file: TableFile | undefined;
  let scan: RangeScan | undefined;
  const answer = async ({ path, range, plan }: ScanTask): Promise<ScanResult> => {
    file ??= await TableFile.open(path);
    scan ??= new RangeScan(file, dictionaries);
    plan.modes.forEach((mode, column) => {
      if (mode === TEXT) dictionaries[column] ??= new CsvDictionary(TEXT_LIMIT);
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
          port.postMessage({ ok: true, result } satisfies ScanAnswer, buffers);
        },
        (error: unknown) => {
          const plain = error instanceof CodedError ? error : new Error(String(error));
          port.postMessage({ ok: false, error: toPlainError(plain) } satisfies ScanAnswer);
        },
      );
  });
}
