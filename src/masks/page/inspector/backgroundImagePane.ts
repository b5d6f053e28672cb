import { isCoded } from '../../../base/errors';
import type { BackgroundImageInfo, BackgroundImageLook } from '../../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { MasksText } from '../../../pages/page/pageText';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage, ObjectDetails, ObjectRef } from '../../masksSummary';
import type { ImageScene } from '../stage/imageScene';
import { ImageLooks, type SavedImageLooks } from '../state/imageLooks';
import type { Extent, Point } from '../tiles/viewTransform';
import { BackgroundImageControls, channelName } from './backgroundImageControls';
import {
  BackgroundImageSection,
  ImageFileSection,
  type ImageSection,
  type KnownPixelSize,
} from './imageSection';
import { stretchedSize } from './objectMeasurements';
import type { PointerModel } from '../state/pointerModel';
import type { ObjectSurroundings } from './objectSection';

interface BackgroundImagePaneOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** False where the image is shown by itself. */
  hasMasks: boolean;
  /** Whether there are several images, which may have the same contrast. */
  severalImages: boolean;
  /** Whether a background image of another size is stretched over the masks, as saved. */
  stretched: boolean;
  /** µm per pixel as the user gave them, by image id. */
  pixelSizes: Readonly<Record<string, number>>;
  onStretched: (stretched: boolean) => void;
  /** How background images are painted, as saved. */
  looks: Partial<SavedImageLooks>;
  onLooks: (looks: SavedImageLooks) => void;
  /** Learns how large the image's pixels are, and what is beneath the pointer. */
  pointer: PointerModel;
  /** The background image of an image, by its index, is open now. */
  onOpened: (image: number) => void;
  onSurroundings: (surroundings: ObjectSurroundings) => void;
  onFailure: (error: unknown) => void;
}

type Means = readonly (number | null)[];

/** The background image beneath the masks of the image shown: how it was found, how it is painted, and what its samples say. */
export class BackgroundImagePane {
  readonly section: ImageSection;
  private readonly controls: BackgroundImageControls;
  private readonly pointer: PointerValues;
  private readonly pixelSizes: Map<string, number>;
  private readonly looks: ImageLooks;
  private scene: ImageScene | undefined;
  private pairing: BackgroundImagePairing | undefined;
  private look: BackgroundImageLook | undefined;
  /** Names the background image that the look is of. */
  private painted: number | undefined;
  private stretched: boolean;
  /** Searches for background images that are under way, each for an image by its index. */
  private readonly searches = new Set<{ image: number }>();
  private measuring: AbortController | undefined;
  private measured: { details: ObjectDetails; found: (means: Means) => void } | undefined;

  constructor(private readonly options: BackgroundImagePaneOptions) {
    const { text, panel, onFailure } = options;
    this.stretched = options.stretched;
    this.pixelSizes = new Map(Object.entries(options.pixelSizes));
    this.looks = new ImageLooks(options.looks, options.onLooks);
    panel.on('backgroundImageProgress', ({ image, done, total }) => {
      const isSearched = [...this.searches].some(each => each.image === image);
      if (isSearched && image === this.scene?.image.index)
        this.section.reading(done / total, () => this.stop());
    });
    this.pointer = new PointerValues(panel, options.pointer);
    const onPixelSize = () => void this.choosePixelSize();
    this.section = options.hasMasks
      ? new BackgroundImageSection({
          text,
          onConfirm: () => void this.pair('confirmBackgroundImage'),
          onChoose: () => void this.pair('chooseBackgroundImage'),
          onAccept: offer => void this.pair('acceptBackgroundImage', offer),
          onStretch: stretched => this.setStretched(stretched),
          onPixelSize,
        })
      : new ImageFileSection({ text, onPixelSize });
    this.controls = new BackgroundImageControls({
      text,
      panel,
      root: this.section.controls,
      canLock: options.severalImages,
      onLook: look => {
        const { page, z, t } = this.look ?? {};
        this.look = look;
        const info = this.pairing?.backgroundImage;
        if (this.scene && info) this.looks.set(this.scene.image.id, info, look);
        this.scene?.setBackgroundImageLook(look);
        this.reportSurroundings();
        if (page !== look.page || z !== look.z || t !== look.t) void this.remeasure();
      },
      isShared: () => this.looks.isShared,
      onShared: shared => {
        const info = this.pairing?.backgroundImage;
        if (shared && info && this.look) this.looks.share(info, this.look);
        else this.looks.unshare();
      },
      onFailure,
    });
  }

