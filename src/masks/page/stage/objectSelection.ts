import type { ObjectRef } from '../../objectRef';
import type { ObjectsOfImage } from '../../objectsOfImage';

const NONE: ReadonlySet<number> = new Set();

/**
 * Several selected objects, of one image or of several: they stay selected while other images are shown and filters change.
 * The one object in focus, which is linked with the table, is not its business (ObjectFocus).
 */
export class ObjectSelection {
  private readonly images = new Map<number, Set<number>>();

  constructor(private readonly onChange: () => void) {}

  get count(): number {
    let count = 0;
    for (const objects of this.images.values()) count += objects.size;
    return count;
  }

  has({ image, object }: ObjectRef): boolean {
    return this.images.get(image)?.has(object) ?? false;
  }

  /** Those of one image; not to be changed. */
  of(image: number): ReadonlySet<number> {
    return this.images.get(image) ?? NONE;
  }

  /** All of them, by image. */
  get all(): ObjectsOfImage[] {
    return [...this.images]
      .sort(([a], [b]) => a - b)
      .map(([image, objects]) => ({ image, objects: [...objects].sort((a, b) => a - b) }));
  }

  /** Adds an object, or removes one that is selected. Whether it is selected now. */
  toggle({ image, object }: ObjectRef): boolean {
    const objects = this.images.get(image) ?? new Set();
    const added = !objects.delete(object);
    if (added) objects.add(object);
    if (objects.size > 0) this.images.set(image, objects);
    else this.images.delete(image);
    this.onChange();
    return added;
  }

  /** Selects objects of one image and no others. */
  replace(image: number, objects: readonly number[]): void {
    this.images.clear();
    if (objects.length > 0) this.images.set(image, new Set(objects));
    this.onChange();
  }

  /** As it was saved; nobody is told. */
  restore(selection: readonly ObjectsOfImage[]): void {
    for (const { image, objects } of selection) this.images.set(image, new Set(objects));
  }

  clear(): void {
    if (this.images.size === 0) return;
    this.images.clear();
    this.onChange();
  }
}
