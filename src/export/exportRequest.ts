import { CodedError } from '../base/errors';
import type { Reason } from '../base/reasons';
import type { ObjectPopulation } from '../linking/objectPopulations';
import type { MaskImage } from '../archives/masksSummary';

/** The content and the destination of an export. */
export interface ExportRequest {
  /** A key of exportFormats; other values throw `bad-request`. */
  format: string;
  /** Path of an existing folder. */
  destination: string;
  /** Name of the result, used for files about all images. */
  name: string;
  /**
   * Images to export; all if missing. A string is an ID, file name or path, and selects every image
   * that has it. A number is a position.
   */
  images?: readonly (string | number)[];
  /** Paths of images with ambiguous names, by position. */
  paths?: readonly { image: number; path: string }[];
  /** Columns of image metadata: a value per image, by position; '' for none. */
  imageColumns?: readonly { name: string; values: readonly string[] }[];
  /** Names of the classes to export; all if missing. */
  classes?: readonly string[];
  /** For some images: a byte per object, 0 to leave it out. */
  shown?: readonly { image: number; shown: ArrayBuffer }[];
  /**
   * Set if not all objects are exported. The manifest names it; so do file names for `selected`.
   */
  part?: 'visible' | 'selected';
  /** Writes one file per class and image, if the format supports it (label images). */
  perClass?: boolean;
  /**
   * The populations of each image with their objects, in the order of their tree; see
   * populationMembers. In GeoJSON, the population that colors an object replaces its class.
   */
  populations?: readonly {
    image: number;
    populations: readonly (ObjectPopulation & { members: ArrayBuffer })[];
  }[];
  /** Whether to replace existing files; if not, they throw `exists`. */
  overwrite?: boolean;
  /** Colors of classes as #rrggbb; other classes get colors of the palette. */
  colors?: Readonly<Record<string, string>>;
}

/** A file that an export wrote. */
export interface ExportedFile {
  path: string;
  bytes: number;
  /** Only for a file about one image: the image's ID, its path in the archive, and its objects. */
  image?: string;
  imagePath?: string;
  objects?: number;
}

/** The result of an export, with the objects that it left out. */
export interface ExportReport {
  files: ExportedFile[];
  /** Number of written objects. */
  objects: number;
  /**
   * The first 5,000 objects that couldn't be exported. `image` is the image's ID; `id` is the
   * object's key in the archive, or '' for the whole image. `unreadableCount` counts all of them.
   */
  unreadable: { image: string; id: string; reason: Reason }[];
  unreadableCount: number;
  /** Number of pixels that objects in label images lost to others on top; 0 for other formats. */
  overlapped: number;
}

/** Requests about exports that an engine thread handles. */
export interface ExportRequests {
  /** Exports the open masks, with progress events of the kind 'export'. */
  exportMasks: { params: ExportRequest; result: ExportReport };
  /** Resolves once no export is running, so that canceled ones have removed their files. */
  exportSettled: { params: Record<string, never>; result: Record<string, never> };
}

/**
 * The requested images (ExportRequest.images) in the archive's order. Throws `not-found` for an
 * unknown image.
 */
export function namedImages<T extends MaskImage>(images: readonly T[], names: ExportRequest['images']): T[] {
  if (!names) return [...images];
  const imagesByName = new Map<string | number, Set<T>>();
  for (const image of images) {
    for (const name of [
      image.index,
      image.id,
      image.filename,
      ...(image.path === undefined ? [] : [image.path]),
    ]) {
      const sameName = imagesByName.get(name);
      if (sameName) sameName.add(image);
      else imagesByName.set(name, new Set([image]));
    }
  }
  const requested = new Set<T>();
  for (const name of names) {
    const namesakes = imagesByName.get(name);
    if (!namesakes) throw new CodedError('not-found', 'There is no such image', { subject: String(name) });
    for (const image of namesakes) requested.add(image);
  }
  return images.filter(image => requested.has(image));
}

/** The name of an export's files. A suffix keeps files of selected objects apart. */
export function nameOfPart(name: string, { part }: Pick<ExportRequest, 'part'>): string {
  return part === 'selected' ? `${name}-selected` : name;
}

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ExportRequests {}
}
