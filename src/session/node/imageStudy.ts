import { PartKey } from '../../base/parts';
import type { TableKind } from '../../service/resultParts';

/** What is known of the images that a table names. */
export interface ImageStudy {
  /** Positions of the columns that have these roles. */
  rolesOf(kind: TableKind, signal: AbortSignal): Promise<{ condition: number[]; replicate: number[] }>;
  /**
   * mm² of images, by the texts that name them in a column; undefined where that isn't known of
   * each image that isn't excluded. It may take long, since files are opened.
   */
  areasOf(kind: TableKind, signal: AbortSignal): Promise<ImageAreasByText | undefined>;
}

export interface ImageAreasByText {
  /** The position of the column. */
  column: number;
  texts: string[];
  areas: number[];
}

/** Absent where nothing is known of images. */
export const imageStudy = new PartKey<ImageStudy>('imageStudy');
