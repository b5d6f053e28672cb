import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MaskImage, ShownMaskImage } from '../../masksSummary';

/** What is loaded of an image, for as long as it is shown. */
export interface LoadedImage {
  readonly image: MaskImage;
  /** Fires when another image takes its place. */
  readonly signal: AbortSignal;
  /** Resolves once all masks in view are painted, or if none will be. */
  readonly painted: Promise<void>;
}

/** The class of each object of an image, by its index, and 1 for each that matches the table's filter, where it has one. */
interface ClassesOfObjects {
  classes: Uint16Array;
  matching: Uint8Array | undefined;
}

/** The image shown, one of those of the archive: which one it is, and what is known of it. */
export class ImageModel {
  /** What it is called; undefined while there is none. */
  readonly name: ReadonlySignal<string | undefined>;
  private readonly at = signal(-1);
  private readonly copy = signal<ShownMaskImage | undefined>(undefined);
  private readonly shown = signal<number | undefined>(undefined);
  private readonly loading = signal<LoadedImage | undefined>(undefined);
  private readonly classes = signal<ClassesOfObjects | undefined>(undefined);

  constructor(
    private readonly images: readonly ShownMaskImage[],
    private readonly names: { of(image: MaskImage): string },
  ) {
    this.name = computed(() => this.copy.value && this.names.of(this.copy.value));
  }

  /** Its position in the archive, from 0; −1 while there is none. */
  get position(): ReadonlySignal<number> {
    return this.at;
  }

  /** It as it is known now: a copy, since all parts of the page share the image objects, which are updated in place. */
  get known(): ReadonlySignal<ShownMaskImage | undefined> {
    return this.copy;
  }

  /** How many of its objects are painted; undefined until that is known, when all of them are taken to be. */
  get shownCount(): ReadonlySignal<number | undefined> {
    return this.shown;
  }

  /** What is loaded of it; undefined while nothing is, and where it can't be read. */
  get loaded(): ReadonlySignal<LoadedImage | undefined> {
    return this.loading;
  }

  /** Its objects, once all of them are known. */
  get objects(): ReadonlySignal<ClassesOfObjects | undefined> {
    return this.classes;
  }

  /** The object that is updated in place. */
  get shared(): ShownMaskImage | undefined {
    return this.images[this.at.peek()];
  }

  /** Another image is shown now, of which nothing is loaded yet. */
  opened(position: number): void {
    batch(() => {
      this.at.value = position;
      this.shown.value = undefined;
      this.loading.value = undefined;
      this.classes.value = undefined;
      this.changed();
    });
  }

  /** From now on it is being loaded. */
  loads(loaded: LoadedImage): void {
    this.loading.value = loaded;
  }

  /** All of its objects are known, or others of them match the table's filter. */
  listed(objects: ClassesOfObjects): void {
    this.classes.value = objects;
  }

  /** What is known of it was updated, or what it is called. */
  changed(): void {
    const { shared } = this;
    this.copy.value = shared && { ...shared };
  }

  counted(shown: number | undefined): void {
    this.shown.value = shown;
  }
}
