import type {
  BackgroundImageInfo,
  BackgroundImageLook,
  ChannelLook,
} from '../../../images/backgroundImageInfo';
import type { ValueRange } from '../../../pages/page/widgets/colorScale';

/** The part of an open background image that decides its paint. */
type LookedAt = Pick<
  BackgroundImageInfo,
  'name' | 'channels' | 'bitsPerSample' | 'sampleKind' | 'rgb' | 'axes' | 'look'
>;

/** Ranges of the channels of images of one kind. */
type SharedContrast = Readonly<Record<string, readonly ValueRange[]>>;

/** As it is saved with the view. */
export interface SavedImageLooks {
  /** Looks that the user changed, by the image and the name of its file; the latest is last. */
  imageLooks: [of: string, look: BackgroundImageLook][];
  /** By the kind of image; null while each image has its own. */
  sharedContrast: SharedContrast | null;
}

/** Images whose look is kept. */
const MAX_LOOKS = 20;

/**
 * The user's paint of background images: stored while other images are shown, and over reloads. All
 * images of a kind may share contrast.
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

  /** The look to begin with for the background image of an image, by its ID. */
  of(image: string, info: LookedAt): BackgroundImageLook {
    const changed = this.changed.get(keyOf(image, info));
    const look = changed && fits(changed, info) ? changed : info.look;
    const ranges = this.shared?.[kindOf(info)];
    if (ranges?.length !== look.channels.length) return look;
    return { ...look, channels: look.channels.map((channel, at) => ({ ...channel, ...ranges[at] })) };
  }

  /** The user has changed a look; where contrast is shared, that of all images of its kind. */
  set(image: string, info: LookedAt, look: BackgroundImageLook): void {
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

  /** From now on all images of its kind have the contrast of this one. */
  share(info: LookedAt, look: BackgroundImageLook): void {
    this.shared = { [kindOf(info)]: rangesOf(look) };
    this.save();
  }

  /** From now on each image has its own contrast. */
  unshare(): void {
    this.shared = null;
    this.save();
  }

  /**
   * Paints channels of background images as given, or as in their files for null; `shared` for
   * other images.
   */
  restore(
    channels: Readonly<Record<string, readonly ChannelLook[] | null>>,
    shared: SharedContrast | null | undefined,
    axes: Pick<BackgroundImageLook, 'page' | 'z' | 't'>,
  ): void {
    for (const [key, painted] of Object.entries(channels)) {
      const { page, z, t } = this.changed.get(key) ?? axes;
      if (painted) this.changed.set(key, { page, z, t, channels: [...painted] });
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

/** Another file may have been chosen for the image. */
function keyOf(image: string, { name }: LookedAt): string {
  return JSON.stringify([image, name]);
}

/** Ranges mean the same only for as many channels of the same samples. */
function kindOf({ channels, sampleKind, bitsPerSample, rgb, look }: LookedAt): string {
  const isInverted = look.channels.some(({ low, high }) => low > high);
  return [channels, sampleKind, bitsPerSample, rgb ? 'rgb' : '', isInverted ? 'inverted' : ''].join(' ');
}

function rangesOf({ channels }: BackgroundImageLook): ValueRange[] {
  return channels.map(({ low, high }) => ({ low, high }));
}

/** The file may be another one of the same name. */
function fits({ page, z, t, channels }: BackgroundImageLook, { axes, look }: LookedAt): boolean {
  return page < axes.page && z < axes.z && t < axes.t && channels.length === look.channels.length;
}