  /** Another image, or none that can be shown. */
  setScene(scene: ImageScene | undefined): void {
    this.scene = scene;
    this.pairing = undefined;
    this.look = undefined;
    this.painted = undefined;
    this.section.root.hidden = scene === undefined;
    // What it said of another image no longer holds; the search begins after the masks.
    this.section.looking();
    this.pointer.point(null);
    this.controls.setBackgroundImage(undefined, undefined);
    this.reportPixelSize();
  }

  /** Looks for the background image, or lets the user confirm or choose it, or accept one of another size. */
  async pair(
    how: 'backgroundImage' | 'confirmBackgroundImage' | 'chooseBackgroundImage' | 'acceptBackgroundImage',
    offer?: BackgroundImageOffer,
  ): Promise<void> {
    const { scene } = this;
    if (!scene) return;
    const { panel, onFailure } = this.options;
    const { index: image } = scene.image;
    if (how === 'backgroundImage') this.section.looking();
    const search = { image };
    this.searches.add(search);
    try {
      const pairing =
        how === 'acceptBackgroundImage' && offer
          ? await panel.request('acceptBackgroundImage', { image, offer })
          : how === 'acceptBackgroundImage'
            ? undefined
            : await panel.request(how, { image });
      if (scene !== this.scene || !pairing) return;
      this.pairing = pairing;
      if (pairing.backgroundImage) this.options.onOpened(image);
    } catch (error) {
      if (scene !== this.scene) return;
      if (isCoded(error, 'cancelled') && !this.pairing)
        this.section.stopped(() => void this.pair('backgroundImage'));
      else if (!isCoded(error, 'cancelled')) {
        onFailure(error);
        this.pairing ??= { state: 'missing', how: '' };
      }
    } finally {
      this.searches.delete(search);
    }
    this.show();
  }

  /** The user stopped loading the background image. */
  private stop(): void {
    if (this.scene) this.options.panel.send('stopBackgroundImage', { image: this.scene.image.index });
  }

  /** The pointer is there, in image pixels, or nowhere. */
  point(at: Point | null): void {
    const { scene, pairing, look } = this;
    const backgroundImage = pairing?.backgroundImage;
    this.pointer.point(
      at && scene && backgroundImage && look
        ? { at, backgroundImage, look, image: scene.image, stretched: this.isStretched }
        : null,
    );
  }

  /** Reports means of the samples inside an object whenever they change; nothing without a background image. */
  measure(details: ObjectDetails | undefined, found: (means: Means) => void): void {
    this.measured = details && { details, found };
    void this.remeasure();
  }

  /** What is known beside the objects themselves: pixel size and channels. */
  get surroundings(): ObjectSurroundings {
    const { scene, look, pairing } = this;
    const info = pairing?.backgroundImage;
    const channels = Array.from({ length: info?.channels ?? 0 }, (_, at) => ({
      name: info ? channelName(this.options.text, info, at) : '',
      shown: look?.channels[at]?.shown ?? false,
    }));
    return { pixelSize: scene && this.knownPixelSize(scene.image)?.size, channels };
  }

  /** Means of the samples inside an object, for each channel; none without a background image of its image. */
  async meansOf({ image, object }: ObjectRef, signal?: AbortSignal): Promise<Means> {
    const backgroundImage = this.pairing?.backgroundImage;
    if (!backgroundImage || image !== this.scene?.image.index) return [];
    const params = {
      backgroundImage: backgroundImage.backgroundImage,
      image,
      object,
      ...(this.look && { look: this.look }),
    };
    return (await this.options.panel.request('objectIntensity', params, signal)).means;
  }

