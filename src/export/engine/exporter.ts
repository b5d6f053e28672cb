import type { ExportReport, ExportRequest } from '../exportRequest';
import type { ArchiveSummary, MaskImage } from '../../masks/masksSummary';
import type { OutputFile, OutputFolder } from './outputFolder';
import type { ExportSelection } from './selection';

/** What the exporter of a format works with. */
export interface ExportWork {
  request: ExportRequest;
  summary: ArchiveSummary;
  selection: ExportSelection;
  folder: OutputFolder;
  /** Writes a file about one image; `write` returns how many objects it wrote, which are added to the report. */
  writeOfImage(image: MaskImage, name: string, write: (file: OutputFile) => Promise<number>): Promise<void>;
  /** The exporter adds its counts. */
  report: ExportReport;
  signal: AbortSignal | undefined;
  /** Reports how much of an image is done, 0…1; `at` is its position among those selected. */
  progress: (at: number, share: number) => void;
}

/** One format of export. */
export interface Exporter {
  /** Names of the files that `write` may create. */
  fileNames(request: ExportRequest, selection: ExportSelection, summary: ArchiveSummary): string[];
  /** Throws `bad-request` for an image that the format can't represent; called before anything is written. */
  check?(image: MaskImage): void;
  write(work: ExportWork): Promise<void>;
}
