import { isCoded } from '../../base/errors';
import type { PictureLook } from '../../formats/pictureLook';
import type { MaskImage } from '../../formats/masksSummary';
import type { ObjectDetails } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide, PictureOffer, PicturePairing } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PageText } from '../pageText';
import type { ImageScene } from './imageScene';
import { stretchedSize } from './micronSize';
import type { ObjectSurroundings } from './objectSection';
import { PictureControls } from './pictureControls';
import { PictureSection, type KnownPixelSize } from './pictureSection';
import { PointerValues } from './pointerValues';
import type { Point } from './viewTransform';

export interface PicturePaneOptions {
  text: PageText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Whether a picture of another size is stretched over the masks; as it was left. */
  stretched: boolean;
  /** µm per pixel as the user gave them, by image id. */
  pixelSizes: Readonly<Record<string, number>>;
  onStretched: (stretched: boolean) => void;
  /** µm across a pixel. */
  onPixelSize: (pixelSize: number | undefined) => void;
  onSurroundings: (surroundings: ObjectSurroundings) => void;
  onValues: (values: readonly (number | null)[]) => void;
  onFailure: (error: unknown) => void;
}

type Means = readonly (number | null)[];

/** The picture beneath the masks of the image shown: how it was found, how it is painted, and what its samples say. */
export class PicturePane {
  readonly section: PictureSection;
  private readonly controls: PictureControls;
  private readonly pointer: PointerValues;
  private readonly pixelSizes: Map<string, number>;
  private scene: ImageScene | undefined;
  private pairing: PicturePairing | undefined;
  private look: PictureLook | undefined;
  /** Names the picture that the look is of. */
  private painted: number | undefined;
  private stretched: boolean;
  /** Searches for pictures that are under way. */
  private pending = 0;
  private asking: AbortController | undefined;
  private measured: { details: ObjectDetails; found: (means: Means) => void } | undefined;

  constructor(private readonly options: PicturePaneOptions) {
    const { text, panel, onFailure } = options;
    this.stretched = options.stretched;
    this.pixelSizes = new Map(Object.entries(options.pixelSizes));
    panel.on('pictureProgress', ({ done, total }) => {
      if (this.pending > 0) this.section.reading(done / total, () => this.stop());
    });
    this.pointer = new PointerValues(panel, options.onValues);
    this.section = new PictureSection({
      text,
      onConfirm: () => void this.pair('confirmPicture'),
      onChoose: () => void this.pair('choosePicture'),
      onAccept: offer => void this.pair('acceptPicture', offer),
      onStretch: stretched => this.setStretched(stretched),
      onPixelSize: () => void this.choosePixelSize(),
    });
    this.controls = new PictureControls({
      text,
      panel,
      root: this.section.controls,
      onLook: look => {
        const { page, z, t } = this.look ?? {};
        this.look = look;
        this.scene?.setPictureLook(look);
        this.tellSurroundings();
        if (page !== look.page || z !== look.z || t !== look.t) void this.remeasure();
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
    this.pointer.point(null);
    this.controls.setPicture(undefined);
    this.tellPixelSize();
  }

  /** Looks for the picture, or lets the user confirm or choose it, or accept one of another size. */
  async pair(
    how: 'picture' | 'confirmPicture' | 'choosePicture' | 'acceptPicture',
    offer?: PictureOffer,
  ): Promise<void> {
    const { scene } = this;
    if (!scene) return;
    const { panel, onFailure } = this.options;
    const { index: image } = scene.image;
    if (how === 'picture') this.section.looking();
    this.pending++;
    try {
      const pairing =
        how === 'acceptPicture' && offer
          ? await panel.request('acceptPicture', { image, offer })
          : how === 'acceptPicture'
            ? undefined
            : await panel.request(how, { image });
      if (scene !== this.scene || !pairing) return;
      this.pairing = pairing;
    } catch (error) {
      if (scene !== this.scene) return;
      if (isCoded(error, 'cancelled') && !this.pairing) this.section.stopped(() => void this.pair('picture'));
      else if (!isCoded(error, 'cancelled')) {
        onFailure(error);
        this.pairing ??= { state: 'missing', how: '' };
      }
    } finally {
      this.pending--;
    }
    this.show();
  }

  /** The user does not want to wait for the picture. */
  private stop(): void {
    if (this.scene) this.options.panel.send('stopPicture', { image: this.scene.image.index });
  }

  /** The pointer is there, in image pixels, or nowhere. */
  point(at: Point | null): void {
    const { scene, pairing, look } = this;
    const picture = pairing?.picture;
    this.pointer.point(
      at && scene && picture && look
        ? { at, picture, look, image: scene.image, stretched: this.isStretched }
        : null,
    );
  }

  /** Tells means of the samples inside an object whenever they are known anew; nothing without a picture. */
  measure(details: ObjectDetails | undefined, found: (means: Means) => void): void {
    this.measured = details && { details, found };
    void this.remeasure();
  }

  private async remeasure(): Promise<void> {
    this.asking?.abort();
    const { measured } = this;
    const picture = this.pairing?.picture;
    if (!picture || !measured || measured.details.image !== this.scene?.image.index) return;
    const controller = new AbortController();
    this.asking = controller;
    const { image, object } = measured.details;
    const asked = { picture: picture.picture, image, object, ...(this.look && { look: this.look }) };
    try {
      const { means } = await this.options.panel.request('objectIntensity', asked, controller.signal);
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
    const { picture } = pairing;
    this.section.show(pairing, scene.image, this.stretched);
    this.controls.setPicture(picture);
    scene.setPicture(picture, this.isStretched);
    if (picture?.picture !== this.painted) this.look = picture?.look;
    this.painted = picture?.picture;
    if (this.look) scene.setPictureLook(this.look);
    this.tellPixelSize();
    void this.remeasure();
  }

  private tellPixelSize(): void {
    const known = this.scene && this.knownPixelSize(this.scene.image);
    this.section.setPixelSize(known);
    // The scale bar lies across.
    this.options.onPixelSize(known?.size.x);
    this.tellSurroundings();
  }

  private tellSurroundings(): void {
    const { scene, look, pairing } = this;
    const { channels: count = 0, channelNames = [] } = pairing?.picture ?? {};
    const channels = Array.from({ length: count }, (_, at) => ({
      name: channelNames[at] || this.options.text.get('channel', at + 1),
      shown: look?.channels[at]?.shown ?? false,
    }));
    const pixelSize = scene && this.knownPixelSize(scene.image)?.size;
    this.options.onSurroundings({ pixelSize, channels });
  }

  /** What the user says counts more than what the file says; a stretched picture has pixels of another size. */
  private knownPixelSize(image: MaskImage): KnownPixelSize | undefined {
    const given = this.pixelSizes.get(image.id);
    if (given !== undefined) return { size: { x: given, y: given }, from: 'user' };
    const picture = this.pairing?.picture;
    if (!picture?.pixelSize) return undefined;
    const own = picture.pixelSize;
    return { size: this.isStretched ? stretchedSize(own, picture, image) : own, from: 'picture' };
  }

  private async choosePixelSize(): Promise<void> {
    const { scene } = this;
    if (!scene) return;
    try {
      const { image } = scene;
      const { pixelSize } = await this.options.panel.request('choosePixelSize', { image: image.index });
      if (pixelSize === null) this.pixelSizes.delete(image.id);
      else this.pixelSizes.set(image.id, pixelSize);
      this.tellPixelSize();
    } catch (error) {
      this.options.onFailure(error);
    }
  }
}