  private async remeasure(): Promise<void> {
    this.measuring?.abort();
    const { measured } = this;
    const isOfScene = measured?.details.image === this.scene?.image.index;
    if (!this.pairing?.backgroundImage || !measured || !isOfScene) return;
    const controller = new AbortController();
    this.measuring = controller;
    try {
      const means = await this.meansOf(measured.details, controller.signal);
      if (!controller.signal.aborted) measured.found(means);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }

  private get isStretched(): boolean {
    return this.pairing?.stretched ?? this.stretched;
  }

  private setStretched(stretched: boolean): void {
    this.stretched = stretched;
    this.options.onStretched(stretched);
    this.show();
  }

  private show(): void {
    const { scene, pairing } = this;
    if (!scene || !pairing) return;
    const { backgroundImage } = pairing;
    this.section.show(pairing, scene.image, this.stretched);
    scene.setBackgroundImage(backgroundImage, this.isStretched);
    if (backgroundImage?.backgroundImage !== this.painted)
      this.look = backgroundImage && this.looks.of(scene.image.id, backgroundImage);
    this.controls.setBackgroundImage(backgroundImage, this.look);
    this.painted = backgroundImage?.backgroundImage;
    if (this.look) scene.setBackgroundImageLook(this.look);
    this.reportPixelSize();
    void this.remeasure();
  }

  private reportPixelSize(): void {
    const known = this.scene && this.knownPixelSize(this.scene.image);
    this.section.setPixelSize(known);
    this.options.pointer.measured(known?.size);
    this.reportSurroundings();
  }

  private reportSurroundings(): void {
    this.options.onSurroundings(this.surroundings);
  }

  /** What the user says counts more than what the file says; a stretched background image has pixels of another size. */
  private knownPixelSize(image: MaskImage): KnownPixelSize | undefined {
    const given = this.pixelSizes.get(image.id);
    if (given !== undefined) return { size: { x: given, y: given }, from: 'user' };
    const backgroundImage = this.pairing?.backgroundImage;
    if (!backgroundImage?.pixelSize) return undefined;
    const own = backgroundImage.pixelSize;
    return {
      size: this.isStretched ? stretchedSize(own, backgroundImage, image) : own,
      from: 'backgroundImage',
    };
  }

  private async choosePixelSize(): Promise<void> {
    const { scene } = this;
    if (!scene) return;
    try {
      const { image } = scene;
      const { pixelSize } = await this.options.panel.request('choosePixelSize', { image: image.index });
      if (pixelSize === null) this.pixelSizes.delete(image.id);
      else this.pixelSizes.set(image.id, pixelSize);
      this.reportPixelSize();
    } catch (error) {
      this.options.onFailure(error);
    }
  }
}

/** Where the pointer is on a background image. */
interface PointedSample {
  backgroundImage: BackgroundImageInfo;
  look: BackgroundImageLook;
  at: Point;
  /** The masks' image; the background image may have another size. */
  image: Extent;
  stretched: boolean;
}

/** Requests the samples of the background image under the pointer, at most one request at a time. */
class PointerValues {
  private pointed: PointedSample | null = null;
  private busy = false;
  private readonly frames = new FrameQueue(() => void this.load());

  constructor(
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly pointer: PointerModel,
  ) {}

  point(pointed: PointedSample | null): void {
    this.pointed = pointed;
    this.frames.schedule();
  }

  private async load(): Promise<void> {
    if (this.busy) return;
    const sample = this.pointed;
    if (!sample) {
      this.pointer.sampled([]);
      return;
    }
    const { backgroundImage, look, at, image, stretched } = sample;
    const across = stretched ? backgroundImage.width / image.width : 1;
    const down = stretched ? backgroundImage.height / image.height : 1;
    const [x, y] = [Math.floor(at.x * across), Math.floor(at.y * down)];
    if (x < 0 || y < 0 || x >= backgroundImage.width || y >= backgroundImage.height) {
      this.pointer.sampled([]);
      return;
    }
    this.busy = true;
    try {
      const { values } = await this.panel.request('pixelValues', {
        backgroundImage: backgroundImage.backgroundImage,
        x,
        y,
        look,
      });
      this.pointer.sampled(this.pointed ? values : []);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.pointer.sampled([]);
    } finally {
      this.busy = false;
      if (this.pointed !== sample) this.frames.schedule();
    }
  }
}
