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

/** µm per pixel by image ID, as the user gave them; null for none. */
type PixelSizes = Record<string, number | null>;

/** The size of a pixel, and its source. */
export interface PixelSizeWithSource {
  size: MicronSize;
  from: 'user' | 'backgroundImage';
}

/** Progress of the search for the background image: `share` of a large one was read, 0…1. */
type Search = { step: 'looking' | 'stopped' | 'ended' } | { step: 'reading'; share: number };

/** A background image painted below the masks of an image. */
export interface PaintedBackground {
  under: Scene;
  info: BackgroundImageInfo | undefined;
  look: BackgroundImageLook | undefined;
  stretched: boolean;
}

interface BackgroundImageOptions {
  image: ImageModel;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  /** µm per pixel as the user gave them, by image ID. */
  pixelSizes: Readonly<Record<string, number>>;
  /** The user has said how large pixels are: by image ID, as before and now. */
  sized: (before: PixelSizes, after: PixelSizes) => void;
  /** Changes what can't be undone. */
  unnoticed: (change: () => void) => void;
  /** Says what failed, unless it was canceled. */
  fail: (error: unknown) => void;
}

/** The background image of the current image: how it was found, its paint, and its samples. */
export class BackgroundImageModel {
  /** It is undefined where nothing is loaded of the image. */
  readonly painted: ReadonlySignal<PaintedBackground | undefined>;
  /** The size of the image's pixels, if known. */
  readonly pixelSize: ReadonlySignal<PixelSizeWithSource | undefined>;
  private readonly looks: ImageLooks;
  private readonly found = signal<BackgroundImagePairing | undefined>(undefined);
  private readonly searching = signal<Search>({ step: 'looking' });
  private readonly lookOf = signal<{ of: number; look: BackgroundImageLook } | undefined>(undefined);
  private readonly samples = signal<{ of: number; channels: readonly ValueSpread[] } | undefined>(undefined);
  private readonly fitted: Signal<boolean>;
  private readonly shared: Signal<boolean>;
  private readonly given: Signal<ReadonlyMap<string, number>>;
  /** Searches that are under way, each for an image by its index. */
  private readonly searches = new Set<{ image: number }>();
  private contrastRequests = 0;

  constructor(private readonly options: BackgroundImageOptions) {
    const { image, port, pixelSizes } = options;
    this.looks = new ImageLooks(port.view, looks => port.updateView(looks));
    this.fitted = signal(port.view.stretched ?? false);
    this.shared = signal(this.looks.isShared);
    this.given = signal(new Map(Object.entries(pixelSizes)));
    const open = computed(() => {
      const under = image.scene.value;
      const pairing = this.found.value;
      const stretched = pairing?.stretched ?? this.fitted.value;
      return under && { under, info: pairing?.backgroundImage, stretched };
    });
    this.painted = computed(() => {
      const look = this.lookOf.value?.look;
      return open.value && { ...open.value, look: open.value.info && look };
    });
    // The same while only the look changes: nothing that shows it is rendered then.
    this.pixelSize = computed(() => {
      const { under, info, stretched } = open.value ?? {};
      const given = under && this.given.value.get(under.image.id);
      // The user's size beats the file's; a stretched background image has other pixels.
      if (given !== undefined) return { size: { x: given, y: given }, from: 'user' };
      if (!under || !info?.pixelSize) return undefined;
      const size = stretched ? stretchedSize(info.pixelSize, info, under.image) : info.pixelSize;
      return { size, from: 'backgroundImage' };
    });
  }

  /** How it was found; undefined before. */
  get pairing(): ReadonlySignal<BackgroundImagePairing | undefined> {
    return this.found;
  }

  get search(): ReadonlySignal<Search> {
    return this.searching;
  }

  /** Whether one of another size is stretched over the masks. */
  get stretched(): ReadonlySignal<boolean> {
    return this.fitted;
  }

  /** Whether all images of a kind have the same contrast. */
  get isShared(): ReadonlySignal<boolean> {
    return this.shared;
  }

  /** The histograms of its channels, once known. */
  get spreads(): ReadonlySignal<{ of: number; channels: readonly ValueSpread[] } | undefined> {
    return this.samples;
  }

  /** Another image: facts about the previous one are dropped; the search begins after the masks. */
  forget(): void {
    batch(() => {
      this.found.value = undefined;
      this.lookOf.value = undefined;
      this.samples.value = undefined;
      this.searching.value = { step: 'looking' };
    });
  }

  /** Looks for it, maybe again. */
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

  /** The user's choice or confirmation no longer counts. */
  undoChoice(): void {
    void this.pair(image => this.options.panel.request('undoBackgroundImage', { image }));
  }

  /** Takes one of another size. */
  accept(offer: BackgroundImageOffer): void {
    void this.pair(image => this.options.panel.request('acceptBackgroundImage', { image, offer }));
  }

  /** `share` of the background image of an image, by its index, was read. */
  read(image: number, share: number): void {
    const isSearched = [...this.searches].some(each => each.image === image);
    if (isSearched && image === this.options.image.scene.peek()?.image.index)
      this.searching.value = { step: 'reading', share };
  }

  /** Loads it no further. */
  stop(): void {
    const under = this.options.image.scene.peek();
    if (under) this.options.panel.send('stopBackgroundImage', { image: under.image.index });
  }

  stretch(stretched: boolean): void {
    this.options.port.updateView({ stretched });
    this.fitted.value = stretched;
  }

