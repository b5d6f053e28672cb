import { isCoded } from '../../../base/errors';
import type { MasksText } from '../../../pages/page/pageText';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage, ObjectRef, ObjectsOfImage } from '../../masksSummary';

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

/**
 * Objects of an image that are selected together, as they are saved with the view. The image goes by its ID, and is the same
 * one while it has as many objects.
 */
export interface SavedObjects {
  image: string;
  objectCount: number;
  objects: readonly number[];
}

type KnownImage = Pick<MaskImage, 'index' | 'id' | 'objectCount'>;

/** Objects that are saved: more would slow down each saving of the view. */
const MAX_SAVED = 20_000;

/** A selection to be saved; none of one that is too large. */
export function savedSelection(
  selection: readonly ObjectsOfImage[],
  images: readonly KnownImage[],
): SavedObjects[] {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count > MAX_SAVED) return [];
  return selection.flatMap(({ image, objects }) => {
    const known = images.find(({ index }) => index === image);
    return known ? [{ image: known.id, objectCount: known.objectCount, objects }] : [];
  });
}

/** The selection as it was saved, of the images that are the same. */
export function restoredSelection(
  saved: readonly SavedObjects[],
  images: readonly KnownImage[],
): ObjectsOfImage[] {
  return saved.flatMap(({ image, objectCount, objects }) => {
    const known = images.find(({ id }) => id === image);
    return known?.objectCount === objectCount ? [{ image: known.index, objects }] : [];
  });
}

/** What of the image shown decides which objects a region selects. */
interface SelectableScene {
  readonly image: { readonly index: number };
  /** Fires when another image takes its place. */
  readonly signal: AbortSignal;
  isShown(object: number): boolean;
}

interface RegionSelectionOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: MasksText;
  scene: () => SelectableScene | undefined;
  selection: ObjectSelection;
  /** What was selected, in words: for the status line and for screen readers. */
  onSelected: (words: string) => void;
  onFailure: (error: unknown) => void;
}

/** Selects the shown objects inside a region; their rows become a filter of the table. */
export class RegionSelection {
  private pending: AbortController | undefined;

  constructor(private readonly options: RegionSelectionOptions) {}

  /** The user has moved on: what was drawn before selects nothing any more. */
  cancel(): void {
    this.pending?.abort();
  }

  /** In place of a region drawn before. `polygon`: corners x, y in turn, in image pixels. */
  async select(polygon: number[]): Promise<void> {
    const { panel, text, scene, selection, onSelected, onFailure } = this.options;
    const of = scene();
    if (!of) return;
    const { index: image } = of.image;
    this.cancel();
    this.pending = new AbortController();
    const signal = AbortSignal.any([of.signal, this.pending.signal]);
    try {
      const inside = await panel.request('objectsInRegion', { image, polygon }, signal);
      if (signal.aborted) return;
      const objects = inside.objects.filter(object => of.isShown(object));
      if (objects.length === 0) {
        onSelected(text.get('selectedNone'));
        return;
      }
      selection.replace(image, objects);
      const { rows } = await panel.request('selectRows', { image, objects }, signal);
      if (signal.aborted) return;
      onSelected(
        rows === 0
          ? text.count('selectedWithoutRows', objects.length)
          : text.count('selectedObjects', objects.length, rows),
      );
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
