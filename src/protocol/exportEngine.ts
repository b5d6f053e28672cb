export type ExportFormat = 'coco' | 'geojson' | 'imagej-roi' | 'labels-tiff' | 'labels-png';

/** What is to be exported of the masks that are open. */
export interface MasksExport {
  format: ExportFormat;
  /** Path of an existing folder. */
  destination: string;
  /** Name of the result, for the files that are about all its images. */
  name: string;
  /** Ids or file names of images; all when missing. */
  images?: string[];
  /** Names of classes; all when missing. */
  classes?: string[];
  /** For some images, by their index: a byte per object, 0 for those that are left out. */
  shown?: { image: number; shown: ArrayBuffer }[];
  /** Label images: one for each class, instead of one for all. */
  perClass?: boolean;
  /** Replace files that are there; else `exists`. */
  overwrite?: boolean;
  /** Colours of classes as #rrggbb; those missing get the palette's. */
  colours?: Record<string, string>;
}

/** What an export made, and what it had to leave out. */
export interface ExportReport {
  files: { path: string; bytes: number }[];
  /** Objects written. */
  objects: number;
  /**
   * What could not be exported, the first 5,000: `image` is the image's id, `id` the object's key in the archive, '' when it
   * is about the whole image. `unreadableCount` counts all.
   */
  unreadable: { image: string; id: string; reason: string }[];
  unreadableCount: number;
  /** Label images: pixels that objects lost to others on top of them. Other formats lose none. */
  overlapped: number;
}

/** What an engine thread answers about exports. */
export interface ExportRequests {
  /** Exports the open masks; progress is told as 'export'. All files appear at the end, or none. */
  exportMasks: { params: MasksExport; result: ExportReport };
  /** Answers once no export runs any more: a cancelled one has cleaned up. */
  exportSettled: { params: Record<string, never>; result: Record<string, never> };
}
