import type { Disposable } from '../../base/disposable';
import { throwIfCanceled } from '../../base/errors';
import type { Event } from '../../base/event';
import type { MaskImage } from '../../masks/masksSummary';
import type { ResultChoices } from '../../results/node/resultChoices';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  sessionBackgroundImages,
} from './backgroundImageFinder';
import type { LocalCopies } from './localCopies';
import type { ResultSource } from './resultSource';
import type { SessionLinks } from './sessionLinks';
import type { SessionMasks } from './sessionMasks';

/** What is needed of the session of a result. */
interface Session {
  readonly source: ResultSource;
  readonly masks: Pick<SessionMasks, 'open' | 'request'>;
  readonly links: Pick<SessionLinks, 'settled'>;
  readonly onDidLoseEngine: Event<unknown>;
}

interface ImageAreasParts {
  session: Session;
  choices: Pick<ResultChoices, 'pixelSizes'>;
  pairing: BackgroundImagePairingSource;
  /** Paths on disk for background images; disposed of with the areas. */
  copies: Pick<LocalCopies, 'pathOf' | 'dispose'>;
}

/** The images of open masks. */
export interface MeasurableImages {
  images: readonly MaskImage[];
  /** The area of an image in mm²; undefined where nothing tells how large its pixels are. Throws `cancelled`. */
  areaOf: (image: MaskImage) => Promise<number | undefined>;
}

const SQUARE_MICRONS = 1e6;

/**
 * How large the images of masks are: by the pixel size that the user has set, else by that of the background image, where it
 * is certain which file that is.
 */
export class ImageAreas implements Disposable {
  private readonly closing = new AbortController();
  private readonly losing: Disposable;
  /** Those that files have told, with what the user had chosen as background image. */
  private readonly ofFiles = new Map<number, { choice: string; area: number }>();
  /** How often the engine crashed, and with it all was closed. */
  private losses = 0;

  constructor(private readonly parts: ImageAreasParts) {
    this.losing = parts.session.onDidLoseEngine(() => this.losses++);
  }

  /** Opens the masks. Throws what that throws. */
  async open(signal: AbortSignal): Promise<MeasurableImages> {
    const { session, choices } = this.parts;
    const stopped = AbortSignal.any([signal, this.closing.signal]);
    const { images } = await session.masks.open(stopped);
    // Paths of images that have one name.
    await session.links.settled();
    const given = await choices.pixelSizes(session.source);
    return { images, areaOf: image => this.areaOf(image, given[image.id], stopped) };
  }

  dispose(): void {
    this.closing.abort();
    this.losing.dispose();
    this.parts.copies.dispose();
  }

  private async areaOf(
    image: MaskImage,
    given: number | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    throwIfCanceled(signal);
    // What the user says counts more than what the file says.
    if (given !== undefined) {
      const area = (image.width * image.height * given ** 2) / SQUARE_MICRONS;
      return area > 0 ? area : undefined;
    }
    const { session, pairing } = this.parts;
    const stored = await pairing.storedChoice(session.source, image.id);
    const choice = JSON.stringify([stored?.uri.toString(), stored?.use]);
    const known = this.ofFiles.get(image.index);
    if (known?.choice === choice) return known.area;
    const area = await this.areaOfFile(image, signal);
    if (area !== undefined) this.ofFiles.set(image.index, { choice, area });
    return area;
  }

  private async areaOfFile(image: MaskImage, signal: AbortSignal): Promise<number | undefined> {
    const { session, pairing, copies } = this.parts;
    const { losses } = this;
    const access = sessionBackgroundImages(session.masks.request, copies, this.closing.signal);
    const finder = new BackgroundImageFinder(session.source, pairing, {
      ...access,
      imageOrigin: async (at, each) =>
        (await session.masks.request('imageOrigin', { image: at }, each)).origin,
    });
    const found = await finder.find(image, signal);
    if (found.state !== 'paired') return undefined;
    const { backgroundImage, width, height, pixelSize } = found.backgroundImage;
    // In the engine that follows one that crashed, the number is that of another image.
    if (losses === this.losses) await access.closeBackgroundImage(backgroundImage);
    // A stretched one covers the same area as its masks.
    return pixelSize && (width * height * pixelSize.x * pixelSize.y) / SQUARE_MICRONS;
  }
}
