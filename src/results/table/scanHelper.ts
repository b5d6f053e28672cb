import type { CsvDictionary, DictionaryEntries } from '../../formats/csvDictionary';
import type { ScannedBlock, ScanPlan } from '../../formats/csvScan';
import type { FileRange } from './rangeScan';
import type { TableFile } from './tableFile';

/** What a range holds; `end` −1 when the guess where it begins led nowhere. */
export interface ScannedRange {
  blocks: ScannedBlock[];
  start: number;
  end: number;
}

/** What a helping thread is asked. */
export interface ScanTask {
  path: string;
  range: FileRange;
  plan: ScanPlan;
}

/** What it answers: codes are its own; `entries` are the texts it has met since its last answer, by column. */
export interface ScanResult extends ScannedRange {
  entries: [column: number, first: number, entries: DictionaryEntries][];
}

/** A second thread that scans ranges. */
export interface ScanHelper {
  /** Scans a range after those asked before; codes in the answer are those of `dictionaries`. */
  scan(
    file: TableFile,
    range: FileRange,
    plan: ScanPlan,
    dictionaries: readonly (CsvDictionary | undefined)[],
  ): Promise<ScannedRange>;
  dispose(): void;
}
