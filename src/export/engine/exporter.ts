import { classColor, fromHex, type Rgb } from '../../base/colors';
import type { MaskedObject } from '../../archives/engine/masks';
import type { ArchiveImage, ArchiveSummary, MaskImage } from '../../archives/masksSummary';
import type { ExportReport, ExportRequest } from '../exportRequest';
import type { OutputFile, OutputFolder } from '../../base/node/outputFolder';

/** The arguments of a format's exporter. */
export interface ExportWork {
  request: ExportRequest;
  summary: ArchiveSummary;
  selection: ExportSelection;
  folder: OutputFolder;
  /**
   * Writes a file about one image; `write` returns the number of objects written, for the report.
   */
  writeOfImage(image: MaskImage, name: string, write: (file: OutputFile) => Promise<number>): Promise<void>;
  /** The exporter adds its counts. */
  report: ExportReport;
  signal: AbortSignal | undefined;
  /**
   * Reports the share of an image that is done, 0…1; `at`: its position among the selected images.
   */
  progress: (at: number, share: number) => void;
}

/** One format of export. */
export interface Exporter {
  /** Names of the files that `write` may create. */
  fileNames(request: ExportRequest, selection: ExportSelection, summary: ArchiveSummary): string[];
  /**
   * Throws `bad-request` for an image that the format can't represent, before anything is written.
   */
  check?(image: MaskImage): void;
  write(work: ExportWork): Promise<void>;
}

/** The part of an archive that is exported. */
export interface ExportSelection {
  images: { image: ArchiveImage; stem: string }[];
  /** Indices of the classes that are exported, ascending. */
  classes: number[];
  /** The objects of an image that are exported, in the archive's order. */
  objects(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined>;
}

/** The colors of classes: given as #rrggbb, or from the palette. */
export function classColors(
  classes: readonly { name: string }[],
  given: Readonly<Record<string, string>> = {},
): (className: string) => Rgb {
  const colors = new Map<string, Rgb>();
  classes.forEach(({ name }, index) => {
    const hex = Object.hasOwn(given, name) ? (given[name] ?? '') : '';
    colors.set(name, fromHex(hex) ?? classColor(index));
  });
  return className => colors.get(className) ?? classColor(0);
}
