import type {
  BackgroundImageInfo,
  BackgroundImageLook,
  ChannelLook,
} from '../../../images/backgroundImageInfo';
import type { ValueRange } from '../../../pages/page/widgets/colorScale';

/** Properties of a background image that decide how it is painted. */
type PaintedImageInfo = Pick<
  BackgroundImageInfo,
  'name' | 'channels' | 'bitsPerSample' | 'sampleKind' | 'rgb' | 'axes' | 'look'
>;

/** Ranges of the channels of images of one kind. */
type SharedContrast = Readonly<Record<string, readonly ValueRange[]>>;

/** The looks as saved with the view. */
export interface SavedImageLooks {
  /** Looks that the user changed, the latest last, by image ID and file name. */
  imageLooks: [key: string, look: BackgroundImageLook][];
  /** The shared contrast by kind of image; null while each image has its own. */
  sharedContrast: SharedContrast | null;
}

/** Maximum number of stored looks. */
const MAX_LOOKS = 20;

/**
 * The user's looks of background images, stored while other images are shown and over reloads. All
 * images of a kind may share their contrast.
 */
export class ImageLooks {
  private readonly changed: Map<string, BackgroundImageLook>;
  private shared: SharedContrast | null;

  constructor(
    saved: Partial<SavedImageLooks>,
    private readonly onChange: (looks: SavedImageLooks) => void,
  ) {
    this.changed = new Map(saved.imageLooks ?? []);
    this.shared = saved.sharedContrast ?? null;
  }

  /** Whether images of a kind share their contrast. */
  get isShared(): boolean {
    return this.shared !== null;
  }

  /** The look to start with for the background image of an image, by image ID. */
  lookOf(image: string, info: PaintedImageInfo): BackgroundImageLook {
    const changed = this.changed.get(keyOf(image, info));
    const look = changed && fitsFile(changed, info) ? changed : info.look;
    const ranges = this.shared?.[kindOf(info)];
    if (ranges?.length !== look.channels.length) return look;
    return { ...look, channels: look.channels.map((channel, index) => ({ ...channel, ...ranges[index] })) };
  }

  /** Stores a look that the user changed. Shared contrast changes for all images of its kind. */
  set(image: string, info: PaintedImageInfo, look: BackgroundImageLook): void {
    const key = keyOf(image, info);
    this.changed.delete(key);
    this.changed.set(key, look);
    for (const oldest of this.changed.keys()) {
      if (this.changed.size <= MAX_LOOKS) break;
      this.changed.delete(oldest);
    }
    if (this.shared) this.shared = { ...this.shared, [kindOf(info)]: rangesOf(look) };
    this.save();
  }

  /** Gives all images of this kind the contrast of this one. */
  share(info: PaintedImageInfo, look: BackgroundImageLook): void {
    this.shared = { [kindOf(info)]: rangesOf(look) };
    this.save();
  }

  /** Gives each image its own contrast again. */
  unshare(): void {
    this.shared = null;
    this.save();
  }

  /**
   * Restores the looks of channels, by key of the image; null restores the look from its file.
   * `axes`: the plane for images without a stored look.
   */
  restore(
    channels: Readonly<Record<string, readonly ChannelLook[] | null>>,
    shared: SharedContrast | null | undefined,
    axes: Pick<BackgroundImageLook, 'page' | 'z' | 't'>,
  ): void {
    for (const [key, channelLooks] of Object.entries(channels)) {
      const { page, z, t } = this.changed.get(key) ?? axes;
      if (channelLooks) this.changed.set(key, { page, z, t, channels: [...channelLooks] });
      else this.changed.delete(key);
    }
    if (shared !== undefined) this.shared = shared;
    this.save();
  }

  private save(): void {
    this.onChange({ imageLooks: [...this.changed], sharedContrast: this.shared });
  }
}

/** The ID of the image whose look is stored under a key. */
export function imageOfLook(key: string): string {
  const [image] = JSON.parse(key) as [string, string];
  return image;
}

/** The file name is part of the key, as the user may choose another file for the image. */
function keyOf(image: string, { name }: PaintedImageInfo): string {
  return JSON.stringify([image, name]);
}

/** Ranges can be shared only between images of equally many channels and the same samples. */
function kindOf({ channels, sampleKind, bitsPerSample, rgb, look }: PaintedImageInfo): string {
  const isInverted = look.channels.some(({ low, high }) => low > high);
  return [channels, sampleKind, bitsPerSample, rgb ? 'rgb' : '', isInverted ? 'inverted' : ''].join(' ');
}

function rangesOf({ channels }: BackgroundImageLook): ValueRange[] {
  return channels.map(({ low, high }) => ({ low, high }));
}

/** Whether a stored look is valid for the file, which may have changed under its name. */
function fitsFile({ page, z, t, channels }: BackgroundImageLook, { axes, look }: PaintedImageInfo): boolean {
  return page < axes.page && z < axes.z && t < axes.t && channels.length === look.channels.length;
}
