import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type {
  BackgroundImageInfo,
  BackgroundImageLook,
  ChannelLook,
} from '../../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { PagePort } from '../../../pages/page/pagePort';
import type { ValueSpread } from '../../../pages/page/widgets/colorScale';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectRef } from '../../../archives/masksSummary';
import { ImageLooks } from './imageLooks';
import type { ImageModel, Scene } from './imageModel';
import type { MasksViewState } from './masksViewState';
import { stretchedSize } from './objectMeasurements';
import type { MicronSize } from './pointerModel';

/** µm per pixel that the user set, by image ID; null for none. */
type PixelSizes = Record<string, number | null>;

/** The size of a pixel, and its source. */
export interface PixelSizeWithSource {
  size: MicronSize;
  from: 'user' | 'backgroundImage';
}

/**
 * Progress of the search for the background image. `share`: how much of a large file is read, 0…1.
 */
type Search = { step: 'looking' | 'stopped' | 'ended' } | { step: 'reading'; share: number };

/** The background image below the masks of an image. */
export interface PaintedBackground {
  scene: Scene;
  info: BackgroundImageInfo | undefined;
  look: BackgroundImageLook | undefined;
  stretched: boolean;
}

/** The histograms of a background image's channels, in the plane of its look. */
interface ChannelHistograms {
  backgroundImage: number;
  channels: readonly ValueSpread[];
}

interface BackgroundImageOptions {
  image: ImageModel;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  /** The user's µm per pixel, by image ID. */
  pixelSizes: Readonly<Record<string, number>>;
  /** The user changed the size of pixels. */
  onPixelSizesChanged: (before: PixelSizes, after: PixelSizes) => void;
  /** Makes a change that isn't recorded for undo. */
  withoutUndo: (change: () => void) => void;
  /** Reports a failure, unless it is a cancellation. */
  fail: (error: unknown) => void;
}

/** The background image of the current image: its file, its look, and its sample values. */
export class BackgroundImageModel {
  /** Undefined while no image is shown. */
  readonly painted: ReadonlySignal<PaintedBackground | undefined>;
  /** The size of the image's pixels; undefined if unknown. */
  readonly pixelSize: ReadonlySignal<PixelSizeWithSource | undefined>;
  private readonly looks: ImageLooks;
  private readonly foundPairing = signal<BackgroundImagePairing | undefined>(undefined);
  private readonly searching = signal<Search>({ step: 'looking' });
  /** The look, with the background image that it belongs to. */
  private readonly shownLook = signal<{ backgroundImage: number; look: BackgroundImageLook } | undefined>(
    undefined,
  );
  private readonly loadedHistograms = signal<ChannelHistograms | undefined>(undefined);
  private readonly isStretched: Signal<boolean>;
  private readonly isContrastShared: Signal<boolean>;
  private readonly userSizes: Signal<ReadonlyMap<string, number>>;
  /** Searches in progress. `image`: index of the image. */
  private readonly searches = new Set<{ image: number }>();
  private contrastRequests = 0;

  constructor(private readonly options: BackgroundImageOptions) {
    const { image, port, pixelSizes } = options;
    this.looks = new ImageLooks(port.view, looks => port.updateView(looks));
    this.isStretched = signal(port.view.stretched ?? false);
    this.isContrastShared = signal(this.looks.isShared);
    this.userSizes = signal(new Map(Object.entries(pixelSizes)));
    const unstyled = computed(() => {
      const scene = image.scene.value;
      const pairing = this.foundPairing.value;
      const stretched = pairing?.stretched ?? this.isStretched.value;
      return scene && { scene, info: pairing?.backgroundImage, stretched };
    });
    this.painted = computed(() => {
      const look = this.shownLook.value?.look;
      return unstyled.value && { ...unstyled.value, look: unstyled.value.info && look };
    });
    // Computed from `unstyled`: views of the size needn't render while only the look changes.
    this.pixelSize = computed(() => {
      const { scene, info, stretched } = unstyled.value ?? {};
      const userSize = scene && this.userSizes.value.get(scene.image.id);
      // The user's size beats the file's; a stretched background image has other pixels.
      if (userSize !== undefined) return { size: { x: userSize, y: userSize }, from: 'user' };
      if (!scene || !info?.pixelSize) return undefined;
      const size = stretched ? stretchedSize(info.pixelSize, info, scene.image) : info.pixelSize;
      return { size, from: 'backgroundImage' };
    });
  }

