import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MaskImage, ObjectRef, ShownMaskImage } from '../../../archives/masksSummary';
import type { Box } from '../tiles/viewTransform';
import type { LoadedObjects } from './loadedObjects';

/** Loaded and painted data of an image while it is shown (ImageScene). */
export interface Scene {
  readonly image: MaskImage;
  /** Fires when another image takes its place. */
  readonly signal: AbortSignal;
  /** Its objects, once they are known; while it is being read, those that were. */
  readonly objects: ReadonlySignal<Pick<LoadedObjects, 'classes'> | undefined>;
  /** 1 for each object whose row matches the table's filter; undefined if all match. */
  readonly matching: ReadonlySignal<Uint8Array | undefined>;
  /** Number of objects that neither classes nor filters hide; undefined until known. */
  readonly shownCount: ReadonlySignal<number | undefined>;
  /** Resolves once the filters are applied that the table had when objects were loaded. */
  readonly filtered: Promise<void>;
  /** Resolves once all visible masks are painted, or can't be; other requests follow. */
  readonly painted: Promise<void>;
  /** Whether all masks in view have been painted once. */
  readonly wasPainted: boolean;
  /** Fetches the objects' classes, and the matches of the table's filters, if any. */
  load(): Promise<void>;
  dispose(): void;
  /** The pointer is over the image: it will need boxes. */
  pointedAt(): void;
  /**
   * Follows the table's current filters; `known`: matching objects from the panel, uint8 each, if
   * sent.
   */
  applyFilter(known?: Uint8Array): Promise<void>;
  /** Whether an object is neither of a hidden class nor filtered away. */
  isShown(object: number): boolean;
  /**
   * The topmost visible object at a pixel (null for none), if labels are loaded; else undefined.
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
 * The class index of each object of an image, and 1 for each that matches the table's filter, if
 * any.
 */
interface ClassesOfObjects {
  classes: Uint16Array;
  matching: Uint8Array | undefined;
}

/** The current image of the archive: its position, facts about it, and its painted data. */
export class ImageModel {
  /** Its name; undefined without an image. */
  readonly name: ReadonlySignal<string | undefined>;
  /** Number of its painted objects; undefined, and taken as all, until known. */
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
   * Its current summary: a copy, since all parts of the page share the image objects, updated in
   * place.
   */
  get known(): ReadonlySignal<ShownMaskImage | undefined> {
    return this.copy;
  }

  /** Its painted and loaded data; undefined if it can't be read. */
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

  /** Another image is shown, or the same one proved unreadable: drops loaded data. */
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

  /** Facts about it, or its name, were updated. */
  changed(): void {
    const { shared } = this;
    this.copy.value = shared && { ...shared };
  }
}
