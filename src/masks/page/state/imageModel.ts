import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MaskImage, ObjectRef, ShownMaskImage } from '../../../archives/masksSummary';
import type { Box } from '../tiles/viewTransform';
import type { LoadedObjects } from './loadedObjects';

/** Loaded and painted data of an image while it is shown (ImageScene). */
export interface Scene {
  readonly image: MaskImage;
  /** Aborts when another image is shown. */
  readonly signal: AbortSignal;
  /** The objects, once they are loaded; while the image is being read, those read so far. */
  readonly objects: ReadonlySignal<Pick<LoadedObjects, 'classes'> | undefined>;
  /** 1 for each object whose row matches the table's filter; undefined if all match. */
  readonly matching: ReadonlySignal<Uint8Array | undefined>;
  /** Number of objects that neither classes nor filters hide; undefined until known. */
  readonly shownCount: ReadonlySignal<number | undefined>;
  /** Resolves once the filters are applied that were set when the objects were loaded. */
  readonly filtered: Promise<void>;
  /** Resolves once all visible masks are painted, or can't be. Less urgent requests wait for it. */
  readonly painted: Promise<void>;
  /** Whether all masks in view have been painted once. */
  readonly wasPainted: boolean;
  /** Fetches the objects' classes, and the matches of the table's filters, if any. */
  load(): Promise<void>;
  dispose(): void;
  /** Called when the pointer is over the image: boxes will be needed. */
  pointedAt(): void;
  /**
   * Applies the table's current filters. `matching`: 1 per matching object, if the panel sent it.
   */
  applyFilter(matching?: Uint8Array): Promise<void>;
  /** Whether neither a hidden class nor a filter hides an object. */
  isShown(object: number): boolean;
  /**
   * The topmost visible object at a pixel (null for none), if labels are loaded; else undefined.
   */
  objectNear(x: number, y: number): number | null | undefined;
  /** The box of an object if it is loaded; else requests it, once the objects are loaded. */
  boxOf(object: number): Box | undefined;
  /** Loads the box of an object; undefined where there is no such object. */
  loadBox(object: number): Promise<Box | undefined>;
  /** Stores the box of an object from another response. */
  setBox(object: number, box: Box): void;
}

/**
 * The class index of each object of an image. `matching`: 1 for each object that matches the
 * table's filter; undefined without a filter.
 */
interface ClassesOfObjects {
  classes: Uint16Array;
  matching: Uint8Array | undefined;
}

/** The current image of the archive: its position, its summary, and its painted data. */
export class ImageModel {
  /** The image's name; undefined without an image. */
  readonly name: ReadonlySignal<string | undefined>;
  /** Number of painted objects; undefined while unknown, which counts as all. */
  readonly shownCount: ReadonlySignal<number | undefined>;
  /** The image's objects, once all of them are loaded. */
  readonly objects: ReadonlySignal<ClassesOfObjects | undefined>;
  private readonly currentPosition = signal(-1);
  private readonly summaryCopy = signal<ShownMaskImage | undefined>(undefined);
  private readonly currentScene = signal<Scene | undefined>(undefined);

  constructor(
    private readonly images: readonly ShownMaskImage[],
    private readonly names: { nameOf(image: MaskImage): string },
  ) {
    this.name = computed(() => this.summaryCopy.value && this.names.nameOf(this.summaryCopy.value));
    this.shownCount = computed(() => this.currentScene.value?.shownCount.value);
    // Computed apart: counting a million objects again takes long, so other images don't cause it.
    const isPartial = computed(() => this.summaryCopy.value?.isPartial);
    this.objects = computed(() => {
      const scene = this.currentScene.value;
      const loaded = scene?.objects.value;
      if (!loaded || isPartial.value) return undefined;
      return { classes: loaded.classes, matching: scene.matching.value };
    });
  }

  /** The image's position in the archive, from 0; −1 while there is none. */
  get position(): ReadonlySignal<number> {
    return this.currentPosition;
  }

  /**
   * The image's current summary. A copy, as all parts of the page share the image objects, which
   * are updated in place.
   */
  get summary(): ReadonlySignal<ShownMaskImage | undefined> {
    return this.summaryCopy;
  }

  /** The image's painted and loaded data; undefined if it can't be read. */
  get scene(): ReadonlySignal<Scene | undefined> {
    return this.currentScene;
  }

  /** The image's summary itself, which is updated in place and isn't a signal. */
  get liveSummary(): ShownMaskImage | undefined {
    return this.images[this.currentPosition.peek()];
  }

  /** The scene, if it shows an object's image. */
  sceneOf({ image }: Pick<ObjectRef, 'image'>): Scene | undefined {
    const scene = this.currentScene.peek();
    return scene?.image.index === image ? scene : undefined;
  }

  /** The position of an object's image, or −1. */
  positionOf({ image }: Pick<ObjectRef, 'image'>): number {
    return this.images.findIndex(({ index }) => index === image);
  }

  /** Drops the loaded data: another image was opened, or the current one can't be read. */
  opened(position: number): void {
    this.currentScene.peek()?.dispose();
    batch(() => {
      this.currentScene.value = undefined;
      this.currentPosition.value = position;
      this.changed();
    });
  }

  /** Sets the image's scene, which starts to load. */
  painting(scene: Scene): void {
    this.currentScene.value = scene;
  }

  /** The image's summary or name was updated. */
  changed(): void {
    const { liveSummary } = this;
    this.summaryCopy.value = liveSummary && { ...liveSummary };
  }
}
