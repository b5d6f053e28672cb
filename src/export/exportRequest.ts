import { CodedError } from '../base/errors';
import type { Reason } from '../base/reasons';
import type { ObjectPopulation } from '../linking/objectPopulations';
import type { MaskImage } from '../archives/masksSummary';

/** The content of an export, and its destination. */
export interface ExportRequest {
  /** A key of exportFormats; anything else is a `bad-request`. */
  format: string;
  /** Path of an existing folder. */
  destination: string;
  /** Name of the result, for the files that are about all its images. */
  name: string;
  /**
   * Images by id, file name or path (as text: every image that has it) or position (as a number),
   * since several may have one id or name; all when missing.
   */
  images?: readonly (string | number)[];
  /** Paths of images whose name others have too, by their position. */
  paths?: readonly { image: number; path: string }[];
  /** Metadata of images: a value per image by its position, '' for none. */
  imageColumns?: readonly { name: string; values: readonly string[] }[];
  /** Names of classes; all when missing. */
  classes?: readonly string[];
  /** For some images, by index: a byte per object, 0 to leave it out. */
  shown?: readonly { image: number; shown: ArrayBuffer }[];
  /**
   * The selection of objects, if not all: named in the manifest; selected objects also in file
   * names.
   */
  part?: 'visible' | 'selected';
  /** One file per class of an image, if the format can (label images); otherwise ignored. */
  perClass?: boolean;
  /**
   * The populations of each image in the order of their tree, with their objects, see
   * populationMembers. In GeoJSON, the population that colors an object replaces its class.
   */
  populations?: readonly {
    image: number;
    populations: readonly (ObjectPopulation & { members: ArrayBuffer })[];
  }[];
  /** Replace files that are there; else `exists`. */
  overwrite?: boolean;
  /** Colors of classes as #rrggbb; others are from the palette. */
  colors?: Readonly<Record<string, string>>;
}

/** A file that an export wrote. */
export interface ExportedFile {
  path: string;
  bytes: number;
  /**
   * A file about one image: the image's id, its path in the archive, and the number of objects in
   * the file.
   */
  image?: string;
  imagePath?: string;
  objects?: number;
}

/** The result of an export, with everything it left out. */
export interface ExportReport {
  files: ExportedFile[];
  /** Objects written. */
  objects: number;
  /**
   * The first 5,000 objects that could not be exported: `image` is the image's id, `id` the
   * object's key in the archive, '' for the whole image. `unreadableCount` counts all.
   */
  unreadable: { image: string; id: string; reason: Reason }[];
  unreadableCount: number;
  /** Label images: pixels that objects lost to others on top of them. Other formats lose none. */
  overlapped: number;
}

/** Requests about exports that an engine thread handles. */
export interface ExportRequests {
  /**
   * Exports the open masks; progress events name it 'export'. All files appear at the end, or none.
   */
  exportMasks: { params: ExportRequest; result: ExportReport };
  /** Resolves once no export is running: a canceled one has cleaned up. */
  exportSettled: { params: Record<string, never>; result: Record<string, never> };
}

/**
 * The requested images (ExportRequest.images) in the archive's order. Throws `not-found` for an
 * unknown one.
 */
export function namedImages<T extends MaskImage>(images: readonly T[], names: ExportRequest['images']): T[] {
  if (!names) return [...images];
  const named = new Map<string | number, Set<T>>();
  for (const image of images) {
    for (const name of [
      image.index,
      image.id,
      image.filename,
      ...(image.path === undefined ? [] : [image.path]),
    ]) {
      const found = named.get(name);
      if (found) found.add(image);
      else named.set(name, new Set([image]));
    }
  }
  const found = new Set<T>();
  for (const name of names) {
    const ofName = named.get(name);
    if (!ofName) throw new CodedError('not-found', 'There is no such image', { subject: String(name) });
    for (const image of ofName) found.add(image);
  }
  return images.filter(image => found.has(image));
}

/** A name for files of an export: files of selected objects don't replace those of all. */
export function nameOfPart(name: string, { part }: Pick<ExportRequest, 'part'>): string {
  return part === 'selected' ? `${name}-selected` : name;
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ExportRequests {}
}
