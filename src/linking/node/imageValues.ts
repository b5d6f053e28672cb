import { PartKey } from '../../base/parts';
import type { ResultSource } from '../../session/node/resultSource';

/*
 * Metadata of images, such as conditions, to paint or to export. Optional.
 */

/** The metadata of images of a result, which may be closed. */
export interface ImageValues {
  /** Columns with a value for each image path, '' without a value. Throws errors of reading. */
  columnsOf(
    source: ResultSource,
    images: readonly string[],
  ): Promise<{ name: string; values: readonly string[] }[]>;
}

export const imageValues = new PartKey<ImageValues>('imageValues');

/** Columns of images in the tables of an open result. */
export interface ImageCategories {
  /**
   * The ordered values of a column; undefined if unknown. `index`: its index among the columns of
   * images.
   */
  valuesOf(index: number): readonly string[] | undefined;
}

export const imageCategories = new PartKey<ImageCategories>('imageCategories');
