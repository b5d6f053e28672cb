import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { ImagePair } from '../../comparison';
import type { ComparisonPanelPort, SearchedImage } from '../../comparisonPage';

interface ImageBeneathDependencies {
  panel: Pick<ComparisonPanelPort, 'request'>;
  /** The images in view. */
  pair: ReadonlySignal<ImagePair | undefined>;
  isShown: boolean;
  save: (isShown: boolean) => void;
  failed: (error: unknown) => void;
}

/** The image of both sides, below their outlines. */
export class ImageBeneath {
  private readonly found = signal<BackgroundImagePairing | undefined>(undefined);
  private readonly visible: Signal<boolean>;
  private searching = new AbortController();

  constructor(private readonly parts: ImageBeneathDependencies) {
    this.visible = signal(parts.isShown);
  }

  get isShown(): ReadonlySignal<boolean> {
    return this.visible;
  }

  /** How it was found; undefined during the search, and while it is hidden. */
  get pairing(): ReadonlySignal<BackgroundImagePairing | undefined> {
    return this.found;
  }

  toggle(): void {
    this.visible.value = !this.visible.peek();
    this.parts.save(this.visible.peek());
  }

  /** Looks for that of the images in view; a search before it ends. Called as either changes. */
  async find(): Promise<void> {
    this.found.value = undefined;
    await this.request('find');
  }

  /** Takes the file that was suggested. */
  async confirm(): Promise<void> {
    await this.request('confirm');
  }

  /** Lets the user select a file. */
  async choose(): Promise<void> {
    await this.request('choose');
  }

  /** The user's choice or confirmation no longer counts. */
  async undoChoice(): Promise<void> {
    await this.request('undoChoice');
  }

  private async request(by: SearchedImage['by']): Promise<void> {
    this.searching.abort();
    const { signal: ended } = (this.searching = new AbortController());
    const pair = this.parts.pair.peek();
    if (!pair || !this.visible.peek()) return;
    try {
      const found = await this.parts.panel.request('imageBeneath', { a: pair.a, b: pair.b, by }, ended);
      if (!ended.aborted) this.found.value = found;
    } catch (error) {
      if (ended.aborted) return;
      this.parts.failed(error);
      this.found.value ??= { state: 'missing', how: '' };
    }
  }
}