  /** The background image and how it was found; undefined before. */
  get pairing(): ReadonlySignal<BackgroundImagePairing | undefined> {
    return this.foundPairing;
  }

  get search(): ReadonlySignal<Search> {
    return this.searching;
  }

  /** Whether a background image of another size is stretched over the masks. */
  get stretched(): ReadonlySignal<boolean> {
    return this.isStretched;
  }

  /** Whether all images of one kind have the same contrast. */
  get isShared(): ReadonlySignal<boolean> {
    return this.isContrastShared;
  }

  /** The histograms of the channels, once loaded. */
  get histograms(): ReadonlySignal<ChannelHistograms | undefined> {
    return this.loadedHistograms;
  }

  /** Drops the data of the previous image. The new search starts after the masks are painted. */
  forget(): void {
    batch(() => {
      this.foundPairing.value = undefined;
      this.shownLook.value = undefined;
      this.loadedHistograms.value = undefined;
      this.searching.value = { step: 'looking' };
    });
  }

  /** Starts the search, or repeats it. */
  find(): Promise<void> {
    this.searching.value = { step: 'looking' };
    return this.pair(image => this.options.panel.request('backgroundImage', { image }));
  }

  confirm(): void {
    void this.pair(image => this.options.panel.request('confirmBackgroundImage', { image }));
  }

  choose(): void {
    void this.pair(image => this.options.panel.request('chooseBackgroundImage', { image }));
  }

  /** Undoes the user's choice or confirmation of a background image. */
  undoChoice(): void {
    void this.pair(image => this.options.panel.request('undoBackgroundImage', { image }));
  }

  /** Uses a background image of another size. */
  accept(offer: BackgroundImageOffer): void {
    void this.pair(image => this.options.panel.request('acceptBackgroundImage', { image, offer }));
  }

  /** Shows that `share` of a background image is read, 0…1. `image`: index of the image. */
  showProgress(image: number, share: number): void {
    const isSearched = [...this.searches].some(search => search.image === image);
    if (isSearched && image === this.options.image.scene.peek()?.image.index)
      this.searching.value = { step: 'reading', share };
  }

  /** Stops loading the background image. */
  stop(): void {
    const scene = this.options.image.scene.peek();
    if (scene) this.options.panel.send('stopBackgroundImage', { image: scene.image.index });
  }

  stretch(stretched: boolean): void {
    this.options.port.updateView({ stretched });
    this.isStretched.value = stretched;
  }

  /** Lets the user set the size of a pixel, for this image or for all images like it. */
  async choosePixelSize(): Promise<void> {
    const { image, panel, fail, onPixelSizesChanged } = this.options;
    const scene = image.scene.peek();
    if (!scene) return;
    try {
      const { pixelSizes } = await panel.request('choosePixelSize', { image: scene.image.index });
      const before = Object.fromEntries(
        Object.keys(pixelSizes).map(id => [id, this.userSizes.peek().get(id) ?? null]),
      );
      this.applyPixelSizes(pixelSizes);
      if (JSON.stringify(before) !== JSON.stringify(pixelSizes)) onPixelSizesChanged(before, pixelSizes);
    } catch (error) {
      fail(error);
    }
  }

  /** Sets the size of pixels. Throws errors of storing it. */
  async setPixelSizes(pixelSizes: PixelSizes): Promise<void> {
    await this.options.panel.request('setPixelSizes', { pixelSizes });
    this.applyPixelSizes(pixelSizes);
  }

  /** Changes how the background image is painted. */
  change(change: Partial<BackgroundImageLook>): void {
    const { scene, info, look: before } = this.painted.peek() ?? {};
    if (!scene || !info || !before) return;
    const look = { ...before, ...change };
    const save = () => this.looks.set(scene.image.id, info, look);
    // Moving to another plane isn't an undoable change.
    if (change.channels) save();
    else this.options.withoutUndo(save);
    this.shownLook.value = { backgroundImage: info.backgroundImage, look };
  }

  changeChannel(index: number, change: Partial<ChannelLook>): void {
    const channels = this.painted.peek()?.look?.channels;
    if (channels)
      this.change({
        channels: channels.map((channel, i) => (i === index ? { ...channel, ...change } : channel)),
      });
  }

  /** Gives all images of this kind the contrast of this one, or gives each image its own again. */
  share(shared: boolean): void {
    const { info, look } = this.painted.peek() ?? {};
    if (shared && info && look) this.looks.share(info, look);
    else this.looks.unshare();
    this.isContrastShared.value = this.looks.isShared;
  }

