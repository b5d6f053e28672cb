import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MaskImage, ObjectRef, ShownMaskImage } from '../../../archives/masksSummary';
import type { Box } from '../tiles/viewTransform';
import type { LoadedObjects } from './loadedObjects';

/** What is loaded and painted of an image, for as long as it is shown (ImageScene). */
export interface Scene {
  readonly image: MaskImage;
  /** Fires when another image takes its place. */
  readonly signal: AbortSignal;
  /** Its objects, once they are known; while it is being read, those that were. */
  readonly objects: ReadonlySignal<Pick<LoadedObjects, 'classes'> | undefined>;
  /**
   * 1 for each object whose row matches the table's filter; undefined where none is filtered away.
   */
  readonly matching: ReadonlySignal<Uint8Array | undefined>;
  /**
   * How many objects are neither of a hidden class nor filtered away; undefined until they are
   * known.
   */
  readonly shownCount: ReadonlySignal<number | undefined>;
  /** Resolves once the filters are applied that the table had when objects were loaded. */
  readonly filtered: Promise<void>;
  /**
   * Resolves once all masks in view are painted, or if none will be; what isn't visible is
   * requested after that.
   */
  readonly painted: Promise<void>;
  /** Whether all masks in view have been painted once. */
  readonly wasPainted: boolean;
  /**
   * Fetches the classes of the objects, and which of them match the table's filters, where it has
   * any.
   */
  load(): Promise<void>;
  dispose(): void;
  /** The pointer is over the image: it will need boxes. */
  pointedAt(): void;
  /**
   * Follows the table's current filters; `known` are the objects that match, uint8 each, if the
   * panel sent them.
   */
  applyFilter(known?: Uint8Array): Promise<void>;
  /** Whether an object is neither of a hidden class nor filtered away. */
  isShown(object: number): boolean;
  /**
   * The topmost shown object at a pixel (null for none), if the labels are loaded; else undefined.
   */
  objectNear(x: number, y: number): number | null | undefined;
  /** The box of an object, if it is loaded; else it is requested, once the objects are loaded. */
  boxOf(object: number): Box | undefined;
  /** Loads the box of an object; undefined where there is no such object. */
  loadBox(object: number): Promise<Box | undefined>;
  /** Stores the box of an object that another response had. */
  setBox(object: number, box: Box): void;
}

/**
 * The class of each object of an image, by its index, and 1 for each that matches the table's
 * filter, where it has one.
 */
interface ClassesOfObjects {
  classes: Uint16Array;
  matching: Uint8Array | undefined;
}

/**
 * The image shown, one of those of the archive: which one it is, what is known of it, and what is
 * painted of it.
 */
export class ImageModel {
  /** What it is called; undefined while there is none. */
  readonly name: ReadonlySignal<string | undefined>;
  /**
   * How many of its objects are painted; undefined until that is known, when all of them are taken
   * to be.
   */
  readonly shownCount: ReadonlySignal<number | undefined>;
  /** Its objects, once all of them are known. */
  readonly objects: ReadonlySignal<ClassesOfObjects | undefined>;
  private readonly at = signal(-1);
  private readonly copy = signal<ShownMaskImage | undefined>(undefined);
  private readonly painted = signal<Scene | undefined>(undefined);

  constructor(
    private readonly images: readonly ShownMaskImage[],
    private readonly names: { of(image: MaskImage): string },
  ) {
    this.name = computed(() => this.copy.value && this.names.of(this.copy.value));
    this.shownCount = computed(() => this.painted.value?.shownCount.value);
    // The same while only other images are read: to count a million objects anew takes a while.
    const isPartial = computed(() => this.copy.value?.isPartial);
    this.objects = computed(() => {
      const scene = this.painted.value;
      const found = scene?.objects.value;
      if (!found || isPartial.value) return undefined;
      return { classes: found.classes, matching: scene.matching.value };
    });
  }

  /** Its position in the archive, from 0; −1 while there is none. */
  get position(): ReadonlySignal<number> {
    return this.at;
  }

  /**
   * It as it is known now: a copy, since all parts of the page share the image objects, which are
   * updated in place.
   */
  get known(): ReadonlySignal<ShownMaskImage | undefined> {
    return this.copy;
  }

  /** What is painted and loaded of it; undefined where it can't be read. */
  get scene(): ReadonlySignal<Scene | undefined> {
    return this.painted;
  }

  /** The object that is updated in place. */
  get shared(): ShownMaskImage | undefined {
    return this.images[this.at.peek()];
  }

  /** The scene, if it is that of an object's image. */
  sceneOf({ image }: Pick<ObjectRef, 'image'>): Scene | undefined {
    const scene = this.painted.peek();
    return scene?.image.index === image ? scene : undefined;
  }

  /** The position of an object's image, or −1. */
  positionOf({ image }: Pick<ObjectRef, 'image'>): number {
    return this.images.findIndex(({ index }) => index === image);
  }

  /** Another image is shown now, or the same one proved unreadable: what was loaded goes. */
  opened(position: number): void {
    this.painted.peek()?.dispose();
    batch(() => {
      this.painted.value = undefined;
      this.at.value = position;
      this.changed();
    });
  }

  /** It has a scene, which begins to load. */
  painting(scene: Scene): void {
    this.painted.value = scene;
  }

  /** What is known of it was updated, or what it is called. */
  changed(): void {
    const { shared } = this;
    this.copy.value = shared && { ...shared };
  }
}
