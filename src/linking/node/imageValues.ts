import { PartKey } from '../../base/parts';
import type { ResultSource } from '../../session/node/resultSource';

/*
 * What a subject knows of images beside their objects, such as their conditions, for those that
 * paint or write it. Nobody needs it.
 */

/** What is known of images of a result that needn't be open. */
export interface ImageValues {
  /**
   * Columns with the value of each image, '' for none; by their paths. Throws what reading it
   * throws.
   */
  of(source: ResultSource, images: readonly string[]): Promise<{ name: string; values: readonly string[] }[]>;
}

export const imageValues = new PartKey<ImageValues>('imageValues');

/** Columns of images in the tables of an open result. */
export interface ImageCategories {
  /**
   * The values of a column, in their order; undefined where it isn't known. `place`: among the
   * columns of images of a table.
   */
  at(place: number): readonly string[] | undefined;
}

export const imageCategories = new PartKey<ImageCategories>('imageCategories');