  /** Lets the user say how large a pixel is, of this image or of all like it. */
  async choosePixelSize(): Promise<void> {
    const { image, panel, fail, sized } = this.options;
    const under = image.scene.peek();
    if (!under) return;
    try {
      const { pixelSizes } = await panel.request('choosePixelSize', { image: under.image.index });
      const before = Object.fromEntries(
        Object.keys(pixelSizes).map(id => [id, this.given.peek().get(id) ?? null]),
      );
      this.sizesGiven(pixelSizes);
      if (JSON.stringify(before) !== JSON.stringify(pixelSizes)) sized(before, pixelSizes);
    } catch (error) {
      fail(error);
    }
  }

  /** Pixels are as large as given. Throws what storing that throws. */
  async setPixelSizes(pixelSizes: PixelSizes): Promise<void> {
    await this.options.panel.request('setPixelSizes', { pixelSizes });
    this.sizesGiven(pixelSizes);
  }

  /** Paints it otherwise from now on. */
  change(change: Partial<BackgroundImageLook>): void {
    const { under, info, look: before } = this.painted.peek() ?? {};
    if (!under || !info || !before) return;
    const look = { ...before, ...change };
    const save = () => this.looks.set(under.image.id, info, look);
    // Another plane is no change of the image.
    if (change.channels) save();
    else this.options.unnoticed(save);
    this.lookOf.value = { of: info.backgroundImage, look };
  }

  changeChannel(at: number, change: Partial<ChannelLook>): void {
    const channels = this.painted.peek()?.look?.channels;
    if (channels)
      this.change({ channels: channels.map((each, i) => (i === at ? { ...each, ...change } : each)) });
  }

  /** All images of its kind have its contrast from now on, or each its own. */
  share(shared: boolean): void {
    const { info, look } = this.painted.peek() ?? {};
    if (shared && info && look) this.looks.share(info, look);
    else this.looks.unshare();
    this.shared.value = this.looks.isShared;
  }

  /** Channels are painted as given by `ImageLooks.restore`. */
  restoreChannels(
    channels: Parameters<ImageLooks['restore']>[0],
    shared: Parameters<ImageLooks['restore']>[1],
  ): void {
    const { under, info, look } = this.painted.peek() ?? {};
    const { page, z, t } = look ?? { page: 0, z: 0, t: 0 };
    this.looks.restore(channels, shared, { page, z, t });
    this.shared.value = this.looks.isShared;
    if (under && info && look)
      this.lookOf.value = {
        of: info.backgroundImage,
        look: { ...this.looks.of(under.image.id, info), page, z, t },
      };
  }

  /** Sets the contrast that is usual for its samples. */
  setUsualContrast(): void {
    void this.loadContrast(true);
  }

  /** Means of the samples in an object, per channel; none without its image's background image. */
  async meansOf({ image, object }: ObjectRef, signal?: AbortSignal): Promise<readonly (number | null)[]> {
    const { under, info, look } = this.painted.peek() ?? {};
    if (!info || image !== under?.image.index) return [];
    const params = { backgroundImage: info.backgroundImage, image, object, ...(look && { look }) };
    return (await this.options.panel.request('objectIntensity', params, signal)).means;
  }

  private sizesGiven(pixelSizes: PixelSizes): void {
    const given = new Map(this.given.peek());
    for (const [id, size] of Object.entries(pixelSizes)) {
      if (size === null) given.delete(id);
      else given.set(id, size);
    }
    this.given.value = given;
  }

  private async pair(request: (image: number) => Promise<BackgroundImagePairing>): Promise<void> {
    const { image, fail } = this.options;
    const under = image.scene.peek();
    if (!under) return;
    const search = { image: under.image.index };
    this.searches.add(search);
    try {
      const pairing = await request(under.image.index);
      if (under === image.scene.peek()) this.paired(under, pairing);
    } catch (error) {
      if (under !== image.scene.peek()) return;
      fail(error);
      const known = this.found.peek();
      if (isCoded(error, 'cancelled') && !known) this.searching.value = { step: 'stopped' };
      else this.paired(under, known ?? { state: 'missing', how: '' });
    } finally {
      this.searches.delete(search);
    }
  }

  private paired({ image }: Scene, pairing: BackgroundImagePairing): void {
    const info = pairing.backgroundImage;
    const isOther = info?.backgroundImage !== this.lookOf.peek()?.of;
    batch(() => {
      this.found.value = pairing;
      this.searching.value = { step: 'ended' };
      if (isOther)
        this.lookOf.value = info && { of: info.backgroundImage, look: this.looks.of(image.id, info) };
    });
    if (isOther) void this.loadContrast(false);
  }

  /** Requests how samples are spread; with `apply`, sets their usual ranges. */
  private async loadContrast(apply: boolean): Promise<void> {
    const { panel, fail } = this.options;
    const request = ++this.contrastRequests;
    const { info, look } = this.painted.peek() ?? {};
    if (!info || !look) return;
    const { backgroundImage: of } = info;
    try {
      const { channels } = await panel.request('backgroundImageContrast', { backgroundImage: of, look });
      const now = this.painted.peek();
      if (request !== this.contrastRequests || !now?.look) return;
      batch(() => {
        if (apply)
          this.change({
            channels: (now.look?.channels ?? []).map((each, at) => {
              const { low = each.low, high = each.high } = channels[at] ?? {};
              return { ...each, low, high };
            }),
          });
        // The ends of the colors may be beyond those of the samples, to which the counts belong.
        const spreads = channels.map(({ lowest: min, highest: max, counts }) => ({
          min,
          max,
          counts: Uint32Array.from(counts),
        }));
        this.samples.value = { of, channels: spreads };
      });
    } catch (error) {
      fail(error);
    }
  }
}
