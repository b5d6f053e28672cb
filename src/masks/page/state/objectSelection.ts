import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { MaskImage, ObjectRef, ObjectsOfImage } from '../../../archives/masksSummary';

const NO_OBJECTS: ReadonlySet<number> = new Set();

/**
 * Several selected objects, of one or more images. They stay selected while other images are shown
 * and filters change. The single object in focus, which is linked with the table, is in
 * ObjectFocus.
 */
export class ObjectSelection {
  /** The selected objects by image. */
  readonly all: ReadonlySignal<readonly ObjectsOfImage[]>;
  readonly count: ReadonlySignal<number>;
  private readonly images = signal<ReadonlyMap<number, ReadonlySet<number>>>(new Map());

  /**
   * `changed` is called with the number of selected objects when the user changes the selection.
   */
  constructor(
    private readonly summaries: readonly NumberedImage[],
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

  /** The selected objects of one image. */
  objectsIn(image: number): ReadonlySet<number> {
    return this.images.value.get(image) ?? NO_OBJECTS;
  }

  /** Adds an object, or removes a selected one. Returns whether it is selected now. */
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

  /** Selects these objects and no others. */
  replaceAll(objects: readonly ObjectsOfImage[]): void {
    this.select(new Map(objects.map(ofImage => [ofImage.image, new Set(ofImage.objects)])));
  }

  /** Restores the saved selection without calling `changed`. */
  restore(): void {
    const saved = restoredSelection(this.port.view.several ?? [], this.summaries);
    if (saved.length > 0)
      this.images.value = new Map(saved.map(({ image, objects }) => [image, new Set(objects)]));
  }

  clear(): void {
    if (this.images.peek().size > 0) this.select(new Map());
  }

  private select(images: ReadonlyMap<number, ReadonlySet<number>>): void {
    this.images.value = images;
    this.port.updateView({ several: savedSelection(this.all.peek(), this.summaries) });
    this.changed(this.count.peek());
  }
}

/**
 * Selected objects of an image in the saved view. An image counts as unchanged while its ID and its
 * object count are the same.
 */
export interface SavedObjects {
  image: string;
  objectCount: number;
  objects: readonly number[];
}

export type NumberedImage = Pick<MaskImage, 'index' | 'id' | 'objectCount'>;

/** Maximum number of saved objects: more would slow down each save of the view. */
const MAX_SAVED_OBJECTS = 20_000;

/** The selection in its saved form; empty if it is too large to save. */
export function savedSelection(
  selection: readonly ObjectsOfImage[],
  images: readonly NumberedImage[],
): SavedObjects[] {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count > MAX_SAVED_OBJECTS) return [];
  return selection.flatMap(({ image, objects }) => {
    const summary = images.find(({ index }) => index === image);
    return summary ? [{ image: summary.id, objectCount: summary.objectCount, objects }] : [];
  });
}

/** The saved selection, limited to unchanged images. */
export function restoredSelection(
  saved: readonly SavedObjects[],
  images: readonly NumberedImage[],
): ObjectsOfImage[] {
  return saved.flatMap(({ image, objectCount, objects }) => {
    const summary = images.find(({ id }) => id === image);
    return summary?.objectCount === objectCount ? [{ image: summary.index, objects }] : [];
  });
}
