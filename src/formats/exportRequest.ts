export const exportFormats = ['coco', 'geojson', 'imagej-roi', 'labels-tiff', 'labels-png'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** What is to be exported of a masks archive, and where to. */
export interface ExportRequest {
  format: ExportFormat;
  /** Path of an existing folder. */
  destination: string;
  /** Name of the result, for the files that are about all its images. */
  name: string;
  /**
   * Images by id, file name (as text: every image that has it) or position (as a number), since several may have one id or
   * name; all when missing.
   */
  images?: readonly (string | number)[];
  /** Names of classes; all when missing. */
  classes?: readonly string[];
  /** For some images, by their index: a byte per object, 0 for those that are left out. */
  shown?: readonly { image: number; shown: ArrayBuffer }[];
  /** Label images: one for each class, instead of one for all. */
  perClass?: boolean;
  /** Replace files that are there; else `exists`. */
  overwrite?: boolean;
  /** Colours of classes as #rrggbb; those missing get the palette's. */
  colours?: Readonly<Record<string, string>>;
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
