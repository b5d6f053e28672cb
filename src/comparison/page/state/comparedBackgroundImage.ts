import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { ImagePair } from '../../comparison';
import type { ComparisonPanelPort, SearchedImage } from '../../comparisonPage';

interface ComparedBackgroundImageDependencies {
  panel: Pick<ComparisonPanelPort, 'request'>;
  /** The images in view. */
  pair: ReadonlySignal<ImagePair | undefined>;
  isShown: boolean;
  save: (isShown: boolean) => void;
  failed: (error: unknown) => void;
}

/** The background image of the pair of images in view. */
export class ComparedBackgroundImage {
  private readonly currentPairing = signal<BackgroundImagePairing | undefined>(undefined);
  private readonly isVisible: Signal<boolean>;
  private search = new AbortController();

  constructor(private readonly dependencies: ComparedBackgroundImageDependencies) {
    this.isVisible = signal(dependencies.isShown);
  }

  get isShown(): ReadonlySignal<boolean> {
    return this.isVisible;
  }

  /** The pairing; undefined during the search, and while the image is hidden. */
  get pairing(): ReadonlySignal<BackgroundImagePairing | undefined> {
    return this.currentPairing;
  }

  toggle(): void {
    this.isVisible.value = !this.isVisible.peek();
    this.dependencies.save(this.isVisible.peek());
  }

  /**
   * Searches for the background image of the images in view; aborts an earlier search. Called when
   * the images or the visibility change.
   */
  async find(): Promise<void> {
    this.currentPairing.value = undefined;
    await this.request('find');
  }

  /** Accepts the suggested file. */
  async confirm(): Promise<void> {
    await this.request('confirm');
  }

  /** Lets the user select a file. */
  async choose(): Promise<void> {
    await this.request('choose');
  }

  /** Removes the user's choice. */
  async undoChoice(): Promise<void> {
    await this.request('undoChoice');
  }

  private async request(by: SearchedImage['by']): Promise<void> {
    this.search.abort();
    const { signal: abortSignal } = (this.search = new AbortController());
    const pair = this.dependencies.pair.peek();
    if (!pair || !this.isVisible.peek()) return;
    try {
      const pairing = await this.dependencies.panel.request(
        'imageBeneath',
        { a: pair.a, b: pair.b, by },
        abortSignal,
      );
      if (!abortSignal.aborted) this.currentPairing.value = pairing;
    } catch (error) {
      if (abortSignal.aborted) return;
      this.dependencies.failed(error);
      this.currentPairing.value ??= { state: 'missing', how: '' };
    }
  }
}