  /** Restores the looks of channels; see `ImageLooks.restore`. */
  restoreChannels(
    channels: Parameters<ImageLooks['restore']>[0],
    shared: Parameters<ImageLooks['restore']>[1],
  ): void {
    const { scene, info, look } = this.painted.peek() ?? {};
    const { page, z, t } = look ?? { page: 0, z: 0, t: 0 };
    this.looks.restore(channels, shared, { page, z, t });
    this.isContrastShared.value = this.looks.isShared;
    if (scene && info && look)
      this.shownLook.value = {
        backgroundImage: info.backgroundImage,
        look: { ...this.looks.lookOf(scene.image.id, info), page, z, t },
      };
  }

  /** Sets the usual contrast for the samples of the background image. */
  setUsualContrast(): void {
    void this.loadContrast(true);
  }

  /**
   * Mean sample per channel in an object; empty without a background image of the object's image.
   */
  async meansOf({ image, object }: ObjectRef, signal?: AbortSignal): Promise<readonly (number | null)[]> {
    const { scene, info, look } = this.painted.peek() ?? {};
    if (!info || image !== scene?.image.index) return [];
    const params = { backgroundImage: info.backgroundImage, image, object, ...(look && { look }) };
    return (await this.options.panel.request('objectIntensity', params, signal)).means;
  }

  private applyPixelSizes(pixelSizes: PixelSizes): void {
    const sizes = new Map(this.userSizes.peek());
    for (const [id, size] of Object.entries(pixelSizes)) {
      if (size === null) sizes.delete(id);
      else sizes.set(id, size);
    }
    this.userSizes.value = sizes;
  }

  private async pair(request: (image: number) => Promise<BackgroundImagePairing>): Promise<void> {
    const { image, fail } = this.options;
    const scene = image.scene.peek();
    if (!scene) return;
    const search = { image: scene.image.index };
    this.searches.add(search);
    try {
      const pairing = await request(scene.image.index);
      if (scene === image.scene.peek()) this.applyPairing(scene, pairing);
    } catch (error) {
      if (scene !== image.scene.peek()) return;
      fail(error);
      const pairing = this.foundPairing.peek();
      if (isCoded(error, 'cancelled') && !pairing) this.searching.value = { step: 'stopped' };
      else this.applyPairing(scene, pairing ?? { state: 'missing', how: '' });
    } finally {
      this.searches.delete(search);
    }
  }

  private applyPairing(scene: Scene, pairing: BackgroundImagePairing): void {
    const info = pairing.backgroundImage;
    const isNew = info?.backgroundImage !== this.shownLook.peek()?.backgroundImage;
    batch(() => {
      this.foundPairing.value = pairing;
      this.searching.value = { step: 'ended' };
      if (isNew)
        this.shownLook.value = info && {
          backgroundImage: info.backgroundImage,
          look: this.looks.lookOf(scene.image.id, info),
        };
    });
    if (isNew) void this.loadHistograms(scene);
  }

  /** Requests the histograms of the channels, once the picture is there. */
  private async loadHistograms(scene: Scene): Promise<void> {
    await scene.painted;
    if (scene === this.options.image.scene.peek()) await this.loadContrast(false);
  }

  /** Requests the histograms of the channels; with `apply`, sets the usual contrast from them. */
  private async loadContrast(apply: boolean): Promise<void> {
    const { panel, fail } = this.options;
    const request = ++this.contrastRequests;
    const { info, look } = this.painted.peek() ?? {};
    if (!info || !look) return;
    const { backgroundImage } = info;
    try {
      const { channels } = await panel.request('backgroundImageContrast', { backgroundImage, look });
      const current = this.painted.peek();
      if (request !== this.contrastRequests || !current?.look) return;
      batch(() => {
        if (apply)
          this.change({
            channels: (current.look?.channels ?? []).map((channel, index) => {
              const { low = channel.low, high = channel.high } = channels[index] ?? {};
              return { ...channel, low, high };
            }),
          });
        // Counts range from the lowest to the highest sample; the contrast's ends may lie beyond.
        const histograms = channels.map(({ lowest: min, highest: max, counts }) => ({
          min,
          max,
          counts: Uint32Array.from(counts),
        }));
        this.loadedHistograms.value = { backgroundImage, channels: histograms };
      });
    } catch (error) {
      fail(error);
    }
  }
}
