import type { ExportReport, ExportRequest } from '../../formats/exportRequest';
import type { ArchiveSummary, MaskImage } from '../../formats/masksSummary';
import type { OutputFolder } from './outputFolder';
import type { ExportSelection } from './selection';

/** What the exporter of a format works with. */
export interface ExportWork {
  request: ExportRequest;
  summary: ArchiveSummary;
  selection: ExportSelection;
  folder: OutputFolder;
  /** Counts are added to it. */
  report: ExportReport;
  signal: AbortSignal | undefined;
  /** Hears how much of an image is done, 0…1; `at` is its place among those selected. */
  progress: (at: number, share: number) => void;
}

/** One format of export. */
export interface Exporter {
  /** Names of the files that `write` may make. */
  fileNames(request: ExportRequest, selection: ExportSelection, summary: ArchiveSummary): string[];
  /** Refuses what the format cannot hold, before anything is written. */
  check?(image: MaskImage): void;
  write(work: ExportWork): Promise<void>;
}
