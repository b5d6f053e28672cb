import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { MaskImage, ObjectRef, ObjectsOfImage } from '../../../archives/masksSummary';

const NONE: ReadonlySet<number> = new Set();

/**
 * Several selected objects, of one image or of several: they stay selected while other images are
 * shown and filters change. The one object in focus, which is linked with the table, is not its
 * business (ObjectFocus).
 */
export class ObjectSelection {
  /** All of them, by image. */
  readonly all: ReadonlySignal<readonly ObjectsOfImage[]>;
  readonly count: ReadonlySignal<number>;
  private readonly images = signal<ReadonlyMap<number, ReadonlySet<number>>>(new Map());

  /** `changed` is called with their number when the user has selected others. */
  constructor(
    private readonly known: readonly NumberedImage[],
    private readonly port: Pick<PagePort<{ several: SavedObjects[] }>, 'view' | 'updateView'>,
    private readonly changed: (count: number) => void,
  ) {
    this.all = computed(() =>
      [...this.images.value]
        .sort(([a], [b]) => a - b)
        .map(([image, objects]) => ({ image, objects: [...objects].sort((a, b) => a - b) })),
    );
    this.count = computed(() => [...this.images.value.values()].reduce((sum, { size }) => sum + size, 0));
  }

  has({ image, object }: ObjectRef): boolean {
    return this.images.peek().get(image)?.has(object) ?? false;
  }

  /** Those of one image. */
  of(image: number): ReadonlySet<number> {
    return this.images.value.get(image) ?? NONE;
  }

  /** Adds an object, or removes one that is selected. Whether it is selected now. */
  toggle({ image, object }: ObjectRef): boolean {
    const images = new Map(this.images.peek());
    const objects = new Set(images.get(image));
    const added = !objects.delete(object);
    if (added) objects.add(object);
    if (objects.size > 0) images.set(image, objects);
    else images.delete(image);
    this.select(images);
    return added;
  }

  /** Selects objects of one image and no others. */
  replace(image: number, objects: readonly number[]): void {
    this.select(new Map(objects.length > 0 ? [[image, new Set(objects)]] : []));
  }

  /** Selects these and no others. */
  replaceAll(objects: readonly ObjectsOfImage[]): void {
    this.select(new Map(objects.map(each => [each.image, new Set(each.objects)])));
  }

  /** Restores the saved ones, without events. */
  restore(): void {
    const saved = restoredSelection(this.port.view.several ?? [], this.known);
    if (saved.length > 0)
      this.images.value = new Map(saved.map(({ image, objects }) => [image, new Set(objects)]));
  }

  clear(): void {
    if (this.images.peek().size > 0) this.select(new Map());
  }

  private select(images: ReadonlyMap<number, ReadonlySet<number>>): void {
    this.images.value = images;
    this.port.updateView({ several: savedSelection(this.all.peek(), this.known) });
    this.changed(this.count.peek());
  }
}

/**
 * Objects of an image selected together, in the saved view. The image has its ID, and is the same
 * while its object count is.
 */
export interface SavedObjects {
  image: string;
  objectCount: number;
  objects: readonly number[];
}

export type NumberedImage = Pick<MaskImage, 'index' | 'id' | 'objectCount'>;

/** Objects that are saved: more would slow down each saving of the view. */
const MAX_SAVED = 20_000;

/** A selection to be saved; none of one that is too large. */
export function savedSelection(
  selection: readonly ObjectsOfImage[],
  images: readonly NumberedImage[],
): SavedObjects[] {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count > MAX_SAVED) return [];
  return selection.flatMap(({ image, objects }) => {
    const known = images.find(({ index }) => index === image);
    return known ? [{ image: known.id, objectCount: known.objectCount, objects }] : [];
  });
}

/** The saved selection, limited to unchanged images. */
export function restoredSelection(
  saved: readonly SavedObjects[],
  images: readonly NumberedImage[],
): ObjectsOfImage[] {
  return saved.flatMap(({ image, objectCount, objects }) => {
    const known = images.find(({ id }) => id === image);
    return known?.objectCount === objectCount ? [{ image: known.index, objects }] : [];
  });
}
