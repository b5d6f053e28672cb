import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MaskImage, ShownMaskImage } from '../../masksSummary';

/** The image shown, one of those of the archive: which one it is, and what is known of it. */
export class ImageModel {
  /** What it is called; undefined while there is none. */
  readonly name: ReadonlySignal<string | undefined>;
  private readonly at = signal(-1);
  private readonly copy = signal<ShownMaskImage | undefined>(undefined);
  private readonly shown = signal<number | undefined>(undefined);

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

  /** The object that is updated in place. */
  get shared(): ShownMaskImage | undefined {
    return this.images[this.at.peek()];
  }

  /** Another image is shown now. */
  opened(position: number): void {
    this.at.value = position;
    this.shown.value = undefined;
    this.changed();
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
