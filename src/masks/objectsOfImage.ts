/** Objects of one image, by their numbers, ascending. */
export interface ObjectsOfImage {
  image: number;
  objects: readonly number[];
}
