/** One object of the masks: the position of its image in the archive and its own position in the image, both from 0. */
export interface ObjectRef {
  image: number;
  object: number;
}

export function sameObject(a: ObjectRef | null, b: ObjectRef | null): boolean {
  return a === b || (a !== null && b !== null && a.image === b.image && a.object === b.object);
}
