import { PartKey } from '../../base/parts';
import type { ResultSource } from '../../session/node/resultSource';

/* Metadata of images, such as conditions, for those that paint or write it. It is optional. */

/** Metadata of images of a result, open or not. */
export interface ImageValues {
  /** Columns with a value per image, '' for none, by paths. Throws errors of reading. */
  of(source: ResultSource, images: readonly string[]): Promise<{ name: string; values: readonly string[] }[]>;
}

export const imageValues = new PartKey<ImageValues>('imageValues');

/** Columns of images in the tables of an open result. */
export interface ImageCategories {
  /**
   * The values of a column in their order; undefined if unknown. `place`: among the columns of
   * images of a table.
   */
  at(place: number): readonly string[] | undefined;
}

export const imageCategories = new PartKey<ImageCategories>('imageCategories');
