import type { CsvDictionary, DictionaryEntries } from '../../csv/csvDictionary';
import type { ScannedBlock, ScanPlan } from '../../csv/csvScan';
import type { FileRange } from './rangeScan';
import type { TableFile } from './tableFile';

/** The rows of a range; `end` is −1 when the guess where they begin led nowhere. */
export interface ScannedRange {
  blocks: ScannedBlock[];
  start: number;
  end: number;
}

/** Request to the worker: a range of a file, and how to read it. */
export interface ScanRequest {
  path: string;
  range: FileRange;
  plan: ScanPlan;
}

/** Its response. Codes are those of its own dictionaries; `entries` are the texts added since its last response, by column. */
export interface ScanResponse extends ScannedRange {
  entries: [column: number, first: number, entries: DictionaryEntries][];
}

/** A second thread that scans ranges of a file. */
export interface ScanWorker {
  /** Scans a range, after those requested before; codes in the result are those of `dictionaries`. */
  scan(
    file: TableFile,
    range: FileRange,
    plan: ScanPlan,
    dictionaries: readonly (CsvDictionary | undefined)[],
  ): Promise<ScannedRange>;
  dispose(): void;
}
