import { PartKey } from '../../base/parts';
import type { TableKind } from '../../service/resultParts';

/** Metadata of the images that a table names. */
export interface ImageStudy {
  /** Positions of the columns that have these roles. */
  rolesOf(kind: TableKind, signal: AbortSignal): Promise<{ condition: number[]; replicate: number[] }>;
  /**
   * Areas of images in mm², by their texts in a column; undefined unless all images that aren't
   * excluded have one. May take long, because it opens files.
   */
  areasOf(kind: TableKind, signal: AbortSignal): Promise<ImageAreasByText | undefined>;
}

export interface ImageAreasByText {
  /** Position of the column with the texts. */
  column: number;
  texts: string[];
  areas: number[];
}

/** Absent if images have no metadata. */
export const imageStudy = new PartKey<ImageStudy>('imageStudy');
