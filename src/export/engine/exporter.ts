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
  /** Writes a file about one image. `write` returns the number of written objects. */
  writeOfImage(image: MaskImage, name: string, write: (file: OutputFile) => Promise<number>): Promise<void>;
  /** The report, to which the exporter adds its counts. */
  report: ExportReport;
  signal: AbortSignal | undefined;
  /** Reports progress in an image, 0…1. `position`: of the image among the selected ones. */
  progress: (position: number, share: number) => void;
}

/** One format of export. */
export interface Exporter {
  /** Names of the files that `write` may create. */
  fileNames(request: ExportRequest, selection: ExportSelection, summary: ArchiveSummary): string[];
  /**
   * Throws `bad-request` if the format can't represent an image. Called before any file is written.
   */
  check?(image: MaskImage): void;
  write(work: ExportWork): Promise<void>;
}

/** The images, classes and objects to export. */
export interface ExportSelection {
  images: { image: ArchiveImage; stem: string }[];
  /** Ascending indices of the classes to export. */
  classes: number[];
  /** The objects of an image to export, in the archive's order. */
  objects(image: number, signal?: AbortSignal): AsyncGenerator<MaskedObject, void, undefined>;
}

/** Colors of classes: the chosen ones (#rrggbb), else those of the palette. */
export function classColors(
  classes: readonly { name: string }[],
  chosenColors: Readonly<Record<string, string>> = {},
): (className: string) => Rgb {
  const colors = new Map<string, Rgb>();
  classes.forEach(({ name }, index) => {
    const hex = Object.hasOwn(chosenColors, name) ? (chosenColors[name] ?? '') : '';
    colors.set(name, fromHex(hex) ?? classColor(index));
  });
  return className => colors.get(className) ?? classColor(0);
}
